#include "core/runnable_time.h"

#include <errno.h>
#include <sys/resource.h>

#include <algorithm>
#include <atomic>

#include "base/sys.h"
#include "format/slots.h"

namespace parallax {
namespace {

// Of this process: its kernel or a sandbox has no such file.
std::atomic<bool> hasNoFile{false};

// The next number in a text; false if there is none.
bool parseNumber(const char*& at, const char* end, uint64_t* number) {
  while (at < end && *at == ' ') at++;
  if (at == end || *at < '0' || *at > '9') return false;
  *number = 0;
  for (; at < end && *at >= '0' && *at <= '9'; at++) *number = *number * 10 + static_cast<uint64_t>(*at - '0');
  return true;
}

}  // namespace

bool RunnableTime::readSwitches(Switches* switches) {
  rusage usage{};
  if (sys::call(SYS_getrusage, RUSAGE_THREAD, sys::word(&usage)) != 0) return false;
  *switches = {static_cast<uint64_t>(usage.ru_nvcsw), static_cast<uint64_t>(usage.ru_nivcsw)};
  return true;
}

// The file has the CPU time, the time runnable without a processor, and how often the thread got one. They are all 0
// if the kernel does not count them.
bool RunnableTime::readDelay(uint64_t* ns) {
  if (hasNoFile.load(std::memory_order_relaxed)) return false;
  const int fd = sys::openat(AT_FDCWD, "/proc/thread-self/schedstat", O_RDONLY);
  if (fd == -EMFILE || fd == -ENFILE || fd == -EINTR || fd == -ENOMEM) return false;
  char text[96];
  const long length = fd >= 0 ? sys::read(fd, text, sizeof text) : -1;
  if (fd >= 0) sys::close(fd);
  const char* at = text;
  const char* end = text + std::max(length, 0L);
  uint64_t cpuNs = 0, runs = 0;
  const bool isTold = parseNumber(at, end, &cpuNs) && parseNumber(at, end, ns) && parseNumber(at, end, &runs) && runs != 0;
  if (!isTold) hasNoFile.store(true, std::memory_order_relaxed);
  return isTold;
}

void RunnableTime::begin() { isUnknown_ = !readSwitches(&switches_) || !readDelay(&delayNs_); }

uint64_t RunnableTime::take(bool isAll) {
  Switches now;
  uint64_t runnable = format::kRunnableUnknown;
  if (readSwitches(&now)) {
    runnable = find(now, isAll);
    if (isAll) switches_ = now;
  }
  untoldNs_ = 0;
  return runnable;
}

uint64_t RunnableTime::find(const Switches& now, bool isAll) {
  const bool gaveUp = now.voluntary != switches_.voluntary;
  const bool wasPreempted = now.involuntary != switches_.involuntary;
  if (!gaveUp && wasPreempted) {
    delayNs_ += untoldNs_;
    return untoldNs_;
  }
  uint64_t delayNs = 0;
  if (!readDelay(&delayNs)) {
    isUnknown_ = true;
    return gaveUp && !wasPreempted ? 0 : format::kRunnableUnknown;
  }
  const bool wasUnknown = isUnknown_;
  const uint64_t runnable = delayNs > delayNs_ ? std::min(delayNs - delayNs_, untoldNs_) : 0;
  isUnknown_ = false;
  delayNs_ = isAll ? delayNs : delayNs_ + runnable;
  return wasUnknown ? format::kRunnableUnknown : runnable;
}

}  // namespace parallax
