// Reads the encodings of call frame information.
#pragma once

#include <cstdint>
#include <cstring>

namespace parallax {

inline bool fitsInt32(int64_t value) { return value == static_cast<int32_t>(value); }

// Reads forward in a range; after a read beyond the end, ok() is false and all reads give 0.
class Cursor {
 public:
  Cursor(const uint8_t* at, const uint8_t* end) : at_(at), end_(end) {}
  // The bytes stand at their address + shift, for what is relative to it.
  Cursor(const uint8_t* at, const uint8_t* end, intptr_t shift)
      : at_(at), end_(end), shift_(shift) {}

  bool ok() const { return ok_; }
  bool atEnd() const { return !ok_ || at_ >= end_; }
  const uint8_t* at() const { return at_; }

  template <class T>
  T fixed() {
    T value{};
    if (take(sizeof value)) memcpy(&value, at_ - sizeof value, sizeof value);
    return value;
  }
  uint8_t byte() { return fixed<uint8_t>(); }

  uint64_t uleb() {
    uint64_t value = 0;
    for (unsigned shift = 0; ok_; shift += 7) {
      const uint8_t b = byte();
      if (shift < 64) value |= static_cast<uint64_t>(b & 0x7f) << shift;
      if ((b & 0x80) == 0) break;
    }
    return value;
  }

  int64_t sleb() {
    uint64_t value = 0;
    unsigned shift = 0;
    uint8_t b = 0;
    do {
      b = byte();
      if (shift < 64) value |= static_cast<uint64_t>(b & 0x7f) << shift;
      shift += 7;
    } while (ok_ && (b & 0x80) != 0);
    if (shift < 64 && (b & 0x40) != 0) value |= ~uint64_t{0} << shift;
    return static_cast<int64_t>(value);
  }

  bool take(uint64_t size) {
    if (!ok_ || size > static_cast<uint64_t>(end_ - at_)) {
      ok_ = false;
      return false;
    }
    at_ += size;
    return true;
  }

  // A pointer in one of the DW_EH_PE encodings. Indirect ones are not followed.
  uint64_t pointer(uint8_t encoding, uint64_t dataBase) {
    if (encoding == 0xff) return 0;  // DW_EH_PE_omit
    const uint64_t place = reinterpret_cast<uint64_t>(at_) + static_cast<uint64_t>(shift_);
    uint64_t value = 0;
    switch (encoding & 0x0f) {
      case 0x00: case 0x04: case 0x0c: value = fixed<uint64_t>(); break;
      case 0x01: value = uleb(); break;
      case 0x02: value = fixed<uint16_t>(); break;
      case 0x03: value = fixed<uint32_t>(); break;
      case 0x09: value = static_cast<uint64_t>(sleb()); break;
      case 0x0a: value = static_cast<uint64_t>(int64_t{fixed<int16_t>()}); break;
      case 0x0b: value = static_cast<uint64_t>(int64_t{fixed<int32_t>()}); break;
      default: ok_ = false;
    }
    switch (encoding & 0x70) {
      case 0x00: return value;
      case 0x10: return value + place;
      case 0x30: return value + dataBase;
      default: ok_ = false; return 0;
    }
  }

 private:
  const uint8_t* at_;
  const uint8_t* end_;
  intptr_t shift_ = 0;
  bool ok_ = true;
};

}  // namespace parallax
