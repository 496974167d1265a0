// Barriers. Arrivals are counted, in intercepted routines and outside; every `participants` of
// them make one generation.
//
// Called before the real function is known: it is looked up at once (real.h). Called inside an
// intercepted routine: counted, and passes through.
#include <pthread.h>

#include "core/agent.h"
#include "core/glibc.h"
#include "core/sync_objects.h"
#include "interpose/real.h"

namespace parallax {
namespace {

PARALLAX_REAL Real<int(pthread_barrier_t*, const pthread_barrierattr_t*, unsigned)> realInit(
    "pthread_barrier_init");
PARALLAX_REAL Real<int(pthread_barrier_t*)> realWait("pthread_barrier_wait");
PARALLAX_REAL Real<int(pthread_barrier_t*)> realDestroy("pthread_barrier_destroy");

bool isRecorded() { return adapterEnabled(Adapter::kPthread) && recording(); }

SyncObject* barrierObject(pthread_barrier_t* barrier) {
  if (!glibc::holds(glibc::Assumption::kBarrier)) return nullptr;
  return syncObject(format::SyncKind::kBarrier, barrier, glibc::contentsOf(barrier).shared != 0);
}

Region waitRegion("pthread_barrier_wait", format::Group::kPthread);

}  // namespace
}  // namespace parallax

using namespace parallax;

PARALLAX_EXPORT int pthread_barrier_init(pthread_barrier_t* barrier,
                                         const pthread_barrierattr_t* attributes,
                                         unsigned count) noexcept {
  const int result = realInit.get()(barrier, attributes, count);
  if (result != 0 || !isRecorded()) return result;
  renewSyncObject(barrier);
  if (SyncObject* object = barrierObject(barrier)) {
    // Of a shared one the count goes on, with a whole generation.
    Counter& arrivals = object->count(Count::kArrivals);
    const uint64_t before = arrivals.load(std::memory_order_relaxed);
    arrivals.store((before + count - 1) / count * count, std::memory_order_release);
  }
  return result;
}

PARALLAX_EXPORT int pthread_barrier_destroy(pthread_barrier_t* barrier) noexcept {
  const int result = realDestroy.get()(barrier);
  if (result == 0) renewSyncObject(barrier);
  return result;
}

PARALLAX_EXPORT int pthread_barrier_wait(pthread_barrier_t* barrier) noexcept {
  auto* real = realWait.get();
  if (!isRecorded()) return real(barrier);
  Call call(waitRegion);
  SyncObject* object = barrierObject(barrier);
  const uint32_t participants = glibc::contentsOf(barrier).count;
  if (object == nullptr || participants == 0) return real(barrier);
  // Nobody arrives for the next generation before all have arrived for this one.
  const uint64_t generation =
      object->count(Count::kArrivals).fetch_add(1, std::memory_order_acq_rel) / participants;
  const uint32_t id = object->number();
  const int result = real(barrier);
  call.returned();
  if (call) call.emit(Kind::kBarrier, id, {generation, participants});
  return result;
}
