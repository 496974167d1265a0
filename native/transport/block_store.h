// Where the blocks of one thread come from, and how they get into its file.
#pragma once

#include <cstddef>
#include <cstdint>

#include "transport/trace_directory.h"

namespace parallax {

//   file:   | block | block | block | block | ...        window: the blocks that are mapped
//                           '---- window ---'
//
// The pages are shared with the file, so no event is lost if the process is killed at any
// instruction. Their space on the disk is reserved before they are mapped, because a store to a
// page without space would raise SIGBUS.
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

  // Zeroed memory for the next block. With `windowBlocks` in a new window of so many blocks: no further block
  // needs a system call until these are used up. Returns 0 or a negative reason (trace_space.h).
  int next(uint32_t windowBlocks, void** memory);
  // No block is written any more. Gives back the space after `usedBytes` of the file.
  void close(uint64_t usedBytes);

 private:
  // Maps `wanted` blocks, or at least the first one; 0: as many as fit the size of the file.
  int mapWindow(uint32_t wanted);
  void unmapWindow();

  const TraceDirectory* directory_;
  char* window_;
  uint32_t windowBlocks_;
  uint64_t reservedBytes_;  // of the file
  uint64_t blocks_;         // begun in it so far
  uint64_t windowFirst_;    // the number of the first block of the window
  bool made_;               // the file
  char name_[256];
};

}  // namespace parallax
