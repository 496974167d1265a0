// A lock that is held for a few instructions, or seldom. Not pthread's: that one is interposed, and
// the agent must not observe itself.
//
// It knows its holder. A child after fork has no other threads that could give back what they
// held: it takes the lock over, so that whoever holds it must change things in such an order that
// this is no harm. And a thread does not wait for itself, in a signal handler that came while it
// held the lock.
#pragma once

#include <atomic>
#include <cstdint>

#include "agent/sys.h"

namespace parallax {

class SpinLock {
 public:
  // False when this very thread holds it: there is nothing to unlock then.
  [[nodiscard]] bool lock() {
    const uint64_t pid = static_cast<uint64_t>(sys::getpid());
    const uint64_t own = pid << 32 | static_cast<uint32_t>(sys::gettid());
    for (uint64_t holder = 0; !holder_.compare_exchange_weak(holder, own, std::memory_order_acquire,
                                                             std::memory_order_relaxed);) {
      if (holder == own) return false;
      if (holder >> 32 != pid) continue;  // takes it from where it was copied, or tries again
      sys::call(SYS_sched_yield);
      holder = 0;
    }
    return true;
  }
  void unlock() { holder_.store(0, std::memory_order_release); }

 private:
  std::atomic<uint64_t> holder_{0};  // pid << 32 | tid
};

}  // namespace parallax
