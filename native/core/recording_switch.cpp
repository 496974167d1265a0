#include "core/recording_switch.h"

#include <algorithm>

#include "base/settings.h"
#include "core/agent.h"
#include "core/clock.h"
#include "core/process.h"

namespace parallax {
namespace {

SwitchLog neverSwitched;

// A time of CLOCK_MONOTONIC in ticks: between the start of the process and now both clocks are known.
uint64_t ticksOfChange(uint64_t ns) {
  constexpr uint64_t kLongNs = 100000000;  // a shorter time tells less than the frequency does
  const ClockPair now = readClockPair();
  const ClockPair start = process.startClocks();
  const bool isLong = now.monotonicNs > start.monotonicNs + kLongNs && now.ticks > start.ticks;
  const double hz = isLong ? static_cast<double>(now.ticks - start.ticks) * 1e9 /
                                 static_cast<double>(now.monotonicNs - start.monotonicNs)
                           : static_cast<double>(clockSettings.tickHz);
  if (ns >= now.monotonicNs) {  // the end of a pause of the rate
    return now.ticks + static_cast<uint64_t>(static_cast<double>(ns - now.monotonicNs) * hz / 1e9);
  }
  const auto ago = static_cast<uint64_t>(static_cast<double>(now.monotonicNs - ns) * hz / 1e9);
  return now.ticks > ago ? now.ticks - ago : 0;
}

// When the change after `seen` others was. Of those that the log has no more, the oldest that it has.
uint64_t changeNs(const SwitchLog& log, uint32_t seen, uint32_t changes) {
  const uint32_t held = SwitchLog::kHeld;
  const uint32_t index = changes - seen > held ? changes - held + ((changes - seen) & 1) : seen;
  return log.ns[index % held].load(std::memory_order_relaxed);
}

uint32_t changesOf(const SwitchLog& log) { return log.changes.load(std::memory_order_acquire); }

}  // namespace

std::atomic<SwitchLog*> hostSwitch{&neverSwitched};
SwitchLog ownSwitch, rateSwitch;
std::atomic<uint32_t> processChanges{0};
Region notRecorded("[not recorded]", format::Group::kAgent);

void switchOwn(bool pauses) {
  if (ownSwitch.change(pauses)) processChanges.fetch_add(1, std::memory_order_release);
}

SwitchLog& SwitchReader::log(int index) {
  return index == 0 ? *hostSwitch.load(std::memory_order_acquire) : index == 1 ? ownSwitch : rateSwitch;
}

void SwitchReader::begin() {
  for (int i = 0; i < kSwitches; i++) seen_[i] = changesOf(log(i)) & ~1u;
  // A pause of the rate has its end at once, which may be still to come.
  const bool isPausedByRate =
      seen_[2] != 0 && readClockNs(CLOCK_MONOTONIC) < changeNs(rateSwitch, seen_[2] - 1, seen_[2]);
  if (isPausedByRate) seen_[2] -= 2;
}

bool SwitchReader::hasSeenAll() const {
  for (int i = 0; i < kSwitches; i++) {
    if (seen_[i] != changesOf(log(i))) return false;
  }
  return true;
}

int SwitchReader::findNext(uint64_t ticks, uint64_t* at) const {
  constexpr uint64_t kNone = ~uint64_t{0};
  uint64_t firstNs = kNone;
  int first = 0;
  for (int i = 0; i < kSwitches; i++) {
    const uint32_t changes = changesOf(log(i));
    const uint64_t ns = changes != seen_[i] ? changeNs(log(i), seen_[i], changes) : kNone;
    if (ns >= firstNs) continue;
    firstNs = ns;
    first = i;
  }
  if (firstNs == kNone) return -1;
  *at = ticksOfChange(firstNs);
  return *at > ticks ? -1 : first;
}

bool SwitchReader::hasNext(uint64_t ticks) const {
  uint64_t at;
  return findNext(ticks, &at) >= 0;
}

bool SwitchReader::next(uint64_t ticks, uint64_t* at) {
  const int next = findNext(ticks, at);
  if (next >= 0) seen_[next]++;
  return next >= 0;
}

bool isRecordingPaused() {
  if (((changesOf(*hostSwitch.load(std::memory_order_acquire)) | changesOf(ownSwitch)) & 1) != 0) return true;
  const uint32_t changes = changesOf(rateSwitch);
  return changes != 0 && readClockNs(CLOCK_MONOTONIC) < changeNs(rateSwitch, changes - 1, changes);
}

namespace {

constexpr uint64_t kSecondNs = 1000000000;
uint64_t bytesPerSecond = 0;
std::atomic<uint64_t> secondBegan{0}, secondBytes{0};

}  // namespace

void limitRate(uint64_t bytes) { bytesPerSecond = bytes; }

// The threads of a process that come together here differ by a block each.
void countForRate(uint64_t bytes) {
  if (bytesPerSecond == 0) return;
  const uint64_t now = readClockNs(CLOCK_MONOTONIC);
  uint64_t began = secondBegan.load(std::memory_order_acquire);
  if (now - began >= kSecondNs &&
      secondBegan.compare_exchange_strong(began, now, std::memory_order_acq_rel)) {
    secondBytes.store(0, std::memory_order_relaxed);
    began = now;
  }
  const uint64_t before = secondBytes.fetch_add(bytes, std::memory_order_relaxed);
  if (before > bytesPerSecond || before + bytes <= bytesPerSecond) return;  // one of them passes the limit
  rateSwitch.pauseUntil(now, began + kSecondNs);
  processChanges.fetch_add(2, std::memory_order_release);
  note("Recording was paused for parts of seconds in which the process wrote more than --max-rate allows.");
}

void openHostSwitch() {
  const std::string_view control = setting(Setting::kControl);
  if (control.empty()) return;
  char name[256];
  process.hostFileName(".shared", name);
  SwitchLog* log = mapSwitch(process.directory(), name, control == "paused");
  if (log != nullptr) {
    hostSwitch.store(log, std::memory_order_release);
  } else {
    note("The recording of this process cannot be paused from outside: there was no space for the file "
         "HOST.shared of the trace.");
  }
}

}  // namespace parallax
