// Which process this is of those that fork has made one from the other. Their pids do not tell: in
// pid namespaces within one another parent and child are both 1.
#pragma once

#include <atomic>
#include <cstdint>

namespace parallax {

// In a page of its own that the kernel wipes in children with memory of their own, however they
// were made; a child that shares the memory (vfork) has its parent's.
struct alignas(4096) ForkGeneration {
  std::atomic<uint32_t> number;
};
extern ForkGeneration wipedForkGeneration;
uint32_t beginForkGeneration();

// Never 0; greater than that of every process it was forked from. One load, except for the first
// time in a process. Signal handlers may call it.
inline uint32_t forkGeneration() {
  const uint32_t number = wipedForkGeneration.number.load(std::memory_order_acquire);
  return __builtin_expect(number != 0, true) ? number : beginForkGeneration();
}

}  // namespace parallax
