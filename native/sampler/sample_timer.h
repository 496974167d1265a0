// What makes a thread sample itself: one for each thread.
//
// Timer: a POSIX timer of the thread's CPU clock with one of libc's own signals. The kernel looks at it
// at its tick, which comes anyway: a sample costs a microsecond, and no rate is higher than the
// tick's. Perf: a task-clock event that raises SIGTRAP (`sigtrap`, Linux 5.13), for any rate. It
// has a high-resolution timer of its own, which costs 10 to 20 us a sample in virtual machines,
// and which every switch of the thread stops and starts: a thread that is switched more often
// than it is sampled goes on without it for a while. It samples the program's own code only. One
// that also sampled the kernel could raise its signal at the end of an execution, where it ends
// the new program. So the timer stays beside it, for what the tick finds in system calls.
//
// No system call of the program fails with EINTR, or is cut short, because of them: both look at
// the time that the thread runs, and raise the signal on the way back to the program, when the
// call is done.
#pragma once

#include <csignal>
#include <cstdint>

namespace parallax {

enum class SampleSource : uint8_t { kNone, kTimer, kPerf };

// The time between two ticks of the kernel.
uint64_t kernelTickNs();
// Whether this process may have them; each is tried.
bool canHaveTimer(int signal);
bool canHavePerf();

class SampleTimer {
 public:
  struct Choice {
    SampleSource source = SampleSource::kNone;
    int timerSignal = 0;  // 0: none can be had
    uint64_t periodNs = 0;
  };

  // For the calling thread. The first signal of a timer comes after a random part of the period,
  // so that the threads and ranks of a program do not sample in step. Returns 0, or -errno.
  int start(const Choice& choice);
  // No signal of it arrives after this, on the calling thread, which started it.
  void stop();
  // The same by another thread, which may come while the last signal is handled.
  void cancel();
  // Before any other: what a program before an execution, which was not seen, has left pending.
  static void discardInherited();
  // In a child after fork: gives up what was inherited.
  void forget();

  // Whether the signal may have been sent by a timer of these.
  static bool maySend(const siginfo_t& info);
  // Whether the signal was sent by this timer. Signal handlers may call it.
  bool sent(const siginfo_t& info) const;
  // Whether it calls for a sample of what the thread was doing.
  bool wants(const siginfo_t& info, uintptr_t pc) const;
  // After each sample, with how often the thread has been switched out so far: gives up perf for
  // a while, or takes it up again. In the handler, with its signals blocked.
  void sampled(uint64_t switches);

 private:
  int startTimer();
  int startPerf();
  void stopPerf();
  bool hasPerf() const { return perfPage_ != nullptr || perfFd_ >= 0; }
  void beginWindow(unsigned samples, uint64_t switches);

  Choice choice_;
  int timer_ = -1;
  void* perfPage_ = nullptr;  // keeps the event; programs may close all descriptors
  int perfFd_ = -1;           // where it cannot be mapped
  unsigned window_ = 0;       // samples left until the switches are judged
  unsigned windowSamples_ = 0;
  unsigned restSamples_ = 0;  // how long to do without perf
  uint64_t windowSwitches_ = 0;
};

}  // namespace parallax
