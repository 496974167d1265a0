#include "tools/perfetto/timeline.h"

#include <algorithm>

namespace parallax::perfetto {
namespace {

constexpr size_t kMostWarnings = 20;
constexpr size_t kMostLanes = 256;    // of asynchronous slices that overlap, of a group and process
constexpr size_t kMostStreams = 256;  // of arrows between two threads that overtake one another

// Each follows the number of events.
constexpr const char* kFaultTexts[kFaults] = {
    " events have no phase, and were left out",
    " events have no time, and were left out",
    " slices have no duration: they have one of 0",
    " events have a time or duration that is no number, is negative or is too large, and were left out",
    " ends of slices that had not begun were left out",
    " slices ended before slices inside of them, which were ended with them",
    " slices do not end: they end with the last event of their thread",
    " slices end after the slice around them: they were ended with it",
    " slices are inside of more than 1000 others, and were left out",
    " counter values are not numbers, and were left out",
    " beginnings, steps and ends of flows have no counterpart, and were left out",
    " flows stay on one thread, and were left out",
    " flows were overtaken by 256 others between the same threads, and were left out",
    " events are of threads beyond 100000, and were left out",
    " asynchronous events overlap 256 others of their kind, and were left out",
    " instant events have names beyond the 100000 different ones that a process can have, and were left out",
    " events have no name: they are shown as [no name]",
    " packets are compressed, and were left out; write the trace without compression",
    " packets have a time of a clock that no snapshot tells, and their time was taken as it is",
    " times the tool that recorded lost packets: events are missing",
    " packets need the state of their sequence, which lost packets had, and were left out",
    " asynchronous events and flows have no id, and were left out",
};

}  // namespace

uint64_t hashOf(std::string_view text, uint64_t seed) {
  uint64_t x = seed ^ 0xCBF29CE484222325;
  for (const char c : text) x = (x ^ static_cast<unsigned char>(c)) * 0x100000001B3;
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9;
  return x ^ x >> 31;
}

Count& Timeline::counted(std::map<std::string, Count, std::less<>>* in, std::string_view name) {
  auto found = in->find(name);
  if (found == in->end()) {
    found = in->emplace(in->size() < kMostNames ? std::string(name) : "[others]", Count{}).first;
  }
  return found->second;
}

uint32_t Timeline::name(std::string_view text) {
  const auto known = numbers_.find(text);
  if (known != numbers_.end()) return known->second;
  names_.emplace_back(text);
  const auto number = static_cast<uint32_t>(names_.size() - 1);
  numbers_.emplace(names_.back(), number);
  return number;
}

uint32_t Timeline::process(int64_t pid) {
  const auto known = processNumbers_.find(pid);
  if (known != processNumbers_.end()) return known->second;
  if (processes.size() == kMostTracks) return kNone;
  const auto number = static_cast<uint32_t>(processes.size());
  processes.emplace_back().pid = pid;
  return processNumbers_[pid] = number;
}

uint32_t Timeline::thread(uint32_t process, int64_t tid) {
  const auto known = threadNumbers_.find({process, tid});
  if (known != threadNumbers_.end()) return known->second;
  const uint32_t number = lane(process, "");
  if (number == kNone) return kNone;
  tracks[number].isThread = true;
  tracks[number].tid = tid;
  return threadNumbers_[{process, tid}] = number;
}

uint32_t Timeline::lane(uint32_t process, const std::string& name) {
  if (process == kNone || tracks.size() == kMostTracks) return kNone;
  Track& track = tracks.emplace_back();
  track.process = process;
  track.name = name;
  return static_cast<uint32_t>(tracks.size() - 1);
}

uint32_t Timeline::metric(std::string_view name, std::string_view unit) {
  std::string key(name);
  key.append("\t").append(unit);
  const auto known = metricNumbers_.find(key);
  if (known != metricNumbers_.end()) return known->second;
  metrics.push_back({std::string(name), std::string(unit)});
  return metricNumbers_[key] = static_cast<uint32_t>(metrics.size() - 1);
}

void Timeline::flow(uint64_t key, uint32_t track, int64_t ns, FlowStep step) {
  flows_.push_back({key, ns, track, step});
}

void Timeline::async(uint32_t process, uint32_t group, uint64_t key, const Record& record) {
  asyncs_.push_back({key, process, group, record});
}

void Timeline::unite(uint32_t from, uint32_t to) {
  if (from == to || to == kNone) return;
  for (const Record& record : tracks[from].records) tracks[to].add(record);
  std::vector<Record>().swap(tracks[from].records);
  united_[from] = to;
}

void Timeline::finish() {
  makeLanes();
  makeArrows();
}

void Timeline::makeLanes() {
  std::stable_sort(asyncs_.begin(), asyncs_.end(), [](const AsyncEvent& a, const AsyncEvent& b) {
    if (a.process != b.process) return a.process < b.process;
    if (a.group != b.group) return a.group < b.group;
    return a.key != b.key ? a.key < b.key : a.record.ns < b.record.ns;
  });
  std::vector<Unit> units;
  for (size_t i = 0; i < asyncs_.size();) {
    const AsyncEvent& first = asyncs_[i];
    const auto isSame = [&](const AsyncEvent& each) {
      return each.process == first.process && each.group == first.group && each.key == first.key;
    };
    // A unit ends where all that began has ended.
    size_t next = i;
    int64_t depth = 0;
    do {
      depth += asyncs_[next].record.type == Type::kBegin ? 1 : asyncs_[next].record.type == Type::kEnd ? -1 : 0;
      next++;
    } while (depth > 0 && next < asyncs_.size() && isSame(asyncs_[next]));
    units.push_back({first.process, first.group, i, next - i, first.record.ns, asyncs_[next - 1].record.ns});
    i = next;
  }
  std::stable_sort(units.begin(), units.end(), [](const Unit& a, const Unit& b) {
    if (a.process != b.process) return a.process < b.process;
    return a.group != b.group ? a.group < b.group : a.begin < b.begin;
  });
  struct Lane {
    uint32_t track;
    int64_t end;
  };
  std::vector<Lane> lanes;
  for (size_t i = 0; i < units.size(); i++) {
    const Unit& unit = units[i];
    if (i == 0 || units[i - 1].process != unit.process || units[i - 1].group != unit.group) lanes.clear();
    auto free = std::find_if(lanes.begin(), lanes.end(), [&](const Lane& lane) { return lane.end <= unit.begin; });
    if (free == lanes.end()) {
      const uint32_t track = lanes.size() == kMostLanes ? kNone : lane(unit.process, "async " + text(unit.group));
      if (track == kNone) {
        fault(Fault::kManyLanes, unit.count);
        continue;
      }
      lanes.push_back({track, 0});
      free = lanes.end() - 1;
    }
    free->end = unit.end;
    for (size_t k = 0; k < unit.count; k++) tracks[free->track].add(asyncs_[unit.first + k].record);
  }
  std::vector<AsyncEvent>().swap(asyncs_);
}

void Timeline::makeArrows() {
  for (FlowEvent& event : flows_) {
    const auto known = united_.find(event.track);
    if (known != united_.end()) event.track = known->second;
  }
  std::stable_sort(flows_.begin(), flows_.end(), [](const FlowEvent& a, const FlowEvent& b) {
    if (a.key != b.key) return a.key < b.key;
    // What begins at the same time as another event of the flow, comes before it.
    return a.ns != b.ns ? a.ns < b.ns : a.step < b.step;
  });
  std::vector<std::pair<size_t, size_t>> pairs;
  for (size_t i = 0; i < flows_.size(); i++) {
    const FlowEvent& event = flows_[i];
    const bool hasBefore = i > 0 && flows_[i - 1].key == event.key && event.step != FlowStep::kBegin &&
                           flows_[i - 1].step != FlowStep::kEnd;
    const bool hasAfter = i + 1 < flows_.size() && flows_[i + 1].key == event.key && event.step != FlowStep::kEnd &&
                          flows_[i + 1].step != FlowStep::kBegin;
    if (!hasBefore && !hasAfter) fault(Fault::kLoneFlow);
    if (!hasBefore) continue;
    if (flows_[i - 1].track == event.track) {
      fault(Fault::kOwnFlow);
    } else {
      pairs.emplace_back(i - 1, i);
    }
  }
  std::stable_sort(pairs.begin(), pairs.end(), [&](const auto& a, const auto& b) {
    return flows_[a.first].ns < flows_[b.first].ns;
  });
  for (const auto& [from, to] : pairs) addArrow(flows_[from], flows_[to]);
  std::vector<FlowEvent>().swap(flows_);
}

// The bytes of a stream are received in their order: an arrow that overtakes another one takes another stream.
void Timeline::addArrow(const FlowEvent& from, const FlowEvent& to) {
  std::vector<uint32_t>& known = streamNumbers_[{from.track, to.track}];
  const auto free = std::find_if(known.begin(), known.end(),
                                 [&](uint32_t stream) { return streams[stream].lastNs <= to.ns; });
  uint32_t number;
  if (free != known.end()) {
    number = *free;
  } else if (known.size() == kMostStreams) {
    fault(Fault::kManyFlows);
    return;
  } else {
    number = static_cast<uint32_t>(streams.size());
    streams.push_back({from.track, to.track, to.ns, 0});
    known.push_back(number);
  }
  Stream& stream = streams[number];
  stream.lastNs = to.ns;
  const uint64_t index = arrows.size();
  arrows.push_back({from.track, to.track, from.ns, to.ns, number, stream.arrows++});
  tracks[from.track].add({from.ns, index, kNoName, Type::kFlowOut});
  tracks[to.track].add({to.ns, index, kNoName, Type::kFlowIn});
}

void Timeline::warn(const std::string& sentence) {
  if (warnings_.size() < kMostWarnings) {
    warnings_.push_back(sentence);
  } else {
    moreWarnings_++;
  }
}

std::vector<std::string> Timeline::sentences() const {
  std::vector<std::string> all = warnings_;
  if (moreWarnings_ > 0) all.push_back(std::to_string(moreWarnings_) + " more places of the file are damaged");
  for (size_t i = 0; i < kFaults; i++) {
    if (faults[i] > 0) all.push_back(std::to_string(faults[i]) + kFaultTexts[i]);
  }
  return all;
}

}  // namespace parallax::perfetto
