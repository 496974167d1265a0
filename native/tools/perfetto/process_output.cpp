#include "tools/perfetto/process_output.h"

#include <algorithm>

namespace parallax::perfetto {

using namespace format;
using conversion::EventOutput;

namespace {

constexpr size_t kMostDepth = 1000;
constexpr size_t kMostMarks = 100'000;  // of a process
constexpr int64_t kRoundingNs = 1000;   // many tools write whole microseconds

bool startsWith(const std::string& text, const char* prefix) { return text.rfind(prefix, 0) == 0; }

bool isCallEnd(const Record& record) { return record.type == Type::kBegin || record.type == Type::kEnd; }

// In the order of time. Of slices that begin together, the longer ones are around the others, and around what happens then.
void sort(Track* track) {
  std::vector<Record>& records = track->records;
  if (!track->isSorted) {
    std::stable_sort(records.begin(), records.end(), [](const Record& a, const Record& b) { return a.ns < b.ns; });
  }
  for (size_t i = 0; i < records.size();) {
    size_t next = i + 1;
    while (next < records.size() && !isCallEnd(records[i]) && !isCallEnd(records[next]) &&
           records[next].ns == records[i].ns) {
      next++;
    }
    if (next - i > 1) {
      std::stable_sort(records.begin() + static_cast<ptrdiff_t>(i), records.begin() + static_cast<ptrdiff_t>(next),
                       [](const Record& a, const Record& b) {
                         const bool isSlice = a.type == Type::kSlice, isOther = b.type != Type::kSlice;
                         return isSlice && (isOther || a.value > b.value);
                       });
    }
    i = next;
  }
}

uint32_t number(std::unordered_map<uint32_t, uint32_t>* numbers, std::vector<uint32_t>* order, uint32_t key) {
  uint32_t& number = (*numbers)[key];
  if (number == 0) {
    order->push_back(key);
    number = static_cast<uint32_t>(order->size());
  }
  return number;
}

}  // namespace

Group groupOf(const std::string& name) {
  if (startsWith(name, "MPI_")) return Group::kMpi;
  return startsWith(name, "pthread_") ? Group::kPthread : Group::kUser;
}

ProcessOutput::ProcessOutput(Timeline* timeline, uint32_t process, const std::vector<uint32_t>& tracks, uint32_t number,
                             const Target& target)
    : timeline_(*timeline), process_(timeline->processes[process]), tracks_(tracks), number_(number), target_(target),
      pid_(process_.pid > 0 && process_.pid < INT32_MAX ? static_cast<uint32_t>(process_.pid) : number + 1),
      begins_(tracks.size(), 0) {}

std::string ProcessOutput::write() {
  for (uint32_t i = 0; i < tracks_.size(); i++) {
    const std::string error = writeThread(i, &timeline_.tracks[tracks_[i]]);
    if (!error.empty()) return error;
  }
  return writeDefinitions();
}

std::string ProcessOutput::writeThread(uint32_t thread, Track* track) {
  sort(track);
  int64_t last = INT64_MIN;
  for (const Record& record : track->records) last = std::max(last, endOf(record));
  const int64_t first = track->records.front().ns;
  begins_[thread] = first;
  firstNs_ = std::min(firstNs_, first);
  lastNs_ = std::max(lastNs_, last);
  EventOutput output(stem() + "." + std::to_string(thread) + ".evt", thread, target_.clock);
  output.event(Kind::kThreadBegin, 0, target_.ticks(first), {0});
  stack_.clear();
  tooDeep_ = 0;
  for (const Record& each : track->records) record(&output, each);
  endUntil(&output, last);
  timeline_.fault(Fault::kNoEnd, stack_.size());
  while (!stack_.empty()) pop(&output, last);
  output.event(Kind::kThreadEnd, 0, target_.ticks(last));
  output.close();
  std::vector<Record>().swap(track->records);
  return output.error();
}

void ProcessOutput::record(EventOutput* output, const Record& record) {
  endUntil(output, record.ns);
  switch (record.type) {
    case Type::kBegin: begin(output, record.ns, record.name, INT64_MAX); break;
    case Type::kSlice: begin(output, record.ns, record.name, endOf(record)); break;
    case Type::kEnd: end(output, record); break;
    case Type::kMark: {
      if (markOrder_.size() == kMostMarks && marks_.count(record.name) == 0) {
        timeline_.fault(Fault::kManyMarks);
        break;
      }
      output->event(Kind::kMark, number(&marks_, &markOrder_, record.name), target_.ticks(record.ns));
      break;
    }
    case Type::kValue:
      output->event(Kind::kValue, number(&metrics_, &metricOrder_, record.name), target_.ticks(record.ns),
                    {record.value & 0xFFFFFFFF, record.value >> 32});
      break;
    case Type::kFlowOut:
    case Type::kFlowIn: arrow(output, record); break;
  }
}

// Slices with a duration that are over.
void ProcessOutput::endUntil(EventOutput* output, int64_t ns) {
  for (;;) {
    // One that has not ended, inside of one that has, ends with it.
    size_t depth = stack_.size();
    while (depth > 0 && stack_[depth - 1].end == INT64_MAX) depth--;
    if (depth == 0 || stack_[depth - 1].end > ns) return;
    const int64_t end = stack_[depth - 1].end;
    timeline_.fault(Fault::kEndOfOuter, stack_.size() - depth);
    while (stack_.size() >= depth) pop(output, end);
  }
}

void ProcessOutput::begin(EventOutput* output, int64_t ns, uint32_t name, int64_t end) {
  if (stack_.size() == kMostDepth) {
    timeline_.fault(Fault::kDeep);
    if (end == INT64_MAX) tooDeep_++;
    return;
  }
  if (end != INT64_MAX) {
    for (auto frame = stack_.rbegin(); frame != stack_.rend(); ++frame) {
      if (frame->end == INT64_MAX) continue;
      if (end > frame->end) {
        if (end - frame->end > kRoundingNs) timeline_.fault(Fault::kOverlap);
        end = frame->end;
      }
      break;
    }
  }
  const uint32_t path = child(top(), name);
  output->call(Kind::kEnter, target_.ticks(ns), path);
  output->setOpenPath(path);
  stack_.push_back({path, name, end});
}

void ProcessOutput::end(EventOutput* output, const Record& record) {
  if (tooDeep_ > 0) {
    tooDeep_--;
    return;
  }
  // Ends that tell a name belong to the innermost slice of that name; slices with a duration end by themselves.
  size_t depth = stack_.size();
  while (depth > 0 && (stack_[depth - 1].end != INT64_MAX ||
                       (record.name != kNoName && stack_[depth - 1].name != record.name))) {
    depth--;
  }
  if (depth == 0) {
    timeline_.fault(Fault::kEndWithoutBegin);
    return;
  }
  timeline_.fault(Fault::kEndOfOuter, stack_.size() - depth);
  while (stack_.size() >= depth) pop(output, record.ns);
}

void ProcessOutput::pop(EventOutput* output, int64_t ns) {
  output->call(Kind::kLeave, target_.ticks(ns), stack_.back().path);
  stack_.pop_back();
  output->setOpenPath(top());
}

// A call without duration of a routine, in which a byte is sent or received: the original tells neither the routine nor
// the bytes.
void ProcessOutput::arrow(EventOutput* output, const Record& record) {
  const Timeline::Arrow& arrow = timeline_.arrows[record.value];
  const uint64_t ticks = target_.ticks(record.ns);
  const uint32_t path = child(top(), kFlow);
  output->call(Kind::kEnter, ticks, path);
  output->event(record.type == Type::kFlowOut ? Kind::kStreamSend : Kind::kStreamReceive,
                number(&streams_, &streamOrder_, arrow.stream), ticks, {arrow.offset, 1});
  output->call(Kind::kLeave, ticks, path);
}

uint32_t ProcessOutput::child(uint32_t parent, uint32_t name) {
  uint32_t& path = children_[uint64_t{parent} << 32 | name];
  if (path == 0) {
    path = static_cast<uint32_t>(nodes_.size());
    nodes_.push_back({parent, name});
  }
  return path;
}

std::string ProcessOutput::writeDefinitions() {
  DefinitionsWriter file(stem() + ".def");
  ProcessRecord process;
  process.startTicks = target_.ticks(firstNs_);
  process.monotonicNs = target_.clock.monotonicAt(process.startTicks);
  process.realtimeNs = process.monotonicNs;  // the original has no date
  process.tickHz = target_.clock.tickHz;
  process.clock = Clock::kMonotonic;
  process.pid = pid_;
  process.host = target_.host;
  const std::string name = process_.name.empty() ? "process " + std::to_string(process_.pid) : process_.name;
  process.executable = name;
  process.command = name;
  file.add(process);
  SettingRecord setting;
  setting.key = "instrument";
  setting.value = "yes";
  file.add(setting);
  for (uint32_t i = 0; i < tracks_.size(); i++) {
    const Track& track = timeline_.tracks[tracks_[i]];
    const std::string threadName =
        !track.name.empty() ? track.name : track.isThread ? "thread " + std::to_string(track.tid) : "track";
    ThreadRecord thread;
    thread.thread = i;
    thread.ticks = target_.ticks(begins_[i]);
    thread.name = threadName;
    file.add(thread);
  }
  for (uint32_t i = 0; i < metricOrder_.size(); i++) {
    MetricRecord record;
    record.metric = i + 1;
    record.kind = MetricKind::kGauge;
    record.type = MetricType::kDouble;
    record.name = timeline_.metrics[metricOrder_[i]].name;
    record.unit = timeline_.metrics[metricOrder_[i]].unit;
    file.add(record);
  }
  for (uint32_t i = 0; i < streamOrder_.size(); i++) {
    StreamRecord record;
    record.stream = i + 1;
    record.kind = StreamKind::kPipe;
    record.keyHigh = 1;
    record.keyLow = uint64_t{streamOrder_[i]} + 1;
    record.name = "flow";
    file.add(record);
  }
  writePaths(&file);
  ProcessEndRecord end;
  end.ticks = target_.ticks(lastNs_);
  end.monotonicNs = target_.clock.monotonicAt(end.ticks);
  end.reason = EndReason::kDetached;  // all that is known is that the original ends
  file.add(end);
  file.close();
  return file.error();
}

void ProcessOutput::writePaths(DefinitionsWriter* file) {
  ModuleRecord module;
  module.ticks = target_.ticks(firstNs_);
  module.firstAddress = 0x1000;
  module.endAddress = addressOf(static_cast<uint32_t>(timeline_.names()) + 1);
  module.path = target_.modulePath;
  file->add(module);
  const auto region = [&](uint32_t number, Group group, const std::string& name) {
    RegionRecord record;
    record.region = number;
    record.group = group;
    record.name = name;
    file->add(record);
  };
  for (uint32_t i = 0; i < markOrder_.size(); i++) region(i + 1, Group::kPhase, timeline_.text(markOrder_[i]));
  std::unordered_map<uint32_t, uint32_t> routines;
  for (uint32_t i = 1; i < nodes_.size(); i++) {
    const uint32_t name = nodes_[i].name;
    const std::string text = name == kFlow ? "[flow]" : timeline_.text(name);
    const Group group = name == kFlow ? Group::kStream : groupOf(text);
    CallPathRecord path;
    path.path = i;
    path.parent = nodes_[i].parent;
    path.kind = PathKind::kFunction;
    path.value = addressOf(name);
    if (group != Group::kUser) {
      uint32_t& number = routines[name];
      if (number == 0) {
        number = static_cast<uint32_t>(markOrder_.size() + routines.size());
        region(number, group, text);
      }
      path.kind = PathKind::kRegion;
      path.value = number;
    }
    file->add(path);
  }
}

}  // namespace parallax::perfetto
