#include "base/maps.h"
#include "base/sys.h"
#include "perturb/patch.h"

namespace parallax::perturb {
namespace {

constexpr uint64_t kReach = (uint64_t{1} << 31) - (64 << 10);
constexpr uint64_t kLowest = 64 << 10;    // lowest address that the kernel maps for a program
constexpr uint64_t kDistance = 64 << 10;  // distance from memory that may grow

uint64_t mapAt(uint64_t address, uint64_t bytes) {
#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif
  const long result =
      sys::call(SYS_mmap, static_cast<long>(address), static_cast<long>(bytes),
                PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  if (result < 0 && result > -4096) return 0;
  const auto got = static_cast<uint64_t>(result);
  if (got == address) return got;
  sys::munmap(reinterpret_cast<void*>(got), bytes);  // an old kernel takes the address as a hint
  return 0;
}

// The least value from `least` on whose bits of `mask` are those of `pattern`, or UINT64_MAX. Of 32 bits.
uint64_t nextLike(uint64_t least, uint32_t mask, uint32_t pattern) {
  if (least > UINT32_MAX) return UINT64_MAX;
  const auto from = static_cast<uint32_t>(least);
  const uint32_t like = (from & ~mask) | pattern;
  if (like == from) return from;
  // The highest bit that differs is one of the mask.
  const int bit = 31 - __builtin_clz(like ^ from);
  const uint64_t lower = (uint64_t{2} << bit) - 1;
  uint64_t upper = from & ~lower;
  if (like < from) {
    upper = ((from | mask) | lower) + uint64_t{1};  // carries through the bits of the mask
    if (upper > UINT32_MAX) return UINT64_MAX;
  }
  return (upper & ~uint64_t{mask} & ~lower) | pattern;
}

}  // namespace

// Distances are looked at in the order of their values as unsigned numbers, 2 GiB more than they are.
uint64_t mapForJump(uint64_t start, uint64_t end, uint64_t before, uint64_t bytes, uint64_t from,
                    uint32_t mask, uint32_t pattern) {
  constexpr uint32_t kSign = uint32_t{1} << 31;
  constexpr uint64_t kJumpBytes = 5;
  constexpr int kMostTries = 8;
  const uint64_t zero = from + kJumpBytes - kSign;  // what a distance of 0 in this order leads to
  const uint64_t lowest = end > kReach + kLowest ? end - kReach : kLowest;
  const uint64_t highest = start + kReach;
  if (pattern & ~mask) return 0;
  const uint32_t wanted = pattern ^ (mask & kSign);
  Mappings mappings;
  if (!mappings.isOpen()) return 0;
  uint64_t free = kLowest;
  const auto mapIn = [&](uint64_t low, uint64_t high) -> uint64_t {
    low = low > lowest ? low : lowest;
    high = high < highest ? high : highest;
    // Memory on either side may grow.
    low += kDistance + before;
    if (high <= kDistance || low >= high - kDistance) return 0;
    high -= kDistance;
    const auto least = static_cast<int64_t>(low - zero);
    uint64_t distance = least > 0 ? static_cast<uint64_t>(least) : 0;
    for (int tries = 0; tries < kMostTries; tries++) {
      distance = nextLike(distance, mask, wanted);
      if (distance == UINT64_MAX) return 0;
      const uint64_t at = zero + distance;
      if (at < low || at + bytes > high) return 0;
      const uint64_t first = (at - before) & ~uint64_t{4095};
      if (mapAt(first, ((at + bytes + 4095) & ~uint64_t{4095}) - first) != 0) return at;
      distance += 4096;
    }
    return 0;
  };
  for (Mapping mapping; mappings.next(&mapping);) {
    if (mapping.low > free) {
      if (const uint64_t at = mapIn(free, mapping.low)) return at;
    }
    if (mapping.high > free) free = mapping.high;
  }
  return mapIn(free, highest);
}

// Prefers the nearest gap below the module to the nearest one above, because the heap grows above
// the module.
uint64_t mapNear(uint64_t start, uint64_t end, uint64_t bytes) {
  const uint64_t lowest = end > kReach + kLowest ? end - kReach : kLowest;
  const uint64_t highest = start + kReach;
  uint64_t before = kLowest, below = 0, above = 0;
  Mappings mappings;
  if (!mappings.isOpen()) return 0;
  for (Mapping mapping; mappings.next(&mapping);) {
    const uint64_t low = mapping.low, high = mapping.high;
    const uint64_t least = before > lowest ? before : lowest;
    if (low <= start && low >= least + bytes + kDistance) below = low - bytes;
    const uint64_t from = before + (above == 0 && before != kLowest ? 16 * kDistance : 0);
    if (above == 0 && before >= end && low <= highest && low >= from + bytes + kDistance) {
      above = low - bytes;  // at the upper end of the gap
    }
    if (high > before) before = high;
  }
  if (below >= lowest && below != 0) {
    if (const uint64_t at = mapAt(below & ~uint64_t{4095}, bytes)) return at;
  }
  return above != 0 && above + bytes <= highest ? mapAt(above & ~uint64_t{4095}, bytes) : 0;
}

}  // namespace parallax::perturb
