// A lock for short or rare critical sections. The agent cannot use pthread's mutex, because it
// intercepts that one and must not observe itself.
//
// The lock knows its holder. After fork, the child has no other threads that could release the
// lock, so the child takes the lock over. Code that holds the lock must therefore keep the data
// usable after each store. A signal handler that interrupts the holder does not wait, because the
// holder would never continue: lock() returns false.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/fork_generation.h"
#include "base/sys.h"

namespace parallax {

class SpinLock {
 public:
  // False if the calling thread already holds the lock: then it must not call unlock().
  [[nodiscard]] bool lock() {
    const uint64_t generation = forkGeneration();
    const uint64_t own = generation << 32 | static_cast<uint32_t>(sys::gettid());
    int waits = 0;
    for (uint64_t holder = 0; !holder_.compare_exchange_weak(holder, own, std::memory_order_acquire,
                                                             std::memory_order_relaxed);) {
      if (holder == own) return false;
      if (holder >> 32 != generation) continue;  // the parent's, or a spurious failure
      wait(waits++);
      holder = 0;
    }
    return true;
  }
  void unlock() { holder_.store(0, std::memory_order_release); }

 private:
  // Yielding alone would never let a holder of lower priority run on the same processor.
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
