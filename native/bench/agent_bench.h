// Benchmarks of the agent: one program that runs itself again under parallax-record for what
// needs interposition.
#pragma once

#include <cstdint>

namespace parallax::bench {

// Nanoseconds of one call of f, the least of several rounds: whatever disturbs makes it slower.
template <class F>
double leastNs(uint64_t calls, F f);

// Prints the cost of clocks and of events written by the core itself into a scratch trace.
int benchEvents(uint64_t calls);

}  // namespace parallax::bench

#include <time.h>

namespace parallax::bench {

template <class F>
double leastNs(uint64_t calls, F f) {
  // Short rounds: some of them pass undisturbed also on a busy machine.
  constexpr int kRounds = 100;
  calls = calls / kRounds + 1;
  double least = 1e18;
  for (int round = 0; round < kRounds; round++) {
    timespec begin, end;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    for (uint64_t i = 0; i < calls; i++) f();
    clock_gettime(CLOCK_MONOTONIC, &end);
    const double ns = static_cast<double>(end.tv_sec - begin.tv_sec) * 1e9 +
                      static_cast<double>(end.tv_nsec - begin.tv_nsec);
    if (ns / static_cast<double>(calls) < least) least = ns / static_cast<double>(calls);
  }
  return least;
}

}  // namespace parallax::bench
