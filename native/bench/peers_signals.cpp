#include "bench/peers_signals.h"

#include <signal.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/perf_event.h"

namespace parallax::bench {
namespace {

constexpr int kTimerSignal = SIGUSR1;
constexpr double kNsPerSecond = 1e9;

volatile sig_atomic_t signals = 0;
void onSignal(int) { signals = signals + 1; }

double cpuNs() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * kNsPerSecond + static_cast<double>(now.tv_nsec);
}

// Timer of the calling thread that can be switched on and off.
class Timer {
 public:
  explicit Timer(int hz) : periodNs_(static_cast<long>(kNsPerSecond) / hz) {
    constexpr int kMostOfTimers = 250;
    if (hz > kMostOfTimers) {
      perf_event_attr attributes = sys::taskClock();
      attributes.sample_period = static_cast<uint64_t>(periodNs_);
      attributes.sigtrap = 1;
      attributes.remove_on_exec = 1;
      attributes.disabled = 1;
      event_ = sys::openPerfEvent(attributes);
      works_ = event_ >= 0;
      return;
    }
    sigevent notification{};
    notification.sigev_notify = SIGEV_THREAD_ID;
    notification.sigev_signo = kTimerSignal;
    notification._sigev_un._tid = static_cast<int>(syscall(SYS_gettid));
    works_ = timer_create(CLOCK_THREAD_CPUTIME_ID, &notification, &timer_) == 0;
  }
  ~Timer() {
    if (event_ >= 0) close(event_);
    if (event_ < 0 && works_) timer_delete(timer_);
  }
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;

  bool works() const { return works_; }
  void set(bool on) {
    if (event_ >= 0) {
      ioctl(event_, on ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE, 0);
      return;
    }
    itimerspec period{};
    if (on) period.it_value.tv_nsec = period.it_interval.tv_nsec = periodNs_;
    timer_settime(timer_, 0, &period, nullptr);
  }

 private:
  long periodNs_;
  int event_ = -1;
  timer_t timer_{};
  bool works_ = false;
};

// Units of work done in so many nanoseconds of CPU time, which become those that it took.
double workDuring(double* ns) {
  constexpr int kSteps = 100000;
  static uint64_t random = 88172645463325252u;
  const double begin = cpuNs();
  double units = 0, now = begin;
  for (; now - begin < *ns; units++) {
    uint64_t x = random;
    for (int i = 0; i < kSteps; i++) {
      x ^= x << 13;
      x ^= x >> 7;
      x ^= x << 17;
    }
    random = x;
    asm volatile("" : : "r"(x));
    now = cpuNs();
  }
  *ns = now - begin;
  return units;
}

SignalCost measure(int hz, int rounds) {
  constexpr double kSliceNs = 40e6;
  std::vector<double> costs;
  Timer timer(hz);
  for (int round = 0; timer.works() && round < rounds; round++) {
    double ns[2] = {kSliceNs, kSliceNs}, units[2];
    const int before = signals;
    for (int i = 0; i < 2; i++) {
      const bool on = (i + round) % 2 == 0;
      timer.set(on);
      units[on] = workDuring(&ns[on]);
      timer.set(false);
    }
    const int count = signals - before;
    if (count > 0) costs.push_back((ns[1] - ns[0] / units[0] * units[1]) / count);
  }
  return {hz, estimate(costs)};
}

}  // namespace

std::vector<SignalCost> measureSignals(bool quick) {
  struct sigaction action{}, formerTrap, formerTimer;
  action.sa_handler = onSignal;
  action.sa_flags = SA_RESTART;
  sigaction(SIGTRAP, &action, &formerTrap);
  sigaction(kTimerSignal, &action, &formerTimer);
  std::vector<SignalCost> result;
  for (const int hz : {100, 1000}) {
    result.push_back(measure(hz, quick ? 2 : 12000 / hz + 60));
  }
  sigaction(SIGTRAP, &formerTrap, nullptr);
  sigaction(kTimerSignal, &formerTimer, nullptr);
  return result;
}

}  // namespace parallax::bench
