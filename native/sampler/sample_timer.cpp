#include "sampler/sample_timer.h"

#include <cerrno>
#include <cstring>

#include "base/perf_event.h"
#include "core/agent.h"

namespace parallax {

namespace {

constexpr uint64_t kNsPerSecond = 1000000000;
constexpr size_t kPageBytes = 4096;
constexpr size_t kSignalSetBytes = 8;
// Beyond the descriptors that programs expect theirs among.
constexpr int kFirstDescriptor = 800;

// A switch costs a perf event somewhat less than a sample does. More of them than these for each
// period are not for perf.
constexpr uint64_t kMostSwitches = 2;
constexpr unsigned kPerfWindowSamples = 32;
constexpr unsigned kLeastRestSamples = 250;
constexpr unsigned kMostRestSamples = 4000;

timespec timespecOf(uint64_t ns) {
  return {static_cast<time_t>(ns / kNsPerSecond), static_cast<long>(ns % kNsPerSecond)};
}

uint64_t randomBelow(uint64_t limit) {
  uint64_t x = nowTicks() ^ (static_cast<uint64_t>(sys::gettid()) << 32);
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;  // splitmix64
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return (x ^ (x >> 31)) % limit;
}

int createTimer(int signal, void* value, int* timer) {
  sigevent event{};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = signal;
  event.sigev_value.sival_ptr = value;
  event._sigev_un._tid = sys::gettid();
  return static_cast<int>(sys::call(SYS_timer_create, CLOCK_THREAD_CPUTIME_ID, sys::word(&event),
                                    sys::word(timer)));
}

// Takes the pending signals that are ours from the calling thread.
template <class IsOurs>
void drain(int timerSignal, IsOurs isOurs) {
  uint64_t set = uint64_t{1} << (SIGTRAP - 1);
  if (timerSignal != 0) set |= uint64_t{1} << (timerSignal - 1);
  const timespec now{};
  siginfo_t info;
  while (sys::call(SYS_rt_sigtimedwait, sys::word(&set), sys::word(&info), sys::word(&now),
                   kSignalSetBytes) > 0) {
    if (isOurs(info)) continue;
    sys::call(SYS_rt_tgsigqueueinfo, sys::getpid(), sys::gettid(), info.si_signo,
              sys::word(&info));  // the program's
    break;
  }
}

}  // namespace

uint64_t kernelTickNs() {
  timespec tick{};
  sys::call(SYS_clock_getres, CLOCK_MONOTONIC_COARSE, sys::word(&tick));
  return static_cast<uint64_t>(tick.tv_nsec);
}

bool canHaveTimer(int signal) {
  int timer = -1;
  if (signal == 0 || createTimer(signal, nullptr, &timer) != 0) return false;
  sys::call(SYS_timer_delete, timer);
  return true;
}

bool canHavePerf() {
  const int fd = sys::openPerfEvent(sys::taskClockWithSignal(kNsPerSecond, 0));  // never comes to one
  if (fd >= 0) sys::close(fd);
  return fd >= 0;
}

int SampleTimer::start(const Choice& choice) {
  choice_ = choice;
  restSamples_ = kLeastRestSamples;
  window_ = 0;
  const int timerError = choice.timerSignal != 0 ? startTimer() : -ENOTSUP;
  if (choice.source != SampleSource::kPerf) return timerError;
  const int error = startPerf();
  return timerError == 0 ? 0 : error;
}

int SampleTimer::startTimer() {
  int timer = -1;
  if (const int error = createTimer(choice_.timerSignal, this, &timer)) return error;
  itimerspec times{};
  times.it_interval = timespecOf(choice_.periodNs);
  times.it_value = timespecOf(1 + randomBelow(choice_.periodNs));
  timer_ = timer;
  return static_cast<int>(sys::call(SYS_timer_settime, timer, 0, sys::word(&times)));
}

int SampleTimer::startPerf() {
  const int fd = sys::openPerfEvent(
      sys::taskClockWithSignal(choice_.periodNs, reinterpret_cast<uintptr_t>(this)));
  if (fd < 0) return fd;
  perfPage_ = sys::mmap(kPageBytes, PROT_READ, MAP_SHARED, fd);
  if (perfPage_ != nullptr) {
    sys::madvise(perfPage_, kPageBytes, MADV_DONTFORK);
    sys::close(fd);
    return 0;
  }
  const int high = static_cast<int>(sys::call(SYS_fcntl, fd, F_DUPFD_CLOEXEC, kFirstDescriptor));
  if (high >= 0) sys::close(fd);
  perfFd_ = high >= 0 ? high : fd;
  return 0;
}

void SampleTimer::stopPerf() {
  if (perfPage_ != nullptr) sys::munmap(perfPage_, kPageBytes);
  if (perfFd_ >= 0) sys::close(perfFd_);
  perfPage_ = nullptr;
  perfFd_ = -1;
}

void SampleTimer::cancel() {
  if (timer_ >= 0) sys::call(SYS_timer_delete, timer_);
  timer_ = -1;
  stopPerf();
}

void SampleTimer::stop() {
  cancel();
  // One that is pending because the thread blocks it would outlive the timer, even the program
  // that an execution replaces.
  drain(choice_.timerSignal, [this](const siginfo_t& info) { return sent(info); });
}

void SampleTimer::discardInherited() {
  drain(0, [](const siginfo_t& info) { return info.si_code == sys::kTrapPerf; });
}

void SampleTimer::forget() {
  if (perfFd_ >= 0) sys::close(perfFd_);
  timer_ = perfFd_ = -1;
  perfPage_ = nullptr;  // not inherited
}

bool SampleTimer::maySend(const siginfo_t& info) {
  return info.si_code == SI_TIMER || (info.si_signo == SIGTRAP && info.si_code == sys::kTrapPerf);
}

bool SampleTimer::sent(const siginfo_t& info) const {
  if (info.si_code == SI_TIMER) return info.si_value.sival_ptr == this;
  return info.si_signo == SIGTRAP && info.si_code == sys::kTrapPerf &&
         sys::perfDataOf(info) == reinterpret_cast<uintptr_t>(this);
}

siginfo_t SampleTimer::timerSignal() const {
  siginfo_t info{};
  if (timer_ < 0) return info;
  info.si_signo = choice_.timerSignal;
  info.si_code = SI_TIMER;
  info.si_value.sival_ptr = const_cast<SampleTimer*>(this);
  return info;
}

bool SampleTimer::wants(const siginfo_t& info, uintptr_t pc) const {
  if (info.si_code != SI_TIMER || !hasPerf()) return true;
  // A tick in a system call is told of where the program goes on after the instruction.
  constexpr uint8_t kSyscall[] = {0x0f, 0x05};
  return pc % kPageBytes >= sizeof kSyscall &&
         memcmp(reinterpret_cast<const void*>(pc - sizeof kSyscall), kSyscall, sizeof kSyscall) == 0;
}

void SampleTimer::beginWindow(unsigned samples, uint64_t switches) {
  window_ = windowSamples_ = samples;
  windowSwitches_ = switches;
}

void SampleTimer::sampled(uint64_t switches) {
  if (choice_.source != SampleSource::kPerf || timer_ < 0) return;
  if (window_ == 0) return beginWindow(kPerfWindowSamples, switches);  // the first
  const uint64_t periodNs = hasPerf() ? choice_.periodNs : kernelTickNs();
  const bool busy =
      (switches - windowSwitches_) * choice_.periodNs > kMostSwitches * windowSamples_ * periodNs;
  if (hasPerf() && busy) {
    stopPerf();
    beginWindow(restSamples_, switches);
    if (restSamples_ < kMostRestSamples) restSamples_ *= 2;
    return;
  }
  if (--window_ > 0) return;
  if (hasPerf()) restSamples_ = kLeastRestSamples;
  if (!hasPerf() && !busy) startPerf();
  beginWindow(hasPerf() ? kPerfWindowSamples : windowSamples_, switches);
}

}  // namespace parallax
