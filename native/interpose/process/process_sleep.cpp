// Sleeps, when samples are on wall time (--sample-clock wall), and short ones between attempts of polling. sched_yield,
// which is an attempt without success: the thread waits for something that another one does.
//
// No signal may end or shorten a wait of the program, so none is sent to a thread that waits: it
// is not sampled. Its waits are measured instead, as those of other intercepted routines.
//
// Called before the real function is known: it is looked up at once (real.h). Called inside an
// intercepted routine, or while samples are on CPU time and the thread does not poll: passes straight through.
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <time.h>
#include <unistd.h>

#include "core/thread.h"
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

PARALLAX_REAL Real<int()> realYield("sched_yield");
Region yieldRegion("sched_yield", format::Group::kPthread);

constexpr uint64_t kLong = ~uint64_t{0};
constexpr uint64_t kSecondNs = 1000000000;

uint64_t nsOf(const timespec* time) {
  return time == nullptr || time->tv_sec != 0 ? kLong : static_cast<uint64_t>(time->tv_nsec);
}

uint64_t longestSleepNs(clockid_t clock, int flags, const timespec* time) {
  if ((flags & TIMER_ABSTIME) == 0) return nsOf(time);
  timespec now;
  if (time == nullptr || clock_gettime(clock, &now) != 0) return kLong;
  const int64_t ns = (time->tv_sec - now.tv_sec) * static_cast<int64_t>(kSecondNs) + time->tv_nsec - now.tv_nsec;
  return ns < 0 ? 0 : static_cast<uint64_t>(ns);
}

// `wait` is the real call, which takes at least `longestNs()` if nothing ends it before.
template <class Longest, class Wait>
auto measured(Region& region, Longest longestNs, Wait wait) {
  {
    const PollingPause pause(longestNs);
    if (pause) return wait();
  }
  if (!sampler::isOnWallTime()) return wait();
  Call call(region);
  decltype(wait()) result;
  pthread_cleanup_push([](void* c) { static_cast<Call*>(c)->endUnwinding(); }, &call);
  result = wait();
  pthread_cleanup_pop(0);
  call.returned();
  return result;
}

// A sleep during which the calling thread goes on with what it has to do before its calls, as long as there is something: in steps.
class Steps {
 public:
  // Returns false if a handler of a signal has ended a step.
  bool sleep(uint64_t ns) {
    constexpr uint64_t kStepNs = kSecondNs / 1000;
    leftNs_ = ns;
    while (leftNs_ > kStepNs && hasBeforeCalls() && doBeforeCall(kLooks)) {
      const uint64_t beginNs = monotonicNs();
      const timespec step{0, kStepNs};
      const bool isWhole = realNanosleep.get()(&step, nullptr) == 0;
      const uint64_t tookNs = monotonicNs() - beginNs;
      leftNs_ -= tookNs < leftNs_ ? tookNs : leftNs_;
      if (!isWhole) return false;
    }
    return true;
  }
  uint64_t leftNs() const { return leftNs_; }
  timespec left() const { return {static_cast<time_t>(leftNs_ / kSecondNs), static_cast<long>(leftNs_ % kSecondNs)}; }

 private:
  static constexpr const char* kLooks = "nanosleep";
  uint64_t leftNs_ = 0;
};

uint64_t wholeNs(const timespec& time) { return static_cast<uint64_t>(time.tv_sec) * kSecondNs + static_cast<uint64_t>(time.tv_nsec); }
bool isValid(const timespec* time) { return time != nullptr && time->tv_sec >= 0 && time->tv_nsec >= 0 && time->tv_nsec < static_cast<long>(kSecondNs); }

}  // namespace
}  // namespace parallax

using namespace parallax;

PARALLAX_EXPORT int nanosleep(const timespec* time, timespec* left) {
  auto* real = realNanosleep.get();
  Steps steps;
  timespec rest;
  if (hasBeforeCalls() && isValid(time)) {
    const bool isWhole = steps.sleep(wholeNs(*time));
    rest = steps.left();
    if (!isWhole) {
      if (left != nullptr) *left = rest;
      return -1;
    }
    time = &rest;
  }
  return measured(nanosleepRegion, [=] { return nsOf(time); },
                  [=] { return real(time, left); });
}

PARALLAX_EXPORT int clock_nanosleep(clockid_t clock, int flags, const timespec* time,
                                    timespec* left) {
  auto* real = realClockNanosleep.get();
  Steps steps;
  timespec rest;
  if (hasBeforeCalls() && isValid(time)) {
    const bool isAbsolute = (flags & TIMER_ABSTIME) != 0;
    const uint64_t longestNs = isAbsolute ? longestSleepNs(clock, flags, time) : wholeNs(*time);
    const bool isWhole = longestNs == kLong || steps.sleep(longestNs);
    if (longestNs != kLong && !isAbsolute) {
      rest = steps.left();
      time = &rest;
    }
    if (!isWhole) {
      if (left != nullptr && !isAbsolute) *left = rest;
      return EINTR;
    }
  }
  return measured(clockNanosleepRegion, [=] { return longestSleepNs(clock, flags, time); },
                  [=] { return real(clock, flags, time, left); });
}

PARALLAX_EXPORT int usleep(useconds_t time) {
  auto* real = realUsleep.get();
  if (hasBeforeCalls()) {
    Steps steps;
    if (!steps.sleep(uint64_t{time} * 1000)) return -1;
    time = static_cast<useconds_t>(steps.leftNs() / 1000);
  }
  return measured(usleepRegion, [=] { return uint64_t{time} * 1000; },
                  [=] { return real(time); });
}

PARALLAX_EXPORT unsigned sleep(unsigned seconds) {
  auto* real = realSleep.get();
  if (hasBeforeCalls()) {
    Steps steps;
    bool isWhole = steps.sleep(seconds * kSecondNs);
    timespec rest = steps.left();
    isWhole = isWhole && realNanosleep.get()(&rest, &rest) == 0;
    return isWhole ? 0 : static_cast<unsigned>(rest.tv_sec) + (rest.tv_nsec != 0 ? 1 : 0);
  }
  return measured(sleepRegion, [=] { return uint64_t{seconds} * kSecondNs; },
                  [=] { return real(seconds); });
}

// No Guard is held meanwhile, so that a signal handler of the program is recorded.
PARALLAX_EXPORT int sched_yield() noexcept {
  auto* real = realYield.get();
  if (local.thread == nullptr || !local.place.isProgram() || !adapterEnabled(Adapter::kPthread)) return real();
  const uint64_t begin = readTicks();
  const int result = real();
  Guard guard;
  if (guard) missedAttempt(guard.thread(), yieldRegion, begin);
  return result;
}
