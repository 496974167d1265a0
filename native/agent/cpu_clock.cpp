#include "agent/cpu_clock.h"

#include <linux/perf_event.h>

#include "agent/sys.h"

namespace parallax {
namespace {
constexpr size_t kPageBytes = 4096;
}  // namespace

bool CpuClock::open() {
  static_assert(offsetof(perf_event_mmap_page, lock) == kLockOffset);
  perf_event_attr attributes{};
  attributes.type = PERF_TYPE_SOFTWARE;
  attributes.size = sizeof attributes;
  attributes.config = PERF_COUNT_SW_TASK_CLOCK;
  attributes.exclude_kernel = 1;
  attributes.exclude_hv = 1;
  constexpr long kThisThread = 0, kAnyCpu = -1, kNoGroup = -1;
  const long fd = sys::call(SYS_perf_event_open, sys::word(&attributes), kThisThread, kAnyCpu,
                            kNoGroup, PERF_FLAG_FD_CLOEXEC);
  if (fd < 0) return false;
  page_ = sys::mmap(kPageBytes, PROT_READ, MAP_SHARED, static_cast<int>(fd));
  sys::close(static_cast<int>(fd));  // the mapping keeps the event
  if (page_ == nullptr) return false;
  sys::madvise(page_, kPageBytes, MADV_DONTFORK);
  seen_ = ~0u;
  return true;
}

void CpuClock::close() {
  if (page_ != nullptr) sys::munmap(page_, kPageBytes);
  page_ = nullptr;
}

uint64_t CpuClock::readNs() { return sys::clockNs(CLOCK_THREAD_CPUTIME_ID); }

}  // namespace parallax
