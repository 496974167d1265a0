// Deadlines of timed waits.
#pragma once

#include <time.h>

namespace parallax {

// Whether libc takes deadlines of this clock. It refuses others before it looks at the lock.
inline bool isDeadlineClock(clockid_t clock) {
  return clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC;
}

// Whether libc takes it. It refuses wrong ones also where it need not wait, so a lock must not be
// tried before it has seen them.
inline bool isDeadline(const timespec* deadline, clockid_t clock = CLOCK_REALTIME) {
  constexpr long kSecondNs = 1000000000;
  return deadline != nullptr && deadline->tv_nsec >= 0 && deadline->tv_nsec < kSecondNs &&
         isDeadlineClock(clock);
}

}  // namespace parallax
