// The open functions of a thread, of those that their compiler has instrumented.
//
// Their call paths come from this stack, without a walk of the real one: they begin at the
// outermost instrumented function, have instrumented functions only, and intercepted routines hang
// below the innermost. A function can be left without a call of the exit hook (by longjmp, or by an
// exception through code that was compiled without hooks). Therefore the frames are compared with
// the stack pointer.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/thread.h"

namespace parallax {

// What a hook knows of the call.
struct FunctionCall {
  uintptr_t function;  // where it begins
  uintptr_t caller;    // return address of the machine's frame that it is in; if it is inlined, of
                       // the one that it is inlined into
  uintptr_t top;       // the stack pointer of that frame when it calls the hook
  uintptr_t hook;      // the instruction after the call of the hook
};

// What a thread knows of a function.
struct FunctionState {
  uint64_t calls;    // measured ones that have ended
  uint64_t ticks;    // in these, with what they have called
  uint64_t checkAt;  // the number of calls at which their mean is looked at
  uint32_t open;     // frames
  uint16_t module;   // which one it is of those that were loaded at its address one after another
  bool known;
  bool silent;       // has no Enter: excluded or throttled
  bool throttled;
};

class FunctionStack {
 public:
  static constexpr size_t kMostFrames = 1024;  // as many as a walk has at most

  // In pages of its own; null without memory.
  static FunctionStack* make();
  void release();

  // All of these inside a Guard, or what stands for one.
  void enter(Thread* thread, const FunctionCall& call);
  void exit(Thread* thread, const FunctionCall& call);
  // The stack is cut off below `stackPointer` (longjmp).
  void cut(Thread* thread, uintptr_t stackPointer);
  // A signal handler has left a hook of the thread by longjmp: restores the open frames, which are
  // those with an Enter and without a Leave in the trace.
  void repair(Thread* thread);
  // The thread ends.
  void leaveAll(Thread* thread);
  // In a child after fork: the frames are still open there, and are entered again with the next
  // event of a function.
  void afterFork() {
    forked_ = true;
    changes.fetch_add(1, std::memory_order_relaxed);
  }
  // For a pause of recording: the outermost open function, and the Enters of all that are open.
  uint32_t outermostPath() const { return frames_[1].path; }
  void enterAgain(Thread* thread, uint64_t ticks);
  // The code between these two addresses was unloaded: code that is loaded there later must not get
  // the data of the old functions. Any thread may call it.
  static void forget(uintptr_t begin, uintptr_t end);

 private:
  struct alignas(64) Frame {
    FunctionCall call;
    uint64_t enterTicks;
    FunctionState* state;
    uint32_t path;
  };
  // Where a function was called from, and what that makes.
  struct Known {
    uintptr_t function;
    FunctionState* state;
    uint32_t parent;
    uint32_t path;
  };
  static constexpr size_t kKnown = 1024;
  static constexpr size_t kStatesOfChunk = 512;
  static constexpr size_t kChunks = 512;

  Known& known(uintptr_t function) {
    const uint64_t hash = (function >> 2 ^ uint64_t{top_->path} << 32) * 0x9E3779B97F4A7C15u;
    Known& k = known_[hash >> 54];
    if (__builtin_expect(k.function != function || k.parent != top_->path, false)) learn(k, function);
    return k;
  }
  void learn(Known& place, uintptr_t function);
  FunctionState* stateOf(uintptr_t function);
  void pop(Thread* thread, uint64_t ticks);
  void popTo(Thread* thread, const Frame* last);  // and that one
  void throttle(Thread* thread, const Frame& frame, uint64_t ticks);
  // What other threads, or a fork, have changed.
  bool isStale() const { return changes_ != changes.load(std::memory_order_relaxed); }
  void renew(Thread* thread);
  void resynchronise(Thread* thread, const FunctionCall& call);
  void exitElsewhere(Thread* thread, const FunctionCall& call);
  void reenter(Thread* thread);
  bool isInlined(const FunctionCall& call, const Frame& outermost) const;

  static std::atomic<uint32_t> changes;
  Frame* top_;           // frames_[0] when none is open
  uintptr_t ignoredTop_; // of the outermost call that found no room; 0 for none
  bool forked_;
  uint32_t changes_;     // that it has seen
  Known known_[kKnown];
  FunctionState* chunks_[kChunks];
  Frame frames_[kMostFrames + 1];
};
static_assert(FunctionStack::kMostFrames < 65536);

inline void FunctionStack::enter(Thread* thread, const FunctionCall& call) {
  if (__builtin_expect(top_->call.top <= call.top || isStale(), false)) {
    resynchronise(thread, call);
  }
  const Known& k = known(call.function);
  FunctionState* state = k.state;
  if (state->silent) {
    if (state->throttled && (!thread->mayBePaused() || !isRecordingPaused())) thread->countVisits(k.path, 1);
    return;
  }
  if (__builtin_expect(top_ == frames_ + kMostFrames, false)) {
    if (ignoredTop_ == 0) ignoredTop_ = call.top;
    return;
  }
  uint64_t ticks = thread->now();
  thread->checkCpu(ticks);
  Frame* frame = top_ + 1;
  frame->call = call;
  frame->enterTicks = ticks;
  frame->state = state;
  frame->path = k.path;
  thread->emit(Kind::kEnter, k.path, ticks, nullptr, 0);
  std::atomic_signal_fence(std::memory_order_seq_cst);  // repair() relies on this order
  top_ = frame;
  state->open++;
  thread->openPath = thread->functionPath = k.path;
}

inline void FunctionStack::exit(Thread* thread, const FunctionCall& call) {
  const Frame& top = *top_;
  if (__builtin_expect(top.call.function == call.function && top.call.top == call.top && !isStale(),
                       true)) {
    uint64_t ticks = thread->now();
    thread->checkCpu(ticks);
    pop(thread, ticks);
  } else {
    exitElsewhere(thread, call);
  }
}

inline void FunctionStack::pop(Thread* thread, uint64_t ticks) {
  const Frame& frame = *top_;
  thread->emit(Kind::kLeave, frame.path, ticks, nullptr, 0);
  std::atomic_signal_fence(std::memory_order_seq_cst);
  top_--;
  thread->openPath = thread->functionPath = top_->path;
  FunctionState* state = frame.state;
  state->open--;
  state->calls++;
  state->ticks += ticks - frame.enterTicks;
  if (__builtin_expect(state->calls >= state->checkAt, false)) throttle(thread, frame, ticks);
}

// Whether any function was ever entered in this process.
bool isInstrumented();
// Who knows the functions' names (interpose/user/instrument_filter).
struct FunctionFilter {
  bool (*isWanted)(uintptr_t function);  // asked once for each function of the process
  void (*forget)(uintptr_t begin, uintptr_t end);  // the code between was unloaded
};
// The stack of the calling thread, made at its first function; null when there is no memory.
// Inside a Guard.
FunctionStack* startFunctions(const FunctionFilter& filter);

}  // namespace parallax
