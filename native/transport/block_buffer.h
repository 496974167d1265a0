// Private memory for blocks of one thread, which are written to its file by system calls.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "transport/async_ring.h"
#include "transport/async_write.h"
#include "transport/trace_directory.h"

namespace parallax {

//   memory:  | BlockBuffer | block | block | ... |     zero where no event is yet
//   file:    ... | block | block | ... |                the window, whose space is reserved
//                 '-written-'
//
// Blocks are written at their place of the file, in order, and the header of each after its slots: until then a reader
// takes it for missing (FORMAT.md). What is in the memory only is lost when the process is killed.
//
// The thread that owns the buffer appends to it without a lock, and holds it, from enter() to leave(), while it writes
// or takes another window. At the end of the process another thread writes what is left (writeAll). It finds the
// end of the events as a reader does, by the first slot that is zero. A buffer is never unmapped; the next thread
// takes it. A forked child has none of them.
class BlockBuffer {
 public:
  // With memory for so many blocks, all zero; null if there is none. Begins as held by its owner, whom the address of `name`
  // tells from others. One that this owner has taken and does not know, because a signal handler left it by longjmp, is given
  // again; it knows `other`.
  static BlockBuffer* take(uint32_t blocks, const TraceDirectory& directory, const char* name, const BlockBuffer* other);
  // By the owner, which holds it: the next thread may take it.
  void release();

  // The owner may find that it holds the buffer: a signal handler has left it by longjmp, or is what runs now.
  void enter();
  void leave() { holder_.store(kNobody, std::memory_order_release); }

  char* blocks() { return reinterpret_cast<char*>(this) + kHeaderBytes; }
  // Of the window, in the file.
  uint64_t writtenBytes() const { return writtenBytes_; }
  // Forgets all and begins at another place of the file.
  void moveTo(uint64_t fileOffset);
  // Writes what the window has up to `endBytes`, which is as much as stands there. Returns 0 or a negative reason.
  int write(uint64_t endBytes);
  // Writes the header of a block again, of which something is written.
  int writeHeader(uint64_t blockBegin);
  // The window, of so many blocks, is to be written by beginWrite(), into this file.
  void willBeginWrite(int fd, uint32_t blocks);
  // Begins to write the window, of which nothing is written, up to there, by the ring if it is open, else by another thread.
  // From here on it stays as it is until finishWrite(). False: nothing has begun.
  bool beginWrite(uint64_t endBytes, AsyncRing* ring);
  // Waits for its end, and writes here what could not be written there. Returns like write().
  int finishWrite();
  // Waits until the process has no trace of a thread that wrote it.
  void awaitWriter() { async_.awaitEnd(); }
  // Events of the window, up to there, that are not written.
  uint32_t countUnwritten(uint64_t endBytes) const;

  // Writes all buffers of the process but those that a thread is just writing. Returns how many events could not be
  // written, and why. Blocks signals.
  struct Unwritten {
    uint64_t events = 0;
    int error = 0;
  };
  // Waits longer for buffers that others are writing if the process ends, than where it goes on.
  static Unwritten writeAll(bool ends);
  // Before the writeAll() at the end of the process, or before it executes another program: no thread begins a further window,
  // which could get into the file without the one before.
  static void stop() { stoppedBy_.store(kEnd, std::memory_order_seq_cst); }
  static void stopForExecution();
  // The execution of this thread has failed.
  static void goOn();
  static bool isStopped() { return stoppedBy_.load(std::memory_order_seq_cst) != 0; }
  // Whether a window may begin. Other threads than the one that executes a program wait until this has failed, or ends them. An
  // execution that takes long may still fail: then they go on. If it does not, it takes their last events with it.
  static bool awaitGoOn();
  // Waits until no thread of beginWrite() is left; AsyncWrite::hold() keeps new ones away.
  static void awaitWrites();
  // In a child after fork, which has not the memory.
  static void forgetAll();

 private:
  static constexpr size_t kHeaderBytes = 4096;
  static constexpr int kEnd = -1;
  static inline std::atomic<int> stoppedBy_{0};  // the thread that executes a program, or kEnd
  enum Holder : uint32_t { kNobody, kOwner, kOther };

  bool enterAsOther(int* more);
  void settle();
  uint64_t endOfEvents() const;
  int send(uint64_t begin, uint64_t end);

  BlockBuffer* next_;  // in the list of all
  std::atomic<const char*> taker_;  // the name of the owner; null: it is free
  std::atomic<uint32_t> holder_;
  uint32_t capacityBlocks_;
  const TraceDirectory* directory_;
  uint64_t fileOffset_;    // of the window
  uint64_t writtenBytes_;  // of the window
  uint64_t begunBytes_;    // up to where it is being written; 0: it is not
  char name_[256];
  AsyncRing* ring_;  // which writes up to begunBytes_; null: `async_` does
  bool isLost_;      // the kernel may still read it
  AsyncWrite async_;
};

}  // namespace parallax
