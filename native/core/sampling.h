// The functions that this layer calls in the layer above, which takes samples and finds call paths;
// sampler/ implements them. They are bound when the agent is linked, because callerPath() is called
// at each Enter, where a call through a pointer would cost too much.
//
// A sample is written as
//   Instant instant;
//   if (instant) instant.emit(Kind::kSample, callPath(...));
#pragma once

#include <cstdint>

#include "core/regions.h"

namespace parallax {

class Thread;

namespace sampler {

// Called once, before all others, and again in a child after fork, because inherited timers and
// descriptors are not valid there. 0 Hz: no samples, but modules and call paths. `tracer` is the process that traces
// this process, or 0.
void startProcess(uint32_t sampleHz, uint64_t tracer);
// The same where the process is recorded again, with all its threads.
void startAgain(uint32_t sampleHz);
// Writes the definitions of all modules again, into the new files of a forked child. Signal
// handlers may call it.
void redefine();
// On the thread itself, inside a Guard, once it is recorded.
void startThread(Thread* thread);
// Called on the thread itself, before its last event. After it returns, no sample arrives.
void stopThread(Thread* thread);

// Around the execution of another program by this thread: no sample stays pending for that program,
// which it would kill. If the execution fails, sampling continues.
void pause(Thread* thread);
void resume(Thread* thread);

// The call path of an intercepted routine of this thread, below the program's code that has called it. If `frame` is not
// null, the walk begins at the caller of that function, which makes it shorter. Inside a Guard. A repeated call from the
// same place costs the same at any depth (sampler/markers.h).
uint32_t callerPath(Thread* thread, RoutineFrame frame, Region& region);

// Installs the handler for the timers' signal again: libc installs its own handler for this signal
// when the first thread is created, including libc's own threads. Async-signal-safe; costs a system
// call.
void keepSignal();

}  // namespace sampler
}  // namespace parallax
