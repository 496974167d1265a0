// Transfers that a program asks for in one call and whose end it sees in another: POSIX AIO, io_uring.
//
// What a request sends counts when it is asked for: a reader can have the bytes before the program sees the end. What
// a request receives counts when the program sees its end.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "interpose/descriptors/fd_transfer.h"

namespace parallax {

enum class AsyncOp : uint8_t {
  kNone,     // nothing to record at its end
  kSend, kReceive, kSync,
  kAccept,   // the result is a new descriptor
  kConnect,
  kReady,    // waits until a descriptor is ready, as poll does
};

struct AsyncRequest {
  uint64_t key = 0;          // by which its end names it
  AsyncOp op = AsyncOp::kNone;
  int fd = -1;
  uint64_t bytes = 0;        // at most so many
  uint64_t offset = 0;       // in the stream, of what is sent
  Descriptor descriptor;
};

// It is about to be asked for: finds the descriptor, and counts and tells what is sent. The op becomes kNone if
// nothing of it is recorded. Inside a Guard.
void beginRequest(FdCall& call, AsyncRequest& request);
// The program sees its end. `result` is a number of bytes, or below zero the negated errno.
void endRequest(FdCall& call, const AsyncRequest& request, int64_t result);
// The bytes of the request will not be seen by the agent.
void distrustRequest(const AsyncRequest& request);

// A lock for some hundred instructions. A handler of signals can leave them by longjmp, so nobody waits for long: who
// finds it taken for half a millisecond gives up, and so does everybody after that.
class BriefLock {
 public:
  [[nodiscard]] bool lock();
  void unlock() { held_.store(0, std::memory_order_release); }

 private:
  static constexpr uint32_t kFree = 0, kHeld = 1, kGivenUp = 2;
  std::atomic<uint32_t> held_{kFree};
};

// The requests under way whose ends are to be recorded, in the order of their begin. Under the owner's lock.
class AsyncRequests {
 public:
  // False if there is no memory for so many at once, at most.
  bool open(uint32_t capacity);
  void close();
  // In a child after fork: leaves the memory of the parent's copy as it is.
  void abandon() { slots_ = nullptr; }
  bool isOpen() const { return slots_ != nullptr; }
  // False if it is full.
  bool add(const AsyncRequest& request);
  // The oldest one of the key; null if there is none.
  AsyncRequest* find(uint64_t key);
  // Whether there is another one of this key, which may be meant instead, with another transfer.
  bool isAmbiguous(const AsyncRequest* request) const;
  void remove(AsyncRequest* request);
  // Forgets all; their streams are not trusted any more.
  void lose();
  uint32_t count() const { return used_; }

 private:
  struct Slot {
    AsyncRequest request;
    uint32_t next;  // number + 1 of the next one with the same hash, or free; 0: none
  };
  uint32_t* bucket(uint64_t key) const;

  Slot* slots_ = nullptr;
  uint32_t* buckets_ = nullptr;
  uint32_t capacity_ = 0;  // a power of two
  uint32_t free_ = 0;      // number + 1
  uint32_t fresh_ = 0;     // slots that were never used begin here
  uint32_t used_ = 0;
};

}  // namespace parallax
