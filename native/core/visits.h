// Visits of call paths that have no Enter, counted by one thread.
#pragma once

#include <cstddef>
#include <cstdint>

namespace parallax {

// A path is counted at its own place, or at one of the next kProbes - 1 places if other paths use
// it. Usable when zeroed. Not reentrant: only inside a Guard.
class VisitCounts {
 public:
  // False when there is no place left for the path: take() one out, then try again.
  bool add(uint32_t path, uint64_t visits) {
    uint64_t& first = slots_[path % kSlots];
    if (__builtin_expect(first >> kCountBits == path, true)) {
      first += visits;
      return true;
    }
    return addElsewhere(path, visits);
  }

  // Takes a path that stands in the way of `path`: returns its visits.
  uint64_t take(uint32_t path, uint32_t* taken) {
    return takeFrom(slots_[path % kSlots], taken);
  }

  // Takes them all, each by f(path, visits).
  template <class F>
  void takeAll(F f) {
    if (!used_) return;
    used_ = false;
    for (uint64_t& slot : slots_) {
      uint32_t path;
      if (const uint64_t visits = takeFrom(slot, &path)) f(path, visits);
    }
  }

 private:
  static constexpr size_t kSlots = 512;
  static constexpr size_t kProbes = 4;
  static constexpr int kCountBits = 40;  // a path has at most 24

  bool addElsewhere(uint32_t path, uint64_t visits);
  static uint64_t takeFrom(uint64_t& slot, uint32_t* path) {
    const uint64_t value = slot;
    slot = 0;
    *path = static_cast<uint32_t>(value >> kCountBits);
    return value & ((uint64_t{1} << kCountBits) - 1);
  }

  //   63      40 39            0
  //  +----------+---------------+
  //  |   path   |    visits     |   0: free
  //  +----------+---------------+
  uint64_t slots_[kSlots];
  bool used_;
};

}  // namespace parallax
