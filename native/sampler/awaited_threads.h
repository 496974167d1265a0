// Threads that existed before the agent: a timer for each, which fires when the thread has next run for a moment and
// begins its recording on the thread itself. A thread that sleeps is not woken, and no system call of it is interrupted.
#pragma once

#include <csignal>
#include <cstdint>

namespace parallax::sampler {

// A timer for each thread that is not recorded yet, of the signal of the samples.
void awaitThreads(int signal);
// In a child after fork: its parent's timers are none of its own, which may have the same numbers.
void forgetInheritedAwaited();
// Whether the signal is that of such a timer, and has interrupted the thread at this stack pointer. Then the calling
// thread is recorded from now on. In signal handlers.
bool beginAwaited(const siginfo_t& info, uintptr_t stackPointer);

}  // namespace parallax::sampler
