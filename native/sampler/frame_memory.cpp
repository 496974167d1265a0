#include "sampler/frame_memory.h"

#include <sys/uio.h>

#include <cerrno>

#include <algorithm>
#include <atomic>
#include <cstring>

#include "base/sys.h"

namespace parallax {

namespace {

std::atomic<bool> copyingRefused{false};

}  // namespace

size_t copyMapped(void* to, const void* from, size_t sizeBytes) {
  // Signal context.
  if (!copyingRefused.load(std::memory_order_relaxed)) {
    const iovec target{to, sizeBytes};
    const iovec source{const_cast<void*>(from), sizeBytes};
    const long copied = sys::call(SYS_process_vm_readv, sys::getpid(), sys::word(&target), 1,
                                  sys::word(&source), 1, 0);
    if (copied >= 0) return static_cast<size_t>(copied);
    if (copied != -EPERM && copied != -ENOSYS) return 0;
    copyingRefused.store(true, std::memory_order_relaxed);
  }
  memcpy(to, from, sizeBytes);
  return sizeBytes;
}

FrameBytes FrameMemory::copiedCie(const uint8_t* at) const {
  if (scratch_->cieAt == at) return {scratch_->cie, scratch_->cie + scratch_->cieBytes, at - scratch_->cie};
  scratch_->cieAt = nullptr;
  const FrameBytes bytes = copied(at, scratch_->cie, sizeof scratch_->cie);
  if (bytes.begin != scratch_->cie) return bytes;
  scratch_->cieBytes = static_cast<size_t>(bytes.end - bytes.begin);
  scratch_->cieAt = at;
  return bytes;
}

FrameBytes FrameMemory::copied(const uint8_t* at, uint8_t* copy, size_t capacity) const {
  constexpr size_t kUsualBytes = 128;
  if (!readable_.contains(at)) return {};
  const auto left = static_cast<size_t>(readable_.end - at);
  uint32_t length = 0;
  size_t size = copyMapped(copy, at, std::min(left, kUsualBytes));
  if (size < sizeof length) return {};
  memcpy(&length, copy, sizeof length);
  const size_t whole = sizeof length + length;
  // Very long ones belong to functions with thousands of calls.
  if (whole > capacity) return inPlace(at);
  if (whole > size) size = copyMapped(copy, at, std::min(left, whole));
  return {copy, copy + size, at - copy};
}

}  // namespace parallax
