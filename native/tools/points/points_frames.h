// What .eh_frame says about code: the ranges of functions and the places where an exception
// enters them (landing pads).
#pragma once

#include <cstdint>
#include <vector>

#include "tools/symbols_files.h"

namespace parallax::points {

struct CodeRange {
  uint64_t begin, end;
};

struct Frames {
  std::vector<CodeRange> ranges;     // sorted by begin
  std::vector<uint64_t> landingPads;  // unsorted
};

Frames readFrames(const symbols::ElfFile& file);

}  // namespace parallax::points
