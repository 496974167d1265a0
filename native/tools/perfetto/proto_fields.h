// The wire format of protobuf: the fields of one message in memory.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace parallax::perfetto {

class ProtoFields {
 public:
  explicit ProtoFields(std::string_view bytes) : at_(bytes.data()), end_(at_ + bytes.size()) {}

  // Goes to the next field. False at the end, or where the message is damaged.
  bool next() {
    if (at_ == end_) return false;
    uint64_t tag;
    isDamaged_ = true;
    if (!varint(&tag) || tag >> 3 == 0 || tag >> 3 > 0x1FFFFFFF) return false;
    field_ = static_cast<uint32_t>(tag >> 3);
    bytes_ = {};
    switch (tag & 7) {
      case 0:
        if (!varint(&number_)) return false;
        break;
      case 1:
        if (!fixed(8)) return false;
        break;
      case 2: {
        uint64_t size;
        if (!varint(&size) || size > static_cast<uint64_t>(end_ - at_)) return false;
        bytes_ = {at_, static_cast<size_t>(size)};
        at_ += size;
        number_ = 0;
        break;
      }
      case 5:
        if (!fixed(4)) return false;
        break;
      default:
        return false;
    }
    isDamaged_ = false;
    return true;
  }
  uint32_t field() const { return field_; }
  uint64_t number() const { return number_; }
  std::string_view bytes() const { return bytes_; }  // empty unless the field has a length
  bool hasLength() const { return bytes_.data() != nullptr; }
  bool isDamaged() const { return isDamaged_; }

 private:
  bool varint(uint64_t* value) {
    *value = 0;
    for (int shift = 0; shift < 64 && at_ != end_; shift += 7) {
      const auto byte = static_cast<unsigned char>(*at_++);
      *value |= static_cast<uint64_t>(byte & 0x7F) << shift;
      if (byte < 0x80) return true;
    }
    return false;
  }
  bool fixed(size_t size) {
    if (static_cast<size_t>(end_ - at_) < size) return false;
    number_ = 0;
    memcpy(&number_, at_, size);
    at_ += size;
    return true;
  }

  const char* at_;
  const char* end_;
  uint32_t field_ = 0;
  uint64_t number_ = 0;
  std::string_view bytes_;
  bool isDamaged_ = false;
};

}  // namespace parallax::perfetto
