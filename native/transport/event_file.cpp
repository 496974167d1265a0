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

int EventFile::finishBlock() {
  end_ = nullptr;  // nothing fits
  storeInOrder();
  const int error = block_ != nullptr ? store_.finish(block_, next_) : 0;
  storeInOrder();
  leaveBlock();
  return error;
}

void EventFile::leaveBlock() {
  end_ = nullptr;
  storeInOrder();
  block_ = nullptr;
  storeInOrder();
  next_ = nullptr;
}

bool EventFile::continueBlock(size_t slots, uint64_t ticks, int* error) {
  *error = 0;
  if (block_ == nullptr || end_ == nullptr || end_ == blockEnd_ ||
      blockEnd_ - next_ < static_cast<ptrdiff_t>(slots) || !format::fitsTime(ticks - baseTicks_)) {
    return false;
  }
  *error = store_.write(next_);
  if (*error != 0) {
    leaveBlock();
    return false;
  }
  end_ = store_.limit(next_, slots, blockEnd_);
  return true;
}

int EventFile::writeEvent() {
  const int error = write();
  if (error == 0 && block_ != nullptr) end_ = store_.limit(next_, 0, blockEnd_);
  return error;
}

int EventFile::write() {
  if (block_ == nullptr) return 0;
  const int error = store_.write(next_);
  if (error != 0) leaveBlock();
  return error;
}

int EventFile::beginBlock(const BlockStart& start) { return beginBlock(start, 0); }

int EventFile::beginBlock(const BlockStart& start, uint32_t windowBlocks) {
  if (const int error = finishBlock()) return error;
  void* block;
  if (const int error = store_.next(windowBlocks, start.ticks, &block)) return error;
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
  block->keptFrom = 0;
  block->crc = 0;
  __atomic_store_n(&block->magic, format::kBlockMagic, __ATOMIC_RELEASE);
  storeInOrder();
  ++*counted;
  storeInOrder();
  next_ = reinterpret_cast<uint64_t*>(block + 1);
  storeInOrder();
  block_ = block;
  baseTicks_ = start.ticks;
  blockEnd_ = next_ + slots;
  storeInOrder();
  end_ = store_.limit(next_, 0, blockEnd_);
}

void EventFile::close() {
  if (!isOpen()) return;
  finishBlock();
  store_.close();
}

void EventFile::leave() {
  if (!isOpen()) return;
  leaveBlock();
  store_.leave();
}

}  // namespace parallax
