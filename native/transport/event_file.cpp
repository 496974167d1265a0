#include "transport/event_file.h"

#include <errno.h>

#include <atomic>
#include <cstring>

#include "base/sys.h"
#include "base/text.h"
#include "transport/file_cache.h"
#include "transport/trace_space.h"

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

namespace parallax {
namespace {

// A signal handler may jump out of what follows, between any two of these: the file is then used again, and
// what had been stored by then must make sense.
void storeInOrder() { std::atomic_signal_fence(std::memory_order_seq_cst); }

// Windows grow with the file: a thread of few events costs one block, a busy one few calls.
constexpr uint32_t kLargestWindowBlocks = 16;

}  // namespace

void EventFile::open(const TraceDirectory& directory, const char* name, uint32_t thread) {
  name_[appendText(name_, 0, sizeof name_ - 1, name)] = 0;
  thread_ = thread;
  directory_ = &directory;
}

int EventFile::mapWindow(uint32_t wanted) {
  uint32_t blocks = windowBlocks_ == 0 ? 1 : windowBlocks_ * 4;
  if (blocks > kLargestWindowBlocks) blocks = kLargestWindowBlocks;
  if (wanted != 0) blocks = wanted;
  // A handler may have jumped out right after the file was made.
  const int fd = made_ ? directory_->openFile(name_, O_RDWR) : directory_->openShared(name_);
  if (fd < 0) return fd;
  made_ = true;
  // After the last block, which the window before may have been given up in the middle of.
  const uint64_t offset = blocks_ * format::kBlockBytes;
  int error = 0;
  for (;; blocks = 1) {
    const uint64_t size = blocks * format::kBlockBytes;
    error = reserveFileSpace(fd, offset, size);
    if (error == 0) {
      reservedBytes_ = offset + size;
      if (blocks > 1 && wanted == 0) fillCache(fd, offset, size);
      void* mapped = sys::mmap(size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, offset);
      if (mapped != nullptr) {
        windowBlocks_ = blocks;
        windowFirst_ = blocks_;
        storeInOrder();
        window_ = static_cast<char*>(mapped);
        break;
      }
      error = -ENOMEM;
      giveBackFileSpace(size);
    }
    sys::ftruncate(fd, offset);  // a part may have been reserved
    reservedBytes_ = offset;
    if (blocks == 1) break;  // the last blocks of a full disk are taken one by one
  }
  sys::close(fd);
  if (error != 0) return error;
  sys::madvise(window_, blocks * format::kBlockBytes, MADV_DONTFORK);
  // Faults now instead of between the events. Older kernels fault later.
  if (blocks > 1 && wanted == 0) sys::madvise(window_, blocks * format::kBlockBytes, MADV_POPULATE_WRITE);
  return 0;
}

void EventFile::unmapWindow() {
  char* window = window_;
  window_ = nullptr;  // twice would be once too often
  storeInOrder();
  if (window != nullptr) sys::munmap(window, windowBlocks_ * format::kBlockBytes);
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
  if (windowBlocks != 0 || window_ == nullptr || blocks_ - windowFirst_ == windowBlocks_) {
    unmapWindow();
    if (const int error = mapWindow(windowBlocks)) return error;
  }
  void* block = window_ + (blocks_ - windowFirst_) * format::kBlockBytes;
  beginAt(block, format::kBlockSlots, blocks_ + beganElsewhere_, start, &blocks_);
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
  uint64_t size = blocks_ * format::kBlockBytes;
  if (block_ != nullptr && blocks_ > 0) {
    const uint64_t* end = reinterpret_cast<uint64_t*>(block_ + 1) + format::kBlockSlots;
    size -= static_cast<uint64_t>(end - next_) * sizeof(uint64_t);
  }
  if (block_ != nullptr) finishBlock();
  unmapWindow();
  if (reservedBytes_ > size) {
    const int fd = directory_->openFile(name_, O_RDWR);
    if (fd >= 0) {
      if (sys::ftruncate(fd, size) == 0) giveBackFileSpace(reservedBytes_ - size);
      sys::close(fd);
    }
  }
  directory_ = nullptr;
}

}  // namespace parallax
