// What a thread has had of the processor: its CPU clock beside the wall time, and the kernel's counters.
#include <sys/resource.h>

#include <cstring>

#include "core/thread.h"

namespace parallax {
namespace {

constexpr int64_t kNoiseNs = 2000;  // smaller differences of CPU and wall time say nothing

// The CPU clock of any thread of this process (linux/posix-timers.h).
int cpuClockOf(uint32_t tid) {
  constexpr uint32_t kOfThread = 4, kScheduled = 2;
  return static_cast<int>(~tid << 3 | kOfThread | kScheduled);
}

}  // namespace

// Again when a signal or another thread came between them.
ClockReading readClocks(int cpuClock) {
  constexpr uint64_t kTogetherNs = 2000;
  constexpr int kTries = 4;
  ClockReading clocks = {};
  uint64_t before = readClockNs(CLOCK_MONOTONIC_RAW);
  for (int i = 0; i < kTries; i++) {
    clocks.cpuNs = sys::clockNs(cpuClock);
    clocks.rawNs = readClockNs(CLOCK_MONOTONIC_RAW);
    if (clocks.rawNs - before < kTogetherNs) break;
    before = clocks.rawNs;
  }
  return clocks;
}

void Thread::checkCpuBefore(uint64_t ticks) {
  if (__builtin_expect(mayBePaused(), false) && isPausedAt(ticks)) return;
  const ClockReading clocks = readClocks(cpuClockOf(tid_));
  if (clocks.cpuNs == 0) return;
  const uint64_t sinceNs = ticksToNs(readTicks() - ticks);
  const auto lostNs =
      static_cast<int64_t>((clocks.rawNs - cpuRawNs_) - (clocks.cpuNs - cpuNs_));
  if (lostNs < static_cast<int64_t>(sinceNs)) return;
  // It has had no CPU time since then.
  writeCpu(clocks.cpuNs, clocks.rawNs - sinceNs, ticks, ticks, false, false);
}

void Thread::writeCpuOfWaiting(uint64_t& ticks) {
  if (__builtin_expect(mayBePaused(), false) && isPausedAt(ticks)) return;
  const ClockReading clocks = readClocks(cpuClockOf(tid_));
  if (clocks.cpuNs == 0) return;
  writeCpu(clocks.cpuNs, clocks.rawNs, now(), ticks, false, true);
}

// Where the clock cannot be read CPU time runs with the wall time, as it does between two Cpu events.
uint64_t Thread::cpuNsNow() const {
  const ClockReading clocks = readClocks();
  return clocks.cpuNs != 0 ? clocks.cpuNs : cpuNs_ + (clocks.rawNs - cpuRawNs_);
}

ClockReading Thread::readOwnClocks() const {
  return local.thread == this ? readClocks() : readClocks(cpuClockOf(tid_));
}

// What it has lost of the time since the last Cpu event.
uint64_t Thread::lostCpuNs() const {
  const ClockReading clocks = readClocks();
  if (clocks.cpuNs == 0) return 0;
  const auto lostNs = static_cast<int64_t>((clocks.rawNs - cpuRawNs_) - (clocks.cpuNs - cpuNs_));
  return lostNs > 0 ? static_cast<uint64_t>(lostNs) : 0;
}

void Thread::measureCpu(uint64_t& ticks, bool always) {
  if (__builtin_expect(mayBePaused(), false)) {
    const bool isPaused = isPausedAt(always ? ticks : now());
    if (ticks < eventTicks_) ticks = eventTicks_;  // of the switch
    if (isPaused) {
      cpuIsDue_ = true;
      return;
    }
  }
  if (polls()) endPolling(ticks, true);
  const ClockReading clocks = readClocks();
  if (clocks.cpuNs == 0) return;
  const uint64_t measured = now();
  if (!begun_) ensureBegun();
  writeCpu(clocks.cpuNs, clocks.rawNs, measured, ticks, true, always);
}

void Thread::writeCpu(uint64_t cpuNs, uint64_t rawNs, uint64_t measured, uint64_t& ticks, bool asks, bool always) {
  const auto lostNs = static_cast<int64_t>((rawNs - cpuRawNs_) - (cpuNs - cpuNs_));
  // What is too little to be told, or below 0 because something came between two clocks, stays
  // in the account: the losses that are told add up to what the clocks show.
  if (lostNs < kNoiseNs && !always) return;
  // An event that was written after the loss without having seen it leaves no room for all of it:
  // the rest is told later.
  const int64_t roomNs =
      measured > eventTicks_ ? static_cast<int64_t>(ticksToNs(measured - eventTicks_)) : 0;
  const int64_t toldNs = lostNs < 0 ? 0 : lostNs < roomNs ? lostNs : roomNs;
  cpuNs_ = cpuNs;
  cpuRawNs_ = rawNs - static_cast<uint64_t>(lostNs - toldNs);
  ticks = measured;
  runnable_.lost(static_cast<uint64_t>(toldNs));
  uint64_t payload[] = {cpuNs, static_cast<uint64_t>(toldNs), 0};
  size_t count = 2;
  if (asks) payload[count++] = runnable_.take(lostNs <= toldNs);
  emit(Kind::kCpu, 0, ticks, payload, count);
}

uint64_t Thread::emitCounters(uint64_t ticks) {
  rusage usage{};
  if (sys::call(SYS_getrusage, RUSAGE_THREAD, sys::word(&usage)) != 0) return counters_[0] + counters_[1];
  const uint64_t now[] = {static_cast<uint64_t>(usage.ru_nvcsw),
                          static_cast<uint64_t>(usage.ru_nivcsw),
                          static_cast<uint64_t>(usage.ru_minflt),
                          static_cast<uint64_t>(usage.ru_majflt)};
  static_assert(sizeof now == sizeof counters_);
  if (memcmp(now, counters_, sizeof now) != 0) {
    memcpy(counters_, now, sizeof now);
    emit(Kind::kThreadCounters, 0, ticks, now, 4);
  }
  return now[0] + now[1];
}

}  // namespace parallax
