#include "interpose/descriptors/fd_table.h"

#include <errno.h>

#include "base/sys.h"
#include "core/agent.h"
#include "core/process.h"

namespace parallax {
namespace {

//   state   0 unknown -> 1 being written -> stamp, unlike any before: known -> 0
//                              \-> 2 forgotten while being written -> 0
//
// Only whoever made it 1 writes the fields, and nobody waits: a reader that finds no stamp, or
// another one after reading the fields, asks the kernel for itself.
struct Slot {
  std::atomic<uint64_t> state;
  std::atomic<uint32_t> traits;
  std::atomic<uint32_t> numbers[2];  // of the file, or of what is sent and received
  std::atomic<SharedCounters*> counters[2];
};
constexpr uint64_t kUnknown = 0, kWriting = 1, kForgotten = 2, kFirstStamp = 4;

constexpr uint32_t kNonBlocking = 1u << 8, kRegular = 1u << 9, kLocal = 1u << 10, kTokens = 1u << 11;
constexpr int kStreamShift = 16;

constexpr size_t kChunkSlots = 1024;
constexpr size_t kChunks = 1024;  // descriptors above a million are not recorded
constexpr size_t kChunkBytes = kChunkSlots * sizeof(Slot);
// The kernel clears the slots in a child after fork (MADV_WIPEONFORK), because the numbers in them are defined in the
// files of the parent only.
std::atomic<Slot*> chunks[kChunks];
std::atomic<uint64_t> lastStamp{kFirstStamp};

Slot* find(int fd) {
  const auto index = static_cast<unsigned>(fd);
  if (index >= kChunkSlots * kChunks) return nullptr;
  Slot* chunk = chunks[index / kChunkSlots].load(std::memory_order_acquire);
  return chunk == nullptr ? nullptr : chunk + index % kChunkSlots;
}

Slot* obtain(int fd) {
  const auto index = static_cast<unsigned>(fd);
  if (index >= kChunkSlots * kChunks) return nullptr;
  auto& place = chunks[index / kChunkSlots];
  Slot* chunk = place.load(std::memory_order_acquire);
  if (chunk == nullptr) {
    auto* fresh = static_cast<Slot*>(allocatePages(kChunkBytes));
    if (fresh == nullptr) return nullptr;
    sys::madvise(fresh, kChunkBytes, MADV_WIPEONFORK);
    if (place.compare_exchange_strong(chunk, fresh, std::memory_order_acq_rel)) {
      chunk = fresh;
    } else {
      releasePages(fresh, kChunkBytes);
    }
  }
  return chunk + index % kChunkSlots;
}

void write(Slot& slot, const Descriptor& descriptor) {
  constexpr auto relaxed = std::memory_order_relaxed;
  const bool file = descriptor.kind == FdKind::kFile;
  slot.traits.store(static_cast<uint32_t>(descriptor.kind) |
                        (descriptor.nonBlocking ? kNonBlocking : 0) |
                        (descriptor.regular ? kRegular : 0) | (descriptor.local ? kLocal : 0) |
                        (descriptor.tokens ? kTokens : 0) |
                        static_cast<uint32_t>(descriptor.stream) << kStreamShift, relaxed);
  slot.numbers[0].store(file ? descriptor.file : descriptor.send.id, relaxed);
  slot.numbers[1].store(descriptor.receive.id, relaxed);
  slot.counters[0].store(descriptor.send.counters, relaxed);
  slot.counters[1].store(descriptor.receive.counters, relaxed);
}

void read(const Slot& slot, Descriptor* result) {
  constexpr auto relaxed = std::memory_order_relaxed;
  const uint32_t traits = slot.traits.load(relaxed);
  result->kind = static_cast<FdKind>(traits & 0xff);
  result->stream = static_cast<format::StreamKind>(traits >> kStreamShift);
  result->nonBlocking = (traits & kNonBlocking) != 0;
  result->regular = (traits & kRegular) != 0;
  result->local = (traits & kLocal) != 0;
  result->tokens = (traits & kTokens) != 0;
  result->file = result->send.id = slot.numbers[0].load(relaxed);
  result->receive.id = slot.numbers[1].load(relaxed);
  result->send.counters = slot.counters[0].load(relaxed);
  result->receive.counters = slot.counters[1].load(relaxed);
}

void publish(int fd, const Descriptor& descriptor) {
  // A child after vfork shares the memory of its parent, but not its descriptors. What it opens must not be written
  // into the parent's table.
  if (!process.isOurs()) return;
  Slot* slot = obtain(fd);
  uint64_t state = kUnknown;
  if (slot == nullptr || !slot->state.compare_exchange_strong(state, kWriting)) return;
  write(*slot, descriptor);
  const uint64_t stamp = lastStamp.fetch_add(1, std::memory_order_relaxed) + 1;
  state = kWriting;
  if (!slot->state.compare_exchange_strong(state, stamp, std::memory_order_acq_rel)) {
    slot->state.store(kUnknown, std::memory_order_release);
  }
}

void forget(Slot& slot) {
  uint64_t state = slot.state.load(std::memory_order_acquire);
  while (state != kUnknown && state != kForgotten) {
    if (slot.state.compare_exchange_weak(state, state == kWriting ? kForgotten : kUnknown,
                                         std::memory_order_acq_rel)) {
      return;
    }
  }
}

}  // namespace

bool knownDescriptor(int fd, Descriptor* result) {
  Slot* slot = find(fd);
  if (slot == nullptr) return false;
  const uint64_t stamp = slot->state.load(std::memory_order_acquire);
  if (stamp < kFirstStamp) return false;
  read(*slot, result);
  std::atomic_thread_fence(std::memory_order_acquire);
  return slot->state.load(std::memory_order_relaxed) == stamp;
}

bool describe(int fd, Descriptor* result) {
  if (__builtin_expect(knownDescriptor(fd, result), true)) return true;
  *result = Descriptor{};
  if (!askKernel(fd, Sight::kUnknown, result)) return false;
  publish(fd, *result);
  return true;
}

void describeNew(int fd, Sight sight) {
  forgetDescriptor(fd);
  Descriptor found;
  if (askKernel(fd, sight, &found)) publish(fd, found);
}

void forgetDescriptor(int fd) {
  if (Slot* slot = find(fd)) forget(*slot);
}

void forgetDescriptors(unsigned first, unsigned last) {
  constexpr unsigned kMost = kChunkSlots * kChunks - 1;
  if (last > kMost) last = kMost;
  for (unsigned fd = first; fd <= last; fd++) {
    if (chunks[fd / kChunkSlots].load(std::memory_order_acquire) == nullptr) {
      fd |= kChunkSlots - 1;  // the last one of its chunk
    } else {
      forgetDescriptor(static_cast<int>(fd));
    }
  }
}

void setNonBlocking(int fd, bool nonBlocking) {
  Slot* slot = find(fd);
  if (slot == nullptr) return;
  if (nonBlocking) {
    slot->traits.fetch_or(kNonBlocking, std::memory_order_relaxed);
  } else {
    slot->traits.fetch_and(~kNonBlocking, std::memory_order_relaxed);
  }
}

}  // namespace parallax
