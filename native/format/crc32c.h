// CRC-32C (Castagnoli), the checksum of blocks and records.
//
// Fit for code that runs inside a traced program: header-only, tables computed at compile
// time, no static constructor, no call into a library. With SSE 4.2 three streams run side
// by side, because the instruction has a latency of three cycles and a throughput of one:
// a full block costs about 3 us instead of 8.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#if defined(__x86_64__)
// Intrinsics are called by the names of the compiler: <nmmintrin.h> and <x86intrin.h> would be 50,000
// lines in each source of the agent.
#include <cpuid.h>
#endif

namespace parallax::format {
namespace crc32c_internal {

inline constexpr uint32_t kPolynomial = 0x82F63B78;  // reflected
inline constexpr size_t kLaneBytes = 1024;           // of each of the three streams

struct Tables {
  uint32_t slice[8][256];  // slice[k][b]: the effect of byte b followed by k zero bytes
  uint32_t shift[4][256];  // shift[k][b]: byte k of a checksum, moved over kLaneBytes zeros
};

constexpr Tables makeTables() {
  Tables t{};
  for (uint32_t b = 0; b < 256; b++) {
    uint32_t crc = b;
    for (int bit = 0; bit < 8; bit++) crc = (crc >> 1) ^ ((crc & 1) ? kPolynomial : 0);
    t.slice[0][b] = crc;
  }
  for (int k = 1; k < 8; k++) {
    for (uint32_t b = 0; b < 256; b++) {
      const uint32_t crc = t.slice[k - 1][b];
      t.slice[k][b] = (crc >> 8) ^ t.slice[0][crc & 0xFF];
    }
  }
  // Moving over zeros is linear: move each of the 32 bits once and add them up.
  uint32_t moved[32] = {};
  for (int bit = 0; bit < 32; bit++) {
    uint32_t crc = 1u << bit;
    for (size_t i = 0; i < kLaneBytes; i++) crc = (crc >> 8) ^ t.slice[0][crc & 0xFF];
    moved[bit] = crc;
  }
  for (int k = 0; k < 4; k++) {
    for (uint32_t b = 0; b < 256; b++) {
      uint32_t crc = 0;
      for (int bit = 0; bit < 8; bit++) {
        if (b & (1u << bit)) crc ^= moved[8 * k + bit];
      }
      t.shift[k][b] = crc;
    }
  }
  return t;
}

inline constexpr Tables kTables = makeTables();

inline uint64_t load64(const unsigned char* p) {
  uint64_t value;
  __builtin_memcpy(&value, p, sizeof value);
  return value;
}

inline uint32_t bySoftware(uint32_t crc, const unsigned char* p, size_t size) {
  const auto& s = kTables.slice;
  for (; size >= 8; p += 8, size -= 8) {
    const uint64_t v = load64(p) ^ crc;
    crc = s[7][v & 0xFF] ^ s[6][(v >> 8) & 0xFF] ^ s[5][(v >> 16) & 0xFF] ^
          s[4][(v >> 24) & 0xFF] ^ s[3][(v >> 32) & 0xFF] ^ s[2][(v >> 40) & 0xFF] ^
          s[1][(v >> 48) & 0xFF] ^ s[0][v >> 56];
  }
  for (; size > 0; p++, size--) crc = (crc >> 8) ^ s[0][(crc ^ *p) & 0xFF];
  return crc;
}

#if defined(__x86_64__)
inline uint32_t moveOverLane(uint32_t crc) {
  const auto& s = kTables.shift;
  return s[0][crc & 0xFF] ^ s[1][(crc >> 8) & 0xFF] ^ s[2][(crc >> 16) & 0xFF] ^ s[3][crc >> 24];
}

__attribute__((target("sse4.2"))) inline uint32_t byHardware(uint32_t start,
                                                             const unsigned char* p, size_t size) {
  uint64_t crc = start;
  for (; size >= 3 * kLaneBytes; p += 3 * kLaneBytes, size -= 3 * kLaneBytes) {
    uint64_t second = 0;
    uint64_t third = 0;
    for (size_t i = 0; i < kLaneBytes; i += 8) {
      crc = __builtin_ia32_crc32di(crc, load64(p + i));
      second = __builtin_ia32_crc32di(second, load64(p + kLaneBytes + i));
      third = __builtin_ia32_crc32di(third, load64(p + 2 * kLaneBytes + i));
    }
    crc = moveOverLane(static_cast<uint32_t>(crc)) ^ static_cast<uint32_t>(second);
    crc = moveOverLane(static_cast<uint32_t>(crc)) ^ static_cast<uint32_t>(third);
  }
  for (; size >= 8; p += 8, size -= 8) crc = __builtin_ia32_crc32di(crc, load64(p));
  uint32_t rest = static_cast<uint32_t>(crc);
  for (; size > 0; p++, size--) rest = __builtin_ia32_crc32qi(rest, *p);
  return rest;
}

inline std::atomic<int> known{0};  // whether there is SSE 4.2: 0 not asked yet, 1 no, 2 yes

// The CPUID instruction traps in virtual machines: it is asked once.
inline bool hasHardware() {
  int state = known.load(std::memory_order_relaxed);
  if (state == 0) {
    unsigned a = 0, b = 0, c = 0, d = 0;
    state = __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & bit_SSE4_2) != 0 ? 2 : 1;
    known.store(state, std::memory_order_relaxed);
  }
  return state == 2;
}
#endif

}  // namespace crc32c_internal

// For a process that has been told that its processor has SSE 4.2.
inline void useHardwareCrc() {
  crc32c_internal::known.store(2, std::memory_order_relaxed);
}

inline bool hasHardwareCrc() {
#if defined(__x86_64__)
  return crc32c_internal::hasHardware();
#else
  return false;
#endif
}

// Returns the CRC-32C of `size` bytes; `previous` continues that of the bytes before.
inline uint32_t crc32c(const void* data, size_t size, uint32_t previous = 0) {
  const auto* p = static_cast<const unsigned char*>(data);
#if defined(__x86_64__)
  if (hasHardwareCrc()) return ~crc32c_internal::byHardware(~previous, p, size);
#endif
  return ~crc32c_internal::bySoftware(~previous, p, size);
}

}  // namespace parallax::format
