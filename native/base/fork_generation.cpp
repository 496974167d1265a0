#include "base/fork_generation.h"

#include "base/sys.h"

namespace parallax {
namespace {
std::atomic<uint32_t> lastGeneration{0};  // children have a copy
}

ForkGeneration wipedForkGeneration;

// Several threads, and a signal handler inside of this function, can be here at the same time: the first
// exchange decides. `lastGeneration` is raised before the number is set, so that it is never below the
// number: a child that another thread forks in between has a number of its own, too.
uint32_t beginForkGeneration() {
  sys::madvise(&wipedForkGeneration, sizeof wipedForkGeneration, MADV_WIPEONFORK);
  uint32_t number = 0;
  const uint32_t next = lastGeneration.fetch_add(1, std::memory_order_acq_rel) + 1;
  return wipedForkGeneration.number.compare_exchange_strong(number, next) ? next : number;
}

void raiseForkGeneration() {
  if (wipedForkGeneration.number.load(std::memory_order_acquire) == 0) return;
  wipedForkGeneration.number.store(lastGeneration.fetch_add(1, std::memory_order_acq_rel) + 1, std::memory_order_release);
}

}  // namespace parallax
