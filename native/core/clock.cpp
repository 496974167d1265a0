#include "core/clock.h"

#include <cpuid.h>
#include <sys/prctl.h>

#include <cstring>

#include "core/agent.h"

namespace parallax {

ClockSettings clockSettings;
ClockPair lastWithTsc = {};

bool tscIsInvariant() {
  unsigned a, b, c, d;
  constexpr unsigned kInvariantTsc = 1u << 8;
  if (__get_cpuid(0x80000007, &a, &b, &c, &d) == 0 || (d & kInvariantTsc) == 0) return false;
  // A kernel that found the TSC to differ between processors has fallen back to one of these.
  char source[32] = {};
  const int fd = sys::openat(
      AT_FDCWD, "/sys/devices/system/clocksource/clocksource0/current_clocksource", O_RDONLY);
  if (fd < 0) return true;
  sys::read(fd, source, sizeof source - 1);
  sys::close(fd);
  return strncmp(source, "hpet", 4) != 0 && strncmp(source, "acpi_pm", 7) != 0 &&
         strncmp(source, "jiffies", 7) != 0;
}

// Of Intel, all; of AMD, those that say so. Others have an older fence, which orders loads alone.
bool fenceOrdersTsc() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (__get_cpuid(0, &a, &b, &c, &d) != 0 && b == signature_INTEL_ebx && d == signature_INTEL_edx &&
      c == signature_INTEL_ecx) {
    return true;
  }
  constexpr unsigned kFenceAlwaysSerializes = 1u << 2;
  return __get_cpuid(0x80000021, &a, &b, &c, &d) != 0 && (a & kFenceAlwaysSerializes) != 0;
}

ClockPair readClockPair(int readings) {
  ClockPair pair = {};
  uint64_t best = ~0ull;
  for (int i = 0; i < readings; i++) {
    const uint64_t before = readTicks();
    const uint64_t now = readClockNs(CLOCK_MONOTONIC);
    const uint64_t after = readTicks();
    if (after - before >= best) continue;
    best = after - before;
    pair.ticks = before + (after - before) / 2;
    pair.monotonicNs = now;
  }
  return pair;
}

uint64_t measureTickHz(uint64_t durationNs) {
  if (!clockSettings.tsc) return 1000000000;
  constexpr int kReadings = 16;
  const ClockPair first = readClockPair(kReadings);
  while (readClockNs(CLOCK_MONOTONIC) - first.monotonicNs < durationNs) {
    timespec pause{0, static_cast<long>(durationNs / 8 < 999999999 ? durationNs / 8 : 999999999)};
    sys::call(SYS_nanosleep, sys::word(&pause), 0);
  }
  const ClockPair last = readClockPair(kReadings);
  return static_cast<uint64_t>(static_cast<unsigned __int128>(last.ticks - first.ticks) *
                               1000000000u / (last.monotonicNs - first.monotonicNs));
}

uint64_t readTicksWithoutTsc() {
  return ticksAt(readClockNs(CLOCK_MONOTONIC));
}

bool tscIsForbidden() {
  int mode = PR_TSC_ENABLE;
  return sys::call(SYS_prctl, PR_GET_TSC, sys::word(&mode)) == 0 && mode == PR_TSC_SIGSEGV;
}

void forbidTsc() {
  if (clockSettings.bySystemCall) return;
  if (clockSettings.readsTsc) lastWithTsc = readClockPair();
  std::atomic_thread_fence(std::memory_order_release);
  clockSettings.bySystemCall = true;
  clockSettings.readsTsc = false;
}

void startClock(uint64_t tickHz, bool knownInvariant, bool knownFence) {
  constexpr uint64_t kMeasureNs = 5000000;
  if (tscIsForbidden()) clockSettings.bySystemCall = true;
  clockSettings.tsc = clockSettings.readsTsc =
      !clockSettings.bySystemCall && (knownInvariant || tscIsInvariant());
  clockSettings.fenceOrdersTsc = clockSettings.tsc && (knownFence || fenceOrdersTsc());
  clockSettings.tickHz = clockSettings.tsc && tickHz != 0 ? tickHz : measureTickHz(kMeasureNs);
}

uint64_t nowTicks() { return readTicks(); }
uint64_t monotonicNs() { return readClockNs(CLOCK_MONOTONIC); }

}  // namespace parallax
