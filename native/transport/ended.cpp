#include "transport/ended.h"

#include <errno.h>
#include <time.h>

#include <cstring>

#include "base/sys.h"
#include "base/text.h"

namespace parallax {
namespace {

constexpr uint64_t kTicksPerS = 100;  // of /proc, on this processor always
constexpr int kState = 3, kThreads = 20, kStartTicks = 22;  // numbers of fields, see proc(5)

// /proc tells the time since the start of the machine. If the machine has slept since then, this is too early.
uint64_t monotonicMs(uint64_t startTicks) {
  const uint64_t monotonicNs = sys::clockNs(CLOCK_MONOTONIC);
  const uint64_t asleepMs = (sys::clockNs(CLOCK_BOOTTIME) - monotonicNs) / 1'000'000 + 1;
  const uint64_t beginMs = startTicks * 1000 / kTicksPerS;
  return beginMs > asleepMs ? beginMs - asleepMs : 0;
}

// The field of this number, of which the text begins with the state; 0 where it is missing.
uint64_t numberOf(const char* state, int field) {
  for (int i = kState; i < field; i++) {
    state = strchr(state, ' ');
    if (state == nullptr) return 0;
    state++;
  }
  uint64_t number = 0;
  for (; *state >= '0' && *state <= '9'; state++) number = number * 10 + static_cast<uint64_t>(*state - '0');
  return number;
}

}  // namespace

uint64_t beginMsOf(uint32_t id) {
  if (sys::call(SYS_kill, static_cast<int>(id), 0) == -ESRCH) return kHasEnded;
  char path[32], text[512];
  size_t end = appendText(path, 0, sizeof path, "/proc/");
  end = appendNumber(path, end, sizeof path, id);
  path[appendText(path, end, sizeof path - 1, "/stat")] = '\0';
  const int fd = sys::openat(AT_FDCWD, path, O_RDONLY);
  if (fd < 0) return 0;
  const long got = sys::read(fd, text, sizeof text - 1);
  sys::close(fd);
  if (got <= 0) return 0;
  text[got] = '\0';
  const char* name = strrchr(text, ')');  // which may have any characters
  if (name == nullptr || name[1] == '\0' || name[2] == '\0') return 0;
  const char* state = name + 2;
  if ((*state == 'Z' || *state == 'X') && numberOf(state, kThreads) <= 1) return kHasEnded;
  const uint64_t startTicks = numberOf(state, kStartTicks);
  return startTicks == 0 ? 0 : monotonicMs(startTicks);
}

}  // namespace parallax
