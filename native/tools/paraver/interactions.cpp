#include "tools/paraver/interactions.h"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "tools/paraver/meaning.h"

namespace parallax::paraver {

using format::Collective;

Interactions::Interactions(Trace* trace) : trace_(*trace) {
  hasMpi_ = !trace_.messages.empty();
  for (const EventType& type : trace_.types) hasMpi_ = hasMpi_ || (isMpi(type) && type.read > 0);
  hasCommunicators_ = trace_.types[Trace::kCommunicator].read + trace_.collectivesRead > 0;
  uses_.resize(trace_.threads.size());
  areRoots_.resize(trace_.threads.size());
  if (!hasMpi_) return;
  makeWorlds();
  orderMessages();
  for (uint32_t i = 0; i < trace_.threads.size(); i++) findCollectives(i);
  if (containMessages_) {
    for (std::vector<CollectiveUse>& uses : uses_) {
      trace_.fault(Fault::kInside, uses.size());
      uses.clear();
    }
  } else {
    dropLonelyStarts();
    number();
  }
}

void Interactions::makeWorlds() {
  worlds_.assign(trace_.applications(), kNone);
  communicatorNumbers_.resize(trace_.applications());
  const auto isWorld = [&](const Communicator& communicator) {
    if (communicator.tasks.size() != trace_.size(communicator.application)) return false;
    for (uint32_t i = 0; i < communicator.tasks.size(); i++) {
      if (communicator.tasks[i] != i + 1) return false;
    }
    return true;
  };
  for (uint32_t i = 0; i < trace_.communicators.size(); i++) {
    Communicator& communicator = trace_.communicators[i];
    if (communicator.application > worlds_.size()) continue;
    if (worlds_[communicator.application - 1] == kNone && isWorld(communicator)) {
      communicator.isWorld = true;
      worlds_[communicator.application - 1] = i;
    }
    communicatorNumbers_[communicator.application - 1][communicator.id] = i;
  }
  for (uint32_t application = 1; application <= worlds_.size(); application++) {
    if (worlds_[application - 1] != kNone) continue;
    Communicator world{};
    world.id = UINT64_MAX;
    world.application = application;
    world.isWorld = true;
    worlds_[application - 1] = static_cast<uint32_t>(trace_.communicators.size());
    trace_.communicators.push_back(world);
  }
  roots_.resize(trace_.communicators.size());
  ranks_.resize(trace_.communicators.size());
}

// Messages of a channel match in the order in which they are sent and expected. Those that overtake others take another
// lane.
void Interactions::orderMessages() {
  const auto taskOf = [&](uint32_t thread) { return trace_.threads[thread].task; };
  auto& messages = trace_.messages;
  const auto channel = [&](const Message& message) {
    return std::make_tuple(taskOf(message.from), taskOf(message.to), message.tag);
  };
  const auto end = std::remove_if(messages.begin(), messages.end(), [&](const Message& message) {
    return trace_.tasks[taskOf(message.from)].application != trace_.tasks[taskOf(message.to)].application;
  });
  trace_.fault(Fault::kBetweenApplications, static_cast<uint64_t>(messages.end() - end));
  trace_.messagesLeft += static_cast<uint64_t>(messages.end() - end);
  messages.erase(end, messages.end());
  std::stable_sort(messages.begin(), messages.end(), [&](const Message& a, const Message& b) {
    const auto first = channel(a), second = channel(b);
    return first != second ? first < second : a.sendNs < b.sendNs;
  });
  std::vector<int64_t> lanes;  // when the last message of each was expected
  for (size_t i = 0; i < messages.size(); i++) {
    Message& message = messages[i];
    if (i == 0 || channel(messages[i - 1]) != channel(message)) lanes.clear();
    const auto free = std::find_if(lanes.begin(), lanes.end(), [&](int64_t last) { return last <= message.postNs; });
    message.lane = static_cast<uint32_t>(free - lanes.begin());
    if (free != lanes.end()) {
      *free = message.postNs;
    } else if (lanes.size() < kMostLanes) {
      lanes.push_back(message.postNs);
    } else {
      message.lane = kNone;
      trace_.fault(Fault::kOvertaken);
      trace_.messagesLeft++;
      continue;
    }
    trace_.lanes = std::max(trace_.lanes, message.lane + 1);
    const auto index = static_cast<uint32_t>(i);
    trace_.threads[message.from].ends.push_back({message.sendNs, index, MessageEnd::Kind::kSend});
    trace_.threads[message.to].ends.push_back({message.postNs, index, MessageEnd::Kind::kPost});
    trace_.threads[message.to].ends.push_back({std::max(message.postNs, message.receiveNs), index, MessageEnd::Kind::kReceive});
  }
  for (Thread& thread : trace_.threads) {
    std::sort(thread.ends.begin(), thread.ends.end(), [](const MessageEnd& a, const MessageEnd& b) {
      if (a.ns != b.ns) return a.ns < b.ns;
      return a.kind != b.kind ? a.kind < b.kind : a.message < b.message;
    });
  }
}

// What describes a collective has the time of its begin, and usually comes after it.
void Interactions::findCollectives(uint32_t thread) {
  const std::vector<Record>& records = trace_.threads[thread].records;
  Details details;
  CollectiveUse use{};
  bool hasUse = false;
  int64_t ns = INT64_MIN;
  uint64_t open = 0;  // value of the collective at hand
  const auto finish = [&] {
    if (hasUse) keep(thread, use, details);
    hasUse = false;
    details = {};
  };
  for (uint32_t i = 0; i < records.size(); i++) {
    const Record& record = records[i];
    if ((record.type & kStateBit) != 0) continue;
    if (record.ns != ns) finish();
    ns = record.ns;
    EventType& type = trace_.types[record.type];
    switch (record.type) {
      case Trace::kSendSize: details.sent = record.value, details.hasSizes = true; continue;
      case Trace::kReceiveSize: details.received = record.value, details.hasSizes = true; continue;
      case Trace::kRoot: details.isRoot = record.value != 0; continue;
      case Trace::kCommunicator: details.communicator = record.value, details.hasCommunicator = true; continue;
      default: break;
    }
    if (!isMpi(type)) continue;
    if (type.number == kPointToPoint && record.value != 0 && open != 0) containMessages_ = true;
    if (record.value == 0 || (type.number == kCollectiveType && record.value == open)) {
      if (type.number == kCollectiveType) open = 0;
      continue;
    }
    const Region& region = trace_.regions[regionOf(&trace_, &type, record.value)];
    if (type.number == kCollectiveType) {
      open = record.value;
      if (region.collective == 0) trace_.fault(Fault::kNoStart);
    }
    if (region.collective == 0) continue;
    if (hasUse) finish();
    use = {};
    use.record = i;
    use.op = region.collective;
    hasUse = true;
  }
  finish();
}

uint32_t Interactions::rankOf(uint32_t communicator, uint32_t task) const {
  const Communicator& known = trace_.communicators[communicator];
  if (known.isWorld) return task - 1;
  std::unordered_map<uint32_t, uint32_t>& ranks = ranks_[communicator];
  if (ranks.empty()) {
    for (uint32_t i = 0; i < known.tasks.size(); i++) ranks.emplace(known.tasks[i], i);
  }
  const auto found = ranks.find(task);
  return found == ranks.end() ? kNone : found->second;
}

void Interactions::keep(uint32_t thread, CollectiveUse use, const Details& details) {
  const Task& task = trace_.tasks[trace_.threads[thread].task];
  const bool isStart = use.op == static_cast<uint8_t>(Collective::kInit) || use.op == static_cast<uint8_t>(Collective::kFinalize);
  use.communicator = worlds_[task.application - 1];
  if (!isStart && hasCommunicators_) {
    const auto& numbers = communicatorNumbers_[task.application - 1];
    const auto known = numbers.find(details.communicator);
    if (!details.hasCommunicator || known == numbers.end()) {
      trace_.fault(Fault::kUndefinedCommunicator);
      return;
    }
    use.communicator = known->second;
    if (rankOf(use.communicator, task.number) == kNone) {
      trace_.fault(Fault::kNotMember);
      return;
    }
  }
  if (!isStart && !details.hasSizes && use.op != static_cast<uint8_t>(Collective::kBarrier)) trace_.fault(Fault::kNoSizes);
  use.sent = details.sent;
  use.received = details.received;
  uses_[thread].push_back(use);
  areRoots_[thread].push_back(details.isRoot);
}

// MPI_Init and MPI_Finalize count if each task of the application has one.
void Interactions::dropLonelyStarts() {
  for (const Collective op : {Collective::kInit, Collective::kFinalize}) {
    std::vector<uint64_t> counts(worlds_.size()), last(trace_.tasks.size());
    for (uint32_t i = 0; i < uses_.size(); i++) {
      for (const CollectiveUse& use : uses_[i]) {
        if (use.op != static_cast<uint8_t>(op)) continue;
        const uint32_t task = trace_.threads[i].task;
        counts[trace_.tasks[task].application - 1] += last[task]++ == 0 ? 1 : UINT16_MAX;
      }
    }
    for (uint32_t i = 0; i < uses_.size(); i++) {
      const uint32_t application = trace_.tasks[trace_.threads[i].task].application;
      if (counts[application - 1] == trace_.size(application)) continue;
      size_t kept = 0;
      for (size_t k = 0; k < uses_[i].size(); k++) {
        if (uses_[i][k].op == static_cast<uint8_t>(op)) continue;
        areRoots_[i][kept] = areRoots_[i][k];
        uses_[i][kept++] = uses_[i][k];
      }
      uses_[i].resize(kept);
      areRoots_[i].resize(kept);
    }
  }
}

// Counts the collectives of each task on each communicator, over all of its threads.
void Interactions::number() {
  struct Place {
    int64_t ns;
    uint32_t thread, index;
  };
  std::vector<std::vector<uint64_t>> counts(trace_.communicators.size());  // of the tasks that took part
  for (uint32_t t = 0; t < trace_.tasks.size(); t++) {
    std::vector<Place> places;
    for (const uint32_t thread : trace_.tasks[t].threads) {
      for (uint32_t i = 0; i < uses_[thread].size(); i++) {
        places.push_back({trace_.threads[thread].records[uses_[thread][i].record].ns, thread, i});
      }
    }
    std::stable_sort(places.begin(), places.end(), [](const Place& a, const Place& b) { return a.ns < b.ns; });
    std::unordered_map<uint32_t, uint64_t> sequences;
    for (const Place& place : places) {
      CollectiveUse& use = uses_[place.thread][place.index];
      use.sequence = sequences[use.communicator]++;
      std::vector<Root>& roots = roots_[use.communicator];
      if (roots.size() <= use.sequence) roots.resize(use.sequence + 1);
      const uint32_t rank = rankOf(use.communicator, trace_.tasks[t].number);
      const auto op = static_cast<Collective>(use.op);
      const bool gives = op == Collective::kBcast || op == Collective::kScatter || op == Collective::kScatterv;
      const bool takes = op == Collective::kReduce || op == Collective::kGather || op == Collective::kGatherv;
      if (!gives && !takes) continue;
      Root& root = roots[use.sequence];
      if (areRoots_[place.thread][place.index]) {
        root = {rank, 2};
      } else if (root.trust < 2 && (gives ? use.sent > 0 && use.received == 0 : use.received > 0)) {
        root = {rank, static_cast<uint8_t>(root.trust == 0 ? 1 : 3)};
      }
    }
    for (const auto& [communicator, count] : sequences) counts[communicator].push_back(count);
  }
  for (uint32_t i = 0; i < counts.size(); i++) {
    const Communicator& communicator = trace_.communicators[i];
    const size_t members = communicator.isWorld ? trace_.size(communicator.application) : communicator.tasks.size();
    if (counts[i].empty()) continue;
    const uint64_t most = *std::max_element(counts[i].begin(), counts[i].end());
    const uint64_t all = std::accumulate(counts[i].begin(), counts[i].end(), uint64_t{0});
    trace_.fault(Fault::kUnequal, most * std::max(members, counts[i].size()) - all);
  }
}

uint32_t Interactions::root(const CollectiveUse& use) const {
  const Root& root = roots_[use.communicator][use.sequence];
  return root.trust == 1 || root.trust == 2 ? root.rank : format::kNoRoot;
}

}  // namespace parallax::paraver
