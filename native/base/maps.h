// The mappings of this process, from /proc/self/maps.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/scratch.h"

namespace parallax {

struct Mapping {
  uint64_t low, high;  // [low, high)
  bool shared;         // MAP_SHARED, System V
  uint64_t offset;     // of `low` in the file
  uint64_t device;     // major << 32 | minor
  uint64_t inode;      // 0: no file
  const char* path;    // from its first slash, until the next mapping is read; null: no file
};

// Reads the mappings one by one, in the order of addresses; a hundred take about 10 us. Mappings
// that the program creates meanwhile can be missing. Signal handlers may use it; it allocates only
// Scratch.
class Mappings {
 public:
  explicit Mappings(const char* file = "/proc/self/maps");
  ~Mappings();
  Mappings(const Mappings&) = delete;
  Mappings& operator=(const Mappings&) = delete;
  // Whether there is anything to read.
  bool isOpen() const { return fd_ >= 0; }
  // False after the last one. A line that is not a mapping is skipped. If a line does not fit into
  // Scratch::kBytes, its path is truncated.
  bool next(Mapping* mapping);

 private:
  char* nextLine();

  const Scratch text_;
  int fd_ = -1;
  size_t begin_ = 0, end_ = 0;  // of what is read and not given out
  bool skips_ = false;          // the rest of a line that was cut
};

// The same for one line, without its end.
bool parseMapping(const char* line, Mapping* mapping);

}  // namespace parallax
