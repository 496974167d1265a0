#include "interpose/mpi/mpi_providers.h"

#include <cstring>

#include "core/agent.h"
#include "interpose/mpi/mpi_memory.h"

namespace parallax::mpi {
namespace {

constexpr uint32_t kMostRanksSlots = Providers::kMostSlots - 1;

uint64_t form(format::Providers providers) { return static_cast<uint64_t>(providers); }

union Kept {
  Kept* next;  // while it is not used
  Providers providers;
};

Kept* unused = nullptr;
SpinLock lock;

}  // namespace

// Takes the form with fewer slots.
void Providers::begin(uint32_t runs, uint32_t size) {
  const uint32_t bitSlots = (size + format::kRanksPerSlot - 1) / format::kRanksPerSlot;
  count = 1;
  if (runs <= bitSlots && runs <= kMostRanksSlots) {
    slots[0] = form(format::Providers::kRuns);
  } else if (bitSlots <= kMostRanksSlots) {
    slots[0] = form(format::Providers::kBits);
    memset(slots + 1, 0, bitSlots * sizeof slots[0]);
    count += bitSlots;
  } else {
    slots[0] = form(format::Providers::kUnknown);
  }
}

void Providers::add(uint32_t rank) {
  if (slots[0] == form(format::Providers::kBits)) {
    const uint32_t slot = rank / format::kRanksPerSlot;
    if (slot + 1 < count) slots[slot + 1] |= 1ull << rank % format::kRanksPerSlot;
  } else if (slots[0] == form(format::Providers::kRuns)) {
    const uint64_t last = slots[count - 1];
    if (count > 1 && (last >> 31) + (last & 0x7fffffff) == rank) {
      ++slots[count - 1];
    } else if (count < kMostSlots) {
      slots[count++] = static_cast<uint64_t>(rank) << 31 | 1;
    }
  }
}

const Providers* keepProviders(const Providers& providers) {
  if (providers.count == 0) return nullptr;
  SpinGuard guard(lock);
  Kept* kept = unused;
  if (kept != nullptr) {
    unused = kept->next;
  } else {
    kept = static_cast<Kept*>(allocate(sizeof(Kept)));
    if (kept == nullptr) return nullptr;
  }
  kept->providers = providers;
  return &kept->providers;
}

void releaseProviders(const Providers* providers) {
  if (providers == nullptr) return;
  auto* kept = reinterpret_cast<Kept*>(const_cast<Providers*>(providers));
  SpinGuard guard(lock);
  kept->next = unused;
  unused = kept;
}

}  // namespace parallax::mpi
