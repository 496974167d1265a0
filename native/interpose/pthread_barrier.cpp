// Barriers. Arrivals are counted, in intercepted routines and outside; every `participants` of
// them make one generation.
//
// Called before the real function is known: it is looked up at once (real.h). Called inside an
// intercepted routine: counted, and passes through.
#include <pthread.h>

#include "agent/agent.h"
#include "agent/sync_objects.h"
#include "interpose/real.h"

namespace parallax {
namespace {

Real<int(pthread_barrier_t*, const pthread_barrierattr_t*, unsigned)> realInit(
    "pthread_barrier_init");
Real<int(pthread_barrier_t*)> realWait("pthread_barrier_wait");
Real<int(pthread_barrier_t*)> realDestroy("pthread_barrier_destroy");

Region waitRegion("pthread_barrier_wait", format::Group::kPthread);

}  // namespace
}  // namespace parallax

using namespace parallax;

PARALLAX_EXPORT int pthread_barrier_init(pthread_barrier_t* barrier,
                                         const pthread_barrierattr_t* attributes,
                                         unsigned count) noexcept {
  const int result = realInit.get()(barrier, attributes, count);
  if (result != 0 || !recording()) return result;
  if (SyncObject* object = initialiseSyncObject(barrier)) {
    int sharing = PTHREAD_PROCESS_PRIVATE;
    if (attributes != nullptr) pthread_barrierattr_getpshared(attributes, &sharing);
    // Arrivals in other processes are not seen, so the generation is not known.
    object->participants.store(sharing == PTHREAD_PROCESS_PRIVATE ? count : 0,
                               std::memory_order_release);
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
  if (!recording()) return real(barrier);
  Call call(waitRegion);
  SyncObject* object = syncObject(format::SyncKind::kBarrier, barrier);
  const uint32_t participants =
      object == nullptr ? 0 : object->participants.load(std::memory_order_acquire);
  if (participants == 0) return real(barrier);
  // Nobody arrives for the next generation before all have arrived for this one.
  const uint64_t generation =
      object->count.fetch_add(1, std::memory_order_acq_rel) / participants;
  const uint32_t id = object->id.load(std::memory_order_relaxed);
  const int result = real(barrier);
  call.returned();
  if (call) call.emit(Kind::kBarrier, id, {generation, participants});
  return result;
}
