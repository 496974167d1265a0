// Preloaded into a program, it shifts the clocks of its host on purpose: the time of day by SHIFT_REALTIME_NS, the
// monotonic clock by SHIFT_MONOTONIC_NS.
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static long long shiftOf(const char* variable) {
  const char* text = getenv(variable);
  return text != NULL ? atoll(text) : 0;
}

int clock_gettime(clockid_t clock, struct timespec* now) {
  const int result = (int)syscall(SYS_clock_gettime, clock, now);
  if (result != 0 || (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC)) return result;
  const long long ns = now->tv_sec * 1000000000LL + now->tv_nsec +
                       shiftOf(clock == CLOCK_REALTIME ? "SHIFT_REALTIME_NS" : "SHIFT_MONOTONIC_NS");
  now->tv_sec = ns / 1000000000LL;
  now->tv_nsec = ns % 1000000000LL;
  return 0;
}
