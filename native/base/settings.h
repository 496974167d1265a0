// How this process is to be measured or perturbed, as parallax-record tells it in the environment.
#pragma once

#include <cstdint>
#include <string_view>

namespace parallax {

// The variables, kTrace for PARALLAX_TRACE.
enum class Setting {
  kTrace, kAdapters, kCount, kFlat, kFull, kFilter, kThrottle, kTickHz, kSampleHz, kSampleClock,
  kCpuClock, kMachine, kMarkers, kVisits, kPerturb, kTune, kKeepFree, kMaxSize, kTransport, kRings, kControl, kMaxProcessSize, kMaxRate,
  kKeepLast, kClockOffsets,
  kLog, kDistrust, kEnd
};

// Copies all of them from the environment, which the program may change later, from any thread;
// when the process is first prepared.
void copySettings();
// In a program that ran already: from then on they are these, "NAME=VALUE" with a NUL each and another one at the end, and
// not those of the environment. What was copied before is replaced.
void giveSettings(const char* variables);
// The copy, which stays as it is and ends with a NUL; empty when there is none. Copies them when
// nobody has, as in what runs before constructors. Signal handlers may call it.
std::string_view setting(Setting which);
// The same as a decimal number; `otherwise` where there is none.
uint64_t settingNumber(Setting which, uint64_t otherwise);

}  // namespace parallax
