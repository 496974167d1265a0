// Sleeping, sampled (sampler/waits.h).
//
// Called before the real function is known: it is looked up at once (real.h). None calls itself.
#include <time.h>
#include <unistd.h>

#include "interpose/real.h"
#include "sampler/waits.h"

namespace parallax {
namespace {

Real<int(const timespec*, timespec*)> realNanosleep("nanosleep");
Real<int(clockid_t, int, const timespec*, timespec*)> realClockNanosleep("clock_nanosleep");
Real<int(useconds_t)> realUsleep("usleep");
Real<unsigned(unsigned)> realSleep("sleep");
Real<int()> realPause("pause");

}  // namespace
}  // namespace parallax

using namespace parallax;

PARALLAX_EXPORT int nanosleep(const timespec* time, timespec* left) {
  auto* real = realNanosleep.get();
  return sampler::sampledWait([=] { return real(time, left); });
}

PARALLAX_EXPORT int clock_nanosleep(clockid_t clock, int flags, const timespec* time,
                                    timespec* left) {
  auto* real = realClockNanosleep.get();
  return sampler::sampledWait([=] { return real(clock, flags, time, left); });
}

PARALLAX_EXPORT int usleep(useconds_t time) {
  auto* real = realUsleep.get();
  return sampler::sampledWait([=] { return real(time); });
}

PARALLAX_EXPORT unsigned sleep(unsigned seconds) {
  auto* real = realSleep.get();
  return sampler::sampledWait([=] { return real(seconds); });
}

PARALLAX_EXPORT int pause() {
  auto* real = realPause.get();
  return sampler::sampledWait([=] { return real(); });
}
