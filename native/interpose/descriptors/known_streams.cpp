#include "interpose/descriptors/known_streams.h"

#include <atomic>
#include <cstddef>

#include "base/fork_generation.h"

namespace parallax {
namespace {

// stamp: the generation of forks in the upper half, the number of the stream in the lower half. No two streams of a
// process have the same number, so an unchanged stamp means unchanged keys.
struct Slot {
  std::atomic<uint64_t> stamp, high, low;
};
constexpr size_t kSlots = 256;
Slot slots[kSlots];

constexpr int kGenerationShift = 32;
constexpr uint64_t kWriting = 1;  // a stamp of no generation: these begin at 1

// The lowest bits of `low` can be the same in both directions of a connection.
Slot& slotOf(const StreamKey& key) { return slots[(key.low ^ key.high >> 32) % kSlots]; }

}  // namespace

uint32_t knownStream(const StreamKey& key) {
  const Slot& slot = slotOf(key);
  const uint64_t stamp = slot.stamp.load(std::memory_order_acquire);
  // Numbers of the parent are defined in the files of the parent only.
  if (stamp >> kGenerationShift != forkGeneration()) return 0;
  const bool same = slot.high.load(std::memory_order_relaxed) == key.high &&
                    slot.low.load(std::memory_order_relaxed) == key.low;
  std::atomic_thread_fence(std::memory_order_acquire);
  return same && slot.stamp.load(std::memory_order_relaxed) == stamp ? static_cast<uint32_t>(stamp) : 0;
}

void rememberStream(const StreamKey& key, uint32_t id) {
  Slot& slot = slotOf(key);
  uint64_t stamp = slot.stamp.load(std::memory_order_relaxed);
  // Nobody waits for another thread that writes here: the stream is then defined once more at its other end.
  if (stamp == kWriting || !slot.stamp.compare_exchange_strong(stamp, kWriting, std::memory_order_acquire)) return;
  // Readers that see one of the new keys see the stamp of the writing, too.
  std::atomic_thread_fence(std::memory_order_release);
  slot.high.store(key.high, std::memory_order_relaxed);
  slot.low.store(key.low, std::memory_order_relaxed);
  slot.stamp.store(uint64_t{forkGeneration()} << kGenerationShift | id, std::memory_order_release);
}

}  // namespace parallax
