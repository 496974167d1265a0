#include "tools/otf2/process_import.h"

#include <algorithm>
#include <cmath>

#include "tools/conversion/rank_runs.h"

namespace parallax::otf2 {

using namespace format;
using conversion::mix;
using conversion::runsOf;

namespace {

constexpr size_t kMostMarks = 100'000;  // of a process: texts of parameters
constexpr int kMostContexts = 100'000;  // depth of a calling context, which damage can make a ring

bool startsWith(const std::string& text, const char* prefix) { return text.rfind(prefix, 0) == 0; }

}  // namespace

RegionUse useOf(const RegionDefinition& region) {
  // Some tools, such as EZTrace, name no paradigm.
  const bool isUntold = region.paradigm == OTF2_PARADIGM_UNKNOWN || region.paradigm == OTF2_PARADIGM_USER ||
                        region.paradigm == OTF2_PARADIGM_COMPILER;
  if (region.paradigm == OTF2_PARADIGM_MPI || (isUntold && (startsWith(region.name, "MPI_") ||
                                                           startsWith(region.name, "mpi_")))) {
    return {true, Group::kMpi};
  }
  if (region.paradigm == OTF2_PARADIGM_PTHREAD || (isUntold && startsWith(region.name, "pthread_"))) {
    return {true, Group::kPthread};
  }
  switch (region.role) {
    case OTF2_REGION_ROLE_CRITICAL:
    case OTF2_REGION_ROLE_BARRIER:
    case OTF2_REGION_ROLE_IMPLICIT_BARRIER:
    case OTF2_REGION_ROLE_TASK_WAIT:
      return {true, Group::kOpenMp};
    case OTF2_REGION_ROLE_FILE_IO:
    case OTF2_REGION_ROLE_FILE_IO_METADATA:
      return {true, Group::kFile};
    default:
      break;
  }
  if (region.paradigm == OTF2_PARADIGM_OPENMP && startsWith(region.name, "omp_")) return {true, Group::kOpenMp};
  return {};
}

ProcessImport::ProcessImport(const Archive& all, const ProcessDefinition& process, const Target& to, uint32_t number)
    : archive(all), definition(process), target(to), pid(number), creators(process.locations.size(), -1),
      begins(process.locations.size(), 0) {
  // Communicator 1 is MPI_COMM_WORLD.
  if (definition.rank >= 0) communicator(archive.world);
}

std::vector<uint64_t> ProcessImport::ranksOf(const GroupDefinition& group) const {
  if (group.type == OTF2_GROUP_TYPE_COMM_SELF) return {static_cast<uint64_t>(definition.rank)};
  const std::vector<uint64_t>& world = archive.rankLocations();
  if (group.type == OTF2_GROUP_TYPE_COMM_LOCATIONS) {
    std::vector<uint64_t> ranks(world.size());
    for (size_t i = 0; i < ranks.size(); i++) ranks[i] = i;
    return ranks;
  }
  if ((group.flags & OTF2_GROUP_FLAG_GLOBAL_MEMBERS) == 0) return group.members;
  std::vector<uint64_t> ranks;
  for (const uint64_t location : group.members) {
    const auto found = std::find(world.begin(), world.end(), location);
    ranks.push_back(static_cast<uint64_t>(found - world.begin()));
  }
  return ranks;
}

ProcessImport::Communicator& ProcessImport::findCommunicator(OTF2_CommRef ref) {
  const auto [found, isNew] = communicators_.try_emplace(ref);
  if (isNew) define(ref, &found->second);
  return found->second;
}

bool ProcessImport::groupsOf(OTF2_CommRef ref, std::vector<uint64_t>* own, std::vector<uint64_t>* remote) const {
  const auto known = archive.communicators.find(ref);
  if (definition.rank < 0) return false;
  if (known == archive.communicators.end()) {
    if (ref != archive.world) return false;
    own->resize(archive.worldSize);  // MPI_COMM_WORLD without a definition
    for (size_t i = 0; i < own->size(); i++) (*own)[i] = i;
  } else {
    const auto group = archive.groups.find(known->second.group);
    if (group == archive.groups.end()) return false;
    *own = ranksOf(group->second);
    const auto second = archive.groups.find(known->second.remoteGroup);
    if (second != archive.groups.end()) *remote = ranksOf(second->second);
  }
  const auto rank = static_cast<uint64_t>(definition.rank);
  const auto isIn = [&] { return std::find(own->begin(), own->end(), rank) != own->end(); };
  if (!isIn() && !remote->empty()) std::swap(*own, *remote);
  return true;
}

void ProcessImport::define(OTF2_CommRef ref, Communicator* communicator) {
  std::vector<uint64_t> own, remote;
  if (!groupsOf(ref, &own, &remote)) return;
  const auto place = std::find(own.begin(), own.end(), static_cast<uint64_t>(definition.rank));
  if (place == own.end()) {
    communicator->fault = Fault::kNotMember;
    return;
  }
  communicator->ownRank = static_cast<uint32_t>(place - own.begin());
  communicator->size = static_cast<uint32_t>(own.size());
  communicator->peers = static_cast<uint32_t>(remote.empty() ? own.size() : remote.size());
  order_.push_back({ref, false});
  communicator->number = static_cast<uint32_t>(order_.size());
}

ProcessImport::Window& ProcessImport::window(OTF2_RmaWinRef ref) {
  const auto [found, isNew] = windows_.try_emplace(ref);
  Window& window = found->second;
  if (!isNew) return window;
  const auto known = archive.windows.find(ref);
  window.self.fault = Fault::kUndefinedWindow;
  if (known == archive.windows.end()) return window;
  Communicator& members = communicator(known->second.communicator);
  window.self = members;
  window.self.sequence = 0;
  window.self.thread = -1;
  window.communicator = &members;
  if (members.number == 0) return window;
  order_.push_back({ref, true});
  window.self.number = static_cast<uint32_t>(order_.size());
  return window;
}

const std::vector<uint32_t>* ProcessImport::windowRanks(OTF2_RmaWinRef ref, OTF2_GroupRef groupRef) {
  const auto group = archive.groups.find(groupRef);
  if (group == archive.groups.end()) return nullptr;
  const auto [found, isNew] = windowRanks_.try_emplace(uint64_t{ref} << 32 | groupRef);
  if (!isNew) return &found->second;
  auto& rankOf = window(ref).communicator->rankOf;
  if (rankOf.empty()) {
    std::vector<uint64_t> own, remote;
    groupsOf(archive.windows.at(ref).communicator, &own, &remote);
    for (uint32_t i = 0; i < own.size(); i++) rankOf.emplace(own[i], i);
  }
  for (const uint64_t rank : ranksOf(group->second)) {
    const auto member = rankOf.find(rank);
    if (member != rankOf.end()) found->second.push_back(member->second);
  }
  return &found->second;
}

void ProcessImport::writeCommunicators(DefinitionsWriter* file) const {
  for (uint32_t i = 0; i < order_.size(); i++) writeCommunicator(file, i);
}

void ProcessImport::writeCommunicator(DefinitionsWriter* file, uint32_t index) const {
  const bool isWindow = order_[index].isWindow;
  const OTF2_CommRef ref = isWindow ? archive.windows.at(order_[index].ref).communicator : order_[index].ref;
  const Communicator& use = isWindow ? windows_.at(order_[index].ref).self : communicators_.at(ref);
  const auto known = archive.communicators.find(ref);
  CommunicatorRecord record;
  std::vector<uint64_t> own, remote;
  bool isSelf = false;
  if (known == archive.communicators.end()) {
    own.resize(archive.worldSize);
    for (size_t i = 0; i < own.size(); i++) own[i] = i;
    record.name = "MPI_COMM_WORLD";
  } else {
    const GroupDefinition& group = archive.groups.at(known->second.group);
    own = ranksOf(group);
    isSelf = group.type == OTF2_GROUP_TYPE_COMM_SELF;
    const auto second = archive.groups.find(known->second.remoteGroup);
    if (second != archive.groups.end()) {
      record.flags |= kIntercommunicator;
      remote = ranksOf(second->second);
      const auto rank = static_cast<uint64_t>(definition.rank);
      if (std::find(own.begin(), own.end(), rank) == own.end()) {
        std::swap(own, remote);
        record.flags |= kSecondGroup;
      }
    }
    record.name = known->second.name;
  }
  std::vector<RankRun> runs = runsOf(own);
  record.runs.ownCount = static_cast<uint32_t>(runs.size());
  const std::vector<RankRun> remoteRuns = runsOf(remote);
  runs.insert(runs.end(), remoteRuns.begin(), remoteRuns.end());
  record.runs.remoteCount = static_cast<uint32_t>(remoteRuns.size());
  record.runs.data = runs.data();
  record.communicator = use.number;
  record.size = use.size;
  record.ownRank = use.ownRank;
  record.globalId = mix(mix(target.traceId, ref), isSelf ? static_cast<uint64_t>(definition.rank) + 1 : 0);
  if (isWindow) {
    record.flags |= kWindowMembers;
    record.globalId = mix(record.globalId, uint64_t{1} << 32 | order_[index].ref);
    record.name = archive.windows.at(order_[index].ref).name;
  }
  file->add(record);
}

uint32_t ProcessImport::syncObject(SyncKind kind, uint64_t address) {
  uint32_t& number = objectNumbers_[mix(address, static_cast<uint64_t>(kind))];
  if (number == 0) {
    objects_.push_back({kind, address});
    number = static_cast<uint32_t>(objects_.size());
  }
  return number;
}

const ProcessImport::MetricUse& ProcessImport::metric(OTF2_MetricMemberRef ref) {
  const auto [found, isNew] = metrics_.try_emplace(ref);
  MetricUse& use = found->second;
  const auto known = archive.metricMembers.find(ref);
  if (isNew && known != archive.metricMembers.end()) {
    const MetricMember& member = known->second;
    use.isRelative = (member.mode & OTF2_METRIC_VALUE_MASK) == OTF2_METRIC_VALUE_RELATIVE;
    use.scale = member.exponent == 0 ? 1
                                     : std::pow(member.base == OTF2_BASE_BINARY ? 2.0 : 10.0,
                                                static_cast<double>(member.exponent));
    use.isFloating = use.scale != 1 || !(member.type >= OTF2_TYPE_UINT8 && member.type <= OTF2_TYPE_UINT64);
    const bool isGauge = (member.mode & OTF2_METRIC_VALUE_MASK) == OTF2_METRIC_VALUE_ABSOLUTE;
    metricOrder_.push_back({member.name, member.unit, isGauge, use.isFloating});
    use.number = static_cast<uint32_t>(metricOrder_.size());
  }
  return use;
}

uint32_t ProcessImport::ownMetric(const std::string& name, bool isFloating) {
  uint32_t& number = ownMetrics_[(isFloating ? "f" : "u") + name];
  if (number == 0) {
    metricOrder_.push_back({name, "", true, isFloating});
    number = static_cast<uint32_t>(metricOrder_.size());
  }
  return number;
}

uint32_t ProcessImport::mark(const std::string& text) {
  const auto known = marks_.find(text);
  if (known != marks_.end()) return known->second;
  if (markOrder_.size() == kMostMarks) return 0;
  markOrder_.push_back(text);
  return marks_[text] = static_cast<uint32_t>(markOrder_.size());
}

uint32_t ProcessImport::addFile(uint64_t key, OTF2_StringRef name) {
  uint32_t& number = files_[key];
  if (number == 0) {
    const std::string& path = archive.text(name);
    fileOrder_.push_back(path.empty() ? "[file " + std::to_string(key & 0xFFFFFFFF) + "]" : path);
    number = static_cast<uint32_t>(fileOrder_.size());
  }
  return number;
}

uint32_t ProcessImport::fileNumber(OTF2_IoFileRef file) {
  const auto known = archive.files.find(file);
  return known == archive.files.end() ? 0 : addFile(file, known->second);
}

uint32_t ProcessImport::fileOf(OTF2_IoHandleRef handle) {
  const auto known = archive.ioHandles.find(handle);
  if (known == archive.ioHandles.end()) return 0;
  const uint32_t number = fileNumber(known->second.file);
  return number != 0 ? number : addFile(uint64_t{1} << 32 | handle, known->second.name);
}

bool ProcessImport::isRoutine(OTF2_RegionRef region) const {
  const auto known = archive.regions.find(region);
  return known == archive.regions.end() || useOf(known->second).isRoutine;
}

const std::string& ProcessImport::regionName(OTF2_RegionRef region) const {
  static const std::string kNone;
  const auto known = archive.regions.find(region);
  return known == archive.regions.end() ? kNone : known->second.name;
}

uint32_t ProcessImport::contextPath(OTF2_CallingContextRef ref) {
  const auto known = contextPaths_.find(ref);
  if (known != contextPaths_.end()) return known->second;
  hasContextPaths = true;
  std::vector<OTF2_CallingContextRef> chain;
  uint32_t path = CallPathTable::kNone;
  OTF2_CallingContextRef at = ref;
  while (at != OTF2_UNDEFINED_CALLING_CONTEXT && chain.size() < kMostContexts) {
    const auto found = contextPaths_.find(at);
    if (found != contextPaths_.end()) {
      path = found->second;
      break;
    }
    const auto context = archive.contexts.find(at);
    if (context == archive.contexts.end()) break;
    chain.push_back(at);
    at = context->second.parent;
  }
  for (auto next = chain.rbegin(); next != chain.rend(); ++next) {
    const OTF2_RegionRef region = archive.contexts.at(*next).region;
    if (isRegion(region)) path = paths.child(path, region);
    contextPaths_[*next] = path;
  }
  return path;
}

int64_t ProcessImport::begun(OTF2_CommRef contingent, uint64_t sequence) const {
  const auto found = threadBegins.find(uint64_t{contingent} << 32 | (sequence & 0xFFFFFFFF));
  return found == threadBegins.end() ? -1 : int64_t{found->second};
}

std::string ProcessImport::stem() const {
  // The location group makes the name unique; a number of the process may occur on several machines.
  return target.directory + "/" + processFileName(definition.host, pid, definition.group);
}

std::string ProcessImport::eventFile(uint32_t thread) const {
  return stem() + "." + std::to_string(thread) + ".evt";
}

void ProcessImport::writePaths(DefinitionsWriter* file) const {
  ModuleRecord module;
  module.ticks = firstTicks;
  module.firstAddress = 0x1000;
  module.endAddress = regionOffset(kOwnRegions);
  module.path = target.modulePath;
  file->add(module);
  for (uint32_t i = 0; i < markOrder_.size(); i++) {
    RegionRecord record;
    record.region = i + 1;
    record.group = Group::kPhase;
    record.name = markOrder_[i];
    file->add(record);
  }
  std::unordered_map<uint32_t, uint32_t> routines;
  const auto& nodes = paths.nodes();
  for (uint32_t i = 1; i < nodes.size(); i++) {
    const uint32_t region = nodes[i].region;
    RegionUse use{true, Group::kAgent};
    std::string name = region == kNotRecorded     ? "[not recorded]"
                       : region == kFlush         ? "[trace buffer flush]"
                       : region == kUnknownRegion ? "[unknown region]"
                                                  : "omp idle";
    if (region == kIdle) use.group = Group::kOpenMp;
    const auto known = archive.regions.find(region);
    if (region == kUnknownRegion) use.group = Group::kUser;
    if (known != archive.regions.end()) {
      use = useOf(known->second);
      name = known->second.name;
    } else if (region < kOwnRegions) {
      use.group = Group::kUser;
      name = "[region " + std::to_string(region) + "]";
    }
    CallPathRecord path;
    path.path = i;
    path.parent = nodes[i].parent;
    path.kind = use.isRoutine ? PathKind::kRegion : PathKind::kFunction;
    path.value = regionOffset(region);
    if (use.isRoutine) {
      uint32_t& number = routines[region];
      if (number == 0) {
        number = static_cast<uint32_t>(markOrder_.size() + routines.size());
        RegionRecord record;
        record.region = number;
        record.group = use.group;
        record.name = name;
        file->add(record);
      }
      path.value = number;
    }
    file->add(path);
  }
}

std::string ProcessImport::writeDefinitions() {
  if (firstTicks > lastTicks) firstTicks = lastTicks = target.clock.ticks;
  DefinitionsWriter file(stem() + ".def");
  ProcessRecord process;
  process.startTicks = firstTicks;
  process.monotonicNs = target.clock.monotonicAt(firstTicks);
  process.realtimeNs = target.realtimeNs + (process.monotonicNs - target.clock.monotonicNs);
  process.tickHz = target.clock.tickHz;
  // Other ticks than nanoseconds are those of a counter.
  if (hasSamples) process.sampleHz = archive.sampleHz;
  process.clock = process.tickHz == 1'000'000'000 ? Clock::kMonotonic : Clock::kTsc;
  process.pid = processId != 0 ? processId : pid;
  process.host = definition.host;
  std::string executable = program.empty() ? definition.name : program;
  if (definition.rank >= 0 && program.empty()) executable = target.name;
  process.executable = executable;
  std::string command = executable;
  for (const std::string& argument : arguments) command += '\0' + argument;
  process.command = command;
  file.add(process);
  SettingRecord setting;
  if (!hasSamples || hasFunctionCalls) {
    setting.key = "instrument";
    setting.value = "yes";
    file.add(setting);
  }
  if (hasSamples) {
    setting.key = "sample-clock";
    setting.value = "wall";
    file.add(setting);
  }
  for (uint32_t i = 0; i < definition.locations.size(); i++) {
    ThreadRecord thread;
    thread.thread = i;
    thread.creatorPlusOne = static_cast<uint32_t>(creators[i] + 1);
    thread.ticks = begins[i] == 0 ? firstTicks : begins[i];
    thread.name = definition.locations[i].name;
    file.add(thread);
  }
  if (definition.rank >= 0) {
    MpiRecord mpi;
    mpi.job = target.traceId;
    mpi.worldRank = static_cast<uint32_t>(definition.rank);
    mpi.worldSize = archive.worldSize;
    mpi.threadLevel = definition.locations.size() > 1 ? 1 : 0;
    mpi.library = "MPI";
    file.add(mpi);
    writeCommunicators(&file);
  }
  for (uint32_t i = 0; i < objects_.size(); i++) {
    file.add(SyncObjectRecord{i + 1, objects_[i].kind, objects_[i].address, 0});
  }
  for (uint32_t i = 0; i < metricOrder_.size(); i++) {
    const MetricText& metric = metricOrder_[i];
    MetricRecord record;
    record.metric = i + 1;
    record.kind = metric.isGauge ? MetricKind::kGauge : MetricKind::kCounter;
    record.type = metric.isFloating ? MetricType::kDouble : MetricType::kUnsigned;
    record.name = metric.name;
    record.unit = metric.unit;
    file.add(record);
  }
  for (uint32_t i = 0; i < fileOrder_.size(); i++) {
    FileRecord record;
    record.file = i + 1;
    record.path = fileOrder_[i];
    file.add(record);
  }
  writePaths(&file);
  ProcessEndRecord end;
  end.ticks = std::max(lastTicks, firstTicks);
  end.monotonicNs = target.clock.monotonicAt(end.ticks);
  // Without a status, all that is known is that the archive ends.
  end.reason = ended ? EndReason::kExit : EndReason::kDetached;
  end.status = static_cast<int32_t>(status);
  file.add(end);
  file.close();
  return file.error();
}

}  // namespace parallax::otf2
