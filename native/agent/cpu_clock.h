// CPU time of the calling thread at the price of a load.
#pragma once

#include <cstdint>

#include "format/format.h"

namespace parallax {

// The kernel keeps a page for each perf event and changes its `lock` word at every timer tick
// and context switch. While that word is unchanged the thread has not lost the processor, and
// its CPU time has advanced like the wall clock; only when it has changed is the clock of the
// thread read, by a system call 50 times as dear. Works without rights that a user lacks up to
// perf_event_paranoid 2; where it is denied, changed() is always false and the caller reads the
// clock at the ends of waits. Zeroed memory is a clock that is not open.
class CpuClock {
 public:
  // For the calling thread. Returns whether the page is there.
  bool open();
  void close();
  bool isOpen() const { return page_ != nullptr; }
  format::CpuClock kind() const {
    return page_ != nullptr ? format::CpuClock::kPerfPage : format::CpuClock::kThreadClock;
  }

  // Whether the thread may have lost the processor since the last call that returned true.
  bool changed() {
    if (page_ == nullptr) return false;
    const uint32_t now = __atomic_load_n(lock(), __ATOMIC_RELAXED);
    if (__builtin_expect(now == seen_, true)) return false;
    seen_ = now;
    return true;
  }

  // The clock itself, in nanoseconds.
  static uint64_t readNs();

 private:
  static constexpr int kLockOffset = 8;  // of perf_event_mmap_page::lock
  const uint32_t* lock() const {
    return reinterpret_cast<const uint32_t*>(static_cast<const char*>(page_) + kLockOffset);
  }
  void* page_;
  uint32_t seen_;
};

}  // namespace parallax
