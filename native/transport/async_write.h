// A write to a file by a thread of its own, while the thread that records goes on.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace parallax {

//   recording thread:  fills a window | begin() | fills the next one ...        | await()
//   own thread:                          copies the window into the mapped file, ends
//
// The thread exists only for this write. It is made by the kernel's clone, uses no libc and no memory but this object, has
// all signals blocked, and is unknown to libc: setuid, pthread_exit of the last thread, and fork work as without it.
// It has no descriptor, because the program may close any and use its number again. The file is mapped instead. A store to
// a page without space would end the program, so all pages are made present first, which can fail without a signal.
//
// Zeroed memory is a write that has not begun. The object must not be moved while isRunning().
class AsyncWrite {
 public:
  // Sets where to write: to a place of the file, whose space is reserved. Nothing is left open.
  void setTarget(int fd, uint64_t offset, uint64_t sizeBytes);
  // Forgets it, unless the thread has done so.
  void dropTarget();
  // Begins to write `bytes` of the memory, of each block the first `lastBytes` after the rest. Returns false where no thread
  // may or can be made, and has then done nothing. Blocks signals.
  bool begin(const char* memory, uint64_t bytes, uint64_t lastBytes);
  bool isRunning() const { return thread_.load(std::memory_order_acquire) != 0; }
  void await();
  // Whether all was written; when it does not run any more.
  bool isDone() const { return __atomic_load_n(&done_, __ATOMIC_ACQUIRE); }
  // Waits until the process has no trace of the thread.
  void awaitEnd();

  // From hold() on none begins, until letGo() was called as often. Those that run are to be awaited.
  static void hold() { held.fetch_add(1, std::memory_order_seq_cst); }
  static void letGo() { held.fetch_sub(1, std::memory_order_seq_cst); }

 private:
  [[noreturn]] static void run(AsyncWrite* write);

  static inline std::atomic<uint32_t> held{0};

  std::atomic<int32_t> thread_;  // its id; the kernel clears it
  int32_t lastThread_;           // the same, and stays
  bool done_;
  char* target_;  // null: there is none
  uint64_t targetBytes_;
  const char* memory_;
  uint64_t bytes_, lastBytes_;
  alignas(16) char stack_[1024];
};

}  // namespace parallax
