// Locks, buffers and random numbers of the MPI adapter: nothing comes from malloc or the pthread
// library, which may be the program's own and are recorded.
#pragma once

#include <sched.h>

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace parallax::mpi {

// A spin lock. Hold it for a few instructions only, and never while you call MPI or wait.
class SpinLock {
 public:
  void lock() {
    while (held_.exchange(true, std::memory_order_acquire)) {
      while (held_.load(std::memory_order_relaxed)) sched_yield();
    }
  }
  void unlock() { held_.store(false, std::memory_order_release); }

 private:
  std::atomic<bool> held_{false};
};

class SpinGuard {
 public:
  explicit SpinGuard(SpinLock& lock) : lock_(lock) { lock_.lock(); }
  ~SpinGuard() { lock_.unlock(); }
  SpinGuard(const SpinGuard&) = delete;
  SpinGuard& operator=(const SpinGuard&) = delete;

 private:
  SpinLock& lock_;
};

uint64_t randomNumber();

// Room for the length of one call: on the stack when it is small, else a buffer that later calls
// use again. data() is null when the system has no memory.
class CallBuffer {
 public:
  explicit CallBuffer(size_t sizeBytes) {
    if (sizeBytes > kInlineBytes) {
      borrow(sizeBytes);
    } else {
      data_ = inline_;
    }
  }
  ~CallBuffer() {
    if (pages_ != nullptr) giveBack();
  }
  CallBuffer(const CallBuffer&) = delete;
  CallBuffer& operator=(const CallBuffer&) = delete;
  void* data() { return data_; }

 private:
  struct Pages;
  static constexpr size_t kInlineBytes = 768;

  void borrow(size_t sizeBytes);
  void giveBack();

  void* data_ = nullptr;
  Pages* pages_ = nullptr;
  alignas(16) unsigned char inline_[kInlineBytes];
};

}  // namespace parallax::mpi
