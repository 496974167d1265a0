// Samples each recorded thread by its own CPU time, and finds call paths.
//
// A POSIX timer of the thread's CPU clock sends a real-time signal to the thread; where the
// kernel's tick is too coarse for the rate, a software task-clock event does. The handler walks
// the stack and writes a Sample. Inside intercepted routines, whose times are exact, and inside
// the agent it only counts what it leaves out.
#pragma once

#include <csignal>
#include <cstdint>

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

// The call path of the program's code that has called an intercepted routine. Inside a Guard.
// A repeated call from the same place costs one comparison for each frame.
uint32_t callerPath();

// The signal that samples; 0 when there is none. All others are the program's own.
int sampleSignal();

// What has been done so far, in all threads, ended ones included.
struct Counts {
  uint64_t samples = 0;
  uint64_t insideAgent = 0;  // signals that found the thread in an intercepted routine
  uint64_t truncated = 0;
  uint64_t incomplete = 0;
  uint64_t scanned = 0;
};
Counts counts();

// What the program wanted for the sampling signal; see signals.cpp. Returns the former action.
struct sigaction exchangeProgramAction(const struct sigaction* action);

}  // namespace sampler
}  // namespace parallax
