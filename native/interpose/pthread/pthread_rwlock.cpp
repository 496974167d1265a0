// Read-write locks. Releases are counted; an acquisition carries the number after that of the
// release that made it possible: of the last one for a writer, of the last one by a writer for a
// reader, who waits for writers only. Enter and Leave stand around acquisitions that had to wait.
//
// Called before the real function is known: it is looked up at once (real.h). Called inside an
// intercepted routine, by a library's thread or in a process that is not recorded: passes
// straight through.
#include <errno.h>
#include <pthread.h>

#include "core/glibc.h"
#include "core/lone_waits.h"
#include "core/process.h"
#include "core/sync_objects.h"
#include "core/thread.h"
#include "interpose/pthread/deadline.h"
#include "interpose/real.h"

// libc's own names, for calls out of the lookup of the real ones.
extern "C" {
int __pthread_rwlock_rdlock(pthread_rwlock_t*) __attribute__((weak));
int __pthread_rwlock_tryrdlock(pthread_rwlock_t*) __attribute__((weak));
int __pthread_rwlock_wrlock(pthread_rwlock_t*) __attribute__((weak));
int __pthread_rwlock_trywrlock(pthread_rwlock_t*) __attribute__((weak));
int __pthread_rwlock_unlock(pthread_rwlock_t*) __attribute__((weak));
int __pthread_rwlock_init(pthread_rwlock_t*, const pthread_rwlockattr_t*) __attribute__((weak));
int __pthread_rwlock_destroy(pthread_rwlock_t*) __attribute__((weak));
}

namespace parallax {
namespace {

using LockFunction = int(pthread_rwlock_t*);
using TimedFunction = int(pthread_rwlock_t*, const timespec*);
using ClockFunction = int(pthread_rwlock_t*, clockid_t, const timespec*);
PARALLAX_REAL Real<LockFunction> realRead("pthread_rwlock_rdlock", __pthread_rwlock_rdlock);
PARALLAX_REAL Real<LockFunction>
    realTryRead("pthread_rwlock_tryrdlock", __pthread_rwlock_tryrdlock);
PARALLAX_REAL Real<LockFunction> realWrite("pthread_rwlock_wrlock", __pthread_rwlock_wrlock);
PARALLAX_REAL Real<LockFunction>
    realTryWrite("pthread_rwlock_trywrlock", __pthread_rwlock_trywrlock);
PARALLAX_REAL Real<LockFunction> realUnlock("pthread_rwlock_unlock", __pthread_rwlock_unlock);
PARALLAX_REAL Real<LockFunction> realDestroy("pthread_rwlock_destroy", __pthread_rwlock_destroy);
PARALLAX_REAL Real<int(pthread_rwlock_t*, const pthread_rwlockattr_t*)>
    realInit("pthread_rwlock_init",
                                                                   __pthread_rwlock_init);
PARALLAX_REAL Real<TimedFunction> realTimedRead("pthread_rwlock_timedrdlock");
PARALLAX_REAL Real<TimedFunction> realTimedWrite("pthread_rwlock_timedwrlock");
PARALLAX_REAL Real<ClockFunction> realClockRead("pthread_rwlock_clockrdlock");
PARALLAX_REAL Real<ClockFunction> realClockWrite("pthread_rwlock_clockwrlock");

Region readRegion("pthread_rwlock_rdlock", format::Group::kPthread);
Region writeRegion("pthread_rwlock_wrlock", format::Group::kPthread);
Region tryReadRegion("pthread_rwlock_tryrdlock", format::Group::kPthread);
Region tryWriteRegion("pthread_rwlock_trywrlock", format::Group::kPthread);
Region timedReadRegion("pthread_rwlock_timedrdlock", format::Group::kPthread);
Region timedWriteRegion("pthread_rwlock_timedwrlock", format::Group::kPthread);
Region clockReadRegion("pthread_rwlock_clockrdlock", format::Group::kPthread);
Region clockWriteRegion("pthread_rwlock_clockwrlock", format::Group::kPthread);

enum class Mode { kRead, kWrite };

SyncObject* objectOf(pthread_rwlock_t* lock) {
  return syncObject(format::SyncKind::kReadWriteLock, lock, glibc::mayBeShared(lock));
}

// What an Acquire carries, at once after the real acquisition.
struct Acquisition {
  uint32_t object = 0;
  uint64_t payload[2];

  Acquisition(pthread_rwlock_t* lock, Mode mode, bool waited) {
    SyncObject* found = objectOf(lock);
    if (found == nullptr) return;
    object = found->number();
    const bool shared = mode == Mode::kRead;
    if (!shared) found->held.store(true, std::memory_order_relaxed);
    const uint64_t before =
        found->count(shared ? Count::kExclusiveRelease : Count::kReleases)
            .load(std::memory_order_acquire);
    payload[0] = format::sequenceAndWaited(before + 1, waited);
    payload[1] = shared ? 1 : 0;
  }
};

// Takes the lock without waiting if that is possible. False: it was busy, and nothing happened.
bool acquireAtOnce(Thread* thread, pthread_rwlock_t* lock, Mode mode, int* result) {
  *result = (mode == Mode::kRead ? realTryRead : realTryWrite).get()(lock);
  if (*result == EBUSY) return false;
  if (*result != 0) return true;
  uint64_t ticks = thread->nowAfter();
  const Acquisition acquisition(lock, mode, false);
  if (acquisition.object == 0) return true;
  thread->checkCpu(ticks);
  thread->emit(Kind::kAcquire, acquisition.object, ticks, acquisition.payload, 2);
  return true;
}

template <class Wait>
int acquire(pthread_rwlock_t* lock, Mode mode, Region& region, Wait wait) {
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
    if (acquireAtOnce(guard.thread(), lock, mode, &result)) {
      visit.end();
      return result;
    }
  }
  Call call(region, Call::Manner::kWaits);
  const int result = wait();
  call.returned();
  if (result == ETIMEDOUT) tellTimedOut(call);
  if (result != 0 || !call) return result;
  const Acquisition acquisition(lock, mode, true);
  if (acquisition.object != 0) {
    call.emit(Kind::kAcquire, acquisition.object, {acquisition.payload[0], acquisition.payload[1]});
  }
  return result;
}

int acquireNow(pthread_rwlock_t* lock, Mode mode, LockFunction* real) {
  if (!adapterEnabled(Adapter::kPthread)) return real(lock);
  Guard guard;
  if (!guard) return real(lock);
  Thread* thread = guard.thread();
  Region& region = mode == Mode::kRead ? tryReadRegion : tryWriteRegion;
  if (!thread->polls()) {
    int result;
    if (!acquireAtOnce(thread, lock, mode, &result)) missedAttempt(thread, region);
    return result;
  }
  const int result = real(lock);
  if (result == EBUSY) missedAttempt(thread, region);
  if (result != 0) return result;
  const PolledCall call(thread, region);
  uint64_t ticks = call ? call.ticks() : thread->nowAfter();
  if (!call) thread->checkCpu(ticks);
  const Acquisition acquisition(lock, mode, bool(call));
  if (acquisition.object != 0) {
    thread->emit(Kind::kAcquire, acquisition.object, ticks, acquisition.payload, 2);
  }
  return result;
}

}  // namespace
}  // namespace parallax

using namespace parallax;

PARALLAX_EXPORT int pthread_rwlock_rdlock(pthread_rwlock_t* lock) noexcept {
  auto* real = realRead.get();
  return acquire(lock, Mode::kRead, readRegion, [=] { return real(lock); });
}

PARALLAX_EXPORT int pthread_rwlock_wrlock(pthread_rwlock_t* lock) noexcept {
  auto* real = realWrite.get();
  return acquire(lock, Mode::kWrite, writeRegion, [=] { return real(lock); });
}

PARALLAX_EXPORT int pthread_rwlock_timedrdlock(pthread_rwlock_t* lock,
                                               const timespec* deadline) noexcept {
  auto* real = realTimedRead.get();
  if (!isDeadline(deadline)) return real(lock, deadline);
  return acquire(lock, Mode::kRead, timedReadRegion, [=] { return real(lock, deadline); });
}

PARALLAX_EXPORT int pthread_rwlock_timedwrlock(pthread_rwlock_t* lock,
                                               const timespec* deadline) noexcept {
  auto* real = realTimedWrite.get();
  if (!isDeadline(deadline)) return real(lock, deadline);
  return acquire(lock, Mode::kWrite, timedWriteRegion, [=] { return real(lock, deadline); });
}

PARALLAX_EXPORT int pthread_rwlock_clockrdlock(pthread_rwlock_t* lock, clockid_t clock,
                                               const timespec* deadline) noexcept {
  auto* real = realClockRead.get();
  if (!isDeadline(deadline, clock)) return real(lock, clock, deadline);
  return acquire(lock, Mode::kRead, clockReadRegion, [=] { return real(lock, clock, deadline); });
}

PARALLAX_EXPORT int pthread_rwlock_clockwrlock(pthread_rwlock_t* lock, clockid_t clock,
                                               const timespec* deadline) noexcept {
  auto* real = realClockWrite.get();
  if (!isDeadline(deadline, clock)) return real(lock, clock, deadline);
  return acquire(lock, Mode::kWrite, clockWriteRegion, [=] { return real(lock, clock, deadline); });
}

PARALLAX_EXPORT int pthread_rwlock_tryrdlock(pthread_rwlock_t* lock) noexcept {
  return acquireNow(lock, Mode::kRead, realTryRead.get());
}

PARALLAX_EXPORT int pthread_rwlock_trywrlock(pthread_rwlock_t* lock) noexcept {
  return acquireNow(lock, Mode::kWrite, realTryWrite.get());
}

PARALLAX_EXPORT int pthread_rwlock_unlock(pthread_rwlock_t* lock) noexcept {
  auto* real = realUnlock.get();
  if (!adapterEnabled(Adapter::kPthread)) return real(lock);
  Guard guard;
  if (!guard) return real(lock);
  Thread* thread = guard.thread();
  if (SyncObject* object = objectOf(lock)) {
    uint64_t ticks = thread->now();
    // Counted before the real call, because the next owner may read the number before that call
    // returns.
    const uint64_t sequence =
        object->count(Count::kReleases).fetch_add(1, std::memory_order_acq_rel) + 1;
    if (object->held.load(std::memory_order_relaxed)) {  // then by this thread, and nobody else
      object->held.store(false, std::memory_order_relaxed);
      object->count(Count::kExclusiveRelease).store(sequence, std::memory_order_release);
    }
    thread->checkCpu(ticks);
    thread->emit(Kind::kRelease, object->number(), ticks, &sequence, 1);
  }
  return real(lock);
}

// A lock that is initialised or destroyed is a new object from then on.
PARALLAX_EXPORT int pthread_rwlock_init(pthread_rwlock_t* lock,
                                        const pthread_rwlockattr_t* attributes) noexcept {
  const int result = realInit.get()(lock, attributes);
  if (result == 0) renewSyncObject(lock);
  return result;
}

PARALLAX_EXPORT int pthread_rwlock_destroy(pthread_rwlock_t* lock) noexcept {
  const int result = realDestroy.get()(lock);
  if (result == 0) renewSyncObject(lock);
  return result;
}
