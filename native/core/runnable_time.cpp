#include "core/runnable_time.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>

#include <atomic>

#include "base/sys.h"
#include "format/slots.h"

namespace parallax {
namespace {

// Less is not worth a reading.
constexpr uint64_t kLeastNs = 100'000;
// The kernel is asked so often after a loss that is divided, and at each long one, so that the next division has a near
// begin.
constexpr unsigned kReadings = 16;
constexpr uint64_t kLongNs = 10'000'000;
constexpr uint64_t kMuchNs = uint64_t{1} << 60;

// The program may have no /proc, or a kernel without the file.
std::atomic<bool> isDenied{false};

}  // namespace

bool RunnableTime::readSwitches(Switches* switches) {
  rusage usage{};
  if (sys::call(SYS_getrusage, RUSAGE_THREAD, sys::word(&usage)) != 0) return false;
  *switches = {static_cast<uint64_t>(usage.ru_nvcsw), static_cast<uint64_t>(usage.ru_nivcsw)};
  return true;
}

// The file has the time on a processor, the time of waiting for one, and a number: "123 45 6".
bool RunnableTime::readDelayNs(uint64_t* ns) {
  if (isDenied.load(std::memory_order_relaxed)) return false;
  char text[96];
  const int fd = sys::openat(AT_FDCWD, "/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
  const long length = fd < 0 ? fd : sys::call(SYS_read, fd, sys::word(text), sizeof text - 1);
  if (fd >= 0) sys::close(fd);
  if (length <= 0) {
    if (fd != -EMFILE && fd != -ENFILE) isDenied.store(true, std::memory_order_relaxed);
    return false;
  }
  text[length] = '\0';
  const char* at = text;
  while (*at >= '0' && *at <= '9') at++;
  if (at == text || *at++ != ' ' || *at < '0' || *at > '9') return false;
  for (*ns = 0; *at >= '0' && *at <= '9'; at++) *ns = 10 * *ns + static_cast<uint64_t>(*at - '0');
  return true;
}

void RunnableTime::begin() {
  readSwitches(&switches_);
  delayNs_ = 0;
  skippedNs_ = kMuchNs;
  readings_ = 1;
}

void RunnableTime::skip(uint64_t ns) {
  if (skippedNs_ < kMuchNs) skippedNs_ += ns;
}

// It waited for a processor for at most what the kernel counted since the last reading, and for at least that less what
// it lost otherwise.
uint64_t RunnableTime::split(uint64_t untoldNs) {
  uint64_t nowNs = 0;
  if (!readDelayNs(&nowNs)) return format::kRunnableUnknown;
  const uint64_t delayNs = nowNs > delayNs_ ? nowNs - delayNs_ : 0;
  const uint64_t surelyNs = delayNs > skippedNs_ ? delayNs - skippedNs_ : 0;
  delayNs_ = nowNs;
  skippedNs_ = 0;
  const uint64_t mostNs = delayNs < untoldNs ? delayNs : untoldNs;
  return surelyNs < mostNs && mostNs - surelyNs > untoldNs / 8 ? format::kRunnableUnknown : mostNs;
}

uint64_t RunnableTime::take(bool isAll) {
  const uint64_t untoldNs = untoldNs_;
  untoldNs_ = 0;
  Switches now;
  if (!readSwitches(&now)) return format::kRunnableUnknown;
  const bool gaveUp = now.voluntary != switches_.voluntary;
  const bool wasPreempted = now.involuntary != switches_.involuntary;
  if (isAll) switches_ = now;
  const bool both = gaveUp && wasPreempted;
  if (both && untoldNs >= kLeastNs) readings_ = kReadings + 1;
  uint64_t splitNs = format::kRunnableUnknown;
  if (untoldNs >= (readings_ > 0 ? kLeastNs : kLongNs)) {
    if (readings_ > 0) readings_--;
    splitNs = split(untoldNs);
  } else if (wasPreempted && !gaveUp) {
    delayNs_ += untoldNs;
  } else {
    skip(untoldNs);
  }
  // Without any switch a hypervisor or interrupts took the time.
  if (!gaveUp) return untoldNs;
  return both ? splitNs : 0;
}

}  // namespace parallax
