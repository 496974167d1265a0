// Reads call frame information that another thread may unmap at any moment.
//
// A walk looks up rules for any address on the stack, including addresses of modules that are
// unloaded. The kernel therefore copies the bytes, and reports an error if the memory is not
// mapped. If the kernel refuses to copy (ENOSYS, EPERM), the bytes are read in place. Signal
// handlers may use all functions.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sampler/unwind_rule.h"

namespace parallax {

// Memory that may be read, in the address space of this process.
struct ByteRange {
  const uint8_t* begin = nullptr;
  const uint8_t* end = nullptr;
  size_t size() const { return static_cast<size_t>(end - begin); }
  bool contains(const uint8_t* p) const { return p >= begin && p < end; }
};

// Copies memory of this process. Returns the bytes copied, as far as the memory is there.
size_t copyMapped(void* to, const void* from, size_t sizeBytes);

// What a lookup needs beside the stack, which may be small. Zeroed memory is a sound one; for one set of
// modules: forget() when it has changed.
struct FrameScratch {
  static constexpr size_t kRemembered = 16;
  ExtendedRule remembered[kRemembered];
  const uint8_t* cieAt;  // which one `cie` has; null: none
  size_t cieBytes;
  uint8_t cie[512];
  uint8_t fde[8192];

  void forget() { cieAt = nullptr; }
};

// Bytes at `begin` that stand, or stood when they were copied, at begin + shift.
struct FrameBytes {
  const uint8_t* begin = nullptr;
  const uint8_t* end = nullptr;
  intptr_t shift = 0;
};

class FrameMemory {
 public:
  // Reads in place: the module is known to stay loaded.
  explicit FrameMemory(ByteRange readable) : readable_(readable) {}
  // Copies.
  FrameMemory(ByteRange readable, FrameScratch& scratch)
      : readable_(readable), scratch_(&scratch) {}

  // An entry with its length before it; empty when it lies outside.
  FrameBytes fde(const uint8_t* at) const {
    return scratch_ == nullptr ? inPlace(at) : copied(at, scratch_->fde, sizeof scratch_->fde);
  }
  FrameBytes cie(const uint8_t* at) const { return scratch_ == nullptr ? inPlace(at) : copiedCie(at); }
  const ByteRange& readable() const { return readable_; }

 private:
  FrameBytes inPlace(const uint8_t* at) const {
    return readable_.contains(at) ? FrameBytes{at, readable_.end, 0} : FrameBytes{};
  }
  FrameBytes copiedCie(const uint8_t* at) const;
  FrameBytes copied(const uint8_t* at, uint8_t* copy, size_t capacity) const;

  ByteRange readable_;
  FrameScratch* scratch_ = nullptr;
};

}  // namespace parallax
