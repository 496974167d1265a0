// C11 threads, mutexes and conditions. glibc's are its POSIX ones under other names, with other
// results, but call them past the program's symbols.
//
// Called before the real function is known: it is looked up at once (real.h). Called inside an
// intercepted routine: as the POSIX ones.
#include <errno.h>
#include <pthread.h>
#include <threads.h>

#include "interpose/pthread/pthread_create.h"
#include "interpose/pthread/pthread_mutex.h"
#include "interpose/real.h"
#include "sampler/sampler.h"

namespace parallax {
namespace {

PARALLAX_REAL Real<int(thrd_t*, thrd_start_t, void*)> realCreate("thrd_create");
PARALLAX_REAL Real<int(thrd_t, int*)> realJoin("thrd_join");
PARALLAX_REAL Real<int(thrd_t)> realDetach("thrd_detach");
PARALLAX_REAL Real<int(mtx_t*, int)> realInit("mtx_init");

Region createRegion("thrd_create", format::Group::kPthread);
Region joinRegion("thrd_join", format::Group::kPthread);
Region lockRegion("mtx_lock", format::Group::kPthread);
Region tryLockRegion("mtx_trylock", format::Group::kPthread);
Region timedLockRegion("mtx_timedlock", format::Group::kPthread);
Region waitRegion("cnd_wait", format::Group::kPthread);
Region timedWaitRegion("cnd_timedwait", format::Group::kPthread);
Region signalRegion("cnd_signal", format::Group::kPthread);
Region broadcastRegion("cnd_broadcast", format::Group::kPthread);

pthread_mutex_t* posix(mtx_t* mutex) { return reinterpret_cast<pthread_mutex_t*>(mutex); }
pthread_cond_t* posix(cnd_t* condition) { return reinterpret_cast<pthread_cond_t*>(condition); }

int resultOf(int error) {
  switch (error) {
    case 0: return thrd_success;
    case EBUSY: return thrd_busy;
    case ENOMEM: return thrd_nomem;
    case ETIMEDOUT: return thrd_timedout;
    default: return thrd_error;
  }
}

using StartC11 = int(void*);

int runThread(void* argument) {
  const ThreadStart start = beginThread(argument);
  return reinterpret_cast<StartC11*>(reinterpret_cast<void*>(start.routine))(start.argument);
}

}  // namespace
}  // namespace parallax

using namespace parallax;

PARALLAX_EXPORT int thrd_create(thrd_t* handle, thrd_start_t routine, void* argument) {
  auto* real = realCreate.get();
  return createThread(createRegion, nullptr, routine, argument, runThread,
                      [=](StartC11* run, void* with) {
                        const int result = real(handle, run, with);
                        sampler::keepSignal();
                        return result;
                      });
}

PARALLAX_EXPORT int thrd_join(thrd_t thread, int* value) {
  auto* real = realJoin.get();
  return joinThread(thread, joinRegion, [=] { return real(thread, value); });
}

PARALLAX_EXPORT int thrd_detach(thrd_t thread) {
  const int result = realDetach.get()(thread);
  Guard guard;
  if (result == thrd_success && guard) detachThread(thread);
  return result;
}

PARALLAX_EXPORT int mtx_init(mtx_t* mutex, int type) noexcept {
  const int result = realInit.get()(mutex, type);
  if (result == thrd_success) renewSyncObject(mutex);
  return result;
}

PARALLAX_EXPORT int mtx_lock(mtx_t* mutex) {
  return resultOf(lockMutex(posix(mutex), lockRegion));
}

PARALLAX_EXPORT int mtx_timedlock(mtx_t* mutex, const timespec* deadline) {
  return resultOf(lockMutexUntil(posix(mutex), deadline, timedLockRegion));
}

PARALLAX_EXPORT int mtx_trylock(mtx_t* mutex) {
  return resultOf(tryLockMutex(posix(mutex), tryLockRegion));
}

PARALLAX_EXPORT int mtx_unlock(mtx_t* mutex) {
  return resultOf(pthread_mutex_unlock(posix(mutex)));
}

PARALLAX_EXPORT void mtx_destroy(mtx_t* mutex) noexcept { pthread_mutex_destroy(posix(mutex)); }

PARALLAX_EXPORT int cnd_init(cnd_t* condition) {
  return resultOf(pthread_cond_init(posix(condition), nullptr));
}

PARALLAX_EXPORT int cnd_wait(cnd_t* condition, mtx_t* mutex) {
  return resultOf(waitForCondition(posix(condition), posix(mutex), waitRegion));
}

PARALLAX_EXPORT int cnd_timedwait(cnd_t* condition, mtx_t* mutex, const timespec* deadline) {
  return resultOf(
      waitForConditionUntil(posix(condition), posix(mutex), deadline, timedWaitRegion));
}

PARALLAX_EXPORT int cnd_signal(cnd_t* condition) {
  return resultOf(signalOne(posix(condition), signalRegion));
}

PARALLAX_EXPORT int cnd_broadcast(cnd_t* condition) {
  return resultOf(signalAll(posix(condition), broadcastRegion));
}

PARALLAX_EXPORT void cnd_destroy(cnd_t* condition) { pthread_cond_destroy(posix(condition)); }
