// Mutexes, conditions and barriers by address: their numbers and what is counted of each.
#pragma once

#include <atomic>
#include <cstdint>

#include "format/format.h"

namespace parallax {

struct SyncObject {
  std::atomic<uint32_t> id;
  std::atomic<uint16_t> kind;         // format::SyncKind
  std::atomic<bool> defined;
  std::atomic<bool> held;             // mutex: a recorded acquisition has not been given back
  // Mutex: acquisitions, changed only by its holder. Condition: signals. Barrier: arrivals.
  std::atomic<uint64_t> count;
  std::atomic<uint32_t> participants;  // barrier: 0 when it was not seen being initialised
};

// The object at `address`, defined as of this kind; null when memory has run out. An address
// that holds an object of another kind now has become a new object. Lock-free.
SyncObject* syncObject(format::SyncKind kind, const void* address);
// The object at `address` is initialised or destroyed: what comes next there is a new one.
// Returns null when there was none.
SyncObject* renewSyncObject(const void* address);
// The same, making room for it when there was none.
SyncObject* initialiseSyncObject(const void* address);

}  // namespace parallax
