// What this layer calls of the one above it that takes samples and finds call paths: sampler/ implements
// these functions, and no others stand between the two. They are bound when the agent is linked, as
// callerPath() is called at each Enter, where a call through a pointer would cost.
//
// A sample is written as
//   Instant instant;
//   if (instant) instant.emit(Kind::kSample, callPath(...));
#pragma once

#include <cstdint>

namespace parallax {

class Thread;

namespace sampler {

// Once, before any other; again in a child after fork, whose inherited timers and descriptors
// are void. 0 Hz: no samples, but modules and call paths. `tracer` is the process that traces this one, or 0.
void startProcess(uint32_t sampleHz, uint64_t tracer);
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

// The call path of the program's code that has called an intercepted routine; 0: not known. Inside a
// Guard. A repeated call from the same place costs the same at any depth (sampler/markers.h).
uint32_t callerPath();

// Takes the timers' signal again, which libc takes when the first thread is created, its own ones
// included. Async-signal-safe; a system call.
void keepSignal();

}  // namespace sampler
}  // namespace parallax
