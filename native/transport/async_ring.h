// Asynchronous writes of one thread into one file by io_uring.
#pragma once

#include <cstddef>
#include <cstdint>

struct io_uring_sqe;
struct io_uring_cqe;
struct io_uring_params;

namespace parallax {

// The system calls are made directly and not by liburing, because the program may forbid them (base/sandbox.h), and because
// no descriptor may stay open: the program may close any and use its number again. The file and the ring itself are
// therefore registered, the file with the ring and the ring with the thread, and both descriptors are closed (Linux 6.1).
// Completions are seen only by await() (IORING_SETUP_DEFER_TASKRUN): else the kernel can interrupt waits of the program,
// of which epoll_wait then fails with EINTR.
//
// The kernel writes by threads of the process without a program, which stay as long as the thread that has the ring.
//
// Only this thread may use the object. Zeroed memory is a ring that is not open.
class AsyncRing {
 public:
  // Whether the kernel allows all this, tried with a file. A filter of system calls may end the process.
  static bool works(int fd);

  // Blocks signals. Returns false where there is none; then nothing has changed.
  bool open(int fd);
  bool isOpen() const { return sqes_ != nullptr; }
  void close();

  // Begins to write [lastBytes, bytes) of the memory, and then [0, lastBytes), to their places after `offset` of the file.
  // Returns false where that cannot be, and has then done nothing. One write at a time. Blocks signals.
  bool begin(const char* memory, uint64_t bytes, uint64_t lastBytes, uint64_t offset);
  enum class Result : uint8_t {
    kDone,
    kFailed,   // a part at least is not written
    kUnknown,  // the program has forbidden to ask, and the kernel may still read the memory
  };
  Result await();

 private:
  bool map(int ring, const io_uring_params& params);
  void takeCompletions();

  io_uring_sqe* sqes_;
  size_t sqesBytes_;
  char* rings_;
  size_t ringsBytes_;
  unsigned *submitHead_, *submitTail_, *submitOrder_, *doneHead_, *doneTail_;
  io_uring_cqe* done_;
  unsigned submitMask_, doneMask_;
  int number_;        // of the ring, in the thread's own table
  unsigned pending_;  // completions
  bool failed_;
};

}  // namespace parallax
