// Locks, critical sections and ordered blocks of both runtimes. Each acquisition and release is an
// event. Enter and Leave stand, afterwards, around those that took longer than an uncontended one
// can; none has a sample in it.
//
// Called before the real function is known: the runtimes are looked for at once (openmp_runtime.h).
// Without a runtime there is nothing to call. Called inside an intercepted routine, or by one of the
// others inside the runtime, by a thread or in a process that is not recorded: passes straight
// through.
#include "core/clock.h"
#include "core/sync_objects.h"
#include "format/definitions.h"
#include "interpose/openmp/openmp_runtime.h"
#include "interpose/openmp/openmp_team.h"
#include "perturb/speedup.h"
#include "sampler/sampler.h"

namespace parallax::openmp {
namespace {

using format::Group;
constexpr format::SyncKind kLock = format::SyncKind::kOpenMpLock;

Region criticalRegion("omp critical", Group::kOpenMp);
Region atomicRegion("omp atomic", Group::kOpenMp);
Region orderedRegion("omp ordered", Group::kOpenMp);
Region lockRegion("omp_set_lock", Group::kOpenMp);
Region testLockRegion("omp_test_lock", Group::kOpenMp);
Region testNestLockRegion("omp_test_nest_lock", Group::kOpenMp);
Region nestLockRegion("omp_set_nest_lock", Group::kOpenMp);

// Longer than any acquisition of a free lock.
uint64_t shortTicks() { return clockSettings.tickHz / 1000000; }

// The number of this acquisition.
uint64_t countAcquisition(SyncObject* object) {
  Counter& acquisitions = object->count(Count::kAcquisitions);
  const uint64_t count = acquisitions.load(std::memory_order_relaxed) + 1;
  acquisitions.store(count, std::memory_order_relaxed);
  object->held.store(true, std::memory_order_relaxed);
  return count;
}

// Of a test of the lock, which did not wait; but the thread may have polled for it.
void recordTried(Thread* thread, const void* lock, Region& region) {
  SyncObject* object = syncObject(kLock, lock);
  if (object == nullptr) return;
  const PolledCall call(thread, region);
  uint64_t ticks = call ? call.ticks() : thread->nowAfter();
  if (!call) thread->checkCpu(ticks);
  const uint64_t payload = format::sequenceAndWaited(countAcquisition(object), bool(call));
  thread->emit(Kind::kAcquire, object->number(), ticks, &payload, 1);
}

// `before`: when it was asked for.
void recordAcquisition(Thread* thread, const void* lock, Region& region, uint64_t before) {
  uint64_t ticks = thread->nowAfter();
  SyncObject* object = syncObject(kLock, lock);
  if (object == nullptr) return;
  const uint64_t count = countAcquisition(object);
  const uint32_t id = object->number();
  const bool waited = ticks - before > shortTicks();
  const uint64_t payload = format::sequenceAndWaited(count, waited);
  if (!waited) {
    thread->checkCpu(ticks);
    thread->emit(Kind::kAcquire, id, ticks, &payload, 1);
    return;
  }
  const uint32_t parent = thread->functionPath;
  const uint32_t path = parent != 0 ? region.path(parent) : sampler::callerPath(thread, nullptr, region);
  thread->emit(Kind::kEnter, path, before, nullptr, 0);
  const uint32_t outer = thread->openPath;
  thread->openPath = path;
  thread->checkCpuAfterWait(before, ticks);
  thread->emit(Kind::kAcquire, id, ticks, &payload, 1);
  thread->emit(Kind::kLeave, path, ticks, nullptr, 0);
  thread->openPath = outer;
}

void recordRelease(Thread* thread, const void* lock) {
  SyncObject* object = syncObject(kLock, lock);
  if (object == nullptr || !object->held.load(std::memory_order_relaxed)) return;
  object->held.store(false, std::memory_order_relaxed);
  uint64_t ticks = thread->now();
  const uint64_t sequence = object->count(Count::kAcquisitions).load(std::memory_order_relaxed);
  thread->checkCpu(ticks);
  thread->emit(Kind::kRelease, object->number(), ticks, &sequence, 1);
}

// What was lost before is told before the Enter that may be written afterwards.
uint64_t ticksBefore(Thread* thread) {
  uint64_t ticks = thread->now();
  thread->checkCpu(ticks);
  return ticks;
}

template <class Wait>
void acquire(const void* lock, Region& region, Wait wait) {
  const speedup::Wait waits;
  if (lock == nullptr || !recordsLocks()) return wait();
  Guard guard;
  if (!guard) return wait();
  const uint64_t before = ticksBefore(guard.thread());
  wait();
  recordAcquisition(guard.thread(), lock, region, before);
}

template <class Give>
void release(const void* lock, Give give) {
  if (speedup::active) speedup::pay();
  if (lock == nullptr || !recordsLocks()) return give();
  Guard guard;
  if (guard) recordRelease(guard.thread(), lock);
  give();
}

template <class Try>
int tryAcquire(const void* lock, Try tryIt) {
  if (!recordsLocks()) return tryIt();
  Guard guard;
  const int acquired = tryIt();
  if (!guard) return acquired;
  if (acquired != 0) {
    recordTried(guard.thread(), lock, testLockRegion);
  } else {
    missedAttempt(guard.thread(), testLockRegion);
  }
  return acquired;
}

// A lock that its owner takes again: only the first time, and the last release, count.

void countNested(Thread* thread, const void* lock, uint64_t before) {
  SyncObject* object = syncObject(kLock, lock);
  if (object == nullptr) return;
  Counter& nesting = object->count(Count::kNesting);
  const uint64_t depth = nesting.load(std::memory_order_relaxed) + 1;
  nesting.store(depth, std::memory_order_relaxed);
  if (depth != 1) return;
  if (before == 0) {
    recordTried(thread, lock, testNestLockRegion);
  } else {
    recordAcquisition(thread, lock, nestLockRegion, before);
  }
}

template <class Wait>
void acquireNested(const void* lock, Wait wait) {
  const speedup::Wait waits;
  if (!recordsLocks()) return wait();
  Guard guard;
  if (!guard) return wait();
  const uint64_t before = ticksBefore(guard.thread());
  wait();
  countNested(guard.thread(), lock, before);
}

template <class Try>
int tryAcquireNested(const void* lock, Try tryIt) {
  if (!recordsLocks()) return tryIt();
  Guard guard;
  const int depth = tryIt();
  if (!guard) return depth;
  if (depth != 0) {
    countNested(guard.thread(), lock, 0);
  } else {
    missedAttempt(guard.thread(), testNestLockRegion);
  }
  return depth;
}

template <class Give>
void releaseNested(const void* lock, Give give) {
  if (speedup::active) speedup::pay();
  if (!recordsLocks()) return give();
  Guard guard;
  if (guard) {
    SyncObject* object = syncObject(kLock, lock);
    Counter* nesting = object != nullptr ? &object->count(Count::kNesting) : nullptr;
    const uint64_t depth = nesting != nullptr ? nesting->load(std::memory_order_relaxed) : 0;
    if (depth > 0) nesting->store(depth - 1, std::memory_order_relaxed);
    if (depth == 1) recordRelease(guard.thread(), lock);
  }
  give();
}

template <class Destroy>
void destroy(const void* lock, Destroy real) {
  real();
  if (recording()) renewSyncObject(lock);
}

// What stands for the locks without an address.
const void* criticalOf(const Runtime* runtime) { return &runtime->code[0]; }
const void* atomicOf(const Runtime* runtime) { return &runtime->code[1]; }
const void* orderedOf(const Team* team) { return team != nullptr ? &team->barrier : nullptr; }

}  // namespace
}  // namespace parallax::openmp

using namespace parallax;
using namespace parallax::openmp;

#define PARALLAX_RUNTIME(name) runtimeFor(__builtin_return_address(0), Entry::k##name)
#define PARALLAX_REAL(name) (runtime->get<decltype(name)>(Entry::k##name))

#define PARALLAX_PAIR(acquireName, releaseName, lock, region)             \
  PARALLAX_EXPORT void acquireName() {                                    \
    const Runtime* runtime = PARALLAX_RUNTIME(acquireName);               \
    if (runtime == nullptr) return;                                       \
    acquire(lock, region, [=] { PARALLAX_REAL(acquireName)(); });         \
  }                                                                       \
  PARALLAX_EXPORT void releaseName() {                                    \
    const Runtime* runtime = PARALLAX_RUNTIME(releaseName);               \
    if (runtime == nullptr) return;                                       \
    release(lock, [=] { PARALLAX_REAL(releaseName)(); });                 \
  }
PARALLAX_PAIR(GOMP_critical_start, GOMP_critical_end, criticalOf(runtime), criticalRegion)
PARALLAX_PAIR(GOMP_atomic_start, GOMP_atomic_end, atomicOf(runtime), atomicRegion)
PARALLAX_PAIR(GOMP_ordered_start, GOMP_ordered_end, orderedOf(state.team), orderedRegion)

// With the lock as only argument; C and Fortran.
#define PARALLAX_LOCK(name, type, does)                             \
  PARALLAX_EXPORT void name(type* lock) {                           \
    const Runtime* runtime = PARALLAX_RUNTIME(name);                \
    if (runtime == nullptr) return;                                 \
    const auto call = [=] { PARALLAX_REAL(name)(lock); };           \
    does;                                                           \
  }
PARALLAX_LOCK(GOMP_critical_name_start, void*, acquire(lock, criticalRegion, call))
PARALLAX_LOCK(GOMP_critical_name_end, void*, release(lock, call))
PARALLAX_LOCK(omp_set_lock, void, acquire(lock, lockRegion, call))
PARALLAX_LOCK(omp_set_lock_, void, acquire(lock, lockRegion, call))
PARALLAX_LOCK(omp_unset_lock, void, release(lock, call))
PARALLAX_LOCK(omp_unset_lock_, void, release(lock, call))
PARALLAX_LOCK(omp_destroy_lock, void, destroy(lock, call))
PARALLAX_LOCK(omp_destroy_lock_, void, destroy(lock, call))
PARALLAX_LOCK(omp_set_nest_lock, void, acquireNested(lock, call))
PARALLAX_LOCK(omp_set_nest_lock_, void, acquireNested(lock, call))
PARALLAX_LOCK(omp_unset_nest_lock, void, releaseNested(lock, call))
PARALLAX_LOCK(omp_unset_nest_lock_, void, releaseNested(lock, call))
PARALLAX_LOCK(omp_destroy_nest_lock, void, destroy(lock, call))
PARALLAX_LOCK(omp_destroy_nest_lock_, void, destroy(lock, call))

#define PARALLAX_TRY_LOCK(name, tries)                              \
  PARALLAX_EXPORT int name(void* lock) {                            \
    const Runtime* runtime = PARALLAX_RUNTIME(name);                \
    if (runtime == nullptr) return 1;                               \
    return tries(lock, [=] { return PARALLAX_REAL(name)(lock); });  \
  }
PARALLAX_TRY_LOCK(omp_test_lock, tryAcquire)
PARALLAX_TRY_LOCK(omp_test_lock_, tryAcquire)
PARALLAX_TRY_LOCK(omp_test_nest_lock, tryAcquireNested)
PARALLAX_TRY_LOCK(omp_test_nest_lock_, tryAcquireNested)

// What clang calls.

PARALLAX_EXPORT void __kmpc_critical(void* place, int32_t thread, void* lock) {
  const Runtime* runtime = PARALLAX_RUNTIME(__kmpc_critical);
  if (runtime == nullptr) return;
  acquire(lock, criticalRegion, [=] { PARALLAX_REAL(__kmpc_critical)(place, thread, lock); });
}

PARALLAX_EXPORT void __kmpc_critical_with_hint(void* place, int32_t thread, void* lock,
                                               uint32_t hint) {
  const Runtime* runtime = PARALLAX_RUNTIME(__kmpc_critical_with_hint);
  if (runtime == nullptr) return;
  acquire(lock, criticalRegion,
          [=] { PARALLAX_REAL(__kmpc_critical_with_hint)(place, thread, lock, hint); });
}

PARALLAX_EXPORT void __kmpc_end_critical(void* place, int32_t thread, void* lock) {
  const Runtime* runtime = PARALLAX_RUNTIME(__kmpc_end_critical);
  if (runtime == nullptr) return;
  release(lock, [=] { PARALLAX_REAL(__kmpc_end_critical)(place, thread, lock); });
}

PARALLAX_EXPORT void __kmpc_ordered(void* place, int32_t thread) {
  const Runtime* runtime = PARALLAX_RUNTIME(__kmpc_ordered);
  if (runtime == nullptr) return;
  acquire(orderedOf(state.team), orderedRegion,
          [=] { PARALLAX_REAL(__kmpc_ordered)(place, thread); });
}

PARALLAX_EXPORT void __kmpc_end_ordered(void* place, int32_t thread) {
  const Runtime* runtime = PARALLAX_RUNTIME(__kmpc_end_ordered);
  if (runtime == nullptr) return;
  release(orderedOf(state.team), [=] { PARALLAX_REAL(__kmpc_end_ordered)(place, thread); });
}
