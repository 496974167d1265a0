#include "base/fork_generation.h"

#include "base/sys.h"

namespace parallax {
namespace {
std::atomic<uint32_t> lastGeneration{0};  // is copied
}

ForkGeneration wipedForkGeneration;

// Several threads may come here at once. Whoever has read a later `lastGeneration` than the others
// finds that the number is set.
uint32_t beginForkGeneration() {
  sys::madvise(&wipedForkGeneration, sizeof wipedForkGeneration, MADV_WIPEONFORK);
  uint32_t number = 0;
  const uint32_t next = lastGeneration.load(std::memory_order_acquire) + 1;
  if (!wipedForkGeneration.number.compare_exchange_strong(number, next)) return number;
  lastGeneration.store(next, std::memory_order_release);
  return next;
}

}  // namespace parallax
