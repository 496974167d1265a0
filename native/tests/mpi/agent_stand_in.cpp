// The memory that the MPI adapter takes from the agent, for tests that run under a sanitizer:
// the agent itself does not.

#include <sys/mman.h>

#include <cstdlib>

#include "agent/agent.h"

namespace parallax {

void* allocate(size_t sizeBytes) { return calloc(1, sizeBytes); }

uint64_t monotonicNs() { return 0; }

void* allocatePages(size_t sizeBytes) {
  void* pages =
      mmap(nullptr, sizeBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return pages == MAP_FAILED ? nullptr : pages;
}

void releasePages(void* pages, size_t sizeBytes) { munmap(pages, sizeBytes); }

}  // namespace parallax
