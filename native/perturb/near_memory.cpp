#include <cstring>

#include "base/scratch.h"
#include "base/sys.h"
#include "perturb/patch.h"

namespace parallax::perturb {
namespace {

constexpr uint64_t kReach = (uint64_t{1} << 31) - (64 << 10);
constexpr uint64_t kLowest = 64 << 10;    // of what the kernel gives to anybody
constexpr uint64_t kDistance = 64 << 10;  // from what may grow

uint64_t hexNumber(const char*& at) {
  uint64_t value = 0;
  for (;; at++) {
    const int digit = *at >= '0' && *at <= '9' ? *at - '0'
                      : *at >= 'a' && *at <= 'f' ? *at - 'a' + 10 : 99;
    if (digit > 15) return value;
    value = value << 4 | static_cast<unsigned>(digit);
  }
}

// f(low, high) for each mapping of this process, by address.
template <class F>
bool forEachMapping(F f) {
  const Scratch scratch;
  if (!scratch) return false;
  const int fd = sys::openat(AT_FDCWD, "/proc/self/maps", O_RDONLY);
  if (fd < 0) return false;
  bool atLineStart = true;
  char line[40];  // "low-high "
  size_t length = 0;
  for (;;) {
    const long part = sys::read(fd, scratch.bytes(), Scratch::kBytes);
    if (part <= 0) break;
    for (long i = 0; i < part; i++) {
      const char c = scratch.bytes()[i];
      if (c == '\n') {
        atLineStart = true;
        length = 0;
      } else if (atLineStart && (c == ' ' || length == sizeof line - 1)) {
        line[length] = '\0';
        const char* at = line;
        const uint64_t low = hexNumber(at);
        if (*at == '-') at++;
        f(low, hexNumber(at));
        atLineStart = false;
      } else if (atLineStart) {
        line[length++] = c;
      }
    }
  }
  sys::close(fd);
  return true;
}

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
  sys::munmap(reinterpret_cast<void*>(got), bytes);  // a kernel that takes it for a hint
  return 0;
}

}  // namespace

// The gap nearest below the module; else the nearest above: what grows there is the heap.
uint64_t mapNear(uint64_t start, uint64_t end, uint64_t bytes) {
  const uint64_t lowest = end > kReach + kLowest ? end - kReach : kLowest;
  const uint64_t highest = start + kReach;
  uint64_t before = kLowest, below = 0, above = 0;
  const bool read = forEachMapping([&](uint64_t low, uint64_t high) {
    const uint64_t least = before > lowest ? before : lowest;
    if (low <= start && low >= least + bytes + kDistance) below = low - bytes;
    const uint64_t from = before + (above == 0 && before != kLowest ? 16 * kDistance : 0);
    if (above == 0 && before >= end && low <= highest && low >= from + bytes + kDistance) {
      above = low - bytes;  // at the upper end of the gap
    }
    if (high > before) before = high;
  });
  if (!read) return 0;
  if (below >= lowest && below != 0) {
    if (const uint64_t at = mapAt(below & ~uint64_t{4095}, bytes)) return at;
  }
  return above != 0 && above + bytes <= highest ? mapAt(above & ~uint64_t{4095}, bytes) : 0;
}

}  // namespace parallax::perturb
