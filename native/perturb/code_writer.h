// Writing machine code: for trampolines, which nobody executes yet, and for places of loaded modules,
// which other threads may be executing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "perturb/plan.h"

namespace parallax::perturb {

constexpr uint8_t kInt3 = 0xcc, kJump = 0xe9;
constexpr uint32_t kJumpBytes = 5;
constexpr uint64_t kPageMask = 4095;

// Writes code from a place on.
class CodeWriter {
 public:
  explicit CodeWriter(uint64_t at) : at_(at) {}
  uint64_t at() const { return at_; }
  void bytes(const void* data, size_t size) {
    memcpy(reinterpret_cast<void*>(at_), data, size);
    at_ += size;
  }
  template <size_t N>
  void code(const char (&text)[N]) {
    bytes(text, N - 1);
  }
  void word(uint64_t value) { bytes(&value, sizeof value); }
  void relative(uint64_t target) {
    const auto distance = static_cast<int32_t>(target - (at_ + 4));
    bytes(&distance, sizeof distance);
  }

 private:
  uint64_t at_;
};

inline bool reaches(uint64_t from, uint64_t to) {
  const auto distance = static_cast<int64_t>(to - from);
  return distance == static_cast<int32_t>(distance);
}

// Writes the addresses that displaced code at `code` needs. False where one is out of reach.
bool applyFixes(const Fix* fixes, uint32_t count, uint64_t bias, uint64_t code);

// One byte of code that may be executed at the same time.
inline void store(uint64_t at, uint8_t byte) { *reinterpret_cast<volatile uint8_t*>(at) = byte; }

// After this call, no processor executes instructions that it fetched before. False if the system
// does not support it.
bool synchroniseCores();

bool protect(uint64_t start, uint64_t end, int protection);

}  // namespace parallax::perturb
