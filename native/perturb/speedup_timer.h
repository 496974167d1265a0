// Samples a thread each time it has run for about a millisecond: a task-clock perf event raises
// SIGTRAP in the thread. The periods are random, so that no loop of the program is in step with
// them.
#pragma once

#include <csignal>
#include <cstdint>

namespace parallax::speedup {

class SpeedupTimer {
 public:
  // Only code of the program is sampled, not its system calls.
  static constexpr uint64_t kMeanPeriodNs = 1000000;

  // Whether this process may have them.
  static bool available();
  // For the calling thread. Returns 0, or -errno.
  int start();
  // On the same thread.
  void stop();
  // In a child after fork: gives up what was inherited.
  void forget();

  // Whether a signal was raised by one of these, of any thread. Signal handlers may call it.
  static bool sentByAny(const siginfo_t& info);
  // Whether it was this one.
  bool sent(const siginfo_t& info) const;
  // The time that the thread has run since the previous sample, which this sample represents.
  // Chooses the next period. Only in the handler.
  uint64_t takePeriod();

 private:
  uint64_t choosePeriod();

  int fd_ = -1;
  void* page_ = nullptr;  // keeps the event alive if the program closes all descriptors
  uint64_t periodNs_ = 0;
  uint64_t random_ = 0;
};

}  // namespace parallax::speedup
