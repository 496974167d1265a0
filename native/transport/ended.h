// Whether processes and threads have ended, also if others have got their numbers.
#pragma once

#include <cstdint>

namespace parallax {

inline constexpr uint64_t kHasEnded = ~uint64_t{0};

// When a process, or a thread, of this number began: in ms of CLOCK_MONOTONIC, and not later than it did. kHasEnded if there is
// none, also if nobody has waited for it; 0 if that is not known. The first thread of a process can end before the others.
// Signal handlers may call it.
uint64_t beginMsOf(uint32_t id);

// Whether that is another one than the one that had the number then, which has ended. 0: the time is not known.
inline bool isAnother(uint64_t beginMs, uint64_t sinceMs) {
  return beginMs == kHasEnded || (sinceMs != 0 && beginMs > sinceMs);
}

inline bool hasEnded(uint32_t id, uint64_t sinceMs) { return isAnother(beginMsOf(id), sinceMs); }

}  // namespace parallax
