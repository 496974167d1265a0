// The stack on which a thread was started.
#pragma once

#include <cstddef>
#include <cstdint>

namespace parallax {

struct StackBounds {
  uintptr_t low;   // for the main thread, whose stack grows: at most 1 GiB below `high`
  uintptr_t high;
};

// The stack of the calling thread, which must run on it. `sizeBytes` is the size that the creator
// of the thread requested, if known; otherwise libc is asked, which allocates and gives the thread
// a malloc arena. Zeros if the program has forbidden the system calls. Not for signal handlers.
StackBounds stackOfCaller(size_t sizeBytes = 0);

}  // namespace parallax
