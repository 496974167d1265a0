#include "core/polling.h"

#include <algorithm>

#include "core/calls.h"
#include "core/regions.h"
#include "core/thread.h"

namespace parallax {
namespace {

using State = Polling::State;

uint64_t ticksOf(uint64_t microseconds) { return clockSettings.tickHz / 1000000 * microseconds; }

// A pause is no work if it is shorter than this, or than so many attempts like the one before.
constexpr uint64_t kFreeUs = 2;
constexpr uint64_t kFreeAttempts = 4;
constexpr uint64_t kMostFreeUs = 20;
// One attempt without success is told if it took longer.
constexpr uint64_t kLongAttemptUs = 10;
// Below this, a pause is not worth a system call that reads the CPU clock.
constexpr uint64_t kClockUs = 20;
// What a thread may spend at first, its income as a part of the time in which it polls, and the most that it keeps.
constexpr uint64_t kFirstCreditUs = 40;
constexpr uint64_t kIncomePart = 8;
constexpr uint64_t kMostPolledUs = 1000;
constexpr uint64_t kMostCreditUs = 10000;

uint64_t nsToTicks(uint64_t ns) {
  return static_cast<uint64_t>(static_cast<unsigned __int128>(ns) * clockSettings.tickHz / 1000000000u);
}

uint64_t freeAfter(uint64_t attemptTicks) {
  return std::clamp(kFreeAttempts * attemptTicks, ticksOf(kFreeUs), ticksOf(kMostFreeUs));
}

}  // namespace

// Whether a pause of more than the free time is a part of the polling, because the thread did not have the processor for
// most of it or has credit.
bool Thread::isPollingAfter(uint64_t pauseTicks) {
  Polling& p = polling_;
  uint64_t work = pauseTicks;
  uint64_t until = p.endTicks;
  if (p.state == State::kOpen && work > ticksOf(kClockUs) && cpu_.mayHaveChanged()) {
    const uint64_t lostNs = lostCpuNs();
    // The thread can lose the processor in the system call. So the polling, if it goes on, does so until after it.
    until = now();
    const uint64_t lostTicks = lostNs > p.lostNs ? nsToTicks(lostNs - p.lostNs) : 0;
    p.lostNs = lostNs;
    work = work > lostTicks ? work - lostTicks : 0;
  }
  if (work <= p.freeTicks) {
    p.endTicks = until;
    return true;
  }
  const auto credit = p.earnedTicks + static_cast<int64_t>(ticksOf(kFirstCreditUs));
  if (static_cast<int64_t>(work) > credit) {
    endPolling(p.endTicks);
    return false;
  }
  p.earnedTicks -= static_cast<int64_t>(work);
  p.workTicks += work;
  p.endTicks = until;
  return true;
}

// Until after the system call, as above.
void Thread::measurePollingCpu() {
  polling_.lostNs = lostCpuNs();
  polling_.endTicks = now();
}

void Thread::extendPolling(uint64_t begin, uint64_t end) {
  Polling& p = polling_;
  if (end > p.endTicks) {
    // A thread that lost the processor in an attempt has not polled for all of it.
    const uint64_t polledTicks = std::min(end - p.endTicks, ticksOf(kMostPolledUs));
    const auto income = static_cast<int64_t>(polledTicks / kIncomePart);
    p.earnedTicks = std::min(p.earnedTicks + income, static_cast<int64_t>(ticksOf(kMostCreditUs)));
    p.endTicks = end;
  }
  p.freeTicks = freeAfter(end - begin);
  if (end - begin > ticksOf(kClockUs) && p.state == State::kOpen && cpu_.mayHaveChanged()) measurePollingCpu();
}

bool Thread::openPolling(Region& region, uint32_t path) {
  Polling& p = polling_;
  p.state = State::kIdle;
  const Relevance relevance = region.relevance();
  if (relevance == Relevance::kCounted) countVisits(region.path(0), p.attempts);
  if (relevance != Relevance::kFull && relevance != Relevance::kFlat) return false;
  p.path = path != 0 ? path : enterPath(this, region, relevance);
  p.timer = 0;
  if (cpu_.mayHaveChanged()) checkCpuBefore(p.beginTicks);
  emit(Kind::kEnter, p.path, p.beginTicks, nullptr, 0);
  p.state = State::kOpen;
  p.lostNs = 0;
  if (cpu_.mayHaveChanged()) measurePollingCpu();
  return true;
}

void Thread::missed(Region& region, uint64_t begin, uint64_t end, bool isTold, uint32_t path) {
  if (__builtin_expect(mayBePaused(), false) && isPausedAt(begin)) return;
  Polling& p = polling_;
  if (p.state == State::kIdle) {
    // A sample may have come after the begin.
    if (begin < eventTicks_) begin = eventTicks_;
    if (end < begin) end = begin;
    p.attempts = p.workTicks = 0;
    p.beginTicks = p.endTicks = begin;
    p.state = State::kNoted;
    isTold = isTold || end - begin > ticksOf(kLongAttemptUs);
  } else {
    isTold = true;
  }
  p.attempts++;
  if (isTold && p.state == State::kNoted && !openPolling(region, path)) return;
  extendPolling(begin, end);
}

void Thread::becomePolling(uint32_t path, uint64_t begin, uint64_t end, uint32_t timer) {
  if (__builtin_expect(mayBePaused(), false) && isPausedAt(begin)) return;
  Polling& p = polling_;
  p.path = path;
  p.timer = timer;
  p.attempts = 1;
  p.workTicks = 0;
  p.beginTicks = p.endTicks = begin;
  p.state = State::kOpen;
  p.lostNs = 0;
  if (cpu_.mayHaveChanged()) measurePollingCpu();
  extendPolling(begin, end);
}

void Thread::pausePolling() {
  if (!polls()) return;
  const uint64_t ticks = now();
  extendPolling(ticks, ticks);
}

bool Thread::isPollingAtSample(uint64_t ticks) {
  if (polling_.state != State::kOpen) return false;
  // The kernel takes time before the handler, and after it.
  const uint64_t pause = ticks - polling_.endTicks;
  const uint64_t latency = ticksOf(kMostFreeUs);
  if (pause > latency + polling_.freeTicks && !isPollingAfter(pause - latency)) return false;
  extendPolling(ticks, now());
  polling_.freeTicks = latency;
  return true;
}

void Thread::emitPoll(const Polling& p, bool success, uint64_t ticks) {
  const uint64_t payload[] = {p.attempts, ticksToNs(p.workTicks)};
  emit(Kind::kPoll, success ? 1 : 0, ticks, payload, 2);
}

void Thread::endPolling(uint64_t ticks, bool mayHaveLostCpu) {
  Polling p = polling_;
  polling_.state = State::kIdle;
  if (p.state != State::kOpen) return;
  p.endTicks = std::min(p.endTicks, std::max(ticks, eventTicks_));
  const uint32_t outer = openPath;
  openPath = p.path;
  if (mayHaveLostCpu || cpu_.mayHaveChanged()) checkCpuBefore(p.endTicks);
  if (p.attempts > 1) {
    emitPoll(p, false, p.endTicks);
    countVisits(p.path, p.attempts - 1);
  } else if (p.timer != 0) {
    constexpr uint64_t kNobody = 0;
    emit(Kind::kWake, p.timer, p.endTicks, &kNobody, 1);
  }
  emit(Kind::kLeave, p.path, p.endTicks, nullptr, 0);
  openPath = outer;
}

void Thread::joinPolling(uint32_t path, uint64_t begin, uint64_t& ticks) {
  Polling p = polling_;
  polling_.state = State::kIdle;
  if (p.state == State::kNoted) {
    if (cpu_.mayHaveChanged()) checkCpuBefore(p.beginTicks);
    emit(Kind::kEnter, path, p.beginTicks, nullptr, 0);
    p.path = path;
  }
  openPath = p.path;
  if (p.path == path) {
    countVisits(path, p.attempts);
    checkCpuAfterWait(p.beginTicks, ticks);
    emitPoll(p, true, ticks);
    return;
  }
  if (p.attempts > 1) countVisits(p.path, p.attempts - 1);
  checkCpuAfterWait(p.beginTicks, begin);
  emitPoll(p, true, begin);
  emit(Kind::kEnter, path, begin, nullptr, 0);
  openPath = path;
  polledPath = pausePath_ == 0 ? p.path : 0;  // a pause of recording that has begun here has ended it
  if (ticks < begin) ticks = begin;
}

void Thread::leavePolling(uint64_t ticks) {
  openPath = polledPath;
  polledPath = 0;
  emit(Kind::kLeave, openPath, ticks, nullptr, 0);
}

PolledCall::PolledCall(Thread* thread, Region& region) {
  if (__builtin_expect(thread->polls(), false)) begin(thread, region);
}

void PolledCall::begin(Thread* thread, Region& region) {
  ticks_ = thread->nowAfter();
  if (!thread->continuesPolling(ticks_)) return;
  const Relevance relevance = region.relevance();
  if (relevance != Relevance::kFull && relevance != Relevance::kFlat) return;
  path_ = enterPath(thread, region, relevance);
  outerPath_ = thread->openPath;
  thread_ = thread;
  thread->joinPolling(path_, ticks_, ticks_);
}

void PolledCall::end() {
  thread_->leaveCall(path_, ticks_);
  thread_->openPath = outerPath_;
}

void missedAttempt(Thread* thread, Region& region, uint64_t begin) {
  const uint64_t end = thread->now();
  if (begin == 0) begin = end;
  thread->continuesPolling(begin);
  thread->missed(region, begin, end, false);
}

bool PollingPause::mayBegin() {
  return local.place.isProgram() && local.thread != nullptr && local.thread->polls();
}

void PollingPause::begin() {
  Guard guard;
  polls_ = guard && guard.thread()->polls() && guard.thread()->continuesPolling(guard.thread()->now());
}

void PollingPause::end() {
  Guard guard;
  if (guard) guard.thread()->pausePolling();
}

bool isPollingAtSample(Thread* thread, uint64_t ticks) { return thread->isPollingAtSample(ticks); }

}  // namespace parallax
