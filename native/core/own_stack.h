// A stack for what needs more of it than a guest may take: threads and handlers of signals may
// have 16 KB in all.
#pragma once

namespace parallax {

// Calls f(argument) there, all signals blocked: a handler could otherwise jump out of it, or be
// given the part of an alternate stack that the caller uses. So f must not wait for another thread,
// which may itself wait for this one to take a signal (libc's, when the user changes; those that
// stop all threads of a garbage collector). Some 2 us; false, and not called, without memory.
bool callOnOwnStack(void (*f)(void*), void* argument);

// Whether the calling function is known to have 16 KB left: on the stack on which the thread was
// started, or on the agent's own.
bool hasRoom();

// Calls f() here, or on the own stack where there may not be room. For what is done seldom.
template <class F>
bool callWithRoom(F f) {
  if (!hasRoom()) return callOnOwnStack([](void* own) { (*static_cast<F*>(own))(); }, &f);
  f();
  return true;
}

}  // namespace parallax
