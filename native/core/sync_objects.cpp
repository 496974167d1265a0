#include "core/sync_objects.h"

#include "base/address_table.h"
#include "base/shared_mapping.h"
#include "core/agent.h"
#include "core/process.h"
#include "core/shared_counters.h"

namespace parallax {
namespace {

AddressTable<SyncObject> table;
std::atomic<uint32_t> lastId{0};

void write(uint32_t id, format::SyncKind kind, uint64_t address, uint64_t key) {
  define(format::SyncObjectRecord{id, kind, address, key});
}

void forgetContents(SyncObject& object) {
  object.defined.store(false, std::memory_order_relaxed);
  object.held.store(false, std::memory_order_relaxed);
  const bool condition = object.kind.load(std::memory_order_relaxed) ==
                         static_cast<uint16_t>(format::SyncKind::kCondition);
  object.releaseTicks.store(
      condition ? object.count(Count::kSignals).load(std::memory_order_relaxed) : 0,
      std::memory_order_relaxed);
  // Before the counts: who has read one that is gone finds that the number is gone, too.
  object.id.store(0, std::memory_order_release);
  object.counters.store(object.own, std::memory_order_release);
  for (Counter& count : object.own) count.store(0, std::memory_order_release);
  object.key.store(0, std::memory_order_relaxed);
}

uint64_t mix(uint64_t hash, uint64_t value) {
  hash = (hash ^ value) * 0x9E3779B97F4A7C15u;
  return hash ^ hash >> 29;
}

// Finds what the processes that share the memory of this object share of it. Memory that is not
// shared, or without counters left, makes it an object of this process.
void findCounters(SyncObject& object, format::SyncKind kind, uint64_t address, bool mayBeShared) {
  Counter* counters = object.own;
  uint64_t key = 0;
  SharedMapping mapping;
  if (mayBeShared && findSharedMapping(address, &mapping)) {
    constexpr uint64_t kSyncObjects = 0x51C0B7EC75AA2F11;  // of all that has shared counters
    const uint64_t high = mix(mix(kSyncObjects, mapping.device), mapping.inode) | 1;
    const uint64_t low = mix(mix(high, mapping.offset), static_cast<uint64_t>(kind)) | 1;
    if (SharedCounters* found = sharedCounters(high, low)) {
      static_assert(kCounts <= sizeof found->value / sizeof found->value[0]);
      counters = found->value;
      key = mix(high, low) | 1;
    }
  }
  object.key.store(key, std::memory_order_relaxed);
  object.counters.store(counters, std::memory_order_release);
}

// Several threads may meet a new object at once: one number wins, and nobody uses it before the
// record is written (see Regions::define).
void defineObject(SyncObject& object, format::SyncKind kind, uint64_t address,
                  bool mayBeShared) {
  uint32_t id = object.id.load(std::memory_order_acquire);
  if (id == 0) {
    const uint32_t candidate = lastId.fetch_add(1, std::memory_order_relaxed) + 1;
    findCounters(object, kind, address, mayBeShared);  // all who come here find the same
    if (object.id.compare_exchange_strong(id, candidate, std::memory_order_acq_rel)) {
      id = candidate;
      object.kind.store(static_cast<uint16_t>(kind), std::memory_order_relaxed);
    } else {
      write(candidate, kind, address, 0);  // a number without use rather than a gap
    }
  }
  write(id, kind, address, object.key.load(std::memory_order_relaxed));
  object.defined.store(true, std::memory_order_release);
}

}  // namespace

SyncObject* syncObject(format::SyncKind kind, const void* address, bool mayBeShared) {
  const auto key = reinterpret_cast<uint64_t>(address);
  SyncObject* object = table.obtain(key);
  if (object == nullptr) return nullptr;
  if (__builtin_expect(object->defined.load(std::memory_order_acquire), true)) {
    if (__builtin_expect(object->kind.load(std::memory_order_relaxed) ==
                             static_cast<uint16_t>(kind), true)) {
      return object;
    }
    forgetContents(*object);
  }
  defineObject(*object, kind, key, mayBeShared);
  return object;
}

SyncObject* knownSyncObject(format::SyncKind kind, const void* address) {
  SyncObject* object = table.find(reinterpret_cast<uint64_t>(address));
  const bool known = object != nullptr && object->defined.load(std::memory_order_acquire) &&
                     object->kind.load(std::memory_order_relaxed) == static_cast<uint16_t>(kind);
  return known ? object : nullptr;
}

SyncObject* renewSyncObject(const void* address) {
  SyncObject* object = table.find(reinterpret_cast<uint64_t>(address));
  if (object != nullptr) forgetContents(*object);
  return object;
}

uint32_t defineSyncObject(format::SyncKind kind, uint64_t address, uint64_t key) {
  const uint32_t id = lastId.fetch_add(1, std::memory_order_relaxed) + 1;
  write(id, kind, address, key);
  return id;
}

void forgetSyncObjects() {
  table.forEach([](uint64_t, SyncObject& object) { forgetContents(object); });
}

void redefineSyncObjects() {
  table.forEach([](uint64_t address, SyncObject& object) {
    if (object.defined.load(std::memory_order_acquire)) {
      write(object.number(),
            static_cast<format::SyncKind>(object.kind.load(std::memory_order_relaxed)), address,
            object.key.load(std::memory_order_relaxed));
    }
  });
}

}  // namespace parallax
