#include "transport/event_file.h"

#include <atomic>

namespace parallax {
namespace {

// A signal handler may jump out of what follows, between any two of these: the file is then used again, and
// what had been stored by then must make sense.
void storeInOrder() { std::atomic_signal_fence(std::memory_order_seq_cst); }

}  // namespace

void EventFile::open(const TraceDirectory& directory, const char* name, uint32_t thread) {
  thread_ = thread;
  store_.open(directory, name);
}

void EventFile::finishBlock() {
  end_ = nullptr;  // nothing fits
  storeInOrder();
  if (block_ != nullptr) {
    const auto* slots = reinterpret_cast<const uint64_t*>(block_ + 1);
    format::closeBlock(block_, static_cast<uint32_t>(next_ - slots));
  }
  storeInOrder();
  block_ = nullptr;
  storeInOrder();
  next_ = nullptr;
}

int EventFile::beginBlock(const BlockStart& start) { return beginBlock(start, 0); }

int EventFile::beginBlock(const BlockStart& start, uint32_t windowBlocks) {
  finishBlock();
  void* block;
  if (const int error = store_.next(windowBlocks, &block)) return error;
  beginAt(block, format::kBlockSlots, store_.blocks() + beganElsewhere_, start, store_.begun());
  return 0;
}

void EventFile::beginElsewhere(void* memory, size_t sizeBytes, const BlockStart& start) {
  const size_t slots = (sizeBytes - sizeof(format::BlockHeader)) / sizeof(uint64_t);
  beginAt(memory, slots, 0, start, &beganElsewhere_);
}

// `counted` is one more once a reader can see the block.
void EventFile::beginAt(void* memory, size_t slots, uint64_t number, const BlockStart& start,
                        uint64_t* counted) {
  auto* block = static_cast<format::BlockHeader*>(memory);
  block->version = format::kVersion;
  block->flags = 0;
  block->thread = thread_;
  block->used = 0;
  block->baseTicks = start.ticks;
  block->number = number;
  block->monotonicNs = start.monotonicNs;
  block->cpuNs = start.cpuNs;
  block->lost = start.lost;
  block->openPath = start.openPath;
  block->reserved = 0;
  block->crc = 0;
  __atomic_store_n(&block->magic, format::kBlockMagic, __ATOMIC_RELEASE);
  storeInOrder();
  ++*counted;
  storeInOrder();
  next_ = reinterpret_cast<uint64_t*>(block + 1);
  storeInOrder();
  block_ = block;
  baseTicks_ = start.ticks;
  storeInOrder();
  end_ = next_ + slots;
}

void EventFile::close() {
  if (!isOpen()) return;
  uint64_t size = store_.blocks() * format::kBlockBytes;
  if (block_ != nullptr && size > 0) {
    const uint64_t* end = reinterpret_cast<uint64_t*>(block_ + 1) + format::kBlockSlots;
    size -= static_cast<uint64_t>(end - next_) * sizeof(uint64_t);
  }
  if (block_ != nullptr) finishBlock();
  store_.close(size);
}

}  // namespace parallax
