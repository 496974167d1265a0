// The clocks of the agent: ticks of events, CLOCK_MONOTONIC beside them.
#pragma once

#include <x86intrin.h>

#include <cstdint>

#include "agent/sys.h"

namespace parallax {

struct ClockSettings {
  bool tsc = false;       // ticks are those of the TSC, else nanoseconds of CLOCK_MONOTONIC
  uint64_t tickHz = 1000000000;
};
extern ClockSettings clockSettings;  // fixed before the first event

// Whether the TSC counts at one rate on all processors and the kernel trusts it.
bool tscIsInvariant();
// Both clocks at one moment: of several readings the one with the shortest distance between its
// two reads of ticks.
struct ClockPair {
  uint64_t ticks;
  uint64_t monotonicNs;
};
ClockPair readClockPair(int readings = 4);
// Sets clockSettings; measures for 5 ms where the rate is not known (0).
void startClock(uint64_t tickHz, bool knownInvariant = false);
// Counts ticks against CLOCK_MONOTONIC for `durationNs`. `clockSettings.tsc` is set before.
uint64_t measureTickHz(uint64_t durationNs);

// CLOCK_MONOTONIC and CLOCK_REALTIME through the vdso. glibc's wrapper sets errno only for
// clocks that do not exist.
inline uint64_t readClockNs(clockid_t clock) {
  timespec now;
  clock_gettime(clock, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1000000000u + static_cast<uint64_t>(now.tv_nsec);
}

// For the beginning of an interval: what stands before it in the program has at least begun.
inline uint64_t readTicks() {
  return __builtin_expect(clockSettings.tsc, true) ? __rdtsc() : readClockNs(CLOCK_MONOTONIC);
}

// For the end of a wait: read after the loads before it, so that the time of an acquisition is
// not earlier than that of the release that another processor wrote before.
inline uint64_t readTicksAfter() {
  if (__builtin_expect(clockSettings.tsc, true)) {
    unsigned processor;
    return __rdtscp(&processor);
  }
  return readClockNs(CLOCK_MONOTONIC);
}

inline uint64_t ticksToNs(uint64_t ticks) {
  if (!clockSettings.tsc) return ticks;
  return static_cast<uint64_t>(static_cast<unsigned __int128>(ticks) * 1000000000u /
                               clockSettings.tickHz);
}

}  // namespace parallax
