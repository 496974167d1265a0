// Where functions begin and end, by unwind information: what is left of them in stripped files.
#pragma once

#include <cstdint>
#include <vector>

#include "tools/symbols_files.h"

namespace parallax::symbols {

class FunctionRanges {
 public:
  // Reads .eh_frame of `file`; none are known where it has none, or a damaged one.
  explicit FunctionRanges(const ElfFile& file);

  // The beginning of the function that covers the address, or 0.
  uint64_t startAt(uint64_t address) const;

 private:
  struct Range {
    uint64_t start, end;
  };
  std::vector<Range> ranges_;  // sorted by start
};

}  // namespace parallax::symbols
