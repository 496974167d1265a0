// Mutexes, conditions, barriers, read-write locks, spin locks, semaphores and futexes by address: their
// numbers and what is counted of each.
#pragma once

#include <atomic>
#include <cstdint>

#include "format/format.h"

namespace parallax {

// What is counted of an object. Of one in memory that several processes share, the counters are
// shared with them, too.
enum class Count {
  kAcquisitions = 0,      // mutex, spin lock, OpenMP lock: changed only by its holder
  kSignals = 0,           // condition; semaphore: posts; futex: wakes while somebody waited
  kArrivals = 0,          // barrier
  kReleases = 0,          // read-write lock
  kExclusiveRelease = 1,  // read-write lock: number of the last release by a writer
  kNesting = 1,           // OpenMP's nestable lock: how often its holder has it
  kTokensTaken = 1,       // semaphore
  kWaiters = 1,           // futex: threads that wait
  kTokensAtFirst = 2,     // semaphore: kTokensKnown + those that it began with; 0: not known yet
};
inline constexpr int kCounts = 3;
using Counter = std::atomic<uint64_t>;
inline constexpr uint64_t kTokensKnown = uint64_t{1} << 62;

struct SyncObject {
  std::atomic<uint32_t> id;
  std::atomic<uint16_t> kind;  // format::SyncKind
  std::atomic<bool> defined;
  // A recorded acquisition by this process has not been given back; of a read-write lock, one by
  // a writer.
  std::atomic<bool> held;
  std::atomic<Counter*> counters;  // `own`, or those that processes share
  std::atomic<uint64_t> key;       // in the trace; 0: of this process alone
  Counter own[kCounts];
  // Of a mutex of this process alone: the time of its last release. Of a condition: the number of
  // its last signal before it became a new object. With it an object and its address fill a line of
  // the cache.
  std::atomic<uint64_t> releaseTicks;
  std::atomic<uint64_t>& signalsBeforeRenewal() { return releaseTicks; }

  Counter& count(Count which) {
    return counters.load(std::memory_order_relaxed)[static_cast<int>(which)];
  }
  uint32_t number() const { return id.load(std::memory_order_relaxed); }
};

// The object of this kind at `address`, which is defined if necessary; null if there is no memory.
// If the address had an object of another kind, a new object begins. `mayBeShared`: the object is
// shared with other processes if its memory is, which is looked up when the object is defined.
// Lock-free.
SyncObject* syncObject(format::SyncKind kind, const void* address, bool mayBeShared = false);

// The same, but null if there is no object of this kind at `address`.
SyncObject* knownSyncObject(format::SyncKind kind, const void* address);

// The object that the thread used last. It is often the next one, too, because a thread releases
// the lock that it acquired.
struct LastSyncObject {
  const void* address = nullptr;
  SyncObject* object = nullptr;
};
// The same by a shorter way when it is the one that was used last.
inline SyncObject* syncObject(format::SyncKind kind, const void* address, bool mayBeShared,
                              LastSyncObject* last) {
  if (last->address != address || !last->object->defined.load(std::memory_order_acquire) ||
      last->object->kind.load(std::memory_order_relaxed) != static_cast<uint16_t>(kind)) {
    SyncObject* object = syncObject(kind, address, mayBeShared);
    if (object == nullptr) return nullptr;
    *last = {address, object};
  }
  return last->object;
}

// The object at `address` is initialised or destroyed, so the next object there is a new one. In
// memory that processes share, it stays the same object, and its counters continue. Returns null if
// there was no object.
SyncObject* renewSyncObject(const void* address);

}  // namespace parallax
