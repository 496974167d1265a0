// A stack for work that needs more than the agent may use of the program's stack: threads and
// signal handlers can have as little as 16 KB.
#pragma once

namespace parallax {

// Calls f(argument) on this stack, with all signals blocked. Otherwise a handler could leave f by
// longjmp, or the kernel could place its frame on the part of an alternate stack that the caller
// uses. f must not wait for another thread, because that thread may wait until this one takes a
// signal: libc's when the user changes, or the signal with which a garbage collector stops all
// threads. Costs about 2 us. Returns false, without calling f, if there is no memory.
bool callOnOwnStack(void (*f)(void*), void* argument);

// Whether the calling function certainly has 16 KB left: on the stack on which the thread was
// started, or on the agent's own stack.
bool hasRoom();

// Calls f() here, or on the own stack if there may be too little room. For rare work.
template <class F>
bool callWithRoom(F f) {
  if (!hasRoom()) return callOnOwnStack([](void* own) { (*static_cast<F*>(own))(); }, &f);
  f();
  return true;
}

}  // namespace parallax
