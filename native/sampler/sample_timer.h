// What makes a thread sample itself: one for each thread.
//
// No system call of the program fails with EINTR because of it: the kernel (5.10 and later)
// raises the signal of a CPU clock's timer on the way back to the program, when the call is
// done, and that of the task-clock event only while the program's own code runs.
#pragma once

#include <csignal>
#include <cstdint>

namespace parallax {

enum class SampleSource : uint8_t { kTimer, kPerf };

// The kernel looks at timers of CPU clocks at its tick only, so they cannot be faster.
SampleSource sourceFor(uint32_t sampleHz);

class SampleTimer {
 public:
  // For the calling thread. The first signal comes after a random part of the period, so that
  // the threads and ranks of a program do not sample in step. Returns 0, or -errno.
  int start(SampleSource source, int signal, uint64_t periodNs);
  // No signal of it arrives after this, on the calling thread, which started it.
  void stop();
  // In a child after fork: gives up what was inherited.
  void forget();

  // Whether the signal was sent by this timer. Signal handlers may call it.
  bool sent(const siginfo_t& info) const;
  // In the handler of each: lets further ones come.
  void received();

 private:
  int startTimer(int signal, uint64_t periodNs);
  int startPerf(int signal, uint64_t periodNs);

  int allow(unsigned signals);

  int timer_ = -1;
  int perfFd_ = -1;
  unsigned received_ = 0;
  int signal_ = 0;
};

}  // namespace parallax
