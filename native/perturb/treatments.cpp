// What a factor does other than to wait.
#include <pthread.h>
#include <sys/socket.h>

#include <cerrno>

#include "base/sys.h"
#include "core/glibc.h"
#include "perturb/delay.h"

namespace parallax::perturb {

std::atomic<bool (*)(uint64_t)> messageSender{nullptr};

namespace {

constexpr size_t kMostPartBytes = 16 << 10;  // a pair of sockets holds as much

// Descriptors that stay open a program may close, and give to something of its own.
class SocketPair {
 public:
  SocketPair() {
    if (sys::call(SYS_socketpair, AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sys::word(ends_)) != 0) {
      ends_[0] = ends_[1] = -1;
    }
  }
  ~SocketPair() {
    for (const int end : ends_) {
      if (end >= 0) sys::close(end);
    }
  }
  explicit operator bool() const { return ends_[0] >= 0; }
  // Through it and back, without waiting.
  bool pass(char* buffer, size_t bytes) const {
    const auto size = static_cast<long>(bytes);
    return sys::call(SYS_sendto, ends_[0], sys::word(buffer), size, MSG_DONTWAIT | MSG_NOSIGNAL) ==
               size &&
           sys::call(SYS_recvfrom, ends_[1], sys::word(buffer), size, MSG_DONTWAIT) == size;
  }

 private:
  int ends_[2];
};

bool sendThroughSockets(uint64_t sizeBytes) {
  char* buffer = static_cast<char*>(sys::pages(kMostPartBytes));
  if (buffer == nullptr) return false;
  bool done = false;
  {
    const SocketPair sockets;
    done = bool(sockets);
    uint64_t left = sizeBytes;
    while (done && left > 0) {
      const uint64_t part = left < kMostPartBytes ? left : kMostPartBytes;
      done = sockets.pass(buffer, part);
      left -= part;
    }
  }
  sys::munmap(buffer, kMostPartBytes);
  return done;
}

}  // namespace

// With glibc's functions, or whoever stands before them. The owner of every kind of mutex is known
// to glibc but while it is being taken or given back.
bool takeLock(void* address) {
  if (address == nullptr || !glibc::holds(glibc::Assumption::kMutex)) return false;
  auto* mutex = static_cast<pthread_mutex_t*>(address);
  const int tid = static_cast<int>(threadCells.tid);
  // Of a robust one whose owner has died it is the program that must hear.
  if ((mutex->__data.__kind & glibc::kRobustMutex) != 0) return false;
  if (__atomic_load_n(&mutex->__data.__owner, __ATOMIC_RELAXED) == tid) return false;
  const int keep = errno;
  const int result = pthread_mutex_lock(mutex);
  if (result == 0) pthread_mutex_unlock(mutex);
  errno = keep;
  return result == 0;
}

bool sendDummyMessage(uint64_t sizeBytes) {
  const int keep = errno;
  const auto sender = messageSender.load(std::memory_order_acquire);
  const bool sent = sender != nullptr ? sender(sizeBytes) : sendThroughSockets(sizeBytes);
  errno = keep;
  return sent;
}

}  // namespace parallax::perturb
