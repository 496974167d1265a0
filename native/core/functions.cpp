#include "core/functions.h"

#include <new>

#include "base/address_table.h"
#include "base/settings.h"
#include "base/sys.h"
#include "core/clock.h"
#include "core/setting_records.h"
#include "core/throttle.h"

namespace parallax {
namespace {

constexpr uint64_t kNever64 = ~uint64_t{0};

// What the process knows of a function.
struct FunctionEntry {
  std::atomic<uint32_t> numberPlusOne;
  std::atomic<uint16_t> module;   // how many modules have had it before
  std::atomic<uint8_t> decision;  // 0: not yet made, 1 wanted, 2 not
};
AddressTable<FunctionEntry> functions;
std::atomic<uint32_t> functionCount{0};
std::atomic<bool> instrumented{false};
std::atomic<const FunctionFilter*> functionFilter{nullptr};

struct Throttle {
  uint64_t calls;  // kNever64: none
  uint64_t ticks;  // of a call, with what it calls
};

// PARALLAX_THROTTLE: `off` or CALLS:NS. Read once; whoever races for it reads the same.
const Throttle& throttleLimits() {
  static Throttle limits;
  static std::atomic<bool> read{false};
  if (read.load(std::memory_order_acquire)) return limits;
  uint64_t calls = kThrottleCalls, ns = kThrottleNs;
  parseThrottle(setting(Setting::kThrottle), &calls, &ns);
  limits.calls = calls == 0 ? kNever64 : calls;
  limits.ticks = static_cast<uint64_t>(static_cast<unsigned __int128>(ns) * clockSettings.tickHz /
                                       1000000000u);
  read.store(true, std::memory_order_release);
  return limits;
}

}  // namespace

bool isInstrumented() { return instrumented.load(std::memory_order_relaxed); }

std::atomic<uint32_t> FunctionStack::changes{0};

FunctionStack* startFunctions(const FunctionFilter& filter) {
  functionFilter.store(&filter, std::memory_order_release);
  if (!instrumented.exchange(true)) defineInstrumented();
  return local.functions = FunctionStack::make();
}

FunctionStack* FunctionStack::make() {
  auto* stack = static_cast<FunctionStack*>(sys::pages(sizeof(FunctionStack)));
  if (stack == nullptr) return nullptr;
  // Below all others stands one that nothing leaves.
  stack->top_ = stack->frames_;
  stack->changes_ = changes.load(std::memory_order_relaxed);
  stack->frames_[0].call.top = ~uintptr_t{0};
  return stack;
}

void FunctionStack::release() {
  for (FunctionState* chunk : chunks_) {
    if (chunk != nullptr) sys::munmap(chunk, kStatesOfChunk * sizeof(FunctionState));
  }
  sys::munmap(this, sizeof *this);
}

FunctionState* FunctionStack::stateOf(uintptr_t function) {
  static FunctionState none{0, 0, kNever64, 0, 0, true, true, false};
  FunctionEntry* entry = functions.obtain(function);
  if (entry == nullptr) return &none;
  uint32_t number = entry->numberPlusOne.load(std::memory_order_acquire);
  if (number == 0) {
    const uint32_t fresh = functionCount.fetch_add(1, std::memory_order_relaxed) + 1;
    if (entry->numberPlusOne.compare_exchange_strong(number, fresh)) number = fresh;
  }
  const size_t index = number - 1;
  if (index >= kStatesOfChunk * kChunks) {
    note("There are too many instrumented functions: some are not recorded.");
    return &none;
  }
  FunctionState*& chunk = chunks_[index / kStatesOfChunk];
  if (chunk == nullptr) {
    chunk = static_cast<FunctionState*>(sys::pages(kStatesOfChunk * sizeof(FunctionState)));
    if (chunk == nullptr) return &none;
  }
  FunctionState* state = &chunk[index % kStatesOfChunk];
  const uint16_t module = entry->module.load(std::memory_order_acquire);
  if (!state->known || state->module != module) {
    uint8_t decision = entry->decision.load(std::memory_order_relaxed);
    if (decision == 0) {
      decision = functionFilter.load(std::memory_order_acquire)->isWanted(function) ? 1 : 2;
      entry->decision.store(decision, std::memory_order_relaxed);
    }
    *state = {0, 0, throttleLimits().calls, 0, module, true, decision == 2, false};
  }
  return state;
}

void FunctionStack::forget(uintptr_t begin, uintptr_t end) {
  const FunctionFilter* filter = functionFilter.load(std::memory_order_acquire);
  if (filter == nullptr) return;
  filter->forget(begin, end);
  bool any = false;
  functions.forEach([&](uint64_t address, FunctionEntry& entry) {
    if (address < begin || address >= end) return;
    entry.decision.store(0, std::memory_order_relaxed);
    entry.module.fetch_add(1, std::memory_order_release);
    any = true;
  });
  if (any) changes.fetch_add(1, std::memory_order_release);
}

__attribute__((noinline)) void FunctionStack::renew(Thread* thread) {
  changes_ = changes.load(std::memory_order_acquire);
  for (Known& k : known_) k = {};
  if (forked_) reenter(thread);
}

__attribute__((noinline)) void FunctionStack::learn(Known& place, uintptr_t function) {
  place.state = stateOf(function);
  const bool excluded = place.state->silent && !place.state->throttled;
  place.path = excluded ? 0 : callPath(top_->path, format::PathKind::kFunction, function);
  place.parent = top_->path;
  place.function = function;
}

// Only where it has no open frame: else its exits could be taken for those of frames further out.
__attribute__((noinline)) void FunctionStack::throttle(Thread* thread, const Frame& frame,
                                                       uint64_t ticks) {
  FunctionState* state = frame.state;
  if (state->open != 0) return;
  if (state->ticks >= throttleLimits().ticks * state->calls) {
    state->checkAt = state->calls * 2;
    return;
  }
  state->checkAt = kNever64;
  state->silent = state->throttled = true;
  const uint64_t calls = state->calls;
  thread->emit(Kind::kThrottled, frame.path, ticks, &calls, 1);
}

void FunctionStack::popTo(Thread* thread, const Frame* last) {
  uint64_t ticks = thread->now();
  thread->checkCpu(ticks);
  while (top_ >= last) pop(thread, ticks);
}

// Whether a function whose hook is called with the stack pointer of open frames is inlined into
// the outermost of them, and not another one that was called later from the same place.
bool FunctionStack::isInlined(const FunctionCall& call, const Frame& outermost) const {
  if (call.caller != outermost.call.caller) return false;
  const uintptr_t container = outermost.call.function, own = call.function;
  if (own == container) return call.hook != outermost.call.hook;
  // The code that calls the hook belongs to the one that begins closer before it.
  return !(own <= call.hook && (container > call.hook || container < own));
}

// A function is entered where the stack is as high as at the innermost open one, or higher.
__attribute__((noinline)) void FunctionStack::resynchronise(Thread* thread,
                                                            const FunctionCall& call) {
  if (isStale()) renew(thread);
  const bool onStack = thread->onStack(reinterpret_cast<const void*>(call.top));
  auto isOpenOnStack = [&](const Frame* frame) {
    return thread->onStack(reinterpret_cast<const void*>(frame->call.top));
  };
  // On the alternate stack of a signal handler: nothing of the other one has ended.
  if (!onStack && isOpenOnStack(top_)) return;
  const Frame* left = nullptr;
  const Frame* frame = top_;
  for (; frame > frames_ && (frame->call.top < call.top || isOpenOnStack(frame) != onStack);
       frame--) {
    if (!onStack && isOpenOnStack(frame)) break;
    left = frame;
  }
  if (frame > frames_ && frame->call.top == call.top) {
    const Frame* outermost = frame;
    while (outermost - 1 > frames_ && (outermost - 1)->call.top == call.top) outermost--;
    if (!isInlined(call, *outermost)) {
      left = outermost;
    } else {
      // An inlined body that is entered again has been left.
      for (const Frame* f = outermost; f <= frame; f++) {
        if (f->call.hook == call.hook) {
          left = f;
          break;
        }
      }
    }
  }
  if (left != nullptr) popTo(thread, left);
  if (ignoredTop_ != 0 && call.top >= ignoredTop_) ignoredTop_ = 0;
}

__attribute__((noinline)) void FunctionStack::exitElsewhere(Thread* thread,
                                                            const FunctionCall& call) {
  if (isStale()) renew(thread);
  if (known(call.function).state->silent) return;
  if (ignoredTop_ != 0) {
    const bool ignored = call.top <= ignoredTop_;
    if (call.top >= ignoredTop_) ignoredTop_ = 0;
    if (ignored) return;
  }
  // The hook is called where its own frame is gone, as the last thing of it, or the stack
  // pointer has moved since its beginning (alloca), or frames within it were left.
  const bool isTail = call.hook == call.caller;
  const Frame* found = nullptr;
  for (const Frame* frame = top_; frame > frames_; frame--) {
    if (frame->call.function != call.function) continue;
    if (isTail ? frame->call.top < call.top : frame->call.top == call.top) {
      found = frame;
      if (!isTail) break;
    } else if (isTail) {
      break;
    } else if (found == nullptr && frame->call.top > call.top) {
      found = frame;
    }
  }
  if (found != nullptr) popTo(thread, found);
}

void FunctionStack::cut(Thread* thread, uintptr_t stackPointer) {
  if (!thread->onStack(reinterpret_cast<const void*>(stackPointer))) return;
  const Frame* left = nullptr;
  for (const Frame* frame = top_; frame > frames_; frame--) {
    if (frame->call.top >= stackPointer &&
        thread->onStack(reinterpret_cast<const void*>(frame->call.top))) {
      break;
    }
    left = frame;
  }
  if (left != nullptr) popTo(thread, left);
  if (ignoredTop_ != 0 && ignoredTop_ < stackPointer) ignoredTop_ = 0;
}

void FunctionStack::repair(Thread* thread) {
  if (top_ < frames_ + kMostFrames && thread->lastEventIs(Kind::kEnter, top_[1].path)) {
    top_++;
  } else if (top_ > frames_ && thread->lastEventIs(Kind::kLeave, top_->path)) {
    top_->state->open = 0;
    top_--;
  }
  for (Frame* frame = frames_ + 1; frame <= top_; frame++) frame->state->open = 0;
  for (Frame* frame = frames_ + 1; frame <= top_; frame++) frame->state->open++;
  thread->openPath = thread->functionPath = top_->path;
}

void FunctionStack::leaveAll(Thread* thread) {
  if (!forked_ && top_ > frames_) popTo(thread, frames_ + 1);
}

void FunctionStack::reenter(Thread* thread) {
  forked_ = false;
  enterAgain(thread, thread->now());
  thread->openPath = thread->functionPath = top_->path;
}

void FunctionStack::enterAgain(Thread* thread, uint64_t ticks) {
  for (Frame* frame = frames_ + 1; frame <= top_; frame++) {
    frame->enterTicks = ticks;
    thread->emit(Kind::kEnter, frame->path, ticks, nullptr, 0);
    thread->openPath = frame->path;
  }
}

}  // namespace parallax
