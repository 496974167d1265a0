// Samples each recorded thread, and finds call paths.
//
// What makes a thread sample itself is in sample_timer.h. The handler walks the stack and writes a
// Sample. Inside intercepted routines, whose times are exact, and inside the agent it only counts
// what it leaves out.
#pragma once

#include <csignal>
#include <cstdint>
#include <ucontext.h>

namespace parallax {

class Thread;

namespace sampler {

// Once, before any other; again in a child after fork, whose inherited timers and descriptors
// are void. 0 Hz: no samples, but modules and call paths.
void startProcess(uint32_t sampleHz);
// Writes the definitions of all modules again, into the new files of a forked child. Signal
// handlers may call it.
void redefine();
// On the thread itself, inside a Guard, once it is recorded.
void startThread(Thread* thread);
// On the thread itself, before its last event. No sample arrives after it has returned.
void stopThread(Thread* thread);

// Around the execution of another program by this thread: no sample is left for that one, and
// sampling goes on when the execution has failed.
void pause(Thread* thread);
void resume(Thread* thread);

// For all threads, from any of them: no signal is raised any more. It waits for handlers that run.
void pauseAll();

// Whether threads of this process may have signals of ours, or through our handler.
bool sendsSignals();

// Whether samples stand for wall time, so that sleeps are measured (interpose/process_sleep.cpp).
bool isOnWallTime();

// The call path of the program's code that has called an intercepted routine. Inside a Guard.
// A repeated call from the same place costs the same at any depth (markers.h).
uint32_t callerPath();
// On the thread itself, inside: its call paths begin below this place of its stack, and there below
// the code [start, end), which calls the program's.
void beginPathsAt(Thread* thread, uintptr_t stackPointer, uintptr_t start, uintptr_t end);

// Takes the timers' signal again, which libc takes when the first thread is created, its own ones
// included. Async-signal-safe; a system call.
void keepSignal();

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

}  // namespace sampler
}  // namespace parallax
