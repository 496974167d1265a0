// Whether a thread was runnable while it had no processor: it was preempted.
#pragma once

#include <cstdint>

namespace parallax {

// An account of the losses of one thread. The kernel counts its context switches (getrusage, 0.3 us): a thread that gave
// up its processor was blocked, one that did not was preempted. The time for which it waited for a processor is known to
// the kernel too, but only from a file (schedstat of /proc). The agent opens no file for it: while it is open, its number
// is missing to the program, whose other threads may choose numbers themselves.
//
// Zeroed memory is the account of a thread that has just been created. take() is for the thread itself, and may be used
// in signal handlers.
class RunnableTime {
 public:
  // For a thread that has run before.
  void begin() { readSwitches(&switches_); }

  void lost(uint64_t ns) { untoldNs_ += ns; }

  // How much of the losses since the last take() it was runnable, or format::kRunnableUnknown if it both gave up its
  // processor and was preempted. `isAll`: of what the thread has lost so far, nothing will be added as a loss later.
  uint64_t take(bool isAll);

  // What the kernel tells of the calling thread since it was created; false if it tells nothing.
  struct Switches {
    uint64_t voluntary, involuntary;
  };
  static bool readSwitches(Switches* switches);

 private:
  uint64_t untoldNs_;
  Switches switches_;  // at the last reading
};

}  // namespace parallax
