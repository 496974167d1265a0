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

#include "base/fork_generation.h"
#include "base/sys.h"

namespace parallax {

class SpinLock {
 public:
  // False when this very thread holds it: there is nothing to unlock then.
  [[nodiscard]] bool lock() {
    const uint64_t generation = forkGeneration();
    const uint64_t own = generation << 32 | static_cast<uint32_t>(sys::gettid());
    int waits = 0;
    for (uint64_t holder = 0; !holder_.compare_exchange_weak(holder, own, std::memory_order_acquire,
                                                             std::memory_order_relaxed);) {
      if (holder == own) return false;
      if (holder >> 32 != generation) continue;  // takes it from where it was copied, or tries again
      wait(waits++);
      holder = 0;
    }
    return true;
  }
  void unlock() { holder_.store(0, std::memory_order_release); }

 private:
  // Yielding alone would keep out a holder of lower priority on the same processor.
  static void wait(int waitsBefore) {
    constexpr int kYields = 100;
    const timespec brief{0, 100000};
    if (waitsBefore < kYields) {
      sys::call(SYS_sched_yield);
    } else {
      sys::call(SYS_nanosleep, sys::word(&brief), 0);
    }
  }

  std::atomic<uint64_t> holder_{0};  // forkGeneration() << 32 | tid
};

}  // namespace parallax
