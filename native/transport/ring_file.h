// The shared memory through which processes hand their events to the writer of their host.
#pragma once

#include <linux/futex.h>
#include <time.h>

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "base/sys.h"
#include "format/format.h"

namespace parallax::event_rings {

//   file:  | Control 4096 | Ring | Ring | ... | blocks of ring 0 | blocks of ring 1 | ...
//
//   a ring:   block n stands in place n % kBlocks                  in the event file: at n * kBlockBytes
//
//     freed      stored                 closed     begun
//       v          v                       v         v
//   ... | zeroing  | closed, to be written | filling | zero ...    at most kBlocks blocks from `freed` on
//
// The thread that owns a ring fills blocks in place and closes them. The writer (tools/record_ring_writer.cpp) makes the file,
// reserves space on the disk ahead of the thread, writes the closed blocks at their place of the file, several with one request,
// zeroes them, and frees them. For the first blocks of a ring the thread does not wait until there is space: those that get none are lost.
// A thread without a free block waits, as long as the writer lives and has patience, or loses events. When a process has ended,
// the writer also writes the blocks that are open. So a kill of the program loses no event. After a kill of the writer, the
// threads write what it has left in their rings by themselves, and so does the recorder at its end: each step can be
// repeated, and RingLock lets only one of them write at a time.

inline constexpr uint32_t kMagic = 0x474E5250;  // "PRNG"
inline constexpr uint32_t kVersion = 5;
inline constexpr uint64_t kBlocks = 4;
// So many full blocks wake the writer, which writes them at once: half of a ring, so that the thread goes on meanwhile.
inline constexpr uint64_t kWakingBlocks = kBlocks / 2;
inline constexpr size_t kRingBytes = kBlocks * format::kBlockBytes;
inline constexpr size_t kControlBytes = 4096;
inline constexpr uint32_t kMostRings = 1024;

// The node and the word of a robust futex (set_robust_list), whose owner is the writer: the kernel marks the word when
// the writer ends in any way.
struct Life {
  Life* next;  // an address of the writer's
  std::atomic<uint32_t> word;

  bool ends() const {
    const uint32_t now = word.load(std::memory_order_seq_cst);
    return (now & FUTEX_OWNER_DIED) != 0 || (now & FUTEX_TID_MASK) == 0;
  }
};

struct Control {
  uint32_t magic, version;
  uint32_t ringCount;  // with blocks
  uint32_t drops;      // 1: a thread that finds no room loses events instead of waiting
  uint32_t patienceMs;  // how long a thread waits for a writer that does nothing
  uint32_t port;  // of the collector on this host; 0: there is none
  uint8_t secret[16];  // that it asks for
  uint64_t inode;                            // of this file
  uint64_t directoryDevice, directoryInode;  // of the trace
  uint64_t pidNamespace;                     // the inode of the one in which the writer knows processes
  uint64_t timeNamespace;                    // of that of its clocks; 0: the kernel has none
  Life writer;
  std::atomic<uint32_t> writerThread;  // its id
  std::atomic<uint32_t> bell;   // a futex: more on each change that concerns the writer
  std::atomic<uint32_t> sleeps;  // the writer, on the bell
  std::atomic<uint32_t> used;    // rings that were ever taken have numbers below this
  std::atomic<uint32_t> finish;  // 1: the command has ended
  std::atomic<uint32_t> finished;  // a futex; 1: what was in the rings then is in the files
  std::atomic<uint32_t> failure;   // errno of the first write that failed
  std::atomic<uint64_t> failedEvents;
  std::atomic<uint32_t> failedDefinitions, definitionsFailure;  // of so many processes; why, of one of them
  uint64_t keepFreeBytes;  // of the trace's disk, or kUsualFree (trace_space.h)
  uint64_t mostTraceBytes;  // of the files of the trace on this host; 0: as many as there is space for
};
static_assert(sizeof(Control) <= kControlBytes);

enum class Owner : uint32_t {
  kNobody = 0,
  kTakes = 1,   // not yet ready
  kFills = 2,
  kGone = 3,    // no block follows in the file: it can be cut after the last one
  kMoved = 4,   // the thread goes on in the file by itself
};
//   63                                   25 24                 3 2     0
//  +---------------------------------------+--------------------+-------+
//  |   CLOCK_MONOTONIC ms of the taking    |        pid         | owner |   owner word
//  +---------------------------------------+--------------------+-------+
//
// In one word, so that no ring is without an owner that can be looked for. A process of this number that began after that
// time is another one.
inline constexpr int kOwnerBits = 3, kPidBits = 22;  // the kernel's most
inline constexpr uint64_t kOwnerMask = (1u << kOwnerBits) - 1, kPidMask = (1u << kPidBits) - 1;
inline constexpr uint64_t ownerWord(uint32_t pid, Owner owner, uint64_t sinceMs) {
  return sinceMs << (kOwnerBits + kPidBits) | (pid & kPidMask) << kOwnerBits | static_cast<uint64_t>(owner);
}
inline constexpr uint64_t withOwner(uint64_t word, Owner owner) {
  return owner == Owner::kNobody ? 0 : (word & ~kOwnerMask) | static_cast<uint64_t>(owner);
}
inline constexpr Owner ownerOf(uint64_t word) { return static_cast<Owner>(word & kOwnerMask); }
inline constexpr uint32_t pidOf(uint64_t word) { return static_cast<uint32_t>(word >> kOwnerBits & kPidMask); }
inline constexpr uint64_t sinceMsOf(uint64_t word) { return word >> (kOwnerBits + kPidBits); }
inline uint64_t nowMs() { return sys::clockNs(CLOCK_MONOTONIC) / 1'000'000; }

// Numbers of blocks are those of the event file.
struct alignas(512) Ring {
  std::atomic<uint64_t> owner;
  std::atomic<uint64_t> closed;    // by the thread: blocks below it are to be written
  std::atomic<uint64_t> stored;    // by the writer, as all that follow: they are in the file
  std::atomic<uint64_t> freed;
  std::atomic<uint64_t> granted;   // the thread may fill blocks below it
  std::atomic<uint64_t> reserved;  // the file has space for blocks below it
  std::atomic<uint64_t> endBytes;  // of the file, by blocks that are stored
  std::atomic<uint32_t> refused;   // why there is no more space, as a positive reason of trace_space.h; 0: there is
  std::atomic<uint32_t> lost;      // events of blocks that could not be written
  std::atomic<uint32_t> failure;  // errno of the last of them
  std::atomic<uint32_t> change;    // a futex: more whenever blocks are freed, or space is refused
  std::atomic<uint32_t> waits;     // the thread, on it
  std::atomic<uint32_t> isMade;    // 1: the file exists; else the next reservation makes it
  std::atomic<uint64_t> lock;      // the thread that writes, as an owner word; 0: none
  char name[256];
};
static_assert(sizeof(Ring) == 512);

// Held by who writes and zeroes blocks of a ring: the writer, or the recorder or a thread of the program if it has ended. The
// recorder may start another writer. A thread never asks for the lock while there is a writer. `hasEnded(id, sinceMs)`: whether
// the thread is gone that had this number then.
class RingLock {
 public:
  // What the caller is as a holder, also of several locks, one after the other.
  static uint64_t self() { return ownerWord(static_cast<uint32_t>(sys::gettid()), Owner::kFills, nowMs()); }

  // Waits at most for so many milliseconds for a holder that lives. A free lock costs no system call. Signals of a thread of the
  // program are blocked.
  template <class HasEnded>
  RingLock(Ring* ring, uint64_t self, HasEnded hasEnded, int mostMs = 2000) : ring_(ring) {
    for (int i = 0; i <= mostMs && !isHeld_; i++) {
      uint64_t holder = 0;
      isHeld_ = ring->lock.compare_exchange_strong(holder, self, std::memory_order_acquire) || pidOf(holder) == pidOf(self) ||
                (hasEnded(pidOf(holder), sinceMsOf(holder)) &&
                 ring->lock.compare_exchange_strong(holder, self, std::memory_order_acquire));
      const timespec brief{0, 1'000'000};
      if (!isHeld_ && i < mostMs) sys::call(SYS_nanosleep, sys::word(&brief), 0);
    }
  }
  ~RingLock() {
    if (isHeld_) ring_->lock.store(0, std::memory_order_release);
  }
  RingLock(const RingLock&) = delete;
  RingLock& operator=(const RingLock&) = delete;

  bool isHeld() const { return isHeld_; }

 private:
  Ring* const ring_;
  bool isHeld_ = false;
};

inline constexpr uint64_t ringOffset(uint32_t number) { return kControlBytes + number * sizeof(Ring); }
inline constexpr uint64_t kHeadBytes = ringOffset(kMostRings);  // all rings, also those that have no blocks
static_assert(kHeadBytes % 4096 == 0);
inline constexpr uint64_t blocksOffset(uint32_t number) { return kHeadBytes + number * uint64_t{kRingBytes}; }

}  // namespace parallax::event_rings
