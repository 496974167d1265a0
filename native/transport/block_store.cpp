#include "transport/block_store.h"

#include <errno.h>

#include <atomic>

#include "base/sys.h"
#include "base/text.h"
#include "format/format.h"
#include "transport/file_cache.h"
#include "transport/trace_space.h"

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

namespace parallax {
namespace {

// A signal handler may jump out of what follows, between any two of these: the store is then used again, and
// what had been stored by then must make sense.
void storeInOrder() { std::atomic_signal_fence(std::memory_order_seq_cst); }

// Windows grow with the file: a thread of few events costs one block, a busy one few calls.
constexpr uint32_t kLargestWindowBlocks = 16;

}  // namespace

void BlockStore::open(const TraceDirectory& directory, const char* name) {
  name_[appendText(name_, 0, sizeof name_ - 1, name)] = 0;
  directory_ = &directory;
}

int BlockStore::mapWindow(uint32_t wanted) {
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

void BlockStore::unmapWindow() {
  char* window = window_;
  window_ = nullptr;  // twice would be once too often
  storeInOrder();
  if (window != nullptr) sys::munmap(window, windowBlocks_ * format::kBlockBytes);
}

int BlockStore::next(uint32_t windowBlocks, void** memory) {
  if (windowBlocks != 0 || window_ == nullptr || blocks_ - windowFirst_ == windowBlocks_) {
    unmapWindow();
    if (const int error = mapWindow(windowBlocks)) return error;
  }
  *memory = window_ + (blocks_ - windowFirst_) * format::kBlockBytes;
  return 0;
}

void BlockStore::close(uint64_t usedBytes) {
  unmapWindow();
  if (reservedBytes_ > usedBytes) {
    const int fd = directory_->openFile(name_, O_RDWR);
    if (fd >= 0) {
      if (sys::ftruncate(fd, usedBytes) == 0) giveBackFileSpace(reservedBytes_ - usedBytes);
      sys::close(fd);
    }
  }
  directory_ = nullptr;
}

}  // namespace parallax
