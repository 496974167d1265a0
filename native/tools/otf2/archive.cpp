#include "tools/otf2/archive.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace parallax::otf2 {
namespace {

const std::string kNoText;
constexpr int kMostDepth = 64;  // of the system tree, which damage can make a ring

}  // namespace

const std::string& Archive::text(OTF2_StringRef ref) const {
  const auto found = strings_.find(ref);
  return found == strings_.end() ? kNoText : found->second;
}

bool Archive::hasAttribute(OTF2_AttributeRef ref, const char* name) const {
  const auto found = attributes.find(ref);
  return found != attributes.end() && found->second.name == name;
}

#define PARALLAX_OTF2_DEFINITIONS_LEFT(X)                                                                  \
  X(Unknown) X(Callsite) X(Callpath) X(CallpathParameter) X(CartTopology) X(CartCoordinate) X(Paradigm)    \
  X(ParadigmProperty) X(IoParadigm) X(SystemTreeNodeProperty) X(SystemTreeNodeDomain)                      \
  X(LocationProperty) X(LocationGroupProperty) X(SourceCodeLocation) X(CallingContextProperty)             \
  X(IoFileProperty) X(IoPreCreatedHandleState) X(MetricClassRecorder)

#define NAME(name) constexpr char k##name[] = #name;
PARALLAX_OTF2_DEFINITIONS_LEFT(NAME)
#undef NAME

// The callbacks of the library. Strings can be defined after what names them, so names are looked up at the end.
struct ArchiveReader {
  static Archive& of(void* data) { return *static_cast<Archive*>(data); }

  static OTF2_CallbackCode clock(void* data, uint64_t hz, uint64_t offset, uint64_t length, uint64_t realtime) {
    Archive& archive = of(data);
    archive.tickHz = hz, archive.globalOffset = offset, archive.length = length, archive.realtimeNs = realtime;
    return OTF2_CALLBACK_SUCCESS;
  }
  static OTF2_CallbackCode string(void* data, OTF2_StringRef self, const char* text) {
    of(data).strings_[self] = text == nullptr ? "" : text;
    return OTF2_CALLBACK_SUCCESS;
  }
  static OTF2_CallbackCode attribute(void* data, OTF2_AttributeRef self, OTF2_StringRef name, OTF2_StringRef,
                                     OTF2_Type type) {
    of(data).attributes[self] = {"", type, name};
    return OTF2_CALLBACK_SUCCESS;
  }
  static OTF2_CallbackCode node(void* data, OTF2_SystemTreeNodeRef self, OTF2_StringRef name,
                                OTF2_StringRef className, OTF2_SystemTreeNodeRef parent) {
    of(data).nodes_[self] = {name, className, parent};
    return OTF2_CALLBACK_SUCCESS;
  }
  static OTF2_CallbackCode locationGroup(void* data, OTF2_LocationGroupRef self, OTF2_StringRef name,
                                         OTF2_LocationGroupType type, OTF2_SystemTreeNodeRef parent,
                                         OTF2_LocationGroupRef creator) {
    of(data).locationGroups_[self] = {name, type, parent, creator};
    return OTF2_CALLBACK_SUCCESS;
  }
  static OTF2_CallbackCode location(void* data, OTF2_LocationRef self, OTF2_StringRef name, OTF2_LocationType type,
                                    uint64_t events, OTF2_LocationGroupRef group) {
    of(data).locations_[group].push_back({self, "", type, events, name});
    return OTF2_CALLBACK_SUCCESS;
  }
  static OTF2_CallbackCode region(void* data, OTF2_RegionRef self, OTF2_StringRef name, OTF2_StringRef canonical,
                                  OTF2_StringRef, OTF2_RegionRole role, OTF2_Paradigm paradigm, OTF2_RegionFlag,
                                  OTF2_StringRef file, uint32_t begin, uint32_t) {
    Archive& archive = of(data);
    RegionDefinition& region = archive.regions[self];
    region.nameRef = name, region.canonicalRef = canonical, region.fileRef = file;
    region.beginLine = begin == OTF2_UNDEFINED_UINT32 ? 0 : begin;
    region.role = role;
    region.paradigm = paradigm;
    return OTF2_CALLBACK_SUCCESS;
  }
  static OTF2_CallbackCode group(void* data, OTF2_GroupRef self, OTF2_StringRef, OTF2_GroupType type,
                                 OTF2_Paradigm paradigm, OTF2_GroupFlag flags, uint32_t count,
                                 const uint64_t* members) {
    Archive& archive = of(data);
    // Some tools, such as EZTrace, give another group the same number.
    if (type == OTF2_GROUP_TYPE_COMM_LOCATIONS && paradigm == OTF2_PARADIGM_MPI && members != nullptr) {
      archive.rankLocations_.assign(members, members + count);
    }
    GroupDefinition& group = archive.groups[self];
    group.type = type, group.paradigm = paradigm, group.flags = flags;
    group.members.assign(members, members + (members == nullptr ? 0 : count));
    return OTF2_CALLBACK_SUCCESS;
  }
  static OTF2_CallbackCode communicator(void* data, OTF2_CommRef self, OTF2_StringRef name, OTF2_GroupRef group,
                                        OTF2_CommRef, OTF2_CommFlag) {
    of(data).communicators[self] = {"", group, OTF2_UNDEFINED_GROUP, name};
    return OTF2_CALLBACK_SUCCESS;
  }
  static OTF2_CallbackCode interCommunicator(void* data, OTF2_CommRef self, OTF2_StringRef name, OTF2_GroupRef a,
                                             OTF2_GroupRef b, OTF2_CommRef, OTF2_CommFlag) {
    of(data).communicators[self] = {"", a, b, name};
    return OTF2_CALLBACK_SUCCESS;
  }
  static OTF2_CallbackCode metricMember(void* data, OTF2_MetricMemberRef self, OTF2_StringRef name, OTF2_StringRef,
                                        OTF2_MetricType, OTF2_MetricMode mode, OTF2_Type type, OTF2_Base base,
                                        int64_t exponent, OTF2_StringRef unit) {
    of(data).metricMembers[self] = {"", "", mode, type, base, exponent, name, unit};
    return OTF2_CALLBACK_SUCCESS;
  }
  static OTF2_CallbackCode metricClass(void* data, OTF2_MetricRef self, uint8_t count,
                                       const OTF2_MetricMemberRef* members, OTF2_MetricOccurrence,
                                       OTF2_RecorderKind) {
    of(data).metricClasses[self].assign(members, members + (members == nullptr ? 0 : count));
    return OTF2_CALLBACK_SUCCESS;
  }
  static OTF2_CallbackCode metricInstance(void* data, OTF2_MetricRef self, OTF2_MetricRef metricClass,
                                          OTF2_LocationRef, OTF2_MetricScope, uint64_t) {
    of(data).instances_.push_back({self, metricClass});
    return OTF2_CALLBACK_SUCCESS;
  }
  static OTF2_CallbackCode context(void* data, OTF2_CallingContextRef self, OTF2_RegionRef region,
                                   OTF2_SourceCodeLocationRef, OTF2_CallingContextRef parent) {
    of(data).contexts[self] = {region, parent};
    return OTF2_CALLBACK_SUCCESS;
  }
  static OTF2_CallbackCode window(void* data, OTF2_RmaWinRef self, OTF2_StringRef name, OTF2_CommRef communicator,
                                  OTF2_RmaWinFlag) {
    of(data).windows[self] = {"", communicator, name};
    return OTF2_CALLBACK_SUCCESS;
  }
  static OTF2_CallbackCode parameter(void* data, OTF2_ParameterRef self, OTF2_StringRef name,
                                     OTF2_ParameterType type) {
    of(data).parameters[self] = {"", type, name};
    return OTF2_CALLBACK_SUCCESS;
  }
  static OTF2_CallbackCode file(void* data, OTF2_IoFileRef self, OTF2_StringRef name, OTF2_SystemTreeNodeRef) {
    of(data).files[self] = name;
    return OTF2_CALLBACK_SUCCESS;
  }
  static OTF2_CallbackCode handle(void* data, OTF2_IoHandleRef self, OTF2_StringRef name, OTF2_IoFileRef file,
                                  OTF2_IoParadigmRef, OTF2_IoHandleFlag, OTF2_CommRef, OTF2_IoHandleRef parent) {
    of(data).ioHandles[self] = {name, file, parent};
    return OTF2_CALLBACK_SUCCESS;
  }
  // The fastest timer counts: samples of slower ones speak for the same thread.
  static OTF2_CallbackCode generator(void* data, OTF2_InterruptGeneratorRef self, OTF2_StringRef,
                                     OTF2_InterruptGeneratorMode mode, OTF2_Base base, int64_t exponent,
                                     uint64_t period) {
    if (mode != OTF2_INTERRUPT_GENERATOR_MODE_TIME || period == 0) return OTF2_CALLBACK_SUCCESS;
    const double unit = std::pow(base == OTF2_BASE_BINARY ? 2.0 : 10.0, static_cast<double>(exponent));
    const double hz = 1 / (static_cast<double>(period) * unit);
    constexpr double kMost = 1e6;
    if (hz < 0.5 || hz > kMost || std::lround(hz) <= of(data).sampleHz) return OTF2_CALLBACK_SUCCESS;
    of(data).sampleHz = static_cast<uint32_t>(std::lround(hz));
    of(data).sampleGenerator = self;
    return OTF2_CALLBACK_SUCCESS;
  }

  // Definitions that have no counterpart are counted.
  template <const char* kName, class... Rest>
  static OTF2_CallbackCode left(void* data, Rest...) {
    of(data).leftOut[kName]++;
    return OTF2_CALLBACK_SUCCESS;
  }
};

std::string Archive::read(OTF2_Reader* reader) {
  OTF2_GlobalDefReader* definitions = OTF2_Reader_GetGlobalDefReader(reader);
  if (definitions == nullptr) return "its global definitions cannot be opened";
  OTF2_GlobalDefReaderCallbacks* callbacks = OTF2_GlobalDefReaderCallbacks_New();
  OTF2_GlobalDefReaderCallbacks_SetClockPropertiesCallback(callbacks, ArchiveReader::clock);
  OTF2_GlobalDefReaderCallbacks_SetStringCallback(callbacks, ArchiveReader::string);
  OTF2_GlobalDefReaderCallbacks_SetAttributeCallback(callbacks, ArchiveReader::attribute);
  OTF2_GlobalDefReaderCallbacks_SetSystemTreeNodeCallback(callbacks, ArchiveReader::node);
  OTF2_GlobalDefReaderCallbacks_SetLocationGroupCallback(callbacks, ArchiveReader::locationGroup);
  OTF2_GlobalDefReaderCallbacks_SetLocationCallback(callbacks, ArchiveReader::location);
  OTF2_GlobalDefReaderCallbacks_SetRegionCallback(callbacks, ArchiveReader::region);
  OTF2_GlobalDefReaderCallbacks_SetGroupCallback(callbacks, ArchiveReader::group);
  OTF2_GlobalDefReaderCallbacks_SetCommCallback(callbacks, ArchiveReader::communicator);
  OTF2_GlobalDefReaderCallbacks_SetInterCommCallback(callbacks, ArchiveReader::interCommunicator);
  OTF2_GlobalDefReaderCallbacks_SetMetricMemberCallback(callbacks, ArchiveReader::metricMember);
  OTF2_GlobalDefReaderCallbacks_SetMetricClassCallback(callbacks, ArchiveReader::metricClass);
  OTF2_GlobalDefReaderCallbacks_SetMetricInstanceCallback(callbacks, ArchiveReader::metricInstance);
  OTF2_GlobalDefReaderCallbacks_SetCallingContextCallback(callbacks, ArchiveReader::context);
  OTF2_GlobalDefReaderCallbacks_SetRmaWinCallback(callbacks, ArchiveReader::window);
  OTF2_GlobalDefReaderCallbacks_SetParameterCallback(callbacks, ArchiveReader::parameter);
  OTF2_GlobalDefReaderCallbacks_SetIoRegularFileCallback(callbacks, ArchiveReader::file);
  OTF2_GlobalDefReaderCallbacks_SetIoDirectoryCallback(callbacks, ArchiveReader::file);
  OTF2_GlobalDefReaderCallbacks_SetIoHandleCallback(callbacks, ArchiveReader::handle);
  OTF2_GlobalDefReaderCallbacks_SetInterruptGeneratorCallback(callbacks, ArchiveReader::generator);
#define LEFT(name) OTF2_GlobalDefReaderCallbacks_Set##name##Callback(callbacks, ArchiveReader::left<k##name>);
  PARALLAX_OTF2_DEFINITIONS_LEFT(LEFT)
#undef LEFT
  OTF2_Reader_RegisterGlobalDefCallbacks(reader, definitions, callbacks, this);
  uint64_t count = 0;
  const OTF2_ErrorCode code = OTF2_Reader_ReadAllGlobalDefinitions(reader, definitions, &count);
  OTF2_GlobalDefReaderCallbacks_Delete(callbacks);
  OTF2_Reader_CloseGlobalDefReader(reader, definitions);
  uint64_t expected = 0;
  OTF2_Reader_GetNumberOfGlobalDefinitions(reader, &expected);
  if (code != OTF2_SUCCESS) {
    warnings.push_back("the global definitions are damaged after definition " + std::to_string(count) + " of " +
                       std::to_string(expected) + ": " + OTF2_Error_GetDescription(code) +
                       "; what they would have defined is left out");
  }
  resolve();
  if (processes.empty()) {
    return "it defines no location (" + std::to_string(count) + " definitions of " + std::to_string(expected) +
           " could be read)";
  }
  return "";
}

// Strings can be defined after the definitions that name them.
void Archive::resolveNames() {
  for (auto& [self, region] : regions) {
    region.name = text(text(region.nameRef).empty() ? region.canonicalRef : region.nameRef);
    region.file = text(region.fileRef);
    if (!region.name.empty()) continue;
    region.name = "[region " + std::to_string(self) + "]";
    undefinedStrings_++;
  }
  for (auto& [self, communicator] : communicators) communicator.name = text(communicator.nameRef);
  for (auto& [self, window] : windows) window.name = text(window.nameRef);
  for (auto& [self, member] : metricMembers) member.name = text(member.nameRef), member.unit = text(member.unitRef);
  for (auto& [self, attribute] : attributes) attribute.name = text(attribute.nameRef);
  for (auto& [self, parameter] : parameters) parameter.name = text(parameter.nameRef);
}

void Archive::resolve() {
  resolveNames();
  if (tickHz == 0) {
    warnings.push_back("the archive has no clock properties: its times are taken as nanoseconds");
    tickHz = 1'000'000'000;
  }
  for (const Instance& instance : instances_) {
    const auto found = metricClasses.find(instance.metricClass);
    if (found != metricClasses.end()) metricClasses[instance.self] = std::vector(found->second);
  }
  buildProcesses();
  findRanks();
  if (undefinedStrings_ > 0) {
    warnings.push_back(std::to_string(undefinedStrings_) + " regions have names that are not defined: they are "
                       "shown as [region NUMBER]");
  }
}

// The name of the node that is the machine: of class "node" or "host", else the lowest.
std::string Archive::hostOf(OTF2_SystemTreeNodeRef ref) const {
  std::string lowest;
  for (int depth = 0; depth < kMostDepth; depth++) {
    const auto found = nodes_.find(ref);
    if (found == nodes_.end()) break;
    const std::string& className = text(found->second.className);
    if (className == "node" || className == "host") return text(found->second.name);
    if (lowest.empty()) lowest = text(found->second.name);
    ref = found->second.parent;
  }
  return lowest.empty() ? "unknown" : lowest;
}

void Archive::buildProcesses() {
  std::map<OTF2_LocationGroupRef, ProcessDefinition> found;
  for (auto& [group, locations] : locations_) {
    auto definition = locationGroups_.find(group);
    OTF2_LocationGroupRef owner = group;
    bool isPart = false;
    if (definition == locationGroups_.end()) {
      warnings.push_back("the location group " + std::to_string(group) + " of " + std::to_string(locations.size()) +
                         " locations is not defined: it is shown as a process without a name");
    } else if (definition->second.type == OTF2_LOCATION_GROUP_TYPE_ACCELERATOR &&
               locationGroups_.count(definition->second.creator) > 0) {
      owner = definition->second.creator;
      isPart = true;
    }
    ProcessDefinition& process = found[owner];
    process.group = owner;
    for (LocationDefinition& location : locations) {
      location.name = text(location.nameRef);
      if (isPart && !text(definition->second.name).empty()) {
        location.name = text(definition->second.name) + " " + location.name;
      }
      process.locations.push_back(std::move(location));
    }
  }
  std::set<OTF2_LocationRef> seen;
  uint64_t repeated = 0;
  for (auto& [ref, process] : found) {
    const auto definition = locationGroups_.find(ref);
    if (definition != locationGroups_.end()) {
      process.name = text(definition->second.name);
      process.host = hostOf(definition->second.parent);
    }
    if (process.name.empty()) process.name = "location group " + std::to_string(ref);
    if (process.host.empty()) process.host = "unknown";
    // Threads of the processor come first: thread 0 is the main thread.
    std::stable_sort(process.locations.begin(), process.locations.end(),
                     [](const LocationDefinition& a, const LocationDefinition& b) {
                       const bool first = a.type == OTF2_LOCATION_TYPE_CPU_THREAD;
                       const bool second = b.type == OTF2_LOCATION_TYPE_CPU_THREAD;
                       return first != second ? first : a.ref < b.ref;
                     });
    const auto isRepeated = [&](const LocationDefinition& location) {
      const bool known = !seen.insert(location.ref).second;
      repeated += known ? 1 : 0;
      return known;
    };
    process.locations.erase(std::remove_if(process.locations.begin(), process.locations.end(), isRepeated),
                            process.locations.end());
    if (!process.locations.empty()) processes.push_back(std::move(process));
  }
  if (repeated > 0) {
    warnings.push_back(std::to_string(repeated) + " locations are defined twice: their first definitions count");
  }
}

void Archive::findRanks() {
  std::unordered_map<uint64_t, size_t> processOf;
  for (size_t i = 0; i < processes.size(); i++) {
    for (const LocationDefinition& location : processes[i].locations) processOf[location.ref] = i;
  }
  uint64_t missing = 0;
  for (size_t rank = 0; rank < rankLocations_.size(); rank++) {
    const auto process = processOf.find(rankLocations_[rank]);
    if (process == processOf.end()) {
      missing++;
    } else if (processes[process->second].rank < 0) {
      processes[process->second].rank = static_cast<int64_t>(rank);
    }
  }
  worldSize = static_cast<uint32_t>(rankLocations_.size());
  for (const auto& [ref, communicator] : communicators) {
    if (communicator.name == "MPI_COMM_WORLD" && (world == OTF2_UNDEFINED_COMM || ref < world)) world = ref;
  }
  if (missing > 0) {
    warnings.push_back(std::to_string(missing) + " of " + std::to_string(worldSize) +
                       " ranks of MPI have locations that are not defined: their messages have no partner");
  }
}

}  // namespace parallax::otf2
