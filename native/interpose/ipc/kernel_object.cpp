#include "interpose/ipc/kernel_object.h"

#include "base/address_table.h"
#include "base/fork_generation.h"
#include "base/sys.h"
#include "core/agent.h"
#include "core/clock.h"
#include "core/shared_counters.h"

namespace parallax {
namespace {

constexpr int kSalt = KernelObject::kCounts;  // the last of SharedCounters
AddressTable<KernelObject> objects;           // by the hash of kind and id

// Another recording counts from 1, too: its objects are others, even of the same process.
uint64_t saltOf(SharedCounters* counters) {
  uint64_t salt = 0;
  const uint64_t own = mixIds(readTicks(), static_cast<uint64_t>(sys::getpid())) | 1;
  return counters->value[kSalt].compare_exchange_strong(salt, own) ? own : salt;
}

}  // namespace

KernelObject* kernelObject(format::SyncKind kind, uint64_t id, uint64_t address) {
  constexpr uint64_t kKernelObjects = 0x516E416C5E4D1265;  // of all that has shared counters
  const uint64_t high = mixIds(mixIds(kKernelObjects, static_cast<uint64_t>(kind)), id) | 1;
  KernelObject* object = objects.obtain(high);
  if (object == nullptr) return nullptr;
  const uint32_t generation = forkGeneration();
  if (__builtin_expect(object->definedIn.load(std::memory_order_acquire) == generation, true)) return object;
  const uint64_t low = mixIds(high, id) | 1;
  SharedCounters* counters = sharedCounters(high, low);
  if (counters == nullptr) return nullptr;
  object->counters.store(counters, std::memory_order_relaxed);
  // Threads that meet it at once give it several numbers of the same key.
  const uint64_t key = mixIds(low, saltOf(counters)) | 1;
  object->number_.store(defineSyncObject(kind, address, key), std::memory_order_relaxed);
  object->definedIn.store(generation, std::memory_order_release);
  return object;
}

}  // namespace parallax
