// Samples each recorded thread, and finds call paths.
//
// What makes a thread sample itself is in sample_timer.h. The handler walks the stack and writes a
// Sample. Inside intercepted routines, whose times are exact, and inside the agent it only counts
// what it leaves out.
#pragma once

#include <csignal>
#include <cstdint>
#include <ucontext.h>

#include "core/sampling.h"

namespace parallax::sampler {

// For all threads, from any of them: no signal is raised any more. It waits for handlers that run.
void pauseAll();

// Whether threads of this process may have signals of ours, or through our handler.
bool sendsSignals();

// Whether samples stand for wall time, so that sleeps are measured (interpose/process/process_sleep.cpp).
bool isOnWallTime();

// On the thread itself, inside: its call paths begin below this place of its stack, and there below
// the code [start, end), which calls the program's.
void beginPathsAt(Thread* thread, uintptr_t stackPointer, uintptr_t start, uintptr_t end);

// The program's signals that sample too, as the kernel's sets have them (bit number - 1): SIGTRAP,
// where there are perf events or traps. The timers' is not among them: it is libc's own (sampler.cpp).
uint64_t sampleSignals();
inline bool isSampleSignal(int number) {
  return number > 0 && number <= 64 && ((sampleSignals() >> (number - 1)) & 1) != 0;
}

// For others of the agent who have SIGTRAP raised, by instructions or by perf events of their own,
// whether the process is recorded or not: from then on each is asked, in the handler with all
// signals blocked, whether it was for them. The program's own SIGTRAP is kept from sight as above.
// False where that cannot be, or a debugger would stop at each. Once for each. `byInstructions`: it
// must never be blocked, as the kernel would end the program.
using TrapClaim = bool(siginfo_t* info, ucontext_t* context);
bool claimTraps(TrapClaim* claim, bool byInstructions = false);
// SIGTRAP, in a set of the kernel, when it is raised by instructions; else none.
uint64_t trapSignals();

// What the program wanted for a sampling signal; see signals.cpp. Returns the former action.
struct sigaction exchangeProgramAction(int number, const struct sigaction* action);

}  // namespace parallax::sampler
