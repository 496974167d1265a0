#include "tools/otf2/export_process.h"

#include <stdio.h>

#include <algorithm>

namespace parallax::otf2 {

using namespace format;

namespace {

// Numbers of definitions count from 1. Those above this one, and above what a file has room for, come from damage: the
// tables would take many times the size of the file.
constexpr uint64_t kLeastMostNumber = 1u << 21;
constexpr uint64_t kLeastRecordBytes = 8;
constexpr size_t kMostDepth = 100'000;  // of a call path, which damage can make a ring

std::string key(const std::string& buildId, const std::string& path) { return buildId + '\0' + path; }

std::string baseName(const std::string& path) { return path.substr(path.rfind('/') + 1); }

std::string hex(uint64_t number) {
  char text[20];
  snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(number));
  return text;
}

}  // namespace

std::string ExportSymbols::read(const std::string& trace) {
  MappedFile file;
  if (!file.open(trace + "/symbols").empty()) return "";
  const std::string error = parseSymbols({file.data(), file.size()}, &modules_);
  for (const SymbolModule& module : modules_) {
    auto& offsets = addresses_[key(module.buildId, module.path)];
    for (const SymbolAddress& address : module.addresses) offsets[address.offset] = &address;
  }
  return error;
}

const SymbolAddress* ExportSymbols::find(const std::string& buildId, const std::string& path, uint64_t offset) const {
  const auto module = addresses_.find(key(buildId, path));
  if (module == addresses_.end()) return nullptr;
  const auto found = module->second.find(offset);
  return found == module->second.end() ? nullptr : found->second;
}

// Takes the records that an archive has room for.
struct DefinitionReader {
  ProcessExport& to;
  uint64_t mostNumber;

  template <class T>
  T* slot(std::vector<T>* table, uint32_t number) {
    if (number > mostNumber) return nullptr;
    if (number >= table->size()) table->resize(size_t{number} + 1);
    return &(*table)[number];
  }

  void operator()(const ProcessRecord& record) {
    to.host = record.host;
    to.executable = record.executable;
    to.pid = record.pid;
    to.sampleHz = record.sampleHz;
    to.startTicks = record.startTicks;
    to.realtimeNs = record.realtimeNs;
    if (record.tickHz > 0) to.tickHz = record.tickHz;
    for (std::string_view left = record.command; !left.empty();) {
      const size_t end = std::min(left.find('\0'), left.size());
      to.arguments.emplace_back(left.substr(0, end));
      left.remove_prefix(std::min(end + 1, left.size()));
    }
  }
  void operator()(const ProcessEndRecord& record) {
    to.hasExited = record.reason == EndReason::kExit;
    to.status = record.status;
  }
  void operator()(const ThreadRecord& record) { to.threadNames_[record.thread] = record.name; }
  void operator()(const ThreadNameRecord& record) { to.threadNames_[record.thread] = record.name; }
  void operator()(const ModuleRecord& record) {
    to.modules_.push_back({record.loadBias, record.firstAddress, record.endAddress, std::string(record.buildId),
                           std::string(record.path)});
  }
  void operator()(const RegionRecord& record) {
    if (auto* region = slot(&to.regions_, record.region)) *region = {std::string(record.name), record.group, true};
  }
  void operator()(const CallPathRecord& record) {
    auto* path = slot(&to.paths_, record.path);
    if (path == nullptr || record.path == 0) return;
    *path = ProcessExport::Path();
    path->parent = record.parent;
    path->kind = record.kind;
    path->value = record.value;
    path->isDefined = true;
    to.isWalked_ |= record.kind == PathKind::kReturnAddress || record.kind == PathKind::kAddress;
  }
  void operator()(const MpiRecord& record) {  // the last one counts
    to.isMpi = true;
    to.job = record.job;
    to.rank = record.worldRank;
    to.worldSize = record.worldSize;
  }
  void operator()(const CommunicatorRecord& record) {
    auto* communicator = slot(&to.communicators, record.communicator);
    if (communicator == nullptr) return;
    *communicator = ProcessExport::Communicator();
    communicator->isDefined = true;
    communicator->globalId = record.globalId;
    communicator->size = record.size;
    communicator->ownRank = record.ownRank;
    communicator->flags = record.flags;
    communicator->name = record.name;
    const RankRun* runs = record.runs.data;
    for (uint32_t i = 0; i < record.runs.ownCount; i++) communicator->own.push_back(runs[i]);
    for (uint32_t i = 0; i < record.runs.remoteCount; i++) {
      communicator->remote.push_back(runs[record.runs.ownCount + i]);
    }
  }
  void operator()(const SyncObjectRecord& record) {
    if (auto* object = slot(&to.objects, record.object)) *object = {record.kind, true};
  }
  void operator()(const MetricRecord& record) {
    auto* metric = slot(&to.metrics, record.metric);
    if (metric == nullptr) return;
    metric->isDouble = record.type == MetricType::kDouble;
    metric->ref = to.names_->metric(std::string(record.name), std::string(record.unit), record.kind, record.type);
  }
  template <class R>
  void operator()(const R&) {}
};

std::string ProcessExport::read(const ProcessFiles& all, ExportNames* names) {
  files = all;
  names_ = names;
  host = all.host;
  pid = all.pid;
  if (all.definitions.empty()) return "it has no definitions";
  DefinitionsFile definitions;
  const std::string error = definitions.open(all.definitions);
  if (!error.empty()) return error;
  const DefinitionsEnd end = definitions.forEach(
      DefinitionReader{*this, std::max<uint64_t>(kLeastMostNumber, definitions.size() / kLeastRecordBytes)});
  program = arguments.empty() ? "" : baseName(arguments[0]);
  if (program.empty()) program = executable.empty() ? "pid " + std::to_string(pid) : baseName(executable);
  return end == DefinitionsEnd::kDamaged ? "its definitions are damaged" : "";
}

std::string ProcessExport::threadName(uint32_t thread) const {
  const auto found = threadNames_.find(thread);
  if (found != threadNames_.end() && !found->second.empty()) return found->second;
  return thread == 0 ? "main" : "thread " + std::to_string(thread);
}

const ProcessExport::Path* ProcessExport::path(uint64_t number, bool withContext) {
  if (number == 0 || number >= paths_.size() || !paths_[number].isDefined) return nullptr;
  if (!paths_[number].isResolved) {
    std::vector<uint32_t> chain;  // from the leaf to what is resolved; parents may have any number
    for (uint64_t at = number; at != 0 && at < paths_.size() && paths_[at].isDefined && !paths_[at].isResolved &&
                               chain.size() < kMostDepth;
         at = paths_[at].parent) {
      chain.push_back(static_cast<uint32_t>(at));
    }
    for (auto each = chain.rbegin(); each != chain.rend(); ++each) resolve(&paths_[*each], withContext);
  }
  return &paths_[number];
}

void ProcessExport::resolve(Path* path, bool withContext) {
  path->isResolved = true;
  const OTF2_CallingContextRef parent =
      path->parent < paths_.size() ? paths_[path->parent].context : OTF2_UNDEFINED_CALLING_CONTEXT;
  if (path->kind != PathKind::kRegion) {
    resolveAddress(path, parent, withContext);
    return;
  }
  const bool isKnown = path->value < regions_.size() && regions_[path->value].isDefined;
  const std::string name = isKnown ? regions_[path->value].name : "[region " + std::to_string(path->value) + "]";
  const Group group = isKnown ? regions_[path->value].group : Group::kUser;
  path->isPause = group == Group::kAgent && name == "[not recorded]";
  path->region = names_->routine(name, group);
  if (withContext) path->context = names_->context(parent, path->region, "", 0);
}

// The functions that were inlined there have contexts of their own.
void ProcessExport::resolveAddress(Path* path, OTF2_CallingContextRef parent, bool withContext) {
  const uint64_t address = path->kind == PathKind::kReturnAddress ? path->value - 1 : path->value;
  const Module* module = nullptr;
  for (const Module& each : modules_) {  // the one that was loaded last
    if (address >= each.first && address < each.end) module = &each;
  }
  const uint64_t offset = module == nullptr ? address : address - module->bias;
  const SymbolAddress* known =
      module == nullptr || symbols == nullptr ? nullptr : symbols->find(module->buildId, module->path, offset);
  const bool isSampled = path->kind != PathKind::kFunction;
  if (known == nullptr || known->frames.empty()) {
    const uint64_t shown = known != nullptr && known->functionStart != 0 ? known->functionStart : offset;
    const std::string name = module == nullptr ? hex(shown) : baseName(module->path) + "+" + hex(shown);
    path->region = names_->function(name, "", 0, isSampled);
    if (withContext) path->context = names_->context(parent, path->region, "", 0);
    return;
  }
  // Of an instrumented function, only the outermost one was measured.
  const size_t last = isSampled ? 0 : known->frames.size() - 1;
  OTF2_CallingContextRef context = parent;
  for (size_t i = known->frames.size(); i-- > last;) {
    const SymbolFrame& frame = known->frames[i];
    path->region = names_->function(frame.function, frame.file, frame.declaredLine, isSampled);
    if (withContext) context = names_->context(context, path->region, frame.file, isSampled ? frame.line : 0);
  }
  path->context = context;
}

}  // namespace parallax::otf2
