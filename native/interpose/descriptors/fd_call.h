// Intercepted calls on descriptors. If the thread may wait, Enter is written before the call, so that the trace has it
// even if the program is killed during the wait. Otherwise, Enter is written after the call and only if the call is
// recorded, so that loops over sockets without data stay cheap.
#pragma once

#include <errno.h>
#include <pthread.h>

#include "core/agent.h"
#include "core/lone_waits.h"
#include "core/thread.h"
#include "interpose/descriptors/fd_table.h"
#include "interpose/real.h"

namespace parallax {

// False, and does nothing, inside another intercepted routine and where nothing is recorded.
class FdCall {
 public:
  // Whether the thread can have polled for the result of this call. If not, the call ends the polling.
  enum class Polled : uint8_t { kNever, kMaybe };

  explicit operator bool() const { return bool(guard_); }
  // The real call is about to be made. `waits`: Enter is written now.
  void begin(Region& region, bool waits, Polled polled = Polled::kMaybe) {
    Thread* thread = guard_.thread();
    relevance_ = region.relevance();
    if (__builtin_expect(relevance_ == Relevance::kCounted, false)) {
      if (!thread->mayBePaused() || !isRecordingPaused()) thread->countVisits(region.path(0), 1);
      guard_.letSamplesIn();
      return;  // no event; bytes are counted
    }
    if (relevance_ == Relevance::kOff) return;
    region_ = &region;
    enterTicks_ = ticks_ = thread->now();
    continuesPolling_ = polled == Polled::kMaybe && thread->continuesPolling(ticks_) && (!waits || thread->pollsOften());
    if (!continuesPolling_) thread->checkCpu(ticks_);
    enterTicks_ = ticks_;
    if (waits) enter();
  }
  // After all, it waits: Enter is written, at the time of begin().
  void enterToWait() {
    if (!entered_ && region_ != nullptr) enter();
  }
  // The same for a wait with a timeout: if it ends in vain, it is an attempt of polling.
  void beginTimed(Region& region) {
    begin(region, false);
    timed_ = region_ != nullptr;
    if (!timed_ || (continuesPolling_ && guard_.thread()->isPollingOpen())) return;
    if (continuesPolling_) {  // one attempt before is no polling
      continuesPolling_ = false;
      guard_.thread()->checkCpu(ticks_);
      enterTicks_ = ticks_;
    }
    enter();
  }
  // It has returned, and there was nothing yet.
  void missed() {
    if (region_ == nullptr || ended_) return;
    returned();
    if (!entered_) {
      guard_.thread()->missed(*region_, enterTicks_, ticks_, timed_);
    } else if (timed_ && guard_.thread()->polledPath == 0) {
      guard_.thread()->openPath = outerPath_;
      guard_.thread()->becomePolling(path_, enterTicks_, ticks_, unsignalledObject(format::SyncKind::kTimer));
    } else {
      return;
    }
    ended_ = true;
  }
  // It has waited until its time was over.
  void timedOut() {
    if (!entered_ || ended_) return;
    returned();
    emit(Kind::kWake, unsignalledObject(format::SyncKind::kTimer), {0});
  }
  // There was something: this ends the polling of the thread, if it polls.
  void endPolling() {
    if (continuesPolling_) keep();
  }
  // It has returned: reads the clock. What it has taken was counted before.
  void returned() {
    if (region_ == nullptr || returned_) return;
    returned_ = true;
    ticks_ = guard_.thread()->nowAfter();
    if (entered_) guard_.thread()->checkCpuAfterWait(enterTicks_, ticks_);
  }
  bool entered() const { return entered_; }
  uint64_t duration() const { return ticks_ - enterTicks_; }
  // Nothing is told of a call without result that took less than this, if it could not wait.
  static uint64_t shortTicks() { return clockSettings.tickHz / 100000; }  // 10 us
  // A Signal without Enter: before the real call, after which the thread that it wakes up may go on at once. `count`
  // gives its number, after the clock is read: whoever has seen the number goes on later.
  template <class Count>
  void announce(uint32_t object, Count count) {
    const uint64_t ticks = ticksNow();
    announceAt(ticks, object, count());
  }
  // A Signal at a time since which this thread has written no event.
  void announceAt(uint64_t ticks, uint32_t object, uint64_t sequence) {
    guard_.thread()->emit(Kind::kSignal, object, ticks, &sequence, 1);
  }
  // An event now, without Enter.
  void tell(Kind kind, uint32_t operand, uint64_t payload) {
    guard_.thread()->emit(kind, operand, ticksNow(), &payload, 1);
  }
  uint64_t ticksNow() {
    Thread* thread = guard_.thread();
    uint64_t ticks = thread->now();
    thread->checkCpu(ticks);
    return ticks;
  }
  uint64_t enterTicks() const { return enterTicks_; }
  // The call is to be in the trace.
  void keep() {
    if (entered_ || ended_ || region_ == nullptr) return;
    const uint64_t end = ticks_;
    ticks_ = enterTicks_;
    enter();
    if (ticks_ < end) ticks_ = end;
    guard_.thread()->checkCpuAfterWait(enterTicks_, ticks_);
  }
  void emit(Kind kind, uint32_t operand, Payload payload) {
    keep();
    if (!entered_) return;
    guard_.thread()->emit(kind, operand, ticks_, payload.begin(), payload.size());
  }
  // Writes Leave now. What is told from here on is behind the call.
  void finish() { end(); }
  // The real call is made as if nobody saw it.
  void release() { guard_.release(); }
  ~FdCall() { end(); }

  // Makes the real call. If the thread is cancelled in it, Leave is written.
  template <class Real>
  auto run(Real real) { return run(real, [] {}); }
  // The same; then `undo()` first takes back what was counted for the wait. It may write events.
  template <class Real, class Undo>
  auto run(Real real, Undo undo) {
    if (!entered_ && !timed_) return real();
    decltype(real()) result;
    Undoing<Undo> undoing{this, undo};
    guard_.beginWaiting();
    pthread_cleanup_push([](void* u) { static_cast<Undoing<Undo>*>(u)->cancelled(); }, &undoing);
    result = real();
    pthread_cleanup_pop(0);
    if (__builtin_expect(guard_.endWaiting(), false)) goOn();
    return result;
  }
  // A real call that does not wait, before begin(), but in which the thread may be cancelled.
  template <class Real, class Undo>
  auto attempt(Real real, Undo undo) {
    decltype(real()) result;
    Undoing<Undo> undoing{this, undo};
    pthread_cleanup_push([](void* u) { static_cast<Undoing<Undo>*>(u)->attemptCancelled(); }, &undoing);
    result = real();
    pthread_cleanup_pop(0);
    return result;
  }

 private:
  void enter() {
    Thread* thread = guard_.thread();
    path_ = enterPath(thread, *region_, relevance_);
    outerPath_ = thread->openPath;
    entered_ = true;
    if (__builtin_expect(continuesPolling_, false) && thread->polls()) {
      thread->joinPolling(path_, enterTicks_, ticks_);
      return;
    }
    thread->emit(Kind::kEnter, path_, enterTicks_, nullptr, 0);
    thread->openPath = path_;
  }
  // Begins again after a signal handler of the program has ended this call.
  void goOn() {
    continuesPolling_ = false;
    enterTicks_ = guard_.thread()->now();
    enter();
  }
  void end() {
    if (!guard_ || !entered_ || ended_) return;
    returned();
    ended_ = true;
    guard_.thread()->leaveCall(path_, ticks_);
    guard_.thread()->openPath = outerPath_;
  }
  template <class Undo>
  struct Undoing {
    FdCall* call;
    Undo undo;

    void cancelled() {
      if (call->guard_.endWaiting()) call->goOn();
      undo();
      call->end();
      call->guard_.release();
    }
    void attemptCancelled() {
      undo();
      call->guard_.release();
    }
  };

  Guard guard_;
  Region* region_ = nullptr;  // null: not begun, or without events
  Relevance relevance_ = Relevance::kUnknown;
  bool entered_ = false, returned_ = false, ended_ = false;
  bool continuesPolling_ = false, timed_ = false;
  uint32_t path_ = 0, outerPath_ = 0;
  uint64_t ticks_ = 0, enterTicks_ = 0;
};

// A routine that exists for streams and for files.
struct FdRegions {
  constexpr explicit FdRegions(const char* name)
      : stream(name, format::Group::kStream), file(name, format::Group::kFile) {}
  Region stream, file;
};

// Whether calls on descriptors are recorded at all: nothing is done for a thread that is not.
inline bool fdCallsWanted() {
  return !local.place.isGone() &&
         (adapterEnabled(Adapter::kStream) || adapterEnabled(Adapter::kFile));
}

}  // namespace parallax
