// From memory into a file.
#pragma once

#include <cstdint>

#include "base/file_size_signal.h"
#include "transport/trace_directory.h"

namespace parallax {

// Writes [begin, end) of the memory, whose first byte belongs to `fileOffset` of the file, while the signal of the limit on its
// size waits. Returns 0 or a negative reason; `done` is set to the end of what is written. Signal handlers may call it.
int writeRange(int fd, const char* memory, uint64_t begin, uint64_t end, uint64_t fileOffset,
               const FileSizeSignalBlocked& blocked, uint64_t* done);

// Writes [begin, end) of the memory, whose first byte belongs to `fileOffset` of the file, the first of a block. Each block
// that begins there gets its header after its slots: until then a reader takes it for one that is missing (FORMAT.md).
// Never raises SIGXFSZ. Returns 0 or a negative reason; `done` is set to the end of what a reader takes. Signal handlers may
// call it.
int writeBlocks(const TraceDirectory& directory, const char* name, const char* memory, uint64_t begin, uint64_t end,
                uint64_t fileOffset, uint64_t* done);

// Writes the header of the block that begins there once more.
int writeBlockHeader(const TraceDirectory& directory, const char* name, const char* memory, uint64_t begin,
                     uint64_t fileOffset);

}  // namespace parallax
