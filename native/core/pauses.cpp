// What a thread writes when recording is paused and resumed. A pause is a call of `[not recorded]`: the calls that
// are open end when it begins, and begin again when it ends. A thread sees a change at its next event, which knows
// when the change was.
#include <algorithm>
#include <atomic>

#include "base/signals_blocked.h"
#include "base/sys.h"
#include "core/agent.h"
#include "core/functions.h"
#include "core/process.h"
#include "core/thread.h"
#include "format/format.h"
#include "transport/kept_past.h"

namespace parallax {
namespace {

constexpr uint64_t bit(Kind kind) { return uint64_t{1} << static_cast<uint32_t>(kind); }

// What the k-th of is matched with the k-th of another process, begins and ends, and counts of what was before.
constexpr uint64_t kKept =
    bit(Kind::kSend) | bit(Kind::kReceivePost) | bit(Kind::kReceive) | bit(Kind::kRequestDone) |
    bit(Kind::kRequestCancel) | bit(Kind::kThreadBegin) | bit(Kind::kThreadEnd) | bit(Kind::kThreadCreate) |
    bit(Kind::kThreadJoin) | bit(Kind::kProcessCreate) | bit(Kind::kProcessWait) | bit(Kind::kPhaseBegin) |
    bit(Kind::kPhaseEnd) | bit(Kind::kVisits) | bit(Kind::kThrottled) | bit(Kind::kPartitionedSend) |
    bit(Kind::kPartitionedReceive);

// Epochs of windows are matched by their order, too; the operations in them are not.
bool isEpoch(const uint64_t* payload) {
  const uint64_t op = payload[0] >> 31;
  return op >= static_cast<uint64_t>(format::WindowOp::kPost) && op <= static_cast<uint64_t>(format::WindowOp::kUnlock);
}

// The path alone does not tell it where it also stands for the time before the events that are kept.
void definePaused() {
  static std::atomic<int> told{0};  // the process
  const int pid = sys::getpid();
  if (told.exchange(pid, std::memory_order_relaxed) != pid) define(format::SettingRecord{"paused", "yes"});
}

}  // namespace

void Thread::beginSwitching() {
  switches_.begin();
  if (process.isSilent()) {
    recordsAt_ = ~uint32_t{0};  // more changes than there can be
    return;
  }
  const uint32_t changes = switchChanges();
  recordsAt_ = switches_.hasSeenAll() ? changes : ~changes;
}

bool Thread::isPausedAt(uint64_t ticks) {
  if (process.isDetached() || process.isSilent() || isRetired_) return true;  // the trace has ended, and the pause is not told
  if (!switching_) followSwitches(ticks);
  return !switching_ && pausePath_ != 0;
}

bool Thread::admits(Kind kind, const uint64_t* payload, uint64_t ticks) {
  if (!isPausedAt(ticks)) return true;
  if (process.isDetached() || process.isSilent() || isRetired_) return false;
  if ((kKept & bit(kind)) == 0 && !(kind == Kind::kWindow && isEpoch(payload))) return false;
  // After this event no earlier loss can be told.
  if (!switching_ && local.thread == this && (cpuIsDue_ || cpu_.changed())) {
    const SignalsBlocked blocked;  // a handler could leave it by longjmp
    cpuIsDue_ = false;
    switching_ = true;
    writeCpuAtSwitch(ticks, true);
    switching_ = false;
  }
  return true;
}

void Thread::followSwitches(uint64_t ticks) {
  if (!switches_.hasNext(ticks)) return setRecordsAt();
  const SignalsBlocked blocked;  // a handler could leave it by longjmp
  switching_ = true;
  for (uint64_t at; switches_.next(ticks, &at);) {
    at = std::clamp(at, eventTicks_, std::max(ticks, eventTicks_));
    if (switches_.isPaused() && pausePath_ == 0) beginPause(at);
    if (!switches_.isPaused() && pausePath_ != 0) {
      endPause(at);
      enterAgain(at);
    }
  }
  switching_ = false;
  setRecordsAt();
}

void Thread::setRecordsAt() {
  const uint32_t changes = switchChanges();
  recordsAt_ = pausePath_ == 0 && switches_.hasSeenAll() ? changes : ~changes;
}

// Tells the part of the loss since the last Cpu event that was before `ticks`. In a routine the thread waited without
// interruption, in a pause it may have waited at any time; else it lost the processor after `ticks` if it can have.
void Thread::writeCpuAtSwitch(uint64_t ticks, bool ends) {
  const ClockReading clocks = readOwnClocks();
  const uint64_t sinceNs = ticksToNs(readTicks() - ticks);
  const uint64_t rawNs = clocks.rawNs - sinceNs;
  if (clocks.cpuNs == 0 || rawNs < cpuRawNs_) return;
  const uint64_t wallNs = clocks.rawNs - cpuRawNs_, ranNs = clocks.cpuNs - cpuNs_;
  const uint64_t lostNs = wallNs > ranNs ? wallNs - ranNs : 0;
  const uint64_t roomNs = ticks > eventTicks_ ? ticksToNs(ticks - eventTicks_) : 0;
  const bool isInRoutine = openPath != functionPath;
  const uint64_t leastNs = lostNs - std::min(lostNs, sinceNs);
  const uint64_t likelyNs = isInRoutine == ends ? leastNs : ends ? lostNs : roomNs;
  const uint64_t beforeNs = std::clamp(likelyNs, leastNs, lostNs);
  const uint64_t cpuNs = cpuNs_ + (rawNs - cpuRawNs_) - std::min(beforeNs, rawNs - cpuRawNs_);
  writeCpu(cpuNs, rawNs, ticks, ticks, false, false);
}

void Thread::beginPause(uint64_t ticks) {
  if (!begun_) ensureBegun();
  if (polls()) endPolling(ticks, true);
  writeCpuAtSwitch(ticks, false);
  const uint32_t open = openPath;
  if (open != functionPath) leaveCall(open, ticks);
  openPath = functionPath;
  if (functionPath != 0 && local.thread == this && local.functions != nullptr) {
    emit(Kind::kLeave, local.functions->outermostPath(), ticks, nullptr, 0);
    openPath = 0;
  }
  const uint32_t path = notRecorded.path(0);
  if (keepsLast()) {
    tellPausePath(path);
    definePaused();
  }
  emit(Kind::kEnter, path, ticks, nullptr, 0);
  pausePath_ = path;
  openPath = open;
}

void Thread::endPause(uint64_t ticks) {
  writeCpuAtSwitch(ticks, true);
  emit(Kind::kLeave, pausePath_, ticks, nullptr, 0);
  pausePath_ = 0;
}

void Thread::enterAgain(uint64_t ticks) {
  const uint32_t open = openPath;
  openPath = 0;
  if (functionPath != 0 && local.thread == this && local.functions != nullptr) {
    local.functions->enterAgain(this, ticks);
  }
  if (open != functionPath) emit(Kind::kEnter, open, ticks, nullptr, 0);
  openPath = open;
}

void Thread::endSwitching(uint64_t ticks) {
  if (mayBePaused()) followSwitches(ticks);
  switching_ = true;
  if (pausePath_ != 0) endPause(ticks);
}

}  // namespace parallax
