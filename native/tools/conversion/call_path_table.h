// The call paths of a process, as a tree of regions.
#pragma once

#include <cstdint>
#include <vector>

namespace parallax::conversion {

// Each path is a region below another path.
class CallPathTable {
 public:
  static constexpr uint32_t kNone = 0;
  struct Node {
    uint32_t parent = 0;
    uint32_t region = 0;
  };

  CallPathTable();
  uint32_t child(uint32_t parent, uint32_t region) {
    const uint32_t path = find(parent, region);
    return path != kNone ? path : add(parent, region);
  }
  // kNone if there is none.
  uint32_t find(uint32_t parent, uint32_t region) const {
    for (uint64_t at = hash(parent, region) & mask_;; at = (at + 1) & mask_) {
      const Entry& entry = entries_[at];
      if (entry.parent == parent && entry.region == region && entry.path != kNone) return entry.path;
      if (entry.path == kNone) return kNone;
    }
  }
  const std::vector<Node>& nodes() const { return nodes_; }  // node 0 is the empty path

 private:
  struct Entry {
    uint32_t parent, region, path;
  };
  static uint64_t hash(uint32_t parent, uint32_t region) {
    const uint64_t x = (uint64_t{parent} << 32 | region) * 0x9E3779B97F4A7C15;
    return x ^ x >> 29;
  }
  uint32_t add(uint32_t parent, uint32_t region);

  std::vector<Node> nodes_;
  std::vector<Entry> entries_;
  uint64_t mask_;
};

}  // namespace parallax::conversion
