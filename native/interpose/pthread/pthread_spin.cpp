// Spin locks, like mutexes: each acquisition and release is an event; Enter and Leave stand
// around those that had to spin.
//
// Called before the real function is known: it is looked up at once (real.h). libc has no other
// name for these, and its lookup takes none. Called inside an intercepted routine, by a library's
// thread or in a process that is not recorded: passes straight through.
#include <errno.h>
#include <pthread.h>

#include "core/sync_objects.h"
#include "core/thread.h"
#include "interpose/real.h"

namespace parallax {
namespace {

using SpinFunction = int(pthread_spinlock_t*);
PARALLAX_REAL Real<SpinFunction> realLock("pthread_spin_lock");
PARALLAX_REAL Real<SpinFunction> realTryLock("pthread_spin_trylock");
PARALLAX_REAL Real<SpinFunction> realUnlock("pthread_spin_unlock");
PARALLAX_REAL Real<SpinFunction> realDestroy("pthread_spin_destroy");
PARALLAX_REAL Real<int(pthread_spinlock_t*, int)> realInit("pthread_spin_init");

Region lockRegion("pthread_spin_lock", format::Group::kPthread);
Region tryLockRegion("pthread_spin_trylock", format::Group::kPthread);

// The lock itself does not say whether it is for several processes. One that was not seen being
// initialised is when its memory is.
SyncObject* objectOf(pthread_spinlock_t* lock) {
  return syncObject(format::SyncKind::kSpinLock, const_cast<const int*>(lock), true);
}

// The lock was taken by this thread: the number of its object, or 0.
uint32_t countAcquisition(pthread_spinlock_t* lock, bool waited, uint64_t* payload) {
  SyncObject* object = objectOf(lock);
  if (object == nullptr) return 0;
  Counter& count = object->count(Count::kAcquisitions);
  const uint64_t sequence = count.load(std::memory_order_relaxed) + 1;
  count.store(sequence, std::memory_order_relaxed);
  object->held.store(true, std::memory_order_relaxed);
  *payload = format::sequenceAndWaited(sequence, waited);
  return object->number();
}

bool acquireAtOnce(Thread* thread, pthread_spinlock_t* lock, int* result) {
  *result = realTryLock.get()(lock);
  if (*result == EBUSY) return false;
  if (*result != 0) return true;
  uint64_t ticks = thread->nowAfter();
  uint64_t payload;
  if (const uint32_t object = countAcquisition(lock, false, &payload)) {
    thread->checkCpu(ticks);
    thread->emit(Kind::kAcquire, object, ticks, &payload, 1);
  }
  return true;
}

}  // namespace
}  // namespace parallax

using namespace parallax;

PARALLAX_EXPORT int pthread_spin_lock(pthread_spinlock_t* lock) noexcept {
  auto* real = realLock.get();
  if (!adapterEnabled(Adapter::kPthread)) return real(lock);
  {
    Guard guard;
    if (!guard) return real(lock);
    int result;
    if (acquireAtOnce(guard.thread(), lock, &result)) return result;
  }
  Call call(lockRegion, Call::Manner::kWaits);
  const int result = real(lock);
  call.returned();
  uint64_t payload;
  if (!call || result != 0) return result;
  if (const uint32_t object = countAcquisition(lock, true, &payload)) {
    call.emit(Kind::kAcquire, object, {payload});
  }
  return result;
}

PARALLAX_EXPORT int pthread_spin_trylock(pthread_spinlock_t* lock) noexcept {
  if (!adapterEnabled(Adapter::kPthread)) return realTryLock.get()(lock);
  Guard guard;
  if (!guard) return realTryLock.get()(lock);
  Thread* thread = guard.thread();
  if (!thread->polls()) {
    int result;
    if (!acquireAtOnce(thread, lock, &result)) missedAttempt(thread, tryLockRegion);
    return result;
  }
  const int result = realTryLock.get()(lock);
  if (result == EBUSY) missedAttempt(thread, tryLockRegion);
  if (result != 0) return result;
  const PolledCall call(thread, tryLockRegion);
  uint64_t ticks = call ? call.ticks() : thread->nowAfter();
  if (!call) thread->checkCpu(ticks);
  uint64_t payload;
  if (const uint32_t object = countAcquisition(lock, bool(call), &payload)) {
    thread->emit(Kind::kAcquire, object, ticks, &payload, 1);
  }
  return result;
}

PARALLAX_EXPORT int pthread_spin_unlock(pthread_spinlock_t* lock) noexcept {
  auto* real = realUnlock.get();
  if (!adapterEnabled(Adapter::kPthread)) return real(lock);
  Guard guard;
  if (!guard) return real(lock);
  Thread* thread = guard.thread();
  SyncObject* object = objectOf(lock);
  if (object != nullptr && object->held.load(std::memory_order_relaxed)) {
    object->held.store(false, std::memory_order_relaxed);
    uint64_t ticks = thread->now();
    const uint64_t sequence = object->count(Count::kAcquisitions).load(std::memory_order_relaxed);
    thread->checkCpu(ticks);
    thread->emit(Kind::kRelease, object->number(), ticks, &sequence, 1);
  }
  return real(lock);
}

// A lock that is initialised or destroyed is a new object from then on.
PARALLAX_EXPORT int pthread_spin_init(pthread_spinlock_t* lock, int sharing) noexcept {
  const int result = realInit.get()(lock, sharing);
  if (result != 0 || !adapterEnabled(Adapter::kPthread) || !recording()) return result;
  const auto* address = const_cast<const int*>(lock);
  renewSyncObject(address);
  syncObject(format::SyncKind::kSpinLock, address, sharing == PTHREAD_PROCESS_SHARED);
  return result;
}

PARALLAX_EXPORT int pthread_spin_destroy(pthread_spinlock_t* lock) noexcept {
  const int result = realDestroy.get()(lock);
  if (result == 0) renewSyncObject(const_cast<const int*>(lock));
  return result;
}
