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

// The same where the thread may be in the memory allocator, or on another stack: by the mappings of the process. The lower
// end may be too low. Zeros if they cannot be read.
StackBounds stackByMappings();
// The mapping that holds this address, up to where the thread itself stands if that is above. Signal handlers may call both.
StackBounds stackByMappings(uintptr_t inside);

}  // namespace parallax
