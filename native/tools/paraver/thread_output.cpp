#include "tools/paraver/thread_output.h"

#include <algorithm>
#include <cstring>

#include "format/slots.h"
#include "tools/paraver/meaning.h"

namespace parallax::paraver {

using namespace format;

namespace {

constexpr size_t kMostDepth = 1000;
constexpr size_t kMostCallers = 100;
constexpr size_t kMostSplit = 16;  // calls that are split when one around them ends
constexpr uint64_t kPayloadMask = ~kPayloadBit;

bool isEvent(const Record& record) { return (record.type & kStateBit) == 0; }

}  // namespace

ThreadOutput::ThreadOutput(ProcessOutput* process, uint32_t thread, uint32_t number)
    : process_(*process), trace_(process->trace), thread_(process->trace.threads[thread]),
      uses_(process->interactions.collectives(thread)),
      output_(process->eventFile(number), number, process->target.clock) {}

std::string ThreadOutput::write(int64_t firstNs, int64_t lastNs) {
  hasFunctions_ = hasFunctions();
  const std::vector<Record>& records = thread_.records;
  const std::vector<MessageEnd>& ends = thread_.ends;
  output_.event(Kind::kThreadBegin, 0, process_.target.ticks(firstNs), {0});
  for (size_t i = 0, k = 0; i < records.size() || k < ends.size();) {
    int64_t ns = i < records.size() ? records[i].ns : INT64_MAX;
    if (k < ends.size()) ns = std::min(ns, ends[k].ns);
    size_t next = i;
    while (next < records.size() && records[next].ns == ns) next++;
    if (current_.endNs < ns) endState(ns);
    sends_.clear();
    posts_.clear();
    for (; k < ends.size() && ends[k].ns == ns; k++) {
      const MessageEnd& end = ends[k];
      (end.kind == MessageEnd::Kind::kSend ? sends_ : end.kind == MessageEnd::Kind::kPost ? posts_ : receives_).push_back(end.message);
    }
    moment(ns, i, next);
    i = next;
  }
  endState(lastNs);
  leaveState();
  trace_.fault(Fault::kNoEnd, static_cast<uint64_t>(std::count_if(stack_.begin(), stack_.end(), [&](const Frame& frame) { return !isState(frame); })));
  if (!receives_.empty()) receive(lastNs);
  while (!stack_.empty()) pop(lastNs);
  output_.event(Kind::kThreadEnd, 0, process_.target.ticks(lastNs));
  output_.close();
  std::vector<Record>().swap(thread_.records);
  std::vector<MessageEnd>().swap(thread_.ends);
  return output_.error();
}

// Whether events tell which functions the thread is in.
bool ThreadOutput::hasFunctions() {
  for (const Record& record : thread_.records) {
    if (!isEvent(record) || record.value == 0) continue;
    EventType& type = trace_.types[record.type];
    if (type.role != Role::kCall || isMpi(type)) continue;
    if (trace_.regions[paraver::regionOf(&trace_, &type, record.value)].group == Group::kUser) return true;
  }
  return false;
}

// A call that ends at this time comes before one that begins, whatever messages do then: data comes before the end of a
// call, sends come after the begin of one, and so do receives that are posted, unless a call that posts them is open.
void ThreadOutput::moment(int64_t ns, size_t from, size_t to) {
  const Region* open = mpi();
  if (open != nullptr && open->posts && !posts_.empty()) post(ns, false);
  endState(ns);
  findCallers(from, to);
  const bool sendBegins = !sends_.empty() && beginsSend(from, to);
  for (size_t i = from; i < to; i++) {
    if (isEvent(thread_.records[i])) event(ns, static_cast<uint32_t>(i), sendBegins);
  }
  for (size_t i = from; i < to; i++) {
    const Record& record = thread_.records[i];
    if (isEvent(record)) continue;
    leaveState();
    if (!stack_.empty() && isState(stack_.back())) pop(ns);
    current_ = {record.type & ~kStateBit, static_cast<int64_t>(record.value), false};
  }
  showState(ns);
  if (!sends_.empty() || !posts_.empty() || !receives_.empty()) loose(ns);
}

// The outermost first. If the functions are known, they tell more.
void ThreadOutput::findCallers(size_t from, size_t to) {
  callers_.clear();
  for (size_t i = from; i < to; i++) {
    const Record& record = thread_.records[i];
    if (!isEvent(record) || trace_.types[record.type].role != Role::kCaller || record.value == 0) continue;
    EventType& type = trace_.types[record.type];
    if (hasFunctions_ || callers_.size() == kMostCallers) {
      type.left++;
    } else {
      callers_.emplace_back(type.number, paraver::regionOf(&trace_, &type, record.value));
    }
  }
  if (callers_.size() > 1) std::sort(callers_.rbegin(), callers_.rend());
}

bool ThreadOutput::beginsSend(size_t from, size_t to) {
  return std::any_of(thread_.records.begin() + static_cast<ptrdiff_t>(from), thread_.records.begin() + static_cast<ptrdiff_t>(to),
                     [&](const Record& record) {
                       return isEvent(record) && record.value != 0 && isMpi(trace_.types[record.type]) &&
                              trace_.regions[paraver::regionOf(&trace_, &trace_.types[record.type], record.value)].sends;
                     });
}

void ThreadOutput::event(int64_t ns, uint32_t index, bool sendBegins) {
  const Record& record = thread_.records[index];
  EventType& type = trace_.types[record.type];
  switch (type.role) {
    case Role::kLeft: type.left++; break;
    case Role::kNothing:
    case Role::kCaller:
    case Role::kCollective: break;
    case Role::kCall: call(ns, index, sendBegins); break;
    case Role::kMark: {
      const uint32_t mark = process_.mark(record.type, record.value);
      if (mark == 0) {
        trace_.fault(Fault::kManyMarks);
        type.left++;
      } else {
        output_.event(Kind::kMark, mark, process_.target.ticks(ns));
      }
      break;
    }
    case Role::kGauge:
    case Role::kCounter:
    case Role::kTotal: value(ns, record); break;
  }
}

void ThreadOutput::value(int64_t ns, const Record& record) {
  const EventType& type = trace_.types[record.type];
  uint64_t bits = record.value;
  if (type.role == Role::kCounter) bits = sums_[record.type] += bits;
  if (type.hasNegative) {
    const auto number = static_cast<double>(static_cast<int64_t>(bits));
    memcpy(&bits, &number, sizeof bits);
  }
  output_.event(Kind::kValue, process_.metric(record.type), process_.target.ticks(ns), {bits & 0xFFFFFFFF, bits >> 32});
}

void ThreadOutput::call(int64_t ns, uint32_t index, bool sendBegins) {
  const Record& record = thread_.records[index];
  EventType& type = trace_.types[record.type];
  uint32_t use = kNone;
  while (nextUse_ < uses_.size() && uses_[nextUse_].record <= index) {
    if (uses_[nextUse_].record == index) use = static_cast<uint32_t>(nextUse_);
    nextUse_++;
  }
  if (record.value == 0) {
    end(ns, record.type, sendBegins);
    return;
  }
  if (!type.nests || type.endsItself) {
    const auto before = std::find_if(stack_.rbegin(), stack_.rend(), [&](const Frame& frame) { return frame.type == record.type; });
    if (before != stack_.rend()) {
      const bool isSame = before->value == record.value;
      if (isSame && !type.endsItself) return;
      if (isSame || !type.nests) end(ns, record.type, sendBegins);
      if (isSame) return;
    }
  }
  const uint32_t region = paraver::regionOf(&trace_, &type, record.value);
  push(ns, region, record.type, record.value, use);
  const Region& begun = trace_.regions[region];
  if (begun.group != Group::kMpi) return;
  if (begun.sends && !sends_.empty()) send(ns);
  if ((begun.posts || begun.receives) && !posts_.empty()) post(ns, !begun.posts);
}

void ThreadOutput::push(int64_t ns, uint32_t region, uint32_t type, uint64_t value, uint32_t use) {
  if (!stack_.empty() && isState(stack_.back())) pop(ns);
  if (stack_.size() == kMostDepth) {
    trace_.fault(Fault::kDeep);
    if (trace_.types[type].nests) tooDeep_++;
    return;
  }
  uint32_t path = top();
  if (stack_.empty() && type != kStateBit && isMpi(trace_.types[type])) {
    for (const auto& [level, caller] : callers_) path = process_.path(path, caller);
  }
  path = process_.path(path, region);
  output_.call(Kind::kEnter, process_.target.ticks(ns), path);
  output_.setOpenPath(path);
  stack_.push_back({path, region, type, value, use});
}

void ThreadOutput::pop(int64_t ns) {
  const Frame& frame = stack_.back();
  const uint64_t ticks = process_.target.ticks(ns);
  if (frame.use != kNone) {
    const CollectiveUse& use = uses_[frame.use];
    const auto op = static_cast<Collective>(use.op);
    output_.event(Kind::kCollective, process_.communicator(use.communicator), ticks,
                  {opAndRoot(op, process_.interactions.root(use)), use.sent & kPayloadMask, use.received & kPayloadMask, use.sequence});
  }
  output_.call(Kind::kLeave, ticks, frame.path);
  stack_.pop_back();
  output_.setOpenPath(top());
}

void ThreadOutput::end(int64_t ns, uint32_t type, bool sendBegins) {
  const bool nests = trace_.types[type].nests;
  if (nests && tooDeep_ > 0) {
    tooDeep_--;
    return;
  }
  const auto found = std::find_if(stack_.rbegin(), stack_.rend(), [&](const Frame& frame) { return frame.type == type; });
  if (found == stack_.rend()) {
    // Of a value that holds, 0 can be told again.
    if (nests) {
      trace_.fault(Fault::kEndWithoutBegin);
      trace_.types[type].left++;
    }
    return;
  }
  const auto at = static_cast<size_t>(stack_.rend() - found) - 1;
  if (isState(stack_.back())) pop(ns);
  const Region& region = regionOf(stack_[at]);
  if (region.group == Group::kMpi) {
    if (region.completes && !receives_.empty()) receive(ns);
    if (region.sends && !sends_.empty() && !sendBegins) send(ns);
  }
  const size_t inside = stack_.size() - at - 1;
  if (inside > 0) {
    const bool allNest = std::all_of(stack_.begin() + static_cast<ptrdiff_t>(at), stack_.end(),
                                     [&](const Frame& frame) { return trace_.types[frame.type].nests; });
    if (!allNest && inside <= kMostSplit) {
      split(ns, at);
      return;
    }
    trace_.fault(Fault::kEndOfOuter, inside);
  }
  while (stack_.size() > at) pop(ns);
}

// Ends a call in which others began that go on.
void ThreadOutput::split(int64_t ns, size_t at) {
  trace_.fault(Fault::kSplit);
  const std::vector<Frame> inside(stack_.begin() + static_cast<ptrdiff_t>(at) + 1, stack_.end());
  while (stack_.size() > at + 1) {
    stack_.back().use = kNone;
    pop(ns);
  }
  pop(ns);
  for (const Frame& frame : inside) push(ns, frame.region, frame.type, frame.value, frame.use);
}

const Region* ThreadOutput::mpi() const {
  for (auto frame = stack_.rbegin(); frame != stack_.rend(); ++frame) {
    if (regionOf(*frame).group == Group::kMpi) return &regionOf(*frame);
  }
  return nullptr;
}

// ---- states: they show what no call tells

// A state that was not shown has no counterpart, unless calls tell the same: that the thread runs, or waits.
void ThreadOutput::leaveState() {
  if (current_.state == kNone || current_.isShown) return;
  State& state = trace_.states[current_.state];
  const Region& region = trace_.regions[state.region];
  if (region.group == Group::kUser && !region.isAbsence && !region.isRunning) state.left++;
}

void ThreadOutput::endState(int64_t ns) {
  if (current_.state == kNone || current_.endNs > ns) return;
  if (!stack_.empty() && isState(stack_.back())) {
    if (regionOf(stack_.back()).completes && !receives_.empty()) receive(current_.endNs);
    pop(current_.endNs);
  }
  leaveState();
  current_ = {};
}

void ThreadOutput::showState(int64_t ns) {
  if (current_.state == kNone || current_.endNs <= ns || (!stack_.empty() && isState(stack_.back()))) return;
  if (stack_.size() == kMostDepth) return;
  const uint32_t number = trace_.states[current_.state].region;
  const Region& region = trace_.regions[number];
  if (region.isAbsence) return;
  const bool isFunction = region.group == Group::kUser;
  // Functions tell more, and a routine that the thread waits in as well.
  if (isFunction && (hasFunctions_ || !stack_.empty())) return;
  if (!stack_.empty() && regionOf(stack_.back()).group != Group::kUser) return;
  push(ns, number, kStateBit, 0, kNone);
  current_.isShown = true;
  if (region.group != Group::kMpi) return;
  if (region.sends && !sends_.empty()) send(ns);
  if ((region.posts || region.receives) && !posts_.empty()) post(ns, !region.posts);
}

// ---- messages

void ThreadOutput::send(int64_t ns) {
  for (const uint32_t index : sends_) {
    const Message& message = trace_.messages[index];
    const uint32_t peer = trace_.tasks[trace_.threads[message.to].task].number - 1;
    output_.event(Kind::kSend, process_.lane(message.lane), process_.target.ticks(ns),
                  {peerAndTag(peer, message.tag) & kPayloadMask, message.bytes & kPayloadMask});
  }
  sends_.clear();
}

void ThreadOutput::post(int64_t ns, bool isBlocking) {
  for (const uint32_t index : posts_) {
    posted_[index] = isBlocking;
    if (isBlocking) continue;
    const Message& message = trace_.messages[index];
    const uint32_t peer = trace_.tasks[trace_.threads[message.from].task].number - 1;
    output_.event(Kind::kReceivePost, process_.lane(message.lane), process_.target.ticks(ns),
                  {peerAndTag(peer, message.tag) & kPayloadMask, uint64_t{index} + 1});
  }
  posts_.clear();
}

void ThreadOutput::receive(int64_t ns) {
  for (const uint32_t index : receives_) {
    const Message& message = trace_.messages[index];
    const uint32_t peer = trace_.tasks[trace_.threads[message.from].task].number - 1;
    const uint64_t from = peerAndTag(peer, message.tag) & kPayloadMask;
    const auto posted = posted_.find(index);
    const uint64_t ticks = process_.target.ticks(ns);
    const uint32_t lane = process_.lane(message.lane);
    if (posted != posted_.end() && !posted->second) {
      output_.event(Kind::kReceive, lane, ticks, {from, message.bytes & kPayloadMask, uint64_t{index} + 1});
    } else {
      output_.event(Kind::kReceive, lane, ticks, {from, message.bytes & kPayloadMask});
    }
    if (posted != posted_.end()) {
      posted_.erase(posted);
    } else {
      posts_.erase(std::remove(posts_.begin(), posts_.end(), index), posts_.end());
    }
  }
  receives_.clear();
}

void ThreadOutput::loose(int64_t ns) {
  const Region* open = mpi();
  if (open != nullptr) {
    if (!sends_.empty()) send(ns);
    if (!posts_.empty()) post(ns, open->receives);
    if (!open->completes) receive(ns);  // else when the call ends
    return;
  }
  trace_.fault(Fault::kNoCall, sends_.size() + posts_.size() + receives_.size());
  Region message{};
  message.name = "[message]";
  message.group = Group::kMpi;
  const uint32_t path = process_.path(top(), trace_.region(message));
  output_.call(Kind::kEnter, process_.target.ticks(ns), path);
  send(ns);
  post(ns, false);
  receive(ns);
  output_.call(Kind::kLeave, process_.target.ticks(ns), path);
}

}  // namespace parallax::paraver
