// Whose time a sample is.
#pragma once

#include <ucontext.h>

#include "perturb/speedup_ranges.h"

namespace parallax::speedup {

// What finds the callers of code of the system, for one thread after the other.
struct Walker;
// For the calling thread; null without memory. Not for signal handlers.
Walker* obtainWalker();
void releaseWalker(Walker* walker);
// In a child after fork, all but that of its only thread.
void releaseOtherWalkers(const Walker* kept);

// A sample in the program's own code counts for this code. A sample in code of the system counts
// for the code of the program that called it, directly or indirectly. Signal handlers may call it;
// `walker` may be null.
Place placeOf(const CodeRanges& code, Walker* walker, const ucontext_t& context, Hits* hits);

}  // namespace parallax::speedup
