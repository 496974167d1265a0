// How often a thread has been seen to visit each of its call paths.
#pragma once

#include <cstddef>
#include <cstdint>

namespace parallax {

class VisitCounts {
 public:
  // Both: signal handlers may call them, but not while another is at work in the same thread.
  void add(uint32_t path) {
    uint32_t* counts = pages_[path / kPathsOfPage];
    if (__builtin_expect(counts == nullptr, false)) counts = makePage(path);
    ++counts[path % kPathsOfPage];
  }
  // Gives counts that are not 0 to take(path, count) and forgets them, until that returns false.
  template <class Take>
  void drain(Take&& take) {
    for (uint32_t page = 0; page < pageEnd_; ++page) {
      uint32_t* counts = pages_[page];
      if (counts == nullptr) continue;
      for (uint32_t i = 0; i < kPathsOfPage; ++i) {
        if (counts[i] == 0) continue;
        if (!take(page * kPathsOfPage + i, counts[i])) return;
        counts[i] = 0;
      }
    }
  }
  void clear();

 private:
  static constexpr uint32_t kPathsOfPage = 1024;
  static constexpr uint32_t kPages = (1u << 24) / kPathsOfPage;  // paths.cpp has fewer

  uint32_t* makePage(uint32_t path);

  uint32_t pageEnd_;
  uint32_t* pages_[kPages];
  uint32_t spare_[kPathsOfPage];  // where there was no memory: not given to anybody
};

}  // namespace parallax
