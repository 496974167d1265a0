// Creation and joining of threads.
//
// Called before the real function is known: it is looked up at once (real.h). A thread created
// inside an intercepted routine, or by such a thread, belongs to a library: it is defined as
// such and not recorded.
#include "interpose/pthread/pthread_create.h"

#include <errno.h>

#include "base/sys.h"
#include "interpose/openmp/openmp_threads.h"
#include "interpose/openmp/openmp_workers.h"
#include "interpose/real.h"
#include "sampler/sampler.h"

namespace parallax {
namespace {

PARALLAX_REAL Real<int(pthread_t*, const pthread_attr_t*, StartRoutine*, void*)>
    realCreate("pthread_create");
PARALLAX_REAL Real<int(pthread_t, void**)> realJoin("pthread_join");
PARALLAX_REAL Real<int(pthread_t, void**)> realTryJoin("pthread_tryjoin_np");
PARALLAX_REAL Real<int(pthread_t, void**, const timespec*)> realTimedJoin("pthread_timedjoin_np");
PARALLAX_REAL Real<int(pthread_t, void**, clockid_t, const timespec*)>
    realClockJoin("pthread_clockjoin_np");
PARALLAX_REAL Real<int(pthread_t)> realDetach("pthread_detach");

Region createRegion("pthread_create", format::Group::kPthread);
Region joinRegion("pthread_join", format::Group::kPthread);
Region tryJoinRegion("pthread_tryjoin_np", format::Group::kPthread);
Region timedJoinRegion("pthread_timedjoin_np", format::Group::kPthread);
Region clockJoinRegion("pthread_clockjoin_np", format::Group::kPthread);

void* runThread(void* argument) {
  const ThreadStart start = beginThread(argument);
  return start.routine(start.argument);
}

// A thread of an OpenMP runtime, created inside it. It is recorded.
template <class Create>
int createWorker(const pthread_attr_t* attributes, StartRoutine* routine, void* argument,
                 Create create) {
  Thread* thread = prepareThread(attributes, routine, argument, false);
  if (thread == nullptr) return create(routine, argument);
  thread->start.openMp = true;
  const uint64_t number = thread->start.number;
  Thread* creator = openmp::inRuntime() ? local.thread : nullptr;
  if (creator == nullptr) thread->start.creatorPlusOne = 0;  // its ThreadCreate is not recorded
  uint64_t ticks = 0;
  if (creator != nullptr) {
    ticks = creator->now();
    creator->checkCpu(ticks);
  }
  const int result = create(runThread, thread);
  if (result != 0) {
    thread->release();
  } else if (creator != nullptr) {
    creator->emit(Kind::kThreadCreate, 0, ticks, &number, 1);
  }
  return result;
}

bool isDetached(const pthread_attr_t* attributes) {
  int state = PTHREAD_CREATE_JOINABLE;
  if (attributes != nullptr) pthread_attr_getdetachstate(attributes, &state);
  return state == PTHREAD_CREATE_DETACHED;
}

size_t stackBytes(const pthread_attr_t* attributes) {
  pthread_attr_t usual;
  if (attributes == nullptr) {
    if (pthread_attr_init(&usual) != 0) return 0;
    attributes = &usual;
  }
  size_t size = 0;
  pthread_attr_getstacksize(attributes, &size);
  if (attributes == &usual) pthread_attr_destroy(&usual);
  return size;
}

}  // namespace

ThreadStart beginThread(void* argument) {
  auto* thread = static_cast<Thread*>(argument);
  const ThreadStart start = thread->start;
  sandbox::own = start.rules;
  if (start.library) {
    local.place.end();
    define(format::ThreadRecord{start.number, static_cast<uint32_t>(sys::gettid()),
                                start.creatorPlusOne, format::kThreadNotRecorded, nowTicks(), {}});
    thread->release();
    return start;
  }
  local.place.enterAgent();
  local.thread = thread;
  thread->begin(start.number, start.creatorPlusOne);
  thread->ensureBegun();
  sampler::startThread(thread);
  if (start.openMp) openmp::beginWorker(thread);
  if (start.openMp) {
    local.place.enterRuntime();
  } else {
    local.place.returnToProgram();
  }
  return start;
}

Thread* prepareThread(const pthread_attr_t* attributes, StartRoutine* routine, void* argument,
                      bool library) {
  Thread* thread = Thread::make();
  if (thread == nullptr) return nullptr;
  thread->start.routine = routine;
  thread->start.argument = argument;
  thread->start.number = process.newThreadNumber();
  thread->start.creatorPlusOne = local.thread != nullptr ? local.thread->number() + 1 : 0;
  thread->start.library = library;
  thread->start.rules = sandbox::rules();
  thread->start.detached = isDetached(attributes);
  thread->start.stackBytes = stackBytes(attributes);
  return thread;
}

}  // namespace parallax

using namespace parallax;

PARALLAX_EXPORT int pthread_create(pthread_t* handle, const pthread_attr_t* attributes,
                                   StartRoutine* routine, void* argument) noexcept {
  auto* real = realCreate.get();
  const auto create = [=](StartRoutine* run, void* with) {
    const int result = real(handle, attributes, run, with);
    sampler::keepSignal();
    auto* made = result == 0 ? openmp::threadMade.load(std::memory_order_acquire) : nullptr;
    if (__builtin_expect(made != nullptr, false)) made(reinterpret_cast<const void*>(routine), *handle);
    return result;
  };
  if (openmp::isForking() && createsForLibrary()) {
    return createWorker(attributes, routine, argument, create);
  }
  return createThread(createRegion, attributes, routine, argument, runThread, create);
}

PARALLAX_EXPORT int pthread_join(pthread_t thread, void** value) {
  auto* real = realJoin.get();
  return joinThread(thread, joinRegion, [=] { return real(thread, value); });
}

PARALLAX_EXPORT int pthread_timedjoin_np(pthread_t thread, void** value,
                                         const timespec* deadline) {
  auto* real = realTimedJoin.get();
  return joinThread(thread, timedJoinRegion, [=] { return real(thread, value, deadline); });
}

PARALLAX_EXPORT int pthread_clockjoin_np(pthread_t thread, void** value, clockid_t clock,
                                         const timespec* deadline) {
  auto* real = realClockJoin.get();
  return joinThread(thread, clockJoinRegion, [=] { return real(thread, value, clock, deadline); });
}

// Never waits: only a join that succeeds is an event, unless the thread polls.
PARALLAX_EXPORT int pthread_tryjoin_np(pthread_t thread, void** value) noexcept {
  const uint32_t numberPlusOne = registeredThread(thread);
  const int result = realTryJoin.get()(thread, value);
  if (numberPlusOne == 0 || !adapterEnabled(Adapter::kPthread)) return result;
  Guard guard;
  if (!guard || (result != 0 && result != EBUSY)) return result;
  if (result == EBUSY) {
    missedAttempt(guard.thread(), tryJoinRegion);
    return result;
  }
  unregisterThread(thread, numberPlusOne);
  const PolledCall call(guard.thread(), tryJoinRegion);
  uint64_t ticks = call ? call.ticks() : guard.thread()->nowAfter();
  if (!call) guard.thread()->checkCpu(ticks);
  const uint64_t payload = numberPlusOne - 1;
  guard.thread()->emit(Kind::kThreadJoin, 0, ticks, &payload, 1);
  return result;
}

PARALLAX_EXPORT int pthread_detach(pthread_t thread) noexcept {
  const int result = realDetach.get()(thread);
  Guard guard;
  if (result == 0 && guard) detachThread(thread);
  return result;
}
