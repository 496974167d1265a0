#include "tools/conversion/call_path_table.h"

namespace parallax::conversion {

CallPathTable::CallPathTable() : nodes_(1), entries_(1024, Entry{}), mask_(1023) {}

uint32_t CallPathTable::add(uint32_t parent, uint32_t region) {
  if (nodes_.size() * 2 > entries_.size()) {
    std::vector<Entry> larger(entries_.size() * 4, Entry{});
    mask_ = larger.size() - 1;
    for (const Entry& entry : entries_) {
      if (entry.path == 0) continue;
      uint64_t at = hash(entry.parent, entry.region) & mask_;
      while (larger[at].path != 0) at = (at + 1) & mask_;
      larger[at] = entry;
    }
    entries_ = std::move(larger);
  }
  const auto path = static_cast<uint32_t>(nodes_.size());
  nodes_.push_back({parent, region});
  uint64_t at = hash(parent, region) & mask_;
  while (entries_[at].path != 0) at = (at + 1) & mask_;
  entries_[at] = {parent, region, path};
  return path;
}

}  // namespace parallax::conversion
