// The stack on which a thread was started.
#pragma once

#include <cstddef>
#include <cstdint>

namespace parallax {

struct StackBounds {
  uintptr_t low;   // of the main thread's, which grows: 1 GiB at most below its end
  uintptr_t high;
};

// That of the calling thread, which runs on it. `sizeBytes`, where it is known, is what the creator of the
// thread asked for; asking libc for it allocates, and gives the thread an arena of malloc. Zeros where the
// program has forbidden to ask. Not for signal handlers.
StackBounds stackOfCaller(size_t sizeBytes = 0);

}  // namespace parallax
