// What the last events of a thread need of those before, whose blocks are given back (`--keep-last`).
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/sys.h"
#include "format/format.h"
#include "format/slots.h"

namespace parallax {

// Files keep the events of so many ticks; 0 for all. Before the first event.
void keepLast(uint64_t ticks);
bool keepsLast();
// The call path that stands for pauses, before the first one.
void tellPausePath(uint32_t path);
// A text for the person who reads the trace, or null. Each is given once.
const char* takeKeptNote();

// An array of pages, which are not copied into the child of a fork, that grows to at most `kMost` items. Zeroed memory
// is an empty one.
template <class T, size_t kMost>
class PagedArray {
 public:
  T& operator[](size_t i) { return items_[i]; }
  size_t capacity() const { return capacity_; }
  // The capacity after this one.
  size_t next() const { return capacity_ == 0 ? kPageBytes / sizeof(T) : 2 * capacity_; }
  // Pages for so many items, to which the caller moves them. Null beyond the most.
  T* pages(size_t capacity) const {
    if (capacity > kMost) return nullptr;
    auto* pages = static_cast<T*>(sys::pages(capacity * sizeof(T)));
    if (pages != nullptr) sys::madvise(pages, capacity * sizeof(T), MADV_DONTFORK);
    return pages;
  }
  void replace(T* pages, size_t capacity) {
    release();
    items_ = pages;
    capacity_ = capacity;
  }
  // Room for one item behind `used` others.
  bool reserve(size_t used) {
    if (used < capacity_) return true;
    const size_t capacity = next();
    T* larger = pages(capacity);
    if (larger == nullptr) return false;
    for (size_t i = 0; i < used; i++) larger[i] = items_[i];
    replace(larger, capacity);
    return true;
  }
  void release() {
    if (items_ != nullptr) sys::munmap(items_, capacity_ * sizeof(T));
    items_ = nullptr;
    capacity_ = 0;
  }

 private:
  static constexpr size_t kPageBytes = 4096;
  T* items_;
  size_t capacity_;
};

//   file:  | block 0 |   given back   | state | block | ... | state | block | ... | window
//                                     ^ mark                  ^ mark
//
// Each filled block is read once: the calls that are open, the messages of each channel and the receives that have not
// completed are known at any time. A window begins with this state, so that all blocks before it can be given back when
// its time has come. Signal handlers must not leave the functions that change it.
class KeptPast {
 public:
  // Null without memory, or if files keep all events.
  static KeptPast* make();
  void release();

  // A block is full, up to `end`. Each block counts once.
  void add(const format::BlockHeader* block, const uint64_t* end);

  // How many blocks the next window should have, which begins at `ticks`: `usual`, unless one takes so long to fill that
  // too much would be kept.
  uint32_t blocksOfWindow(uint32_t usual, uint32_t before, uint64_t ticks) const;
  // A window begins, at this block of the file. Its first event may have to follow the state.
  void beginWindow(uint64_t block, uint64_t ticks);
  bool isDue() const { return isDue_; }
  // Calls emit(operand, payload, count) for each Kept event, until it returns false. Returns whether all were emitted.
  template <class Emit>
  bool forEach(Emit&& emit);
  // How many these are at most.
  uint64_t items() const { return depth_ + phases_ + counted_ + (posted_ - firstPosted_) + collectives_; }
  // The state is not due any more.
  void begun() { isDue_ = false; }
  // It stands at the begin of this block.
  void mark(uint64_t block, uint64_t ticks);

  // Gives back the blocks before the last state that is old enough at `ticks`, or, if there is no space for more, up to
  // the next state. Returns whether there were any.
  bool giveBack(int fd, uint64_t ticks, bool isNoSpace);

 private:
  struct OpenCall {
    uint64_t ticks, cpuNs, cpuTicks;
    uint32_t path;
  };
  // A number of messages or epochs; and of receives that were posted after the receive `request`.
  struct Count {
    uint64_t key, request, count;
    uint32_t operand;
    format::KeptWhat what;
  };
  struct Posted {
    uint64_t peerAndTag, request;
    uint32_t communicator;
    bool isOvertaken;
  };
  struct Collective {
    uint64_t payload[4];
    uint32_t communicator;
  };
  struct Mark {
    uint64_t block, ticks;
  };

  void addEvent(format::Kind kind, uint32_t operand, uint64_t ticks, const uint64_t* payload, uint32_t count);
  void enter(uint32_t path, uint64_t ticks);
  void leave(uint32_t path);
  void endPhase(uint32_t region);
  void count(format::KeptWhat what, uint32_t operand, uint64_t key, uint64_t request, uint64_t count);
  Count* placeOf(format::KeptWhat what, uint32_t operand, uint64_t key, uint64_t request);
  bool makeRoomForCounts();
  bool moveCounts(size_t capacity);
  void forgetCount(Count* count);
  void post(uint32_t communicator, const uint64_t* payload);
  void received(uint32_t communicator, const uint64_t* payload, bool isPosted);
  void forgetReceives();
  void forgetPosted(size_t index);
  void collective(uint32_t communicator, const uint64_t* payload, bool isPost);

  static constexpr size_t kMostCalls = 4096, kMostPhases = 1024, kMostCounts = 1 << 16, kMostPosted = 1 << 12,
                          kMostCollectives = 1024, kMarks = 256;
  PagedArray<OpenCall, kMostCalls> calls_;
  PagedArray<uint32_t, kMostPhases> openPhases_;
  PagedArray<Count, kMostCounts> counts_;  // hashed
  PagedArray<Posted, kMostPosted> postedReceives_;
  PagedArray<Collective, kMostCollectives> postedCollectives_;
  size_t depth_, phases_, counted_, zeros_, firstPosted_, posted_, collectives_;
  uint64_t nextNumber_;
  uint64_t cpuNs_, cpuTicks_;  // the CPU clock at a time
  uint64_t windowTicks_;  // when the window began
  uint64_t lastState_;    // the block of the last state
  uint64_t keptFrom_;  // blocks before are given back, but the first one
  size_t marked_;
  bool isDue_, isRefused_;
  bool missesPosted_;  // receives that this thread has posted may not be in the list
  Mark marks_[kMarks];
};

template <class Emit>
bool KeptPast::forEach(Emit&& emit) {
  using format::KeptWhat;
  const auto word = [](KeptWhat what) { return static_cast<uint64_t>(what); };
  for (size_t i = 0; i < depth_; i++) {
    const OpenCall& call = calls_[i];
    const uint64_t payload[] = {word(KeptWhat::kCall), call.ticks, call.cpuNs, call.cpuTicks};
    if (!emit(call.path, payload, 4)) return false;
  }
  for (size_t i = 0; i < phases_; i++) {
    const uint64_t payload[] = {word(KeptWhat::kPhase)};
    if (!emit(openPhases_[i], payload, 1)) return false;
  }
  for (size_t i = 0; i < counts_.capacity(); i++) {
    const Count& each = counts_[i];
    if (each.count == 0) continue;
    const uint64_t payload[] = {word(each.what), each.key, each.count, each.request};
    if (!emit(each.operand, payload, each.what == KeptWhat::kOvertaking ? 4 : 3)) return false;
  }
  for (size_t i = firstPosted_; i < posted_; i++) {
    const Posted& each = postedReceives_[i];
    const uint64_t payload[] = {word(KeptWhat::kPosted), each.peerAndTag, each.request};
    if (!emit(each.communicator, payload, 3)) return false;
  }
  for (size_t i = 0; i < collectives_; i++) {
    const Collective& each = postedCollectives_[i];
    const uint64_t payload[] = {word(KeptWhat::kCollective), each.payload[0], each.payload[1], each.payload[2],
                                each.payload[3]};
    if (!emit(each.communicator, payload, 5)) return false;
  }
  return true;
}

}  // namespace parallax
