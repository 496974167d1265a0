#include "interpose/mpi/mpi_memory.h"

#include <errno.h>
#include <sys/random.h>
#include <unistd.h>

#include "core/agent.h"

namespace parallax::mpi {

struct alignas(16) CallBuffer::Pages {
  Pages* next;
  size_t sizeBytes;  // with this header

  static SpinLock lock;
  static Pages* unused;
};

SpinLock CallBuffer::Pages::lock;
CallBuffer::Pages* CallBuffer::Pages::unused = nullptr;

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

void CallBuffer::borrow(size_t sizeBytes) {
  sizeBytes += sizeof(Pages);
  {
    SpinGuard guard(Pages::lock);
    pages_ = Pages::unused;
    if (pages_ != nullptr) Pages::unused = pages_->next;
  }
  if (pages_ != nullptr && pages_->sizeBytes < sizeBytes) {
    releasePages(pages_, pages_->sizeBytes);
    pages_ = nullptr;
  }
  if (pages_ == nullptr) {
    size_t roomBytes = 1 << 16;
    while (roomBytes < sizeBytes) roomBytes *= 2;
    pages_ = static_cast<Pages*>(allocatePages(roomBytes));
    if (pages_ != nullptr) pages_->sizeBytes = roomBytes;
  }
  data_ = pages_ != nullptr ? pages_ + 1 : nullptr;
}

void CallBuffer::giveBack() {
  SpinGuard guard(Pages::lock);
  pages_->next = Pages::unused;
  Pages::unused = pages_;
}

}  // namespace parallax::mpi
