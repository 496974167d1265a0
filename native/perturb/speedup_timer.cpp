#include "perturb/speedup_timer.h"

#include "base/perf_event.h"
#include "core/agent.h"

namespace parallax::speedup {
namespace {

constexpr size_t kPageBytes = 4096;
// Beyond the descriptors that programs expect theirs among.
constexpr int kFirstDescriptor = 800;
// Others' data in such signals are addresses, which are even.
constexpr uint64_t kMark = 1;

}  // namespace

bool SpeedupTimer::available() {
  const int fd = sys::openPerfEvent(sys::taskClockWithSignal(1000000000, kMark));
  if (fd >= 0) sys::close(fd);
  return fd >= 0;
}

uint64_t SpeedupTimer::choosePeriod() {
  random_ += 0x9E3779B97F4A7C15u;  // splitmix64
  uint64_t x = random_;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  x ^= x >> 31;
  return kMeanPeriodNs / 2 + x % kMeanPeriodNs;
}

int SpeedupTimer::start() {
  random_ = nowTicks() ^ static_cast<uint64_t>(sys::gettid()) << 32;
  periodNs_ = choosePeriod();
  // The first one comes after a part of it; it stands for a whole one.
  constexpr uint64_t kLeastNs = 20000;
  const uint64_t first = kLeastNs + choosePeriod() % kMeanPeriodNs;
  const int fd = sys::openPerfEvent(
      sys::taskClockWithSignal(kMeanPeriodNs, reinterpret_cast<uintptr_t>(this) | kMark));
  if (fd < 0) return fd;
  sys::call(SYS_ioctl, fd, PERF_EVENT_IOC_PERIOD, sys::word(&first));
  page_ = sys::mmap(kPageBytes, PROT_READ, MAP_SHARED, fd);
  if (page_ != nullptr) sys::madvise(page_, kPageBytes, MADV_DONTFORK);
  const int high = static_cast<int>(sys::call(SYS_fcntl, fd, F_DUPFD_CLOEXEC, kFirstDescriptor));
  if (high >= 0) sys::close(fd);
  fd_ = high >= 0 ? high : fd;
  return 0;
}

void SpeedupTimer::stop() {
  if (page_ != nullptr) sys::munmap(page_, kPageBytes);
  forget();
}

void SpeedupTimer::forget() {
  if (fd_ >= 0) sys::close(fd_);
  fd_ = -1;
  page_ = nullptr;
}

bool SpeedupTimer::sentByAny(const siginfo_t& info) {
  return info.si_code == sys::kTrapPerf && (sys::perfDataOf(info) & kMark) != 0;
}

bool SpeedupTimer::sent(const siginfo_t& info) const {
  return sys::perfDataOf(info) == (reinterpret_cast<uintptr_t>(this) | kMark);
}

uint64_t SpeedupTimer::takePeriod() {
  const uint64_t period = periodNs_;
  const uint64_t next = choosePeriod();
  if (sys::call(SYS_ioctl, fd_, PERF_EVENT_IOC_PERIOD, sys::word(&next)) == 0) periodNs_ = next;
  return period;
}

}  // namespace parallax::speedup
