// Whose time a sample is.
#pragma once

#include <ucontext.h>

#include "perturb/speedup_ranges.h"

namespace parallax::speedup {

// Finds the callers of code, for one thread after the other.
struct Walker;
// For the calling thread; null without memory. Not for signal handlers.
Walker* obtainWalker();
void releaseWalker(Walker* walker);
// In a child after fork, all but that of its only thread.
void releaseOtherWalkers(const Walker* kept);

// The ranges that a sample counts for: those of all code on its stack. An exclusive range, without its callees,
// counts if it has the innermost code of the program: a sample in code of the system counts for the code of the
// program that called it, directly or indirectly. Signal handlers may call it; `walker` may be null.
Hits hitsOf(const CodeRanges& code, Walker* walker, const ucontext_t& context);

}  // namespace parallax::speedup
