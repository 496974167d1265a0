// Guards and the events of intercepted routines.
#include "agent/agent.h"
#include "agent/process.h"
#include "agent/sampler_seam.h"
#include "agent/thread.h"

namespace parallax {

__thread Local local __attribute__((tls_model("initial-exec"))) = {nullptr, nullptr, false};

namespace {

// The compiler must not move stores to `local` over those that the guard protects; a signal
// handler of the same thread sees them in this order.
void signalFence() { std::atomic_signal_fence(std::memory_order_seq_cst); }

// An intercepted routine that was left by longjmp leaves `inside` set. A frame at the same
// place, or further out on the same stack, cannot be inside it.
bool wasLeft(const void* frame) {
  const auto now = reinterpret_cast<uintptr_t>(frame);
  const auto then = reinterpret_cast<uintptr_t>(local.inside);
  return now >= then && local.thread != nullptr && local.thread->live() &&
         local.thread->onStack(frame) && local.thread->onStack(local.inside);
}

void endLeftCall(Thread* thread) {
  if (thread->openPath == 0) return;
  const uint64_t ticks = thread->now();
  thread->checkCpu(ticks);
  thread->emit(Kind::kLeave, thread->openPath, ticks, nullptr, 0);
  thread->openPath = 0;
}

}  // namespace

Thread* Guard::enter(uintptr_t place) {
  const void* frame = reinterpret_cast<const void*>(place);
  if (__builtin_expect(local.inside != nullptr, false)) {
    if (__builtin_expect(frame < local.inside, true) || !wasLeft(frame)) return nullptr;
    local.inside = frame;
    signalFence();
    endLeftCall(local.thread);
    return local.thread;
  }
  local.inside = frame;
  signalFence();
  Thread* thread = local.thread;
  if (__builtin_expect(thread != nullptr && thread->live(), true)) return thread;
  return attachThread();
}

void Guard::release() {
  if (thread_ != nullptr) leave();
  thread_ = nullptr;
}

void Guard::leave() {
  signalFence();
  // Set to kNever when the thread or the process has ended meanwhile.
  if (local.inside != kNever) local.inside = nullptr;
}

Thread* currentThread() {
  if (local.thread != nullptr && local.thread->live()) {
    return local.inside == kNever ? nullptr : local.thread;
  }
  if (local.inside != nullptr) return nullptr;
  Guard guard;
  return guard.thread();
}

bool recording() {
  process.start();
  return process.state() == Process::State::kRecording;
}

Instant::Instant() {
  Thread* thread = guard_.thread();
  if (thread == nullptr) return;
  ticks_ = thread->nowAfter();
}

void Instant::emit(Kind kind, uint32_t operand, Payload payload) {
  Thread* thread = guard_.thread();
  if (thread == nullptr) return;
  if (kind == Kind::kSample) {
    thread->checkCpuBySystemCall(ticks_);
  } else {
    thread->checkCpu(ticks_);
  }
  thread->emit(kind, operand, ticks_, payload.begin(), payload.size());
}

Call::Call(Region& region) {
  Thread* thread = guard_.thread();
  if (thread == nullptr) return;
  path_ = region.path(sampler::callerPath());
  outerPath_ = thread->openPath;
  ticks_ = enterTicks_ = thread->now();
  thread->checkCpu(ticks_);
  thread->emit(Kind::kEnter, path_, ticks_, nullptr, 0);
  thread->openPath = path_;
}

void Call::emit(Kind kind, uint32_t operand, Payload payload) {
  Thread* thread = guard_.thread();
  if (thread != nullptr) thread->emit(kind, operand, ticks_, payload.begin(), payload.size());
}

void Call::returned() {
  Thread* thread = guard_.thread();
  if (thread == nullptr || returned_) return;
  returned_ = true;
  ticks_ = thread->nowAfter();
  thread->checkCpuAfterWait(enterTicks_, ticks_);
}

void Call::end() {
  Thread* thread = guard_.thread();
  if (thread == nullptr || ended_) return;
  returned();
  ended_ = true;
  thread->emit(Kind::kLeave, path_, ticks_, nullptr, 0);
  thread->openPath = outerPath_;
}

void Call::endUnwinding() {
  end();
  guard_.release();
}

uint32_t threadNumber(const Thread* thread) { return thread->number(); }
uint32_t threadTid(const Thread* thread) { return thread->tid(); }
void*& samplerData(Thread* thread) { return thread->samplerData; }

bool defineEncoded(const void* record, size_t sizeBytes) {
  return process.defineRecord(record, sizeBytes);
}

}  // namespace parallax
