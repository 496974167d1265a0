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
  if (ns >= now.monotonicNs) return now.ticks;
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
SwitchLog ownSwitch;
Region notRecorded("[not recorded]", format::Group::kAgent);

void SwitchReader::begin() {
  hostSeen_ = changesOf(*hostSwitch.load(std::memory_order_acquire)) & ~1u;
  ownSeen_ = changesOf(ownSwitch) & ~1u;
}

bool SwitchReader::hasSeenAll() const { return hostSeen_ + ownSeen_ == switchChanges(); }

bool SwitchReader::next(uint64_t ticks, uint64_t* at) {
  const SwitchLog& host = *hostSwitch.load(std::memory_order_acquire);
  const uint32_t hostChanges = changesOf(host), ownChanges = changesOf(ownSwitch);
  constexpr uint64_t kNone = ~uint64_t{0};
  const uint64_t hostNs = hostChanges != hostSeen_ ? changeNs(host, hostSeen_, hostChanges) : kNone;
  const uint64_t ownNs = ownChanges != ownSeen_ ? changeNs(ownSwitch, ownSeen_, ownChanges) : kNone;
  const uint64_t first = std::min(hostNs, ownNs);
  if (first == kNone) return false;
  *at = ticksOfChange(first);
  if (*at > ticks) return false;
  if (first == hostNs) {
    hostSeen_++;
  } else {
    ownSeen_++;
  }
  return true;
}

bool isRecordingPaused() {
  return ((changesOf(*hostSwitch.load(std::memory_order_acquire)) | changesOf(ownSwitch)) & 1) != 0;
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
