// Blocks of events from memory into their file.
#pragma once

#include <cstdint>

#include "transport/trace_directory.h"

namespace parallax {

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
