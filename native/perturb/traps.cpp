#include <algorithm>

#include "core/agent.h"
#include "perturb/patch.h"

namespace parallax::perturb {
namespace {

struct TrapTable {
  uint32_t count;
  const Trap* traps;
};
std::atomic<const TrapTable*> table{nullptr};

}  // namespace

void setTraps(Trap* traps, uint32_t count) {
  std::sort(traps, traps + count,
            [](const Trap& a, const Trap& b) { return a.address < b.address; });
  auto* fresh = static_cast<TrapTable*>(allocate(sizeof(TrapTable)));
  if (fresh == nullptr) return;
  *fresh = {count, traps};
  table.store(fresh, std::memory_order_release);  // the old table stays: a handler may read it
}

bool followTrap(siginfo_t* info, ucontext_t* context) {
  if (info->si_code != SI_KERNEL) return false;  // the kernel's code for an int3
  const TrapTable* known = table.load(std::memory_order_acquire);
  if (known == nullptr) return false;
  auto& rip = context->uc_mcontext.gregs[REG_RIP];
  const uint64_t address = static_cast<uint64_t>(rip) - 1;
  uint32_t low = 0, high = known->count;
  while (low < high) {
    const uint32_t middle = (low + high) / 2;
    if (known->traps[middle].address < address) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  if (low == known->count || known->traps[low].address != address) return false;
  rip = static_cast<greg_t>(known->traps[low].trampoline);
  return true;
}

}  // namespace parallax::perturb
