// Encoding and decoding of slots and blocks. Header-only and free of library calls, so that
// the agent, the offline writer and the readers share it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "format/crc32c.h"
#include "format/format.h"

namespace parallax::format {

// ---- encoding

// `operand` must be below kOperandEscape, or kOperandEscape itself with the operand in the
// first payload slot; `ticks` since the base of the block must fit into kTimeBits.
constexpr uint64_t eventSlot(Kind kind, uint32_t operand, uint64_t ticks) {
  return static_cast<uint64_t>(kind) << (kTimeBits + kOperandBits) |
         static_cast<uint64_t>(operand) << kTimeBits | ticks;
}

constexpr uint64_t payloadSlot(uint64_t value) { return value | kPayloadBit; }

constexpr bool fitsOperand(uint64_t operand) { return operand < kOperandEscape; }
constexpr bool fitsTime(uint64_t ticks) { return ticks <= kTimeMask; }

constexpr uint64_t peerAndTag(uint32_t peer, uint32_t tag) {
  return static_cast<uint64_t>(peer) << 32 | tag;
}
constexpr uint64_t opAndRoot(Collective op, uint32_t root) {
  return static_cast<uint64_t>(op) << 31 | root;
}
// The rank is kNoRoot for all of the window.
constexpr uint64_t opAndRank(WindowOp op, uint32_t rank) {
  return static_cast<uint64_t>(op) << 31 | rank;
}
constexpr uint64_t sequenceAndWaited(uint64_t sequence, bool waited) {
  return sequence << 1 | (waited ? 1 : 0);
}

// ---- decoding

constexpr bool isPayload(uint64_t slot) { return (slot & kPayloadBit) != 0; }
constexpr Kind kindOf(uint64_t slot) {
  return static_cast<Kind>((slot >> (kTimeBits + kOperandBits)) & 0x3F);
}
constexpr uint32_t operandOf(uint64_t slot) {
  return static_cast<uint32_t>(slot >> kTimeBits) & kOperandMask;
}
constexpr uint64_t ticksOf(uint64_t slot) { return slot & kTimeMask; }
constexpr uint64_t payloadOf(uint64_t slot) { return slot & ~kPayloadBit; }

// Events among these slots, of which those not yet written are 0.
constexpr uint32_t countEvents(const uint64_t* slots, size_t count) {
  uint32_t events = 0;
  for (size_t i = 0; i < count; i++) events += slots[i] != 0 && !isPayload(slots[i]) ? 1 : 0;
  return events;
}

// Of the two payload slots of a Value: 64 bits, as an unsigned integer or a double's.
constexpr uint64_t valueOf(uint64_t low, uint64_t high) { return high << 32 | (low & 0xFFFFFFFF); }
constexpr uint32_t peerOf(uint64_t payload) { return static_cast<uint32_t>(payload >> 32); }
constexpr uint32_t tagOf(uint64_t payload) { return static_cast<uint32_t>(payload); }
constexpr Collective opOf(uint64_t payload) {
  return static_cast<Collective>((payload >> 31) & 0xFF);
}
constexpr uint32_t rootOf(uint64_t payload) { return static_cast<uint32_t>(payload) & kNoRoot; }

// Of a Cpu event: it is not known for how much of its losses the thread was runnable.
inline constexpr uint64_t kRunnableUnknown = uint64_t{1} << 62;

// The payload slots that an event of this kind has at least, an escaped operand not counted.
constexpr uint32_t payloadSlotsOf(Kind kind) {
  switch (kind) {
    case Kind::kSend:
    case Kind::kReceivePost:
    case Kind::kReceive:
    case Kind::kBarrier:
    case Kind::kCpu:
    case Kind::kProbe:
    case Kind::kValue:
    case Kind::kProcessCreate:
    case Kind::kStreamSend:
    case Kind::kStreamReceive:
    case Kind::kFile:
    case Kind::kPoll:
      return 2;
    case Kind::kProcessWait:
      return 3;
    case Kind::kPartitionedSend:
    case Kind::kPartitionedReceive:
      return 5;
    case Kind::kThreadCounters:
    case Kind::kCollectivePost:
    case Kind::kCollective:
      return 4;
    case Kind::kRequestDone:
    case Kind::kRequestCancel:
    case Kind::kAcquire:
    case Kind::kRelease:
    case Kind::kSignal:
    case Kind::kWake:
    case Kind::kThreadBegin:
    case Kind::kThreadCreate:
    case Kind::kThreadJoin:
    case Kind::kVisits:
    case Kind::kThrottled:
    case Kind::kWindow:
    case Kind::kKept:
      return 1;
    default:
      return 0;
  }
}

// ---- blocks

// Of the header as it stands, with its field `crc` taken as zero, and of `header.used` slots.
inline uint32_t blockChecksum(const BlockHeader& header, const uint64_t* slots) {
  BlockHeader copy = header;
  copy.crc = 0;
  return crc32c(slots, size_t{header.used} * sizeof(uint64_t), crc32c(&copy, sizeof copy));
}

// Closes a block in place. The flag is stored last: a reader of a live trace sees either an
// open block or one whose `used` and `crc` hold.
inline void closeBlock(BlockHeader* header, uint32_t used) {
  header->used = used;
  BlockHeader closed = *header;
  closed.flags = static_cast<uint16_t>(closed.flags | kBlockClosed);
  header->crc = blockChecksum(closed, reinterpret_cast<const uint64_t*>(header + 1));
  __atomic_store_n(&header->flags, closed.flags, __ATOMIC_RELEASE);
}

}  // namespace parallax::format
