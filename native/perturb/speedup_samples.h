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

// The ranges that a sample counts for: those of all code on its stack. Of ranges without what they
// call, those of the innermost code of the program: code of the system is for the code of the program
// that has called it, directly or not. Signal handlers may call it; `walker` may be null.
Hits hitsOf(const CodeRanges& code, Walker* walker, const ucontext_t& context);

}  // namespace parallax::speedup
