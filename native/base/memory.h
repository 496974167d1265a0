// Memory of the agent, directly from the kernel. The agent must not call malloc: it may be the
// program's own, and libc's has a lock that the interrupted thread can hold.
#pragma once

#include <cstddef>

namespace parallax {

// Zeroed memory that is never freed, aligned to 16 bytes; null if there is none. Lock-free; signal
// handlers may call it.
void* allocate(size_t sizeBytes);

// Whole zeroed pages, for objects that are too large for allocate() or for the stack; null if there
// are none. Costs a system call; signal handlers may call it.
void* allocatePages(size_t sizeBytes);
void releasePages(void* pages, size_t sizeBytes);

}  // namespace parallax
