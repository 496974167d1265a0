// Memory of the agent: straight from the kernel, so that neither the program's malloc nor the
// lock of libc's is ever touched.
#pragma once

#include <cstddef>

namespace parallax {

// Memory that is never given back, zeroed, aligned to 16; null when there is none. Lock-free;
// signal handlers may call it.
void* allocate(size_t sizeBytes);

// Memory for what is too large for that, or for the stack: whole pages, zeroed. Null when there is none.
// A system call; signal handlers may call it.
void* allocatePages(size_t sizeBytes);
void releasePages(void* pages, size_t sizeBytes);

}  // namespace parallax
