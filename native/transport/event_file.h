// The events of one thread, written in place into blocks of its file.
#pragma once

#include <cstddef>
#include <cstdint>

#include "format/format.h"
#include "format/slots.h"
#include "transport/block_store.h"

namespace parallax {

// The part of a block header that describes the start of the block.
struct BlockStart {
  uint64_t ticks = 0;
  uint64_t monotonicNs = 0;
  uint64_t cpuNs = 0;
  uint32_t openPath = 0;
  uint32_t lost = 0;
};

//   elsewhere: | small block |       first, if there is room for it; most threads need no more
//   store:     | block | block | block | block | ...
//
// fits() and append() are the hot path, and know only where the next event goes. The store says which memory
// that is, and is asked when nothing fits. Only one thread writes, and a signal handler never starts
// a write inside another one (Guard). All functions may be used in signal handlers. The object
// needs no constructor: zeroed memory is a file that is not open.
class EventFile {
 public:
  // Sets the name of the file, which must not exist. The first block in it creates the file.
  void open(const TraceDirectory& directory, const char* name, uint32_t thread);
  bool isOpen() const { return store_.isOpen(); }
  // What has to be written next, at the begin of this block, of the events before it; else null.
  KeptPast* duePast() const {
    KeptPast* past = store_.past();
    const bool isDue = past != nullptr && past->isDue() && block_ != nullptr && next_ == reinterpret_cast<uint64_t*>(block_ + 1);
    return isDue ? past : nullptr;
  }
  // Blocks begun in it.
  uint64_t blocks() const { return store_.blocks(); }

  // Whether an event of so many slots at `ticks` fits into the block.
  bool fits(size_t slots, uint64_t ticks) const {
    // Negative while a block begins or ends; a signal handler can leave these steps by longjmp.
    const auto freeBytes = reinterpret_cast<intptr_t>(end_) - reinterpret_cast<intptr_t>(next_);
    return static_cast<intptr_t>(slots * sizeof(uint64_t)) <= freeBytes &&
           format::fitsTime(ticks - baseTicks_);
  }
  // Appends an event, which must fit. `ticks` must not be earlier than the last event. The first
  // slot is stored last, so that readers of the file of a killed process see only complete events.
  void append(format::Kind kind, uint32_t operand, uint64_t ticks, const uint64_t* payload,
              size_t payloadCount) {
    uint64_t* slot = next_;
    uint64_t* at = slot + 1;
    uint32_t shown = operand;
    if (__builtin_expect(!format::fitsOperand(operand), false)) {
      shown = format::kOperandEscape;
      *at++ = format::payloadSlot(operand);
    }
    for (size_t i = 0; i < payloadCount; i++) *at++ = format::payloadSlot(payload[i]);
    __atomic_store_n(slot, format::eventSlot(kind, shown, ticks - baseTicks_), __ATOMIC_RELEASE);
    next_ = at;
  }
  // The same with a payload of a length that is known when this is compiled.
  template <size_t N>
  void append(format::Kind kind, uint32_t operand, uint64_t ticks, const uint64_t (&payload)[N]) {
    if (__builtin_expect(!format::fitsOperand(operand), false)) return append(kind, operand, ticks, payload, N);
    uint64_t* slot = next_;
#pragma GCC unroll 8
    for (size_t i = 0; i < N; i++) slot[1 + i] = format::payloadSlot(payload[i]);
    __atomic_store_n(slot, format::eventSlot(kind, operand, ticks - baseTicks_), __ATOMIC_RELEASE);
    next_ = slot + 1 + N;
  }
  // Whether the last event of the block is of this kind, which has no payload.
  bool lastIs(format::Kind kind, uint32_t operand) const {
    if (block_ == nullptr) return false;
    const auto* first = reinterpret_cast<const uint64_t*>(block_ + 1);
    const uint64_t* last = next_ - slotsOf(operand, 0);
    if (last < first || format::isPayload(*last) || format::kindOf(*last) != kind) return false;
    if (format::fitsOperand(operand)) return format::operandOf(*last) == operand;
    return format::operandOf(*last) == format::kOperandEscape &&
           last[1] == format::payloadSlot(operand);
  }
  static size_t slotsOf(uint32_t operand, size_t payloadCount) {
    return 1 + payloadCount + (format::fitsOperand(operand) ? 0 : 1);
  }

  // When an event of so many slots does not fit: writes what the store has in private memory, and returns whether the
  // event now fits into the same block. Sets `error` to 0 or a negative reason; then the block has ended.
  bool continueBlock(size_t slots, uint64_t ticks, int* error);
  // After each event for which continueBlock() or beginBlock() was called: writes it where the transport does so for each.
  // Returns 0 or a negative reason.
  int endEvent() { return __builtin_expect(store_.writesEach(), false) ? writeEvent() : 0; }
  // Writes what the store has in private memory; the block goes on.
  int write();
  // Events that could not be written in one of these steps, and are gone.
  uint32_t takeDropped() { return store_.takeDropped(); }
  // Why the last of them was lost if a writer could not write it.
  int dropReason() const { return store_.dropReason(); }

  // Closes the block and begins the next. Returns 0 or -errno; then nothing fits until a later
  // call succeeds.
  int beginBlock(const BlockStart& start);
  // The same, with a new window of `windowBlocks` blocks: no further block must be mapped until
  // these are used up.
  int beginBlock(const BlockStart& start, uint32_t windowBlocks);
  // Begins the first block, a small one, in zeroed memory that is shared with another file of the trace.
  void beginElsewhere(void* memory, size_t sizeBytes, const BlockStart& start);
  // Closes the last block and gives back the space after it.
  void close();
  // Writes no more into the file of a mapped transport, which stays as a reader finds it after a kill: more happened than
  // stands there.
  void leave();

 private:
  void beginAt(void* memory, size_t slots, uint64_t number, const BlockStart& start,
               uint64_t* counted);
  int finishBlock();
  int writeEvent();
  void leaveBlock();

  uint64_t* next_;  // where the next event goes
  uint64_t* end_;   // of what is ready for events; null unless there is a block
  uint64_t baseTicks_;
  format::BlockHeader* block_;  // null when none is open
  uint64_t* blockEnd_;
  uint64_t beganElsewhere_;  // 1 when the first block is not in the file
  uint32_t thread_;
  BlockStore store_;
};

}  // namespace parallax
