// The place of a thread, from the point of view of recording: one state machine, stored in one
// word.
//
//              program ──enterRoutine──▶ routine ──▶ program       its Guard ends, or is left by a jump
//              program ──enterHook─────▶ hook    ──▶ program
//              program ──enterRuntime──▶ runtime ──▶ program
//   any but gone ──enterAgent──▶ agent ──resume──▶ where it was
//   any ──end──▶ gone
//
// A routine can follow a routine directly if an exception left the first one, because an exception
// runs no code of the agent. A signal handler of the same thread sees the states in the order in
// which they are stored.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace parallax {

class Guard;

// Zeroed memory is kProgram.
class Place {
 public:
  enum class State : uint8_t {
    kProgram,  // in the program's code: routines are recorded, and samples are taken
    kRoutine,  // in an intercepted routine, or while an event is written: nested ones pass through. Which phase of
               // it, the Guard says.
    kHook,     // in the hook of an instrumented function
    kRuntime,  // in an OpenMP runtime that runs no code of the program, without a Guard
    kAgent,    // in other work of the agent, without a Guard
    kGone,     // the thread is no longer recorded, or never was
  };
  static constexpr size_t kStates = 6;
  // Whether this transition is allowed. Builds with sanitizers, debug builds and builds with
  // PARALLAX_CHECK_PLACES abort at a transition that is not in the table.
  static constexpr bool mayGo(State from, State to) {
    constexpr unsigned kP = 1, kR = 2, kH = 4, kT = 8, kA = 16, kG = 32;  // 1 << state
    constexpr unsigned kTo[kStates] = {
        /* program */ kP | kR | kH | kT | kA | kG,
        /* routine */ kP | kR | kA | kG,
        /* hook    */ kP | kA | kG,
        /* runtime */ kP | kA | kG,
        /* agent   */ kP | kR | kH | kT | kA | kG,
        /* gone    */ kG,
    };
    return (kTo[static_cast<size_t>(from)] >> static_cast<unsigned>(to) & 1) != 0;
  }

  // ---- the state; signal handlers may ask
  State state() const { return stateOf(word_); }
  bool isProgram() const { return word_ == 0; }
  bool isGone() const { return word_ == kGoneWord; }
  bool isRuntime() const { return word_ == kRuntimeWord; }
  bool isHook() const { return (word_ & kHookBit) != 0 && word_ < kLeastSpecial; }
  bool isRoutine() const { return word_ != 0 && (word_ & kHookBit) == 0 && word_ < kLeastSpecial; }
  // In kRoutine: the outermost Guard.
  const Guard* guard() const { return reinterpret_cast<const Guard*>(word_); }
  // In kHook: the stack pointer of the hook's caller.
  uintptr_t hookTop() const { return word_ & ~kHookBit; }

  // ---- transitions; each is one store
  void enterRoutine(const Guard* guard) {
    go(reinterpret_cast<uintptr_t>(guard));
    fence();
  }
  void enterHook(uintptr_t top) {
    go(top | kHookBit);
    fence();
  }
  void enterRuntime() {
    go(kRuntimeWord);
    fence();
  }
  // Returns where the thread was, for resume().
  Place enterAgent() {
    const Place former = *this;
    go(kAgentWord);
    fence();
    return former;
  }
  void resume(Place former) {
    fence();
    go(former.word_);
  }
  void returnToProgram() {
    fence();
    go(0);
  }
  // The same for the end of a Guard; the thread or the process may have ended inside of it.
  void leaveRoutine() {
    fence();
    if (!isGone()) go(0);
  }
  void end() {
    go(kGoneWord);
    fence();
  }

  // The compiler must not move the protected accesses across the stores of the state.
  static void fence() { std::atomic_signal_fence(std::memory_order_seq_cst); }

 private:
  // null | address of a Guard, aligned to 8 | stack pointer of a hook's caller, and 1 | one of these
  static constexpr uintptr_t kHookBit = 1;
  static constexpr uintptr_t kGoneWord = ~uintptr_t{0}, kAgentWord = ~uintptr_t{1}, kRuntimeWord = ~uintptr_t{2};
  static constexpr uintptr_t kLeastSpecial = ~uintptr_t{7};

  static constexpr State stateOf(uintptr_t word) {
    return word == 0                      ? State::kProgram
           : word == kGoneWord            ? State::kGone
           : word == kAgentWord           ? State::kAgent
           : word == kRuntimeWord         ? State::kRuntime
           : (word & kHookBit) != 0       ? State::kHook
                                          : State::kRoutine;
  }
  void go(uintptr_t word) {
#if defined(PARALLAX_CHECK_PLACES)
    if (word != word_ && !mayGo(stateOf(word_), stateOf(word))) __builtin_trap();
#endif
    word_ = word;
  }

  uintptr_t word_;
};

}  // namespace parallax
