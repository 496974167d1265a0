// What the agent's core takes for its own work, measured in a process that holds its layers and records
// itself. parallax-calibrate writes the figures into each trace, and benchmarks print them.
#pragma once

#include <time.h>

#include <cstdint>

#include "core/agent.h"

namespace parallax::costs {

inline double nowNs() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
}

// Nanoseconds of one call of f: the mean of all calls, with whatever some of them do now and then.
template <class F>
double meanNs(uint64_t calls, F f) {
  const double begin = nowNs();
  for (uint64_t i = 0; i < calls; i++) f();
  return (nowNs() - begin) / static_cast<double>(calls);
}

// The same, the least of several rounds: whatever disturbs makes it slower.
template <class F>
double leastNs(uint64_t calls, F f) {
  // Short rounds: some of them pass undisturbed also on a busy machine.
  constexpr int kRounds = 100;
  calls = calls / kRounds + 1;
  double least = 1e18;
  for (int round = 0; round < kRounds; round++) {
    const double mean = meanNs(calls, f);
    if (mean < least) least = mean;
  }
  return least;
}

// A thread without a sampler has no call paths but that of the routine itself.
class WithoutPaths {
 public:
  explicit WithoutPaths(Thread* thread) : data_(samplerData(thread)), sampler_(data_) {
    data_ = nullptr;
  }
  ~WithoutPaths() { data_ = sampler_; }
  WithoutPaths(const WithoutPaths&) = delete;
  WithoutPaths& operator=(const WithoutPaths&) = delete;

 private:
  void*& data_;
  void* sampler_;
};

// Nanoseconds each.
struct EventCosts {
  double pair;       // Enter and Leave, without call path
  double pathPair;   // the same with the call path, from the same place again and again
  double frame;      // further, for each frame of a call path that the call before had not
  double payload;    // an event inside of a routine, with two payload slots
  double instant;    // an event without a routine, with a payload slot
  double counted;    // a routine that is only counted
  double cpuRead;    // CPU time and context switches, read by system calls
};

// On a thread that is recorded.
EventCosts measureEvents(Thread* thread, uint64_t calls);

// A new block of an event file: what the events of a block cost above the same number of single ones, the median of
// several groups of blocks.
double measureBlockNs(Thread* thread);

// What the first call after a context switch costs above `warmNs` if others have used the processor's own cache meanwhile. 0 if
// there is no memory to fill it with.
double measureRefillNs(Thread* thread, double warmNs);

// A sample by the timer of the calling thread; 0 if it has none.
double measureTimerSampleNs(Thread* thread);
// What a sample adds to a computation, however it comes. Waits for so many of them, but not longer than `spanNs` of CPU time; 0 if
// there are none.
double measureRealSampleNs(Thread* thread, size_t samples, double spanNs);

}  // namespace parallax::costs
