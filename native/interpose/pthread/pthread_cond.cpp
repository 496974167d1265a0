// Conditions. A wait gives the mutex and takes it again; which signal ended it is the last one
// counted when it returned.
//
// Called before the real function is known: it is looked up at once (real.h); RTLD_NEXT finds
// the version of pthread_cond_* that today's programs use, which is the default one. Called
// inside an intercepted routine: passes straight through.
#include <errno.h>
#include <pthread.h>

#include "core/agent.h"
#include "core/glibc.h"
#include "core/lone_waits.h"
#include "interpose/pthread/pthread_mutex.h"
#include "interpose/real.h"

namespace parallax {
namespace {

PARALLAX_REAL Real<int(pthread_cond_t*, pthread_mutex_t*)> realWait("pthread_cond_wait");
PARALLAX_REAL Real<int(pthread_cond_t*, pthread_mutex_t*, const timespec*)> realTimedWait(
    "pthread_cond_timedwait");
PARALLAX_REAL Real<int(pthread_cond_t*, pthread_mutex_t*, clockid_t, const timespec*)>
    realClockWait(
    "pthread_cond_clockwait");
PARALLAX_REAL Real<int(pthread_cond_t*)> realSignal("pthread_cond_signal");
PARALLAX_REAL Real<int(pthread_cond_t*)> realBroadcast("pthread_cond_broadcast");
PARALLAX_REAL Real<int(pthread_cond_t*)> realDestroy("pthread_cond_destroy");
PARALLAX_REAL Real<int(pthread_cond_t*, const pthread_condattr_t*)> realInit("pthread_cond_init");

Region waitRegion("pthread_cond_wait", format::Group::kPthread);
Region timedWaitRegion("pthread_cond_timedwait", format::Group::kPthread);
Region clockWaitRegion("pthread_cond_clockwait", format::Group::kPthread);
Region signalRegion("pthread_cond_signal", format::Group::kPthread);
Region broadcastRegion("pthread_cond_broadcast", format::Group::kPthread);

SyncObject* conditionObject(pthread_cond_t* condition) {
  return syncObject(format::SyncKind::kCondition, condition, glibc::mayBeShared(condition));
}

Counter& signalsOf(SyncObject* condition) { return condition->count(Count::kSignals); }

// One wait, from the release of the mutex to its acquisition.
class Wait {
 public:
  Wait(Call& call, pthread_cond_t* condition, pthread_mutex_t* mutex)
      : call_(call), mutex_(mutex) {
    condition_ = conditionObject(condition);
    if (condition_ != nullptr) {
      number_ = condition_->number();
      before_ = signalsOf(condition_).load(std::memory_order_acquire);
    }
    if (SyncObject* object = countRelease(call.thread(), mutex)) {
      released_ = true;
      setReleaseTime(object, call.ticks());
      call.emit(Kind::kRelease, object->number(), {acquisitionOf(object)});
    }
  }

  void ended(int result) {
    // Known before the clock is read, or the Wake could be earlier than this Signal.
    const uint64_t last = condition_ != nullptr ? lastSignal() : 0;
    call_.returned();
    if (result == ETIMEDOUT) {
      tellTimedOut(call_);
    } else if (condition_ != nullptr) {
      const bool signalled = result == 0 && last != before_;
      call_.emit(Kind::kWake, number_, {signalled ? last : 0});
    }
    // Whether the mutex was free cannot be seen: the thread has waited in any case.
    if (!released_ || result == EPERM) return;
    if (SyncObject* object = countAcquisition(call_.thread(), mutex_)) {
      call_.emit(Kind::kAcquire, object->number(),
                 {format::sequenceAndWaited(acquisitionOf(object), true)});
    }
  }

  // The thread is cancelled in the wait: libc has acquired the mutex, and the program's cleanup
  // handlers, which run after this one, will release it.
  static void cancelled(void* argument) {
    auto* wait = static_cast<Wait*>(argument);
    wait->ended(ECANCELED);
    wait->call_.endUnwinding();
  }

 private:
  // The signalling thread may have destroyed the condition directly afterwards.
  uint64_t lastSignal() const {
    const uint64_t now = signalsOf(condition_).load(std::memory_order_acquire);
    if (condition_->id.load(std::memory_order_acquire) == number_) return now;
    const uint64_t last = condition_->signalsBeforeRenewal().load(std::memory_order_acquire);
    // In a mutex that stands there by now, that is the time of its release: the signal is not known.
    const bool isCondition = condition_->kind.load(std::memory_order_acquire) ==
                             static_cast<uint16_t>(format::SyncKind::kCondition);
    return isCondition ? last : before_;
  }

  Call& call_;
  pthread_mutex_t* mutex_;
  SyncObject* condition_ = nullptr;
  uint32_t number_ = 0;
  uint64_t before_ = 0;
  bool released_ = false;
};

template <class Real>
int waitFor(pthread_cond_t* condition, pthread_mutex_t* mutex, Region& region, Real real) {
  Call call(region);
  if (!call) return real();
  Wait wait(call, condition, mutex);
  int result;
  pthread_cleanup_push(Wait::cancelled, &wait);
  result = real();
  pthread_cleanup_pop(0);
  wait.ended(result);
  return result;
}

int signalTo(pthread_cond_t* condition, Region& region, int (*real)(pthread_cond_t*)) {
  Call call(region);
  if (call) {
    if (SyncObject* object = conditionObject(condition)) {
      // Counted before the real call, because the woken thread may read the number before that call
      // returns.
      const uint64_t sequence = signalsOf(object).fetch_add(1, std::memory_order_acq_rel) + 1;
      call.emit(Kind::kSignal, object->number(), {sequence});
    }
  }
  return real(condition);
}

}  // namespace

int waitForCondition(pthread_cond_t* condition, pthread_mutex_t* mutex, Region& region) {
  auto* real = realWait.get();
  return waitFor(condition, mutex, region, [=] { return real(condition, mutex); });
}

int waitForConditionUntil(pthread_cond_t* condition, pthread_mutex_t* mutex,
                          const timespec* deadline, Region& region) {
  auto* real = realTimedWait.get();
  return waitFor(condition, mutex, region, [=] { return real(condition, mutex, deadline); });
}

int signalOne(pthread_cond_t* condition, Region& region) {
  return signalTo(condition, region, realSignal.get());
}

int signalAll(pthread_cond_t* condition, Region& region) {
  return signalTo(condition, region, realBroadcast.get());
}

}  // namespace parallax

using namespace parallax;

PARALLAX_EXPORT int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) {
  return waitForCondition(condition, mutex, waitRegion);
}

PARALLAX_EXPORT int pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex,
                                           const timespec* deadline) {
  return waitForConditionUntil(condition, mutex, deadline, timedWaitRegion);
}

PARALLAX_EXPORT int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex,
                                           clockid_t clock, const timespec* deadline) {
  auto* real = realClockWait.get();
  return waitFor(condition, mutex, clockWaitRegion,
                 [=] { return real(condition, mutex, clock, deadline); });
}

PARALLAX_EXPORT int pthread_cond_signal(pthread_cond_t* condition) noexcept {
  return signalOne(condition, signalRegion);
}

PARALLAX_EXPORT int pthread_cond_broadcast(pthread_cond_t* condition) noexcept {
  return signalAll(condition, broadcastRegion);
}

// A condition that is initialised or destroyed is a new object from then on.
PARALLAX_EXPORT int pthread_cond_init(pthread_cond_t* condition,
                                      const pthread_condattr_t* attributes) noexcept {
  const int result = realInit.get()(condition, attributes);
  if (result == 0) renewSyncObject(condition);
  return result;
}

PARALLAX_EXPORT int pthread_cond_destroy(pthread_cond_t* condition) noexcept {
  renewSyncObject(condition);
  return realDestroy.get()(condition);
}
