#include "tools/paraver/process_output.h"

#include <algorithm>

#include "tools/conversion/rank_runs.h"
#include "tools/paraver/meaning.h"
#include "tools/paraver/thread_output.h"

namespace parallax::paraver {

using namespace format;
using conversion::mix;
using conversion::runsOf;

namespace {

constexpr size_t kMostMarks = 100'000;  // of a process

}  // namespace

ProcessOutput::ProcessOutput(Trace* trace, const Interactions& interactions, uint32_t task, uint32_t number, const Target& target)
    : trace(*trace), interactions(interactions), target(target), task_(task), number_(number) {
  // Communicator 1 is MPI_COMM_WORLD.
  if (interactions.hasMpi()) communicator(interactions.world(this->trace.tasks[task].application));
}

std::string ProcessOutput::write() {
  std::vector<uint32_t> order = trace.tasks[task_].threads;
  std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return trace.threads[a].number < trace.threads[b].number; });
  for (const uint32_t index : order) {
    const Thread& thread = trace.threads[index];
    int64_t first = INT64_MAX, last = INT64_MIN;
    for (const Record& record : thread.records) {
      const bool isState = (record.type & kStateBit) != 0;
      if (isState && trace.regions[trace.states[record.type & ~kStateBit].region].isAbsence) continue;
      first = std::min(first, record.ns);
      last = std::max(last, isState ? static_cast<int64_t>(record.value) : record.ns);
    }
    for (const MessageEnd& end : thread.ends) {
      first = std::min(first, end.ns);
      last = std::max(last, end.ns);
    }
    if (first > last) continue;
    threads_.push_back(index);
    begins_.push_back(first);
    firstNs_ = std::min(firstNs_, first);
    lastNs_ = std::max(lastNs_, last);
    const auto number = static_cast<uint32_t>(threads_.size() - 1);
    const std::string error = ThreadOutput(this, index, number).write(first, last);
    if (!error.empty()) return error;
  }
  return threads_.empty() ? "" : writeDefinitions();
}

uint32_t ProcessOutput::communicator(uint32_t index) {
  uint32_t& number = communicatorNumbers_[index];
  if (number == 0) {
    communicatorOrder_.push_back(index);
    number = static_cast<uint32_t>(communicatorOrder_.size());
  }
  return number;
}

uint32_t ProcessOutput::lane(uint32_t lane) {
  if (lane == 0) return 1;
  uint32_t& number = communicatorNumbers_[kLane | lane];
  if (number == 0) {
    communicatorOrder_.push_back(kLane | lane);
    number = static_cast<uint32_t>(communicatorOrder_.size());
  }
  return number;
}

uint32_t ProcessOutput::mark(uint32_t type, uint64_t value) {
  const auto key = std::make_pair(type, value);
  const auto known = markNumbers_.find(key);
  if (known != markNumbers_.end()) return known->second;
  if (marks_.size() == kMostMarks) return 0;
  const EventType& of = trace.types[type];
  const std::string& name = trace.labels.value(of.number, value);
  marks_.push_back(nameOf(trace, of) + ": " + (name.empty() ? std::to_string(value) : name));
  return markNumbers_[key] = static_cast<uint32_t>(marks_.size());
}

uint32_t ProcessOutput::metric(uint32_t type) {
  uint32_t& number = metricNumbers_[type];
  if (number == 0) {
    metrics_.push_back(type);
    number = static_cast<uint32_t>(metrics_.size());
  }
  return number;
}

std::string ProcessOutput::host() const {
  const uint32_t node = trace.tasks[task_].node;
  if (node == 0) return "localhost";
  return node <= trace.names.nodes.size() ? trace.names.nodes[node - 1] : "node" + std::to_string(node);
}

std::string ProcessOutput::stem() const {
  return target.directory + "/" + processFileName(host(), task_ + 1, number_);
}

std::string ProcessOutput::threadName(uint32_t thread) const {
  const uint64_t number = trace.threads[thread].number;
  const uint64_t row = trace.tasks[task_].firstRow + number - 1;
  return row < trace.names.threads.size() ? trace.names.threads[row] : "thread " + std::to_string(number);
}

void ProcessOutput::writeCommunicators(DefinitionsWriter* file) const {
  const Task& task = trace.tasks[task_];
  const uint32_t size = trace.size(task.application);
  for (uint32_t i = 0; i < communicatorOrder_.size(); i++) {
    const uint64_t key = communicatorOrder_[i];
    CommunicatorRecord record;
    std::vector<RankRun> runs = {{0, 1, size}};
    record.size = size;
    record.ownRank = task.number - 1;
    std::string name = "MPI_COMM_WORLD";
    record.globalId = mix(mix(target.job, task.application), key);
    if (key >= kLane) {
      name = "overtaking messages " + std::to_string(key - kLane);
    } else if (const Communicator& known = trace.communicators[key]; !known.isWorld) {
      name = "communicator " + std::to_string(known.id);
      std::vector<uint64_t> ranks;
      for (const uint32_t member : known.tasks) {
        if (member == task.number) record.ownRank = static_cast<uint32_t>(ranks.size());
        ranks.push_back(member - 1);
      }
      runs = runsOf(ranks);
      record.size = static_cast<uint32_t>(ranks.size());
    }
    record.runs.ownCount = static_cast<uint32_t>(runs.size());
    record.runs.data = runs.data();
    record.communicator = i + 1;
    record.name = name;
    file->add(record);
  }
}

void ProcessOutput::writePaths(DefinitionsWriter* file) const {
  ModuleRecord module;
  module.ticks = target.ticks(firstNs_);
  module.firstAddress = 0x1000;
  module.endAddress = addressOf(static_cast<uint32_t>(trace.regions.size()));
  module.path = target.modulePath;
  file->add(module);
  uint32_t number = 0;
  const auto region = [&](Group group, const std::string& name) {
    RegionRecord record;
    record.region = ++number;
    record.group = group;
    record.name = name;
    file->add(record);
  };
  for (const std::string& mark : marks_) region(Group::kPhase, mark);
  std::unordered_map<uint32_t, uint32_t> routines;
  const auto& nodes = paths_.nodes();
  for (uint32_t i = 1; i < nodes.size(); i++) {
    const Region& leaf = trace.regions[nodes[i].region];
    CallPathRecord path;
    path.path = i;
    path.parent = nodes[i].parent;
    path.kind = PathKind::kFunction;
    path.value = addressOf(nodes[i].region);
    if (leaf.group != Group::kUser) {
      uint32_t& routine = routines[nodes[i].region];
      if (routine == 0) {
        region(leaf.group, leaf.name);
        routine = number;
      }
      path.kind = PathKind::kRegion;
      path.value = routine;
    }
    file->add(path);
  }
}

std::string ProcessOutput::writeDefinitions() {
  const Task& task = trace.tasks[task_];
  DefinitionsWriter file(stem() + ".def");
  ProcessRecord process;
  process.startTicks = target.ticks(firstNs_);
  process.monotonicNs = target.clock.monotonicAt(process.startTicks);
  process.realtimeNs = process.monotonicNs;  // one clock for all nodes; the date has no zone
  process.tickHz = target.clock.tickHz;
  process.clock = Clock::kMonotonic;
  process.pid = task_ + 1;
  const std::string where = host();
  process.host = where;
  std::string name = task.application <= trace.names.applications.size() ? trace.names.applications[task.application - 1] : "";
  if (name.empty()) name = trace.applications() > 1 ? target.name + " " + std::to_string(task.application) : target.name;
  process.executable = name;
  process.command = name;
  file.add(process);
  SettingRecord setting;
  setting.key = "instrument";
  setting.value = "yes";
  file.add(setting);
  for (uint32_t i = 0; i < threads_.size(); i++) {
    const std::string threadText = threadName(threads_[i]);
    ThreadRecord thread;
    thread.thread = i;
    thread.ticks = target.ticks(begins_[i]);
    thread.name = threadText;
    file.add(thread);
  }
  if (interactions.hasMpi()) {
    MpiRecord mpi;
    mpi.job = mix(target.job, task.application);
    mpi.worldRank = task.number - 1;
    mpi.worldSize = trace.size(task.application);
    mpi.threadLevel = threads_.size() > 1 ? 1 : 0;
    mpi.library = "MPI";
    file.add(mpi);
    writeCommunicators(&file);
  }
  for (uint32_t i = 0; i < metrics_.size(); i++) {
    const EventType& type = trace.types[metrics_[i]];
    const std::string text = nameOf(trace, type);
    MetricRecord record;
    record.metric = i + 1;
    record.kind = type.role == Role::kGauge ? MetricKind::kGauge : MetricKind::kCounter;
    record.type = type.hasNegative ? MetricType::kDouble : MetricType::kUnsigned;
    record.name = text;
    file.add(record);
  }
  writePaths(&file);
  ProcessEndRecord end;
  end.ticks = target.ticks(lastNs_);
  end.monotonicNs = target.clock.monotonicAt(end.ticks);
  end.reason = EndReason::kDetached;  // all that is known is that the original ends
  file.add(end);
  file.close();
  return file.error();
}

}  // namespace parallax::paraver
