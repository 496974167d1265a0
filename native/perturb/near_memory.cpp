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

}  // namespace

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
