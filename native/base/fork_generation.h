// The number of this process in its chain of forks. The pid does not distinguish parent and child:
// in nested pid namespaces, both can be 1.
#pragma once

#include <atomic>
#include <cstdint>

namespace parallax {

// In its own page, which the kernel clears in each child that has its own memory, however the child
// was created. A child that shares the memory (vfork) has its parent's number.
struct alignas(4096) ForkGeneration {
  std::atomic<uint32_t> number;
};
extern ForkGeneration wipedForkGeneration;
uint32_t beginForkGeneration();
// From then on, what was known of a former trace counts as that of a parent.
void raiseForkGeneration();

// Never 0; greater than the number of each process from which this one was forked. Costs one load,
// except for the first call in a process. Signal handlers may call it.
inline uint32_t forkGeneration() {
  const uint32_t number = wipedForkGeneration.number.load(std::memory_order_acquire);
  return __builtin_expect(number != 0, true) ? number : beginForkGeneration();
}

}  // namespace parallax
