#include "tools/record_ended.h"

#include <errno.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>

#include "core/clock.h"

namespace parallax::record {
namespace {

// /proc tells the time since the start of the machine, in hundredths of a second. If the machine has slept since then, this is
// too early.
uint64_t monotonicMs(uint64_t startTicks) {
  const uint64_t ticksPerS = static_cast<uint64_t>(sysconf(_SC_CLK_TCK));
  const uint64_t monotonicNs = readClockNs(CLOCK_MONOTONIC);
  const uint64_t asleepMs = (readClockNs(CLOCK_BOOTTIME) - monotonicNs) / 1'000'000 + 1;
  const uint64_t beginMs = startTicks * 1000 / ticksPerS;
  return beginMs > asleepMs ? beginMs - asleepMs : 0;
}

}  // namespace

uint64_t beginMsOf(uint32_t pid) {
  if (kill(static_cast<pid_t>(pid), 0) != 0 && errno == ESRCH) return kHasEnded;
  char path[32], text[512] = "";
  snprintf(path, sizeof path, "/proc/%u/stat", pid);
  FILE* file = fopen(path, "re");
  if (file == nullptr) return 0;
  const size_t got = fread(text, 1, sizeof text - 1, file);
  fclose(file);
  text[got] = '\0';
  const char* name = strrchr(text, ')');  // which may have any characters
  char state = ' ';
  long threads = 0;
  unsigned long long startTicks = 0;
  constexpr char kFields[] = ") %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %ld %*d %llu";
  if (name == nullptr || sscanf(name, kFields, &state, &threads, &startTicks) != 3) return 0;
  return (state == 'Z' || state == 'X') && threads <= 1 ? kHasEnded : monotonicMs(startTicks);
}

}  // namespace parallax::record
