// For how much of the time without a processor a thread was runnable: it was preempted, or woken and not yet running.
#pragma once

#include <cstdint>

namespace parallax {

// An account of the losses of one thread. The kernel tells of two things:
//
// - Context switches (getrusage). If the thread only had involuntary ones, it was preempted all the time.
// - The time for which the thread waited for a processor (schedstat of /proc). Its file is opened for each reading,
//   because the agent keeps no descriptors of files. That takes ten times as long, so it is read only if the thread gave
//   up its processor, and only once enough time was lost.
//
// Zeroed memory is the account of a thread that has just been created. All functions but lost() and isDue() are for the
// thread itself, and may be used in signal handlers.
class RunnableTime {
 public:
  // For a thread that has run before.
  void begin();

  void lost(uint64_t ns) { untoldNs_ += ns; }
  // Whether the losses since the last take() are enough to tell of them; `isLast`: readers do not wait for a later one.
  bool isDue(bool isLast) const { return untoldNs_ >= (isLast ? kLeastNs : kDueNs); }

  // How much of the losses since the last take() it was runnable, or format::kRunnableUnknown. `isAll`: of what the
  // thread has lost so far, nothing will be added as a loss later.
  uint64_t take(bool isAll);

  // What the kernel tells of the calling thread since it was created; false if it tells nothing.
  struct Switches {
    uint64_t voluntary, involuntary;
  };
  static bool readSwitches(Switches* switches);
  static bool readDelay(uint64_t* ns);

 private:
  static constexpr uint64_t kDueNs = 1000000, kLeastNs = 20000;

  uint64_t find(const Switches& now, bool isAll);

  uint64_t untoldNs_;
  Switches switches_;   // at the last reading
  uint64_t delayNs_;    // of the waits for a processor, what is told, or was before begin()
  bool isUnknown_;      // delayNs_ is not
};

}  // namespace parallax
