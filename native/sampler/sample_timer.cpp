#include "sample_timer.h"

#include <cerrno>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/resource.h>

#include "agent/agent.h"
#include "agent/sys.h"

namespace parallax {

namespace {

constexpr uint64_t kNsPerSecond = 1000000000;
constexpr size_t kSignalSetBytes = 8;
constexpr unsigned kMostPending = 256;
// Beyond the descriptors that programs expect theirs among.
constexpr int kFirstDescriptor = 800;

timespec timespecOf(uint64_t ns) {
  return {static_cast<time_t>(ns / kNsPerSecond), static_cast<long>(ns % kNsPerSecond)};
}

uint64_t randomBelow(uint64_t limit) {
  uint64_t x = nowTicks() ^ (static_cast<uint64_t>(sys::gettid()) << 32);
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;  // splitmix64
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return (x ^ (x >> 31)) % limit;
}

}  // namespace

SampleSource sourceFor(uint32_t sampleHz) {
  timespec tick{};
  sys::call(SYS_clock_getres, CLOCK_MONOTONIC_COARSE, sys::word(&tick));
  const uint64_t tickNs = static_cast<uint64_t>(tick.tv_nsec);
  return tickNs != 0 && kNsPerSecond / sampleHz < tickNs ? SampleSource::kPerf
                                                         : SampleSource::kTimer;
}

int SampleTimer::start(SampleSource source, int signal, uint64_t periodNs) {
  signal_ = signal;
  received_ = 0;
  return source == SampleSource::kPerf ? startPerf(signal, periodNs) : startTimer(signal, periodNs);
}

int SampleTimer::startTimer(int signal, uint64_t periodNs) {
  sigevent event{};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = signal;
  event.sigev_value.sival_ptr = this;
  event._sigev_un._tid = sys::gettid();
  int timer = -1;
  if (const long error = sys::call(SYS_timer_create, CLOCK_THREAD_CPUTIME_ID, sys::word(&event),
                                   sys::word(&timer))) {
    return static_cast<int>(error);
  }
  itimerspec times{};
  times.it_interval = timespecOf(periodNs);
  times.it_value = timespecOf(1 + randomBelow(periodNs));
  timer_ = timer;
  return static_cast<int>(sys::call(SYS_timer_settime, timer, 0, sys::word(&times)));
}

int SampleTimer::startPerf(int signal, uint64_t periodNs) {
  rlimit pending{};
  sys::call(SYS_prlimit64, 0, RLIMIT_SIGPENDING, 0, sys::word(&pending));
  if (pending.rlim_cur < 4 * kMostPending) return -EAGAIN;  // see allow()
  perf_event_attr attributes{};
  attributes.type = PERF_TYPE_SOFTWARE;
  attributes.size = sizeof attributes;
  attributes.config = PERF_COUNT_SW_TASK_CLOCK;
  attributes.sample_period = periodNs;
  attributes.wakeup_events = 1;
  attributes.disabled = 1;
  // Users may not sample the kernel, and a signal raised in the middle of an exec would be
  // found, and obeyed, by the new program.
  attributes.exclude_kernel = 1;
  attributes.exclude_hv = 1;
  const long opened = sys::call(SYS_perf_event_open, sys::word(&attributes), 0, -1, -1,
                                PERF_FLAG_FD_CLOEXEC);
  if (opened < 0) return static_cast<int>(opened);
  const long high = sys::call(SYS_fcntl, opened, F_DUPFD_CLOEXEC, kFirstDescriptor);
  if (high >= 0) sys::close(static_cast<int>(opened));
  const int fd = static_cast<int>(high >= 0 ? high : opened);
  f_owner_ex owner{};
  owner.type = F_OWNER_TID;
  owner.pid = sys::gettid();
  long error = sys::call(SYS_fcntl, fd, F_SETSIG, signal);
  if (error == 0) error = sys::call(SYS_fcntl, fd, F_SETOWN_EX, sys::word(&owner));
  if (error == 0) error = sys::call(SYS_fcntl, fd, F_SETFL, O_ASYNC | O_NONBLOCK);
  perfFd_ = fd;
  if (error == 0) error = allow(kMostPending);
  if (error != 0) stop();
  return static_cast<int>(error);
}

// Lets that many signals come. They would pile up without end in a thread that blocks them, and
// when a signal cannot be queued the kernel sends SIGIO instead, which ends programs.
int SampleTimer::allow(unsigned signals) {
  return static_cast<int>(sys::call(SYS_ioctl, perfFd_, PERF_EVENT_IOC_REFRESH, signals));
}

void SampleTimer::received() {
  // A system call for each would cost a third of what the signal costs.
  if (perfFd_ >= 0 && ++received_ % (kMostPending / 2) == 0) allow(kMostPending / 2);
}

void SampleTimer::stop() {
  if (timer_ >= 0) sys::call(SYS_timer_delete, timer_);
  if (perfFd_ >= 0) {
    sys::call(SYS_ioctl, perfFd_, PERF_EVENT_IOC_DISABLE, 0);
    sys::close(perfFd_);
  }
  timer_ = perfFd_ = -1;
  // One that is pending because the thread blocks it would outlive the timer.
  const uint64_t set = uint64_t{1} << (signal_ - 1);
  const timespec now{};
  siginfo_t info;
  while (sys::call(SYS_rt_sigtimedwait, sys::word(&set), sys::word(&info), sys::word(&now),
                   kSignalSetBytes) == signal_) {
  }
}

void SampleTimer::forget() {
  if (perfFd_ >= 0) sys::close(perfFd_);
  timer_ = perfFd_ = -1;
}

bool SampleTimer::sent(const siginfo_t& info) const {
  if (info.si_code == SI_TIMER) return info.si_value.sival_ptr == this;
  return perfFd_ >= 0 && info.si_code > 0 && info.si_fd == perfFd_;
}

}  // namespace parallax
