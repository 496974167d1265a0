// Whether a thread was runnable while it had no processor: it was preempted.
#pragma once

#include <cstdint>

namespace parallax {

// An account of the losses of one thread. The kernel counts its context switches (getrusage, 0.3 us): a thread that gave
// up its processor was blocked, one that did not was preempted. If it did both, the time for which it waited for a
// processor tells the parts. The kernel has that only in a file (schedstat of /proc), which takes 4 us to open and read,
// and whose descriptor is missing to the program meanwhile. So it is read for losses of 10 ms, and for shorter ones that
// are long beside this only by threads that lately did both.
//
// Zeroed memory is the account of a thread that has just been created. take() is for the thread itself, and may be used
// in signal handlers.
class RunnableTime {
 public:
  // For a thread that has run before.
  void begin();

  void lost(uint64_t ns) { untoldNs_ += ns; }

  // How much of the losses since the last take() it was runnable, or format::kRunnableUnknown if it both gave up its
  // processor and was preempted, and the parts are not known to an eighth of the whole. `isAll`: of what the thread has
  // lost so far, nothing will be added as a loss later.
  uint64_t take(bool isAll);

  // What the kernel tells of the calling thread since it was created; false if it tells nothing.
  struct Switches {
    uint64_t voluntary, involuntary;
  };
  static bool readSwitches(Switches* switches);
  // For how long it waited for a processor.
  static bool readDelayNs(uint64_t* ns);

 private:
  uint64_t split(uint64_t untoldNs);
  void skip(uint64_t ns);

  uint64_t untoldNs_;
  Switches switches_;  // at the last reading
  uint64_t delayNs_;   // at the last reading, and what it has lost since then by preemptions only
  // What else it has lost since then. It waited for a processor in none, some or all of it.
  uint64_t skippedNs_;
  unsigned readings_;  // that are still of use
};

}  // namespace parallax
