#include "visit_counts.h"

#include <cstring>

#include "agent/sys.h"

namespace parallax {

uint32_t* VisitCounts::makePage(uint32_t path) {
  const uint32_t page = path / kPathsOfPage;
  auto* counts = static_cast<uint32_t*>(sys::pages(kPathsOfPage * sizeof(uint32_t)));
  if (counts == nullptr) return spare_;
  pages_[page] = counts;
  if (page >= pageEnd_) pageEnd_ = page + 1;
  return counts;
}

void VisitCounts::clear() {
  for (uint32_t page = 0; page < pageEnd_; ++page) {
    if (pages_[page] != nullptr) memset(pages_[page], 0, kPathsOfPage * sizeof(uint32_t));
  }
}

}  // namespace parallax
