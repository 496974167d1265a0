// What the agent knows of the rings of io_uring that the program uses.
//
// A program writes requests into memory that it shares with the kernel, and reads their ends there, without a call.
// The agent therefore looks at this memory in the calls that the program does make: before requests are handed to the
// kernel, and after the program may have waited.
//
//   submission ring   ... | seen | new: [submitted, tail) | free ...
//   completion ring   ... | seen | new: [reaped, tail)    | free ...     the kernel keeps ends until it needs the place
//
// Ends that the program takes from the memory without a call are recorded at its next call. If by then the kernel has
// written others over them, the streams of all requests under way are not trusted any more.
//
// Not followed: registered files (their streams are not trusted), rings in memory of the program's own, rings that a
// thread of the kernel polls if the program does not use liburing, and in a child after fork its parent's rings.
//
// Another thread can end a ring while a call on it is under way. Each step of a call therefore names the ring by its
// key, takes the lock of the entry, and does nothing if the entry is of that ring no more.
#pragma once

#include <linux/io_uring.h>

#include "interpose/async/async_request.h"

namespace parallax {

// The beginning of `struct io_uring` of liburing 2, which is the same in all versions that have this ABI.
struct LiburingRing {
  struct Submission {
    unsigned *head, *tail, *mask, *entries, *flags, *dropped, *array;
    io_uring_sqe* sqes;
    unsigned sqeHead, sqeTail;
    size_t bytes;
    void* memory;
    unsigned rest[4];
  } submission;
  struct Completion {
    unsigned *head, *tail, *mask, *entries, *flags, *overflow;
    io_uring_cqe* cqes;
    size_t bytes;
    void* memory;
    unsigned rest[4];
  } completion;
  unsigned flags;  // of io_uring_setup
  int fd;
};
static_assert(sizeof(LiburingRing::Submission) == 104 && sizeof(LiburingRing::Completion) == 88);

using UringKey = uint64_t;
constexpr UringKey kNoUring = 0;
inline UringKey uringKey(const LiburingRing* ring) { return reinterpret_cast<uintptr_t>(ring); }
inline UringKey uringKey(int fd) { return UringKey{1} << 63 | static_cast<uint32_t>(fd); }

class Uring {
 public:
  // The ring of the library, written down at its first use; null if it is not followed.
  static Uring* of(const LiburingRing* ring);
  // The same, if it was used before. Does not look at the ring, which a child after fork may be without.
  static Uring* used(const LiburingRing* ring);
  // A ring that the program made by system calls; null if it is not followed.
  static Uring* of(int fd);
  static void made(int fd, const io_uring_params& parameters);
  // The ring is about to end.
  static void forget(const LiburingRing* ring);
  // The descriptor is closed.
  static void forget(int fd);

  // Before the requests up to `tail` are handed to the kernel.
  void submit(FdCall& call, UringKey key, unsigned tail);
  // Before a system call hands over `count` requests.
  void submitNext(FdCall& call, UringKey key, unsigned count);
  // After a call in which ends may have come.
  void reap(FdCall& call, UringKey key);
  // Before a call: the ends that the program has taken.
  void reapTaken(FdCall& call, UringKey key);
  // Whether a call that wants so many ends has to wait for them.
  bool waits(UringKey key, unsigned wanted);
  // Whether requests are under way that wait until a descriptor is ready.
  bool polls() const { return polls_.load(std::memory_order_relaxed) > 0; }

  // Threads that wait for ends: others leave these to them.
  void beginWaiting() { waiters_.fetch_add(1, std::memory_order_relaxed); }
  void endWaiting() { waiters_.fetch_sub(1, std::memory_order_relaxed); }
  bool isAwaited() const { return waiters_.load(std::memory_order_relaxed) > 0; }

 private:
  // Where the rings stand.
  struct Memory {
    const unsigned *submissionHead, *submissionTail, *array;  // array: null if places are numbered as they come
    const io_uring_sqe* sqes;
    const unsigned *completionHead, *completionTail;
    const io_uring_cqe* cqes;
    unsigned submissionMask, completionMask;
    unsigned sqeShift, cqeShift;
  };
  enum class State : uint8_t { kNotFollowed, kNotMapped, kFollowed };

  static Uring* known(UringKey key);
  static Uring* follow(const LiburingRing* ring);
  static Uring* claim();
  static bool forget(UringKey key);
  bool isOurs() const;
  bool lock(UringKey key);
  void inherit();
  void publish(UringKey key, State state);
  bool begin(const Memory& memory, unsigned submitted, unsigned reaped);
  bool map();
  bool drop(UringKey key);
  void clear();
  void submitUpTo(FdCall& call, unsigned tail);
  void add(FdCall& call, const io_uring_sqe& sqe);
  void end(FdCall& call, const io_uring_cqe& cqe);
  void reapUpTo(FdCall& call, unsigned tail);

  // Set last when the ring is written down, and cleared last.
  std::atomic<UringKey> key_{kNoUring};
  std::atomic<uint32_t> generation_{0};  // forkGeneration()
  std::atomic<State> state_{State::kNotFollowed};
  std::atomic<const unsigned*> head_{nullptr};  // of the library's ring, by which one that begins anew is known
  std::atomic<int> waiters_{0}, polls_{0};
  // Of all below.
  BriefLock lock_;
  Memory memory_ = {};
  unsigned submitted_ = 0, reaped_ = 0;
  AsyncRequests requests_;
  // Of rings made by system calls: until they are mapped, and what is mapped.
  io_uring_params parameters_ = {};
  int fd_ = -1;
  struct Mapping {
    void* at;
    size_t bytes;
  } mappings_[3] = {};
};

}  // namespace parallax
