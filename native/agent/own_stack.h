// A stack for what needs more of it than a guest may take: threads and handlers of signals may
// have 16 KB in all.
#pragma once

namespace parallax {

// Calls f(argument) there, all signals blocked: a handler could otherwise jump out of it, or need
// the room. Some 2 us; false, and not called, without memory.
bool callOnOwnStack(void (*f)(void*), void* argument);

}  // namespace parallax
