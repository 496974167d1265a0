// The clocks of the agent: ticks of events, CLOCK_MONOTONIC beside them.
#pragma once

#include <cstdint>

#include "base/sys.h"

namespace parallax {

struct ClockSettings {
  bool tsc = false;       // ticks are those of the TSC, else nanoseconds of CLOCK_MONOTONIC
  uint64_t tickHz = 1000000000;
  // Whether to use the instruction that reads the TSC: false if the program has forbidden it, even
  // if ticks are those of the TSC.
  bool readsTsc = false;
  // Whether a fence holds up the reading of the TSC as RDTSCP does, in less time.
  bool fenceOrdersTsc = false;
  // The program has forbidden the TSC, and thus the vdso, which uses it: clocks are read by system
  // calls.
  bool bySystemCall = false;
};
extern ClockSettings clockSettings;  // fixed before the first event, but for forbidTsc()

// From now on, no thread uses the TSC, because the calling thread is about to forbid it: ticks are
// computed from CLOCK_MONOTONIC. This is final.
void forbidTsc();
// Whether the TSC was already forbidden by another program before an exec.
bool tscIsForbidden();

// Whether the TSC counts at one rate on all processors and the kernel trusts it.
bool tscIsInvariant();
// Whether the processor lets no instruction begin before a load fence has ended.
bool fenceOrdersTsc();
// Both clocks at one moment: of several readings the one with the shortest distance between its
// two reads of ticks.
struct ClockPair {
  uint64_t ticks;
  uint64_t monotonicNs;
};
ClockPair readClockPair(int readings = 4);
// Sets clockSettings; measures for 5 ms where the rate is not known (0).
void startClock(uint64_t tickHz, bool knownInvariant = false, bool knownFence = false);
// Counts ticks against CLOCK_MONOTONIC for `durationNs`. `clockSettings.tsc` is set before.
uint64_t measureTickHz(uint64_t durationNs);

// CLOCK_MONOTONIC and CLOCK_REALTIME through the vdso. glibc's wrapper sets errno only for
// clocks that do not exist.
inline uint64_t readClockNs(clockid_t clock) {
  if (__builtin_expect(clockSettings.bySystemCall, false)) return sys::clockNs(clock);
  timespec now;
  clock_gettime(clock, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1000000000u + static_cast<uint64_t>(now.tv_nsec);
}

// Ticks where the TSC is not read, at a time of CLOCK_MONOTONIC.
extern ClockPair lastWithTsc;  // once the TSC is forbidden: both clocks at that moment
inline uint64_t ticksAt(uint64_t monotonicNs) {
  if (!clockSettings.tsc) return monotonicNs;
  const uint64_t past = monotonicNs - lastWithTsc.monotonicNs;
  return lastWithTsc.ticks +
         static_cast<uint64_t>(static_cast<unsigned __int128>(past) * clockSettings.tickHz /
                               1000000000u);
}
uint64_t readTicksWithoutTsc();

// For the start of an interval: earlier instructions of the program have at least begun.
inline uint64_t readTicks() {
  return __builtin_expect(clockSettings.readsTsc, true) ? __builtin_ia32_rdtsc() : readTicksWithoutTsc();
}

// For the end of a wait: the clock is read after all earlier loads. Otherwise the time of an
// acquisition could be earlier than that of the release, which another processor wrote before.
inline uint64_t readTicksAfter() {
  if (__builtin_expect(clockSettings.readsTsc, true)) {
    if (clockSettings.fenceOrdersTsc) {
      __builtin_ia32_lfence();
      return __builtin_ia32_rdtsc();
    }
    unsigned processor;
    return __builtin_ia32_rdtscp(&processor);
  }
  return readTicksWithoutTsc();
}

inline uint64_t ticksToNs(uint64_t ticks) {
  if (!clockSettings.tsc) return ticks;
  return static_cast<uint64_t>(static_cast<unsigned __int128>(ticks) * 1000000000u /
                               clockSettings.tickHz);
}

}  // namespace parallax
