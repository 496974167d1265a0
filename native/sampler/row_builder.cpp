#include "row_builder.h"

#include <algorithm>

namespace parallax {

bool RowBuilder::build(ModuleRows* rows, size_t* pcsBytes, size_t* rulesBytes) {
  if (image_.ehFrame.begin == nullptr || image_.end - image_.start > UINT32_MAX) return false;
  if (image_.ehFrameHeader.begin == nullptr ||
      !forEachFdeOfHeader(image_.ehFrameHeader, image_.ehFrameSegment, *this)) {
    forEachFde(image_.ehFrame, *this);
  }
  std::sort(fdes_.begin(), fdes_.end(),
            [](const FdeRange& a, const FdeRange& b) { return a.start < b.start; });
  for (size_t i = 0; i < fdes_.size(); ++i) {
    const FdeRange& range = fdes_[i];
    limit_ = i + 1 < fdes_.size() ? std::min(range.end, fdes_[i + 1].start) : range.end;
    if (limit_ <= range.start) continue;  // the same code twice
    // What a damaged entry gave so far may be wrong about the rest of its code.
    if (!rowsOfFde(image_.ehFrameSegment, range, *this)) row(range.start, Rule{});
    if (!add(limit_, Rule{})) return false;
  }
  if (pcs_.empty()) return false;
  rows->start = image_.start;
  rows->end = image_.end;
  rows->count = pcs_.size();
  rows->ehFrameHeader = image_.ehFrameHeader;
  rows->ehFrameSegment = image_.ehFrameSegment;
  rows->pcs = pcs_.take(pcsBytes);
  rows->rules = rules_.take(rulesBytes);
  return true;
}

bool RowBuilder::fde(const FdeRange& range) {
  if (range.start < image_.start || range.end > image_.end) return true;
  return fdes_.push(range);
}

bool RowBuilder::row(uint64_t pc, const Rule& rule) { return pc >= limit_ || add(pc, rule); }

// Rows of no code and rows that repeat the one before are left out.
bool RowBuilder::add(uint64_t pc, const Rule& rule) {
  const uint32_t offset = static_cast<uint32_t>(pc - image_.start);
  while (!pcs_.empty() && pcs_.back() >= offset) {
    pcs_.pop();
    rules_.pop();
  }
  if (!rules_.empty() && rules_.back() == rule) return true;
  if (!pcs_.push(offset)) return false;
  if (rules_.push(rule)) return true;
  pcs_.pop();
  return false;
}

}  // namespace parallax
