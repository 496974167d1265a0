#include <cpuid.h>

#include "core/clock.h"
#include "perturb/delay.h"

// delay_stub.cpp
extern "C" void parallaxCalibrationPoint(const parallax::perturb::DelayPoint* point)
    __attribute__((visibility("hidden")));

namespace parallax::perturb {
namespace {

constexpr int kPoints = 64, kBatches = 24;

// What one of these points takes, in 1/64 ticks: the least of several batches, which nothing has
// disturbed.
uint64_t ticksOf64(const DelayPoint* points) {
  uint64_t least = ~uint64_t{0};
  for (int batch = 0; batch < kBatches; batch++) {
    const uint64_t start = readTicks();
    for (int i = 0; i < kPoints; i++) parallaxCalibrationPoint(points + i);
    const uint64_t ticks = readTicks() - start;
    if (ticks < least) least = ticks;
  }
  return least;
}

uint64_t ticksFor(uint64_t ns) {
  return static_cast<uint64_t>(static_cast<unsigned __int128>(ns) * clockSettings.tickHz /
                               1000000000u);
}

// Never less than nothing: a disturbance in all batches.
uint64_t excess(uint64_t whole, uint64_t part) { return whole > part ? whole - part : 0; }

}  // namespace

bool hasXsave() {
  unsigned a, b, c, d;
  return __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & bit_OSXSAVE) != 0;
}

void calibrate() {
  const ThreadCells former = threadCells;
  Cell cell{};
  threadCells = {&cell, forkGeneration(), 0, false, false, false};
  calibration = {};
  calibration.canKeepState = hasXsave();
  calibration.nsPerTick32 =
      static_cast<uint64_t>((static_cast<unsigned __int128>(1000000000u) << 32) /
                            clockSettings.tickHz);
  auto* points = static_cast<DelayPoint*>(allocate(kPoints * sizeof(DelayPoint)));
  if (points == nullptr) {
    threadCells = former;
    return;
  }
  const uint64_t none = ticksOf64(points);

  constexpr uint64_t kFewRounds = 100, kMoreRounds = 500;
  const auto ticksOfRounds = [&](uint64_t rounds) {
    for (int i = 0; i < kPoints; i++) {
      points[i].action = Action::kDelay;
      points[i].delay = DelayKind::kWork;
      points[i].rounds = rounds;
    }
    return ticksOf64(points);
  };
  const uint64_t few = ticksOfRounds(kFewRounds), many = ticksOfRounds(kFewRounds + kMoreRounds);
  const uint64_t roundsTicks = excess(many, few) + 1;  // of kPoints * kMoreRounds rounds
  calibration.roundsPerTick20 = (kPoints * kMoreRounds << 20) / roundsTicks;
  calibration.workTicks = excess(few, none + roundsTicks * kFewRounds / kMoreRounds) / kPoints;

  calibration.clockTicks = ~uint64_t{0};
  for (int batch = 0; batch < kBatches; batch++) {
    const uint64_t start = readTicks();
    for (int i = 0; i < kPoints; i++) readTicks();
    const uint64_t ticks = (readTicks() - start) / kPoints;
    if (ticks < calibration.clockTicks) calibration.clockTicks = ticks;
  }
  // The clock is read again and again; where in this rhythm a delay ends depends on its length.
  const uint64_t stepTicks = ticksFor(200) / kPoints + 1;
  uint64_t asked = 0;
  for (int i = 0; i < kPoints; i++) {
    points[i].delay = DelayKind::kTime;
    points[i].ticks = ticksFor(200) + static_cast<uint64_t>(i) * stepTicks;
    asked += points[i].ticks;
  }
  calibration.timeTicks = excess(ticksOf64(points), none + asked) / kPoints;
  threadCells = former;
}

DelayPoint pointOf(uint32_t id, const Treatment& level) {
  DelayPoint point{};
  point.id = id;
  point.action = level.action;
  point.delay = level.delay;
  point.amount = level.amount;
  if (level.action != Action::kDelay) return point;
  if (level.amount == 0) point.action = Action::kNone;
  const uint64_t ticks = ticksFor(level.amount);
  point.ticks = excess(ticks, calibration.timeTicks);
  point.rounds = static_cast<uint64_t>(
      static_cast<unsigned __int128>(excess(ticks, calibration.workTicks)) *
          calibration.roundsPerTick20 >> 20);
  return point;
}

}  // namespace parallax::perturb
