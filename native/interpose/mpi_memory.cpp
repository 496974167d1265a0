#include "mpi_memory.h"

#include <errno.h>
#include <sys/random.h>
#include <unistd.h>

#include "agent/agent.h"

namespace parallax::mpi {

struct alignas(16) Scratch::Buffer {
  Buffer* next;
  size_t sizeBytes;  // with this header

  static SpinLock lock;
  static Buffer* unused;
};

SpinLock Scratch::Buffer::lock;
Scratch::Buffer* Scratch::Buffer::unused = nullptr;

uint64_t randomNumber() {
  const int saved = errno;
  uint64_t number = 0;
  // A sandbox can refuse it; then the clock is as good as it gets.
  if (getrandom(&number, sizeof number, 0) != sizeof number) {
    number = (monotonicNs() ^ static_cast<uint64_t>(getpid()) << 40) * 0x9E3779B97F4A7C15ull;
  }
  errno = saved;
  return number;
}

void Scratch::borrow(size_t sizeBytes) {
  sizeBytes += sizeof(Buffer);
  {
    SpinGuard guard(Buffer::lock);
    buffer_ = Buffer::unused;
    if (buffer_ != nullptr) Buffer::unused = buffer_->next;
  }
  if (buffer_ != nullptr && buffer_->sizeBytes < sizeBytes) {
    releasePages(buffer_, buffer_->sizeBytes);
    buffer_ = nullptr;
  }
  if (buffer_ == nullptr) {
    size_t roomBytes = 1 << 16;
    while (roomBytes < sizeBytes) roomBytes *= 2;
    buffer_ = static_cast<Buffer*>(allocatePages(roomBytes));
    if (buffer_ != nullptr) buffer_->sizeBytes = roomBytes;
  }
  data_ = buffer_ != nullptr ? buffer_ + 1 : nullptr;
}

void Scratch::giveBack() {
  SpinGuard guard(Buffer::lock);
  buffer_->next = Buffer::unused;
  Buffer::unused = buffer_;
}

}  // namespace parallax::mpi
