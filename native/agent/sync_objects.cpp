#include "agent/sync_objects.h"

#include "agent/address_table.h"
#include "agent/agent.h"
#include "agent/process.h"

namespace parallax {
namespace {

AddressTable<SyncObject> table;
std::atomic<uint32_t> lastId{0};

void write(uint32_t id, format::SyncKind kind, uint64_t address) {
  define(format::SyncObjectRecord{id, kind, address});
}

void forgetContents(SyncObject& object) {
  object.defined.store(false, std::memory_order_relaxed);
  object.held.store(false, std::memory_order_relaxed);
  object.count.store(0, std::memory_order_relaxed);
  object.participants.store(0, std::memory_order_relaxed);
  object.id.store(0, std::memory_order_release);
}

// Several threads may meet a new object at once: one number wins, and nobody uses it before the
// record is written (see Regions::define).
void defineObject(SyncObject& object, format::SyncKind kind, uint64_t address) {
  uint32_t id = object.id.load(std::memory_order_acquire);
  if (id == 0) {
    const uint32_t candidate = lastId.fetch_add(1, std::memory_order_relaxed) + 1;
    if (object.id.compare_exchange_strong(id, candidate, std::memory_order_acq_rel)) {
      id = candidate;
      object.kind.store(static_cast<uint16_t>(kind), std::memory_order_relaxed);
    } else {
      write(candidate, kind, address);  // a number without use rather than a gap
    }
  }
  write(id, kind, address);
  object.defined.store(true, std::memory_order_release);
}

}  // namespace

SyncObject* syncObject(format::SyncKind kind, const void* address) {
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
  defineObject(*object, kind, key);
  return object;
}

SyncObject* renewSyncObject(const void* address) {
  SyncObject* object = table.find(reinterpret_cast<uint64_t>(address));
  if (object != nullptr) forgetContents(*object);
  return object;
}

SyncObject* initialiseSyncObject(const void* address) {
  SyncObject* object = table.obtain(reinterpret_cast<uint64_t>(address));
  if (object != nullptr) forgetContents(*object);
  return object;
}

uint32_t defineSyncObject(format::SyncKind kind, uint64_t address) {
  const uint32_t id = lastId.fetch_add(1, std::memory_order_relaxed) + 1;
  write(id, kind, address);
  return id;
}

void redefineSyncObjects() {
  table.forEach([](uint64_t address, SyncObject& object) {
    if (object.defined.load(std::memory_order_acquire)) {
      write(object.id.load(std::memory_order_relaxed),
            static_cast<format::SyncKind>(object.kind.load(std::memory_order_relaxed)), address);
    }
  });
}

}  // namespace parallax
