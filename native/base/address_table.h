// A map from addresses to entries that are never removed. Lock-free; signal handlers may use it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "base/memory.h"

namespace parallax {

// Entry must be usable when zeroed. An address is stored in the first level that has a free place
// among its kProbes places. Places never become free again, so a search can stop at the first free
// place. Each level is twice as large as the one before.
template <class Entry>
class AddressTable {
 public:
  // The entry of `address` (not 0), or null when there is none and no memory for it.
  Entry* obtain(uint64_t address) {
    for (int level = 0; level < kLevels; level++) {
      Slot* slots = levels_[level].load(std::memory_order_acquire);
      if (slots == nullptr && (slots = addLevel(level)) == nullptr) return nullptr;
      const size_t mask = sizeOf(level) - 1;
      size_t at = hash(address) & mask;
      for (int probe = 0; probe < kProbes; probe++, at = (at + 1) & mask) {
        uint64_t key = slots[at].key.load(std::memory_order_acquire);
        if (key == 0 && slots[at].key.compare_exchange_strong(key, address,
                                                              std::memory_order_acq_rel)) {
          return &slots[at].entry;
        }
        if (key == address) return &slots[at].entry;
      }
    }
    return nullptr;
  }

  // The entry of `address`, or null when there is none.
  Entry* find(uint64_t address) {
    for (int level = 0; level < kLevels; level++) {
      Slot* slots = levels_[level].load(std::memory_order_acquire);
      if (slots == nullptr) return nullptr;
      const size_t mask = sizeOf(level) - 1;
      size_t at = hash(address) & mask;
      for (int probe = 0; probe < kProbes; probe++, at = (at + 1) & mask) {
        const uint64_t key = slots[at].key.load(std::memory_order_acquire);
        if (key == address) return &slots[at].entry;
        if (key == 0) return nullptr;
      }
    }
    return nullptr;
  }

  // Calls f(address, entry) for all entries.
  template <class F>
  void forEach(F f) {
    for (int level = 0; level < kLevels; level++) {
      Slot* slots = levels_[level].load(std::memory_order_acquire);
      if (slots == nullptr) return;
      for (size_t i = 0; i < sizeOf(level); i++) {
        if (const uint64_t key = slots[i].key.load(std::memory_order_acquire)) {
          f(key, slots[i].entry);
        }
      }
    }
  }

 private:
  struct Slot {
    std::atomic<uint64_t> key;
    Entry entry;
  };
  static constexpr int kLevels = 20;
  static constexpr int kProbes = 16;
  static constexpr size_t kFirstSlots = 1024;

  static size_t sizeOf(int level) { return kFirstSlots << level; }
  static size_t hash(uint64_t address) {
    return static_cast<size_t>((address >> 3) * 0x9E3779B97F4A7C15u >> 24);
  }
  Slot* addLevel(int level) {
    const size_t bytes = sizeOf(level) * sizeof(Slot);
    auto* fresh = static_cast<Slot*>(allocatePages(bytes));
    if (fresh == nullptr) return nullptr;
    Slot* winner = nullptr;
    if (levels_[level].compare_exchange_strong(winner, fresh, std::memory_order_acq_rel)) {
      return fresh;
    }
    releasePages(fresh, bytes);
    return winner;
  }

  std::atomic<Slot*> levels_[kLevels] = {};
};

}  // namespace parallax
