// poll, nanosleep, sigsuspend and their like fail with EINTR after any signal handler, SA_RESTART
// or not. A program that installs no handlers need not be prepared for that, so the handler of
// the sampling signal makes them begin again.
#pragma once

#include <ucontext.h>

namespace parallax {

// If the signal has just interrupted such a system call, makes the program repeat it. Signal
// handlers only.
//
// The thread's CPU clock, which raises the signal, runs only when the call was about to sleep,
// so that a timeout that begins again is not longer than asked for by more than microseconds.
void restartSystemCall(ucontext_t* context);

// The program has installed a handler of its own: calls may fail because of that signal, and
// the program has to expect it.
void programHandlesSignals();

}  // namespace parallax
