// Mutexes. Each acquisition and release is an event; Enter and Leave stand around those only
// that had to wait, so that an uncontended lock stays cheap.
//
// Called before the real function is known: it is looked up at once (real.h). Called inside an
// intercepted routine, by a library's thread or in a process that is not recorded: passes
// straight through.
#include "interpose/pthread/pthread_mutex.h"

#include <errno.h>
#include <pthread.h>

#include "core/lone_waits.h"
#include "core/process.h"
#include "core/thread.h"
#include "interpose/pthread/deadline.h"
#include "interpose/pthread/unmeasured.h"
#include "interpose/real.h"

// libc's own names, for calls out of the lookup of the real ones.
extern "C" {
int __pthread_mutex_lock(pthread_mutex_t*) __attribute__((weak));
int __pthread_mutex_trylock(pthread_mutex_t*) __attribute__((weak));
int __pthread_mutex_unlock(pthread_mutex_t*) __attribute__((weak));
int __pthread_mutex_init(pthread_mutex_t*, const pthread_mutexattr_t*) __attribute__((weak));
int __pthread_mutex_destroy(pthread_mutex_t*) __attribute__((weak));
}

namespace parallax {
namespace {

using MutexFunction = int(pthread_mutex_t*);
PARALLAX_REAL Real<MutexFunction> realLock("pthread_mutex_lock", __pthread_mutex_lock);
PARALLAX_REAL Real<MutexFunction> realTryLock("pthread_mutex_trylock", __pthread_mutex_trylock);
PARALLAX_REAL Real<MutexFunction> realUnlock("pthread_mutex_unlock", __pthread_mutex_unlock);
PARALLAX_REAL Real<MutexFunction> realDestroy("pthread_mutex_destroy", __pthread_mutex_destroy);
PARALLAX_REAL Real<int(pthread_mutex_t*, const pthread_mutexattr_t*)> realInit("pthread_mutex_init",
                                                                 __pthread_mutex_init);
PARALLAX_REAL Real<int(pthread_mutex_t*, const timespec*)> realTimedLock("pthread_mutex_timedlock");
PARALLAX_REAL Real<int(pthread_mutex_t*, clockid_t, const timespec*)>
    realClockLock("pthread_mutex_clocklock");

Region lockRegion("pthread_mutex_lock", format::Group::kPthread);
Region tryLockRegion("pthread_mutex_trylock", format::Group::kPthread);
Region timedLockRegion("pthread_mutex_timedlock", format::Group::kPthread);
Region clockLockRegion("pthread_mutex_clocklock", format::Group::kPthread);

// A robust mutex whose owner died is acquired all the same.
bool isAcquired(int result) { return result == 0 || result == EOWNERDEAD; }

void recordFastAcquisition(Thread* thread, pthread_mutex_t* mutex) {
  if (isNested(mutex)) return;
  if (SyncObject* object = countAcquisition(thread, mutex)) {
    uint64_t ticks = acquisitionTime(thread, object);
    const uint64_t payload = format::sequenceAndWaited(acquisitionOf(object), false);
    thread->checkCpu(ticks);
    thread->emit(Kind::kAcquire, object->number(), ticks, &payload, 1);
  }
}

void recordSlowAcquisition(Call& call, pthread_mutex_t* mutex) {
  if (!call || isNested(mutex)) return;
  if (SyncObject* object = countAcquisition(call.thread(), mutex)) {
    const uint64_t sequence = acquisitionOf(object);
    call.emit(Kind::kAcquire, object->number(),
              {format::sequenceAndWaited(sequence, true)});
  }
}

// Of a trylock: the thread may have polled for it.
void recordTriedAcquisition(Thread* thread, pthread_mutex_t* mutex, Region& region) {
  const PolledCall call(thread, region);
  if (!call) return recordFastAcquisition(thread, mutex);
  if (isNested(mutex)) return;
  if (SyncObject* object = countAcquisition(thread, mutex)) {
    const uint64_t payload = format::sequenceAndWaited(acquisitionOf(object), true);
    thread->emit(Kind::kAcquire, object->number(), call.ticks(), &payload, 1);
  }
}

// Takes the mutex without waiting if that is possible. False: it was busy, and nothing happened.
bool acquireAtOnce(Thread* thread, pthread_mutex_t* mutex, int* result) {
  *result = realTryLock.get()(mutex);
  if (*result == EBUSY) return false;
  if (isAcquired(*result)) recordFastAcquisition(thread, mutex);
  return true;
}

template <class Wait>
int acquire(pthread_mutex_t* mutex, Region& region, Wait wait) {
  if (!adapterEnabled(Adapter::kPthread)) return wait();
  {
    Guard guard;
    if (!guard) return wait();
    LoneVisit visit(region);
    int result;
    if (process.isSilent()) {
      result = wait();
      visit.end();
      return result;
    }
    if (acquireAtOnce(guard.thread(), mutex, &result)) {
      visit.end();
      return result;
    }
  }
  Call call(region, Call::Manner::kWaits);
  const int result = wait();
  call.returned();
  if (isAcquired(result)) recordSlowAcquisition(call, mutex);
  if (result == ETIMEDOUT) tellTimedOut(call);
  return result;
}

// Error-checking, recursive and robust mutexes refuse to be unlocked by others.
bool mayUnlock(const Thread* thread, const pthread_mutex_t* mutex) {
  const int kind = mutex->__data.__kind;
  const int type = kind & glibc::kMutexType;
  if (type != PTHREAD_MUTEX_RECURSIVE && type != PTHREAD_MUTEX_ERRORCHECK &&
      (kind & glibc::kRobustMutex) == 0) {
    return true;
  }
  return static_cast<uint32_t>(mutex->__data.__owner) == thread->tid();
}

__attribute__((noinline)) int unlockMeasured(pthread_mutex_t* mutex) {
  auto* real = realUnlock.get();
  if (!adapterEnabled(Adapter::kPthread) || process.isSilent()) return real(mutex);
  Guard guard;
  Thread* thread = guard.thread();
  if (thread != nullptr && !isNested(mutex) && mayUnlock(thread, mutex)) {
    if (SyncObject* object = countRelease(thread, mutex)) {
      uint64_t ticks = thread->now();
      const uint64_t sequence = acquisitionOf(object);
      thread->checkCpu(ticks);
      setReleaseTime(object, ticks);
      thread->emit(Kind::kRelease, object->number(), ticks, &sequence, 1);
    }
  }
  return real(mutex);
}

}  // namespace

__attribute__((noinline)) int lockMutex(pthread_mutex_t* mutex, Region& region) {
  auto* real = realLock.get();
  return acquire(mutex, region, [=] { return real(mutex); });
}

int tryLockMutex(pthread_mutex_t* mutex, Region& region) {
  if (!adapterEnabled(Adapter::kPthread)) return realTryLock.get()(mutex);
  Guard guard;
  if (!guard) return realTryLock.get()(mutex);
  LoneVisit visit(region);
  const int result = realTryLock.get()(mutex);
  visit.end();
  if (process.isSilent()) return result;
  if (result == EBUSY) {
    missedAttempt(guard.thread(), region);
  } else if (isAcquired(result)) {
    recordTriedAcquisition(guard.thread(), mutex, region);
  }
  return result;
}

int lockMutexUntil(pthread_mutex_t* mutex, const timespec* deadline, Region& region) {
  auto* real = realTimedLock.get();
  return acquire(mutex, region, [=] { return real(mutex, deadline); });
}

}  // namespace parallax

using namespace parallax;

PARALLAX_EXPORT int pthread_mutex_lock(pthread_mutex_t* mutex) noexcept {
  auto* known = realLock.known();
  if (__builtin_expect(known != nullptr && isUnmeasured(Adapter::kPthread), true)) return known(mutex);
  return lockMutex(mutex, lockRegion);
}

PARALLAX_EXPORT int pthread_mutex_timedlock(pthread_mutex_t* mutex,
                                            const timespec* deadline) noexcept {
  return lockMutexUntil(mutex, deadline, timedLockRegion);
}

PARALLAX_EXPORT int pthread_mutex_clocklock(pthread_mutex_t* mutex, clockid_t clock,
                                            const timespec* deadline) noexcept {
  auto* real = realClockLock.get();
  if (!isDeadlineClock(clock)) return real(mutex, clock, deadline);
  return acquire(mutex, clockLockRegion, [=] { return real(mutex, clock, deadline); });
}

PARALLAX_EXPORT int pthread_mutex_trylock(pthread_mutex_t* mutex) noexcept {
  return tryLockMutex(mutex, tryLockRegion);
}

PARALLAX_EXPORT int pthread_mutex_unlock(pthread_mutex_t* mutex) noexcept {
  auto* known = realUnlock.known();
  if (__builtin_expect(known != nullptr && isUnmeasured(Adapter::kPthread), true)) return known(mutex);
  return unlockMeasured(mutex);
}

// A mutex that is initialised or destroyed is a new object from then on.
PARALLAX_EXPORT int pthread_mutex_init(pthread_mutex_t* mutex,
                                       const pthread_mutexattr_t* attributes) noexcept {
  const int result = realInit.get()(mutex, attributes);
  if (result == 0) renewSyncObject(mutex);
  return result;
}

PARALLAX_EXPORT int pthread_mutex_destroy(pthread_mutex_t* mutex) noexcept {
  const int result = realDestroy.get()(mutex);
  if (result == 0) renewSyncObject(mutex);
  return result;
}
