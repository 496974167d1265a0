// POSIX semaphores, unnamed and named. Posts and the tokens taken are counted, inside intercepted
// routines and outside: the k-th token taken was there at first, or is that of post k - (tokens at
// first). Enter and Leave stand around waits that did not find a token.
//
// Called before the real function is known: it is looked up at once (real.h). libc has no other
// name for these, and its lookup takes none. Called inside an intercepted routine: counted, and
// passes through.
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdarg.h>

#include "core/glibc.h"
#include "core/lone_waits.h"
#include "core/sync_objects.h"
#include "core/thread.h"
#include "interpose/process/interruption.h"
#include "interpose/pthread/deadline.h"
#include "interpose/pthread/unmeasured.h"
#include "interpose/real.h"

namespace parallax {
namespace {

using SemaphoreFunction = int(sem_t*);
PARALLAX_REAL Real<SemaphoreFunction> realWait("sem_wait");
PARALLAX_REAL Real<SemaphoreFunction> realTryWait("sem_trywait");
PARALLAX_REAL Real<SemaphoreFunction> realPost("sem_post");
PARALLAX_REAL Real<SemaphoreFunction> realDestroy("sem_destroy");
PARALLAX_REAL Real<SemaphoreFunction> realClose("sem_close");
PARALLAX_REAL Real<int(sem_t*, const timespec*)> realTimedWait("sem_timedwait");
PARALLAX_REAL Real<int(sem_t*, clockid_t, const timespec*)> realClockWait("sem_clockwait");
PARALLAX_REAL Real<int(sem_t*, int, unsigned)> realInit("sem_init");
PARALLAX_REAL Real<sem_t*(const char*, int, ...)> realOpen("sem_open");

Region waitRegion("sem_wait", format::Group::kPthread);
Region tryWaitRegion("sem_trywait", format::Group::kPthread);
Region timedWaitRegion("sem_timedwait", format::Group::kPthread);
Region clockWaitRegion("sem_clockwait", format::Group::kPthread);

bool isRecorded() { return adapterEnabled(Adapter::kPthread) && recording(); }

// The object, with its initial number of tokens if this can be known. It must be requested before
// the semaphore is changed. Null if there is no memory, or if the number is unknown.
SyncObject* objectOf(sem_t* semaphore) {
  if (!glibc::holds(glibc::Assumption::kSemaphore)) return nullptr;
  const glibc::Semaphore& contents = glibc::contentsOf(semaphore);
  SyncObject* object = syncObject(format::SyncKind::kSemaphore, semaphore, contents.shared != 0);
  if (object == nullptr) return nullptr;
  Counter& atFirst = object->count(Count::kTokensAtFirst);
  uint64_t unknown = atFirst.load(std::memory_order_relaxed);
  if (__builtin_expect(unknown == 0, false)) {
    const uint32_t value = __atomic_load_n(&contents.value, __ATOMIC_RELAXED);
    atFirst.compare_exchange_strong(unknown, kTokensKnown + value, std::memory_order_relaxed);
  }
  return object;
}

// It was initialised with so many tokens; counting goes on where processes share it.
void restart(sem_t* semaphore, unsigned value) {
  SyncObject* object = objectOf(semaphore);
  if (object == nullptr) return;
  const uint64_t taken = object->count(Count::kTokensTaken).load(std::memory_order_relaxed);
  const uint64_t posts = object->count(Count::kSignals).load(std::memory_order_relaxed);
  object->count(Count::kTokensAtFirst)
      .store(kTokensKnown + value + taken - posts, std::memory_order_relaxed);
}

uint64_t countTaken(SyncObject* object) {
  return object->count(Count::kTokensTaken).fetch_add(1, std::memory_order_acq_rel) + 1;
}

// The post that made the `taken`-th token, 0 for a token that was there at first.
uint64_t postOf(SyncObject* object, uint64_t taken) {
  const uint64_t atFirst = object->count(Count::kTokensAtFirst).load(std::memory_order_relaxed);
  const auto post = static_cast<int64_t>(taken - (atFirst - kTokensKnown));
  if (post <= 0) return 0;
  // Posts that were not seen, by processes that are not recorded, are not counted.
  const uint64_t posts = object->count(Count::kSignals).load(std::memory_order_acquire);
  return static_cast<uint64_t>(post) < posts ? static_cast<uint64_t>(post) : posts;
}

// Takes a token if there is one. False if there was none: then only errno has changed.
bool takeAtOnce(Thread* thread, SyncObject* object, sem_t* semaphore, int* result) {
  *result = realTryWait.get()(semaphore);
  if (*result != 0) return errno != EAGAIN;
  // Counted first: every thread with a lower number has already taken its token.
  const uint64_t payload = format::sequenceAndWaited(countTaken(object), false);
  uint64_t ticks = thread->nowAfter();
  thread->checkCpu(ticks);
  thread->emit(Kind::kAcquire, object->number(), ticks, &payload, 1);
  return true;
}

void missedTry(Thread* thread) {
  missedAttempt(thread, tryWaitRegion);
}

template <class Wait>
int waitUncounted(Wait wait, SyncObject* object) {
  const int result = wait();
  if (result == 0 && object != nullptr) countTaken(object);
  return result;
}

// `wait` is a cancellation point whether it waits or not.
template <class Wait>
int take(sem_t* semaphore, Region& region, Wait wait) {
  if (!isRecorded()) return wait();
  pthread_testcancel();
  SyncObject* object = objectOf(semaphore);
  const int before = errno;
  {
    Guard guard;
    if (!guard || object == nullptr) {
      guard.release();
      return waitUncounted(wait, object);
    }
    LoneVisit visit(region);
    int result;
    if (takeAtOnce(guard.thread(), object, semaphore, &result)) {
      visit.end();
      return result;
    }
  }
  errno = before;
  Call call(region, Call::Manner::kWaits);
  const uint32_t number = object->number();
  int result;
  pthread_cleanup_push([](void* c) { static_cast<Call*>(c)->endUnwinding(); }, &call);
  result = wait();
  pthread_cleanup_pop(0);
  const int error = errno;
  if (result == 0) {
    const uint64_t post = postOf(object, countTaken(object));
    call.returned();
    if (call) call.emit(Kind::kWake, number, {post});
  } else if (error == EINTR) {
    tellInterruption(call);
  } else {
    call.returned();
    if (error == ETIMEDOUT) tellTimedOut(call);
  }
  errno = error;
  return result;
}

__attribute__((noinline)) int waitMeasured(sem_t* semaphore) {
  auto* real = realWait.get();
  return take(semaphore, waitRegion, [=] { return real(semaphore); });
}

__attribute__((noinline)) int tryMeasured(sem_t* semaphore) {
  auto* real = realTryWait.get();
  if (!isRecorded()) return real(semaphore);
  SyncObject* object = objectOf(semaphore);
  Guard guard;
  if (!guard || object == nullptr) return waitUncounted([=] { return real(semaphore); }, object);
  Thread* thread = guard.thread();
  int result;
  if (!thread->polls()) {
    if (!takeAtOnce(thread, object, semaphore, &result)) missedTry(thread);
    return result;
  }
  result = real(semaphore);
  if (result != 0) {
    if (errno == EAGAIN) missedTry(thread);
    return result;
  }
  const uint64_t taken = countTaken(object);
  if (const PolledCall call{thread, tryWaitRegion}) {
    const uint64_t post = postOf(object, taken);
    thread->emit(Kind::kWake, object->number(), call.ticks(), &post, 1);
  } else {
    const uint64_t payload = format::sequenceAndWaited(taken, false);
    uint64_t ticks = thread->nowAfter();
    thread->checkCpu(ticks);
    thread->emit(Kind::kAcquire, object->number(), ticks, &payload, 1);
  }
  return result;
}

// Programs post in signal handlers, too.
__attribute__((noinline)) int postMeasured(sem_t* semaphore) {
  auto* real = realPost.get();
  if (!isRecorded()) return real(semaphore);
  if (SyncObject* object = objectOf(semaphore)) {
    Guard guard;
    Thread* thread = guard.thread();
    uint64_t ticks = thread != nullptr ? thread->now() : 0;
    if (thread != nullptr) thread->checkCpu(ticks);
    // Counted before the real call, because the thread that takes the token may read the number
    // before that call returns; and after the time is known, before which its wait must not end.
    const uint64_t sequence =
        object->count(Count::kSignals).fetch_add(1, std::memory_order_acq_rel) + 1;
    if (thread != nullptr) {
      thread->emit(Kind::kSignal, object->number(), ticks, &sequence, 1);
    }
  }
  return real(semaphore);
}

}  // namespace
}  // namespace parallax

using namespace parallax;

PARALLAX_EXPORT int sem_wait(sem_t* semaphore) {
  auto* known = realWait.known();
  if (__builtin_expect(known != nullptr && isUnmeasured(Adapter::kPthread), true)) return known(semaphore);
  return waitMeasured(semaphore);
}

PARALLAX_EXPORT int sem_timedwait(sem_t* semaphore, const timespec* deadline) {
  auto* real = realTimedWait.get();
  if (!isDeadline(deadline)) return real(semaphore, deadline);
  return take(semaphore, timedWaitRegion, [=] { return real(semaphore, deadline); });
}

PARALLAX_EXPORT int sem_clockwait(sem_t* semaphore, clockid_t clock, const timespec* deadline) {
  auto* real = realClockWait.get();
  if (!isDeadline(deadline, clock)) return real(semaphore, clock, deadline);
  return take(semaphore, clockWaitRegion, [=] { return real(semaphore, clock, deadline); });
}

PARALLAX_EXPORT int sem_trywait(sem_t* semaphore) noexcept {
  auto* known = realTryWait.known();
  if (__builtin_expect(known != nullptr && isUnmeasured(Adapter::kPthread), true)) return known(semaphore);
  return tryMeasured(semaphore);
}

PARALLAX_EXPORT int sem_post(sem_t* semaphore) noexcept {
  auto* known = realPost.known();
  if (__builtin_expect(known != nullptr && isUnmeasured(Adapter::kPthread), true)) return known(semaphore);
  return postMeasured(semaphore);
}

PARALLAX_EXPORT int sem_init(sem_t* semaphore, int shared, unsigned value) noexcept {
  const int result = realInit.get()(semaphore, shared, value);
  if (result != 0 || !isRecorded()) return result;
  renewSyncObject(semaphore);
  restart(semaphore, value);
  return result;
}

PARALLAX_EXPORT int sem_destroy(sem_t* semaphore) noexcept {
  const int result = realDestroy.get()(semaphore);
  if (result == 0) renewSyncObject(semaphore);
  return result;
}

PARALLAX_EXPORT sem_t* sem_open(const char* name, int flags, ...) noexcept {
  va_list list;
  va_start(list, flags);
  const bool makes = (flags & O_CREAT) != 0;
  const mode_t mode = makes ? va_arg(list, mode_t) : 0;
  const unsigned value = makes ? va_arg(list, unsigned) : 0;
  va_end(list);
  sem_t* semaphore = realOpen.get()(name, flags, mode, value);
  // Seen before anybody waits.
  if (semaphore != SEM_FAILED && isRecorded()) objectOf(semaphore);
  return semaphore;
}

// It may stay mapped, for another who has opened it; then it is defined again.
PARALLAX_EXPORT int sem_close(sem_t* semaphore) noexcept {
  const int result = realClose.get()(semaphore);
  if (result == 0) renewSyncObject(semaphore);
  return result;
}
