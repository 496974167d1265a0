// Samples each recorded thread, and finds call paths.
//
// sample_timer.h has the timers that interrupt a thread. The handler walks the stack and writes a
// Sample. Inside intercepted routines, whose times are exact, and inside the agent, it takes no
// sample and only counts the skipped ones.
#pragma once

#include <csignal>
#include <cstdint>
#include <ucontext.h>

#include "core/sampling.h"

namespace parallax::sampler {

// Stops the sampling of all threads; any thread may call it. After it returns, no sampling signal
// is raised and no handler is running.
void pauseAll();
// The same, but handlers may still be running. It does not sleep: a thread that is stopped in a system call of the
// program could not go on with that afterwards.
void cancelAll();

// Whether threads of this process can receive sampling signals, or signals that pass through our
// handler.
bool sendsSignals();

// In a program that ran already: each of its threads begins to be recorded when it next runs for a moment, by a signal of
// its own, if there are timers. Without, a thread begins with its first intercepted call. `forgetAwaited` undoes it for
// those that have not run.
void awaitThreads();
void forgetAwaited();

// Whether samples stand for wall time, so that sleeps are measured (interpose/process/process_sleep.cpp).
bool isOnWallTime();

// Called on the thread itself, inside the agent: its call paths begin below this stack pointer, at
// the code [start, end), which calls the program's code.
void beginPathsAt(Thread* thread, uintptr_t stackPointer, uintptr_t start, uintptr_t end);

// The signal with which the timer of a thread asks for a sample (SampleTimer::timerSignal), for those who measure
// what a sample takes.
siginfo_t timerSignalOf(Thread* thread);

// The signals of the program that are also used for sampling, as a kernel signal set (bit number -
// 1): SIGTRAP, if there are perf events or traps. The signal of the timers is not included, because
// it is libc's own (sampler.cpp).
uint64_t sampleSignals();
inline bool isSampleSignal(int number) {
  return number > 0 && number <= 64 && ((sampleSignals() >> (number - 1)) & 1) != 0;
}

// For other parts of the agent that raise SIGTRAP, by instructions or by their own perf events,
// also if the process is not recorded. For each SIGTRAP, the handler asks every claim whether the
// signal belongs to it, with all signals blocked. The program's own SIGTRAP passes through, as
// above. False if SIGTRAP is not available, or if a debugger would stop at each signal. Once per
// claim. `byInstructions`: SIGTRAP must never be blocked, because the kernel kills a program that
// executes a trap while SIGTRAP is blocked.
using TrapClaim = bool(siginfo_t* info, ucontext_t* context);
bool claimTraps(TrapClaim* claim, bool byInstructions = false);
// A kernel signal set with SIGTRAP if instructions raise it; otherwise empty.
uint64_t trapSignals();

// Sets the program's action for a sampling signal (see signals.cpp). Returns the former action.
struct sigaction exchangeProgramAction(int number, const struct sigaction* action);

}  // namespace parallax::sampler
