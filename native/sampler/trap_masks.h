// Whether a trap could be fatal: the kernel ends a program that executes an int3 while SIGTRAP is blocked. Once
// claimTraps() has succeeded for instructions, the program can no longer block SIGTRAP, but what it blocked
// before stays blocked.
#pragma once

namespace parallax::sampler {

// Null, or who blocks SIGTRAP: a thread, or a handler of the program while it runs. Takes some 20 us a thread. Not for
// signal handlers.
const char* whoBlocksTraps();

}  // namespace parallax::sampler
