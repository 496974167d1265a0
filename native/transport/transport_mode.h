// How the blocks of events get into their files, as a person chooses it.
#pragma once

#include <cstdint>
#include <string_view>

namespace parallax {

struct TransportMode {
  enum class Kind : uint8_t {
    kMapped,      // the blocks are mapped: events are in the file at once
    kUnbuffered,  // private memory, written after each event
    kBuffered,    // private memory, written when it is full
  };
  Kind kind = Kind::kMapped;
  uint32_t bufferBytes = 0;  // of each thread: how much is written at once

  bool isPrivate() const { return kind != Kind::kMapped; }
};

// Of this process; set before its first thread begins.
inline TransportMode transportMode;

inline constexpr uint32_t kLeastBufferBytes = 4 << 10, kMostBufferBytes = 64 << 20;
inline constexpr char kTransports[] = "mapped, unbuffered, or buffered:SIZE with a size from 4K to 64M";

// Reads `mapped`, `unbuffered` or `buffered:SIZE`; the size is in bytes, or has a K or M. Returns false for anything
// else, and leaves `mode` as it is.
inline bool parseTransport(std::string_view text, TransportMode* mode) {
  constexpr std::string_view kBuffered = "buffered:";
  TransportMode read;
  if (text == "unbuffered") {
    read.kind = TransportMode::Kind::kUnbuffered;
  } else if (text.substr(0, kBuffered.size()) == kBuffered) {
    std::string_view size = text.substr(kBuffered.size());
    uint64_t unit = 1;
    if (!size.empty() && (size.back() == 'K' || size.back() == 'k')) unit = 1 << 10;
    if (!size.empty() && (size.back() == 'M' || size.back() == 'm')) unit = 1 << 20;
    if (unit != 1) size.remove_suffix(1);
    if (size.empty()) return false;
    uint64_t number = 0;
    for (const char c : size) {
      if (c < '0' || c > '9') return false;
      number = number * 10 + static_cast<uint64_t>(c - '0');
      if (number > kMostBufferBytes) return false;
    }
    const uint64_t bytes = number * unit;
    if (bytes < kLeastBufferBytes || bytes > kMostBufferBytes) return false;
    read.kind = TransportMode::Kind::kBuffered;
    read.bufferBytes = static_cast<uint32_t>(bytes / 8 * 8);
  } else if (text != "mapped") {
    return false;
  }
  *mode = read;
  return true;
}

}  // namespace parallax
