// Where the blocks of one thread come from, and how they get into its file.
#pragma once

#include <cstddef>
#include <cstdint>

#include "format/format.h"
#include "transport/block_buffer.h"
#include "transport/event_ring.h"
#include "transport/kept_past.h"
#include "transport/trace_directory.h"

namespace parallax {

//   file:   | block | block | block | block | ...        window: the blocks that are in memory
//                           '---- window ---'
//
// The mode of the process (transport_mode.h) says what the memory of a window is. The space of a window is reserved on
// the disk before it is used.
// Mapped: the pages are shared with the file, so no event is lost if the process is killed at any instruction. A store
// to a page without space would raise SIGBUS.
// Unbuffered and buffered: the memory is private and written by system calls (block_buffer.h).
// Asynchronous: so is it, and while one window is written, the next one is filled in a second buffer.
// Shared: the window is one block in memory that is shared with another process, which writes it (ring_file.h).
//
// The object needs no constructor: zeroed memory is a store that is not open. All functions may be used in
// signal handlers, which may leave them by longjmp.
class BlockStore {
 public:
  // Sets the name of the file, which must not exist. The first block in it creates the file.
  void open(const TraceDirectory& directory, const char* name);
  bool isOpen() const { return directory_ != nullptr; }
  // Blocks begun in the file. Who begins one in the memory from next() counts it.
  uint64_t blocks() const { return blocks_; }
  uint64_t* begun() { return &blocks_; }
  // Null if the file keeps all blocks.
  KeptPast* past() const { return past_; }

  // Zeroed memory for the next block. With `windowBlocks` in a new window of so many blocks, which is mapped in any
  // mode: no further block needs a system call until these are used up. `ticks`: the time. Returns 0 or a negative
  // reason (trace_space.h).
  int next(uint32_t windowBlocks, uint64_t ticks, void** memory);
  // Closes a block, of this store or elsewhere, after its last slot. Returns like write().
  int finish(format::BlockHeader* block, const uint64_t* end);
  // No block is written any more. Gives back the space after the last one.
  void close();
  // Only lets go of the memory, which is mapped.
  void leave();

  // Up to where events may be appended, of at least so many slots, before write() has to be called; at most to the end
  // of the block.
  uint64_t* limit(uint64_t* next, size_t slots, uint64_t* blockEnd) const;
  // Whether each event is to be followed by write().
  bool writesEach() const;
  // Writes what private memory holds up to there, if it does. After an error these events are gone, and the block with
  // them, unless a part of it is in the file.
  int write(const void* end);
  // Events that were lost in this way since the last time.
  uint32_t takeDropped();
  // Why the last of them was lost if a writer could not write it.
  int dropReason() const { return dropReason_; }

 private:
  // Maps `wanted` blocks, or at least the first one; 0: as many as fit the size of the file.
  int mapWindow(uint32_t wanted, uint64_t ticks);
  int reserveWindow(int fd, uint64_t sizeBytes, uint64_t ticks, bool isLeast);
  void unmapWindow();
  int takeBuffer();
  void beginWindow(uint32_t blocks);
  void prepareBehind(int fd, uint32_t blocks);
  bool triesRing() const;
  void awaitWriters();
  bool putBehind(uint64_t endBytes);
  int finishBehind(const void* end);
  void releaseBuffer();
  int takeRing();
  int nextInRing();
  void leaveRing();
  void cutOff();
  int openOwnFile();
  int writeWindow();
  void drop(uint64_t endBytes);
  void giveBackAfter(uint64_t sizeBytes);
  int writeHeld(uint64_t endBytes);
  bool isInWindow(const void* at) const;
  uint64_t bytesTo(const void* at) const {
    return static_cast<uint64_t>(static_cast<const char*>(at) - window_);
  }

  const TraceDirectory* directory_;
  char* window_;
  uint32_t windowBlocks_;
  uint64_t reservedBytes_;  // of the file
  uint64_t blocks_;         // begun in it so far
  uint64_t windowFirst_;    // the number of the first block of the window
  uint64_t usedBytes_;      // of the file, by finished blocks
  BlockBuffer* buffer_;     // holds the window; null: it is mapped, or in the ring
  BlockBuffer* behind_;     // holds the window before, which is being written; null: there is none
  uint64_t behindFirst_;    // the number of its first block
  uint64_t behindBytes_;    // what stands in it
  EventRing ring_;
  AsyncRing asyncRing_;     // writes it, if it is open
  KeptPast* past_;
  uint32_t dropped_;
  int dropReason_;
  bool made_;               // the file
  char name_[256];
};

}  // namespace parallax
