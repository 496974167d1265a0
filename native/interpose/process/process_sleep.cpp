// Sleeps, when samples are on wall time (--sample-clock wall).
//
// No signal may end or shorten a wait of the program, so none is sent to a thread that waits: it
// is not sampled. Its waits are measured instead, as those of other intercepted routines.
//
// Called before the real function is known: it is looked up at once (real.h). Called inside an
// intercepted routine, or while samples are on CPU time: passes straight through.
#include <pthread.h>
#include <time.h>
#include <unistd.h>

#include "core/agent.h"
#include "interpose/real.h"
#include "sampler/sampler.h"

namespace parallax {
namespace {

PARALLAX_REAL Real<int(const timespec*, timespec*)> realNanosleep("nanosleep");
PARALLAX_REAL Real<int(clockid_t, int, const timespec*, timespec*)>
    realClockNanosleep("clock_nanosleep");
PARALLAX_REAL Real<int(useconds_t)> realUsleep("usleep");
PARALLAX_REAL Real<unsigned(unsigned)> realSleep("sleep");

Region nanosleepRegion("nanosleep", format::Group::kProcess);
Region clockNanosleepRegion("clock_nanosleep", format::Group::kProcess);
Region usleepRegion("usleep", format::Group::kProcess);
Region sleepRegion("sleep", format::Group::kProcess);

// `wait` is the real call.
template <class Wait>
auto measured(Region& region, Wait wait) {
  if (!sampler::isOnWallTime()) return wait();
  Call call(region);
  decltype(wait()) result;
  pthread_cleanup_push([](void* c) { static_cast<Call*>(c)->endUnwinding(); }, &call);
  result = wait();
  pthread_cleanup_pop(0);
  call.returned();
  return result;
}

}  // namespace
}  // namespace parallax

using namespace parallax;

PARALLAX_EXPORT int nanosleep(const timespec* time, timespec* left) {
  auto* real = realNanosleep.get();
  return measured(nanosleepRegion, [=] { return real(time, left); });
}

PARALLAX_EXPORT int clock_nanosleep(clockid_t clock, int flags, const timespec* time,
                                    timespec* left) {
  auto* real = realClockNanosleep.get();
  return measured(clockNanosleepRegion, [=] { return real(clock, flags, time, left); });
}

PARALLAX_EXPORT int usleep(useconds_t time) {
  auto* real = realUsleep.get();
  return measured(usleepRegion, [=] { return real(time); });
}

PARALLAX_EXPORT unsigned sleep(unsigned seconds) {
  auto* real = realSleep.get();
  return measured(sleepRegion, [=] { return real(seconds); });
}
