// Guards and the events of intercepted routines.
#include "core/agent.h"
#include "core/functions.h"
#include "core/process.h"
#include "core/sampling.h"
#include "core/thread.h"

namespace parallax {

std::atomic<void (*)(Thread*, uint64_t)> tellInterruptedWait{nullptr};

__thread Local local __attribute__((tls_model("initial-exec"))) = {};

namespace {

// Whether the outermost guard stands on the stack of the thread, which is to be had.
bool isGuardOnStack() {
  return local.place.isRoutine() && local.thread != nullptr && local.thread->live() &&
         local.thread->onStack(local.place.guard());
}

// Ends the hook in which the thread is when it was left for what stands at `address`: that is on
// the stack of the thread, and the hook further in or on the alternate stack of a handler.
bool endHookLeftFor(uintptr_t address) {
  if (!local.place.isHook()) return false;
  const uintptr_t top = local.place.hookTop();
  Thread* thread = local.thread;
  if (!thread->live() || !thread->onStack(reinterpret_cast<const void*>(address))) return false;
  if (address < top && thread->onStack(reinterpret_cast<const void*>(top))) return false;
  local.functions->repair(thread);
  local.place.returnToProgram();
  return true;
}

void endLeftCall(Thread* thread, bool waited = false) {
  if (thread->openPath == thread->functionPath) return;
  uint64_t ticks = thread->now();
  thread->checkCpu(ticks);
  if (auto* tell = tellInterruptedWait.load(std::memory_order_relaxed); waited && tell != nullptr) tell(thread, ticks);
  thread->leaveCall(thread->openPath, ticks);
  thread->openPath = thread->functionPath;
}

}  // namespace

// Whether this guard, the outermost one, stands in a routine that was left by an exception: its
// memory has been used otherwise, or a later guard is at the same place or further out. Or it only
// waits, and the later one is that of a handler.
bool Guard::wasLeftBefore(const Guard* later, uintptr_t frame) const {
  if ((!isInPhase(kRecords) && !isInPhase(kCounts)) || later == this) return true;
  return frame > frame_ && local.thread->onStack(later);
}

Thread* Guard::enter(Guard* guard) {
  const auto frame = reinterpret_cast<uintptr_t>(__builtin_dwarf_cfa());
  if (__builtin_expect(!local.place.isProgram(), false) && !endHookLeftFor(frame)) {
    if (!isGuardOnStack()) return nullptr;
    const Guard* outermost = local.place.guard();
    if (__builtin_expect(!outermost->wasLeftBefore(guard, frame), true)) return nullptr;
    const bool waited = outermost->isInPhase(kWaits);
    if (waited) local.thread->pausePolling();  // a wait without Enter, which lasted until now
    guard->stand(frame);
    local.place.enterRoutine(guard);
    endLeftCall(local.thread, waited);
    return local.thread;
  }
  guard->stand(frame);
  local.place.enterRoutine(guard);
  Thread* thread = local.thread;
  if (__builtin_expect(thread != nullptr && thread->live(), true)) return thread;
  return attachThread();
}

bool Guard::endWaiting() {
  setPhase(kRecords);
  Place::fence();
  if (!local.place.isProgram()) return false;
  local.place.enterRoutine(this);
  return true;
}

bool Guard::isWaiting() {
  return isGuardOnStack() && local.place.guard()->isInPhase(kWaits);
}

void Guard::endIfLeftFor(uintptr_t stackPointer) {
  if (endHookLeftFor(stackPointer)) return;
  const auto* target = reinterpret_cast<const void*>(stackPointer);
  if (!isGuardOnStack() || !local.thread->onStack(target) || target <= local.place.guard()) return;
  endLeftCall(local.thread);
  local.place.returnToProgram();
}

void Guard::release() {
  if (thread_ != nullptr) leave();
  thread_ = nullptr;
}

void Guard::leave() { local.place.leaveRoutine(); }

Thread* currentThread() {
  if (local.thread != nullptr && local.thread->live()) {
    return local.place.isGone() ? nullptr : local.thread;
  }
  if (!local.place.isProgram()) return nullptr;
  Guard guard;
  return guard.thread();
}

bool recording() {
  process.start();
  return process.state() == Process::State::kRecording;
}

void Instant::begin() { ticks_ = guard_.thread()->nowAfter(); }

void Instant::emit(Kind kind, uint32_t operand, Payload payload) {
  Thread* thread = guard_.thread();
  if (thread == nullptr) return;
  if (kind == Kind::kSample) {
    thread->checkCpuAtSample(ticks_);
  } else {
    thread->checkCpu(ticks_);
  }
  thread->emit(kind, operand, ticks_, payload.begin(), payload.size());
}

// After the end of the trace, nothing tells of a pause.
__attribute__((noinline)) static uint32_t pausedPath(Region& region) {
  return region.path(process.isDetached() ? 0 : notRecorded.path(0));
}

// Hangs below the instrumented function that is open, for those know the path without a walk.
uint32_t enterPath(Thread* thread, Region& region, Relevance relevance, RoutineFrame frame) {
  if (__builtin_expect(thread->mayBePaused(), false) && isRecordingPaused()) return pausedPath(region);
  static Region notWalked("[call stack not walked]", format::Group::kAgent);
  if (thread->functionPath != 0) return region.path(thread->functionPath);
  if (relevance == Relevance::kFull) return sampler::callerPath(thread, frame, region);
  const uint32_t path = notWalked.path(0);
  thread->countVisits(path, 1);
  return region.path(path);
}

// The rare ways in which a routine is measured. False: there is no Enter.
__attribute__((noinline)) bool Call::beginBriefly(Region& region, Relevance relevance) {
  switch (relevance) {
    case Relevance::kFlat:
      return true;
    case Relevance::kCounted:
      if (!guard_.thread()->mayBePaused() || !isRecordingPaused()) {
        guard_.thread()->countVisits(region.path(0), 1);
      }
      ended_ = true;
      guard_.letSamplesIn();
      return false;
    case Relevance::kSilent:
    case Relevance::kFollowed:
      return beginSilently(region, relevance);
    default:
      visit_ = {};
      guard_.release();
      return false;
  }
}

// One call for all that is done in the usual case.
__attribute__((flatten)) Call::Call(Region& region, Manner manner, RoutineFrame frame) {
  if (guard_) begin(region, manner, frame);
}

__attribute__((flatten)) Call::~Call() {
  if (guard_ && !ended_) end();
  if (__builtin_expect(visit_.isOn(), false)) endVisit();
}

void Call::begin(Region& region, Manner manner, RoutineFrame frame) {
  Thread* thread = guard_.thread();
  if (__builtin_expect(live::isAsked(), false)) attend(region, manner);
  const Relevance relevance = region.relevance();
  if (__builtin_expect(relevance != Relevance::kFull, false) &&
      !beginBriefly(region, relevance)) {
    return;
  }
  if (manner == Manner::kTries) {
    frame_ = frame;
    return beginTrying(thread, region, relevance);
  }
  path_ = enterPath(thread, region, relevance, frame);
  outerPath_ = thread->openPath;
  ticks_ = enterTicks_ = thread->now();
  if (__builtin_expect(manner == Manner::kWaits && thread->pollsOften(), false) &&
      thread->continuesPolling(ticks_)) {
    thread->joinPolling(path_, ticks_, ticks_);
    return;
  }
  thread->checkCpu(ticks_);
  if (manner == Manner::kSends) return;
  thread->emit(Kind::kEnter, path_, ticks_, nullptr, 0);
  thread->openPath = path_;
}

void Call::enter() {
  Thread* thread = guard_.thread();
  if (thread == nullptr || ended_ || isSilent_) return;
  thread->emit(Kind::kEnter, path_, ticks_, nullptr, 0);
  thread->openPath = path_;
}

template <size_t N>
__attribute__((flatten)) void Call::enterWith(Kind kind, uint32_t operand, const uint64_t (&payload)[N]) {
  Thread* thread = guard_.thread();
  if (thread == nullptr || ended_) return;
  if (__builtin_expect(isMeasured_, false)) measure(kind, payload);
  if (__builtin_expect(isSilent_, false)) return;
  thread->enterAndEmit(path_, kind, operand, ticks_, payload);
}

void Call::beginTrying(Thread* thread, Region& region, Relevance relevance) {
  tried_ = &region;
  relevance_ = relevance;
  ticks_ = thread->now();
  if (!thread->continuesPolling(ticks_)) thread->checkCpu(ticks_);
  enterTicks_ = ticks_;
}

void Call::setPath() {
  if (tried_ != nullptr && path_ == 0) path_ = enterPath(guard_.thread(), *tried_, relevance_, frame_);
}

void Call::succeed() {
  Thread* thread = guard_.thread();
  setPath();
  outerPath_ = thread->openPath;
  tried_ = nullptr;
  returned_ = true;
  ticks_ = thread->nowAfter();
  if (__builtin_expect(thread->polls(), false)) {
    thread->joinPolling(path_, enterTicks_, ticks_);
    return;
  }
  thread->emit(Kind::kEnter, path_, enterTicks_, nullptr, 0);
  thread->openPath = path_;
  thread->checkCpuAfterWait(enterTicks_, ticks_);
}

void Call::missed() {
  Thread* thread = guard_.thread();
  if (thread == nullptr || tried_ == nullptr) return;
  thread->missed(*tried_, enterTicks_, thread->now(), true, path_);
  tried_ = nullptr;
  ended_ = true;
}

template <size_t N>
__attribute__((flatten)) void Call::emit(Kind kind, uint32_t operand, const uint64_t (&payload)[N]) {
  Thread* thread = guard_.thread();
  if (thread == nullptr || ended_) return;
  if (__builtin_expect(isMeasured_, false)) measure(kind, payload);
  if (__builtin_expect(isSilent_, false)) return;
  thread->emit(kind, operand, ticks_, payload);
}

template <size_t N>
__attribute__((flatten)) void Call::endWith(Kind kind, uint32_t operand, const uint64_t (&payload)[N]) {
  Thread* thread = guard_.thread();
  if (thread == nullptr || ended_) return;
  ended_ = true;
  if (__builtin_expect(isMeasured_, false)) measure(kind, payload);
  if (__builtin_expect(isSilent_, false)) return;
  thread->emitAndLeave(kind, operand, ticks_, payload, path_);
  thread->openPath = outerPath_;
}

#define PARALLAX_SLOTS(N)                                               \
  template void Call::emit(Kind, uint32_t, const uint64_t (&)[N]);      \
  template void Call::enterWith(Kind, uint32_t, const uint64_t (&)[N]); \
  template void Call::endWith(Kind, uint32_t, const uint64_t (&)[N]);
PARALLAX_SLOTS(1)
PARALLAX_SLOTS(2)
PARALLAX_SLOTS(3)
PARALLAX_SLOTS(4)
PARALLAX_SLOTS(5)
#undef PARALLAX_SLOTS

__attribute__((flatten)) void Call::emit(Kind kind, uint32_t operand, const uint64_t* payload, size_t count) {
  Thread* thread = guard_.thread();
  if (thread == nullptr || ended_) return;
  if (__builtin_expect(isMeasured_, false)) measure(kind, payload);
  if (__builtin_expect(isSilent_, false)) return;
  thread->emit(kind, operand, ticks_, payload, count);
}

void Call::returned() {
  Thread* thread = guard_.thread();
  if (thread == nullptr || returned_ || ended_) return;
  if (tried_ != nullptr) return succeed();
  returned_ = true;
  ticks_ = thread->nowAfter();
  if (!isSilent_) thread->checkCpuAfterWait(enterTicks_, ticks_);
}

void Call::returnedAtOnce() {
  Thread* thread = guard_.thread();
  if (thread == nullptr || returned_ || ended_) return;
  if (tried_ != nullptr) return succeed();
  returned_ = true;
  ticks_ = thread->now();
  if (!isSilent_) thread->checkCpuAfterWait(enterTicks_, ticks_);
}

void Call::returnedSoon() {
  constexpr uint64_t kSoonTicks = 2000;  // less than a microsecond, or two where ticks are nanoseconds
  Thread* thread = guard_.thread();
  if (thread == nullptr || returned_ || ended_) return;
  if (tried_ != nullptr) return succeed();
  returned_ = true;
  ticks_ = thread->now();
  if (ticks_ - enterTicks_ > kSoonTicks) ticks_ = thread->nowAfter();
  if (!isSilent_) thread->checkCpuAfterWait(enterTicks_, ticks_);
}

void Call::end() {
  Thread* thread = guard_.thread();
  returnedAtOnce();
  ended_ = true;
  if (__builtin_expect(isSilent_, false)) return;
  thread->leaveCall(path_, ticks_);
  thread->openPath = outerPath_;
}

void Call::endUnwinding() {
  if (guard_ && !ended_) end();
  if (visit_.isOn()) endVisit();
  guard_.release();
}

CountedRoutineAside::CountedRoutineAside() {
  if (!isGuardOnStack() || !local.place.guard()->isInPhase(Guard::kCounts)) return;
  guard_ = local.place.guard();
  local.place.returnToProgram();
  Place::fence();
}

CountedRoutineAside::~CountedRoutineAside() {
  Place::fence();
  if (guard_ != nullptr) local.place.enterRoutine(guard_);
}

bool isPausedAtSample(Thread* thread, uint64_t ticks) {
  return thread->mayBePaused() && thread->isPausedAt(ticks);
}
bool isInFunction(const Thread* thread) { return thread->functionPath != 0; }
uint32_t threadNumber(const Thread* thread) { return thread->number(); }
uint32_t threadTid(const Thread* thread) { return thread->tid(); }
StackBounds threadStack() { return local.stack; }
uint64_t emitThreadCounters(Thread* thread, uint64_t ticks) { return thread->emitCounters(ticks); }
void*& samplerData(Thread* thread) { return thread->samplerData; }

bool defineEncoded(const void* record, size_t sizeBytes) {
  return process.defineRecord(record, sizeBytes);
}

}  // namespace parallax
