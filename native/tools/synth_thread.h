// One simulated thread: its clock in nanoseconds of the run, its events, and the time that
// its procedures took.
#pragma once

#include <initializer_list>
#include <vector>

#include "tools/synth_program.h"

namespace parallax::synth {

inline constexpr uint64_t kSamplePeriodNs = 10'000'000;

// Both machines tick in whole ticks a nanosecond, so that no time is rounded.
struct MachineClock {
  uint64_t ticksPerNs;
  uint64_t startTicks;
  uint64_t startMonotonicNs;

  uint64_t ticks(uint64_t ns) const { return startTicks + ns * ticksPerNs; }
  uint64_t monotonicNs(uint64_t ns) const { return startMonotonicNs + ns; }
};

class SynthThread {
 public:
  SynthThread(const Program& program, const MachineClock& clock, const std::string& path,
              uint32_t thread, uint64_t startNs, uint64_t seed)
      : random(seed),
        nowNs(startNs),
        program_(program),
        clock_(clock),
        worker_(thread > 0),
        writer_(path, thread,
                {clock.ticks(startNs), clock.monotonicNs(startNs),
                 clock.ticksPerNs * 1'000'000'000}),
        nextSampleNs_(startNs + random.below(kSamplePeriodNs)),
        exclusiveNs_(program.pathCount()) {}

  Random random;
  uint64_t nowNs;

  uint32_t path(Routine routine) const { return program_.routinePath(routine, worker_); }

  void event(format::Kind kind, uint64_t operand = 0,
             std::initializer_list<uint64_t> payload = {}) {
    writer_.event(kind, operand, clock_.ticks(nowNs), payload);
  }

  // Runs outside routines for a time, sampled.
  void compute(uint64_t ns) {
    const uint64_t endNs = nowNs + ns;
    while (nextSampleNs_ <= endNs) {
      outsideNs_ += nextSampleNs_ - nowNs;
      nowNs = nextSampleNs_;
      sample();
      nextSampleNs_ += kSamplePeriodNs;
    }
    outsideNs_ += endNs - nowNs;
    nowNs = endNs;
  }

  void enter(Routine routine) { writer_.enter(path(routine), clock_.ticks(nowNs)); }

  // Leaves the routine entered at `sinceNs`. The timer is silent within routines.
  void leave(Routine routine, uint64_t sinceNs) {
    writer_.leave(path(routine), clock_.ticks(nowNs));
    exclusiveNs_[path(routine)] += nowNs - sinceNs;
    if (nextSampleNs_ <= nowNs) {
      nextSampleNs_ += ((nowNs - nextSampleNs_) / kSamplePeriodNs + 1) * kSamplePeriodNs;
    }
  }

  void call(Routine routine, uint64_t ns) {
    enter(routine);
    const uint64_t sinceNs = nowNs;
    nowNs += ns;
    leave(routine, sinceNs);
  }

  // Waits within a routine until `untilNs`, spinning at first, then without a processor.
  void waitUntil(uint64_t untilNs) {
    constexpr uint64_t kSpinNs = 50'000;
    if (untilNs <= nowNs) return;
    const uint64_t waitedNs = untilNs - nowNs;
    nowNs = untilNs;
    if (waitedNs > kSpinNs) writer_.cpu(clock_.ticks(nowNs), waitedNs - kSpinNs);
  }

  void close() { writer_.close(); }

  uint64_t eventCount() const { return writer_.eventCount(); }
  uint64_t sampleCount() const { return sampleCount_; }
  uint64_t outsideNs() const { return outsideNs_; }
  const std::vector<uint64_t>& exclusiveNs() const { return exclusiveNs_; }
  const std::string& error() const { return writer_.error(); }

 private:
  void sample() {
    const std::vector<uint32_t>& paths = program_.samplePaths(worker_);
    // The product of two uniform numbers prefers the first paths.
    const uint64_t index = random.below(random.below(paths.size()) + 1);
    event(format::Kind::kSample, paths[index]);
    exclusiveNs_[paths[index]] += outsideNs_;
    outsideNs_ = 0;
    sampleCount_++;
  }

  const Program& program_;
  MachineClock clock_;
  bool worker_;
  format::EventWriter writer_;
  uint64_t nextSampleNs_;
  uint64_t outsideNs_ = 0;  // since the last sample
  uint64_t sampleCount_ = 0;
  std::vector<uint64_t> exclusiveNs_;  // by call path
};

}  // namespace parallax::synth
