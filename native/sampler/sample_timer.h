// The timer that interrupts a thread for samples. Each thread has its own.
//
// Timer: a POSIX timer of the thread's CPU clock with one of libc's own signals. The kernel checks
// it at its tick, which occurs anyway, so a sample costs only a microsecond, but the rate cannot
// exceed that of the tick. Perf: a task-clock event that raises SIGTRAP (`sigtrap`, Linux 5.13),
// for any rate. It uses a high-resolution timer, which costs 10 to 20 us per sample in virtual
// machines and is stopped and started at each context switch. A thread that is switched more often
// than it is sampled therefore does without perf for a while. The perf event samples only the
// program's own code: an event that also samples the kernel could raise its signal at the end of an
// exec, where it would kill the new program. So the timer runs in addition, for the time in system
// calls.
//
// Neither makes a system call of the program fail with EINTR or return early. Both measure the time
// that the thread runs, and raise the signal on the return to the program, when the system call is
// complete.
#pragma once

#include <csignal>
#include <cstdint>

namespace parallax {

enum class SampleSource : uint8_t { kNone, kTimer, kPerf };

// The time between two ticks of the kernel.
uint64_t kernelTickNs();
// Whether this process may use them; both are tested.
bool canHaveTimer(int signal);
bool canHavePerf();

class SampleTimer {
 public:
  struct Choice {
    SampleSource source = SampleSource::kNone;
    int timerSignal = 0;  // 0: none can be had
    uint64_t periodNs = 0;
  };

  // Starts sampling the calling thread. The first signal of a timer comes after a random part of
  // the period, so that the threads and ranks of a program are not sampled in step. Returns 0, or
  // -errno.
  int start(const Choice& choice);
  // Called on the thread that started it. No signal of this timer arrives after the return.
  void stop();
  // The same, called by another thread. The last signal can still be in its handler.
  void cancel();
  // Called before all others: discards signals that a program before an exec, which the agent did
  // not see, has left pending.
  static void discardInherited();
  // In a child after fork: releases the inherited timer.
  void forget();

  // Whether the signal may have been sent by a timer of these.
  static bool maySend(const siginfo_t& info);
  // Whether the signal was sent by this timer. Signal handlers may call it.
  bool sent(const siginfo_t& info) const;
  // Whether the signal requires a sample.
  bool wants(const siginfo_t& info, uintptr_t pc) const;
  // The signal as the kernel's timer sends it. Its number is 0 if there is no timer.
  siginfo_t timerSignal() const;
  // Called after each sample with the number of context switches of the thread so far: stops perf
  // for a while, or starts it again. Called in the handler, with its signals blocked.
  void sampled(uint64_t switches);

 private:
  int startTimer();
  int startPerf();
  void stopPerf();
  bool hasPerf() const { return perfPage_ != nullptr || perfFd_ >= 0; }
  void beginWindow(unsigned samples, uint64_t switches);

  Choice choice_;
  int timer_ = -1;
  void* perfPage_ = nullptr;  // keeps the event alive if the program closes all descriptors
  int perfFd_ = -1;           // where it cannot be mapped
  unsigned window_ = 0;       // samples left until the switches are judged
  unsigned windowSamples_ = 0;
  unsigned restSamples_ = 0;  // how long to do without perf
  uint64_t windowSwitches_ = 0;
};

}  // namespace parallax
