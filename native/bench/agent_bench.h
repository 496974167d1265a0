// Benchmarks of the agent: one program that runs itself again under parallax-record for what
// needs interposition.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace parallax::bench {

// Nanoseconds of one call of f, the least of several rounds: whatever disturbs makes it slower.
template <class F>
double leastNs(uint64_t calls, F f);

// The mean of all calls, with whatever some of them do now and then.
template <class F>
double meanNs(uint64_t calls, F f);

// Prints the cost of clocks and of events written by the core itself into a scratch trace.
int benchEvents(uint64_t calls);
// Does nothing but what its compiler adds.
void hookedFunction();
// Prints what an Enter and a Leave cost with and without their call path, as lines NAME NUMBER.
int benchPairs(uint64_t calls);

// Prints what samples cost. `run` runs this program again at a sample rate; benchWork() is what it
// does then, and writes its CPU time to a file.
using RunSampled = std::function<int(const char* hz, const std::vector<std::string>& arguments)>;
int benchSamples(uint64_t steps, int rounds, const std::string& result, const RunSampled& run);
int benchWork(uint64_t steps, const char* result);

}  // namespace parallax::bench

#include <time.h>

namespace parallax::bench {

inline double nowNs() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
}

template <class F>
double meanNs(uint64_t calls, F f) {
  const double begin = nowNs();
  for (uint64_t i = 0; i < calls; i++) f();
  return (nowNs() - begin) / static_cast<double>(calls);
}

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

}  // namespace parallax::bench
