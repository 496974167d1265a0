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
    kAsync,       // two of these: one is written meanwhile
    kShared,      // rings in memory that is shared with a process that writes them
    kSent,        // private memory, sent to this process when it is full
    kCollected,   // the same by TCP, one after the other
    kDiscarded,   // private memory, used again when it is full
  };
  Kind kind = Kind::kMapped;
  uint32_t bufferBytes = 0;  // of each thread: how much is written at once
  bool mayUseRing = false;   // async_ring.h
  bool isUsual = false;      // chosen for the person, who needs not be told where it is none

  bool isAsync() const { return kind == Kind::kAsync; }
  bool isShared() const { return kind == Kind::kShared; }
  bool isDiscarded() const { return kind == Kind::kDiscarded; }
  bool isSent() const { return kind == Kind::kSent || kind == Kind::kCollected; }
  bool hasWriter() const { return isShared() || isSent(); }
  bool isPrivate() const { return kind != Kind::kMapped && kind != Kind::kShared; }
};

// Of this process; set before its first thread begins.
inline TransportMode transportMode;

inline constexpr uint32_t kLeastBufferBytes = 4 << 10, kLeastAsyncBytes = 64 << 10, kMostBufferBytes = 64 << 20;
inline constexpr uint32_t kSentBytes = 64 << 10;
inline constexpr char kTransports[] =
    "mapped, unbuffered, shared, writer, collector, discard, buffered:SIZE with a size from 4K to 64M, or async:SIZE from 64K to 64M";

// Reads a number of bytes, or of their multiples with a K or M. Returns false for anything else, and outside of the range.
inline bool parseBufferBytes(std::string_view size, uint32_t least, uint32_t* bytes) {
  uint64_t unit = 1, number = 0;
  if (!size.empty() && (size.back() == 'K' || size.back() == 'k')) unit = 1 << 10;
  if (!size.empty() && (size.back() == 'M' || size.back() == 'm')) unit = 1 << 20;
  if (unit != 1) size.remove_suffix(1);
  if (size.empty()) return false;
  for (const char c : size) {
    if (c < '0' || c > '9') return false;
    number = number * 10 + static_cast<uint64_t>(c - '0');
    if (number > kMostBufferBytes) return false;
  }
  if (number * unit < least || number * unit > kMostBufferBytes) return false;
  *bytes = static_cast<uint32_t>(number * unit / 8 * 8);
  return true;
}

// Reads one of kTransports. Returns false for anything else, and leaves `mode` as it is.
inline bool parseTransport(std::string_view text, TransportMode* mode) {
  constexpr std::string_view kBuffered = "buffered:", kAsync = "async:";
  TransportMode read;
  if (text == "unbuffered") {
    read.kind = TransportMode::Kind::kUnbuffered;
  } else if (text == "shared") {
    read.kind = TransportMode::Kind::kShared;
  } else if (text == "writer") {
    read.kind = TransportMode::Kind::kSent;
    read.bufferBytes = kSentBytes;
  } else if (text == "collector") {
    read.kind = TransportMode::Kind::kCollected;
    read.bufferBytes = kSentBytes;
  } else if (text == "discard") {
    read.kind = TransportMode::Kind::kDiscarded;
    read.bufferBytes = kSentBytes;
  } else if (text.substr(0, kBuffered.size()) == kBuffered) {
    read.kind = TransportMode::Kind::kBuffered;
    if (!parseBufferBytes(text.substr(kBuffered.size()), kLeastBufferBytes, &read.bufferBytes)) return false;
  } else if (text.substr(0, kAsync.size()) == kAsync) {
    read.kind = TransportMode::Kind::kAsync;
    if (!parseBufferBytes(text.substr(kAsync.size()), kLeastAsyncBytes, &read.bufferBytes)) return false;
  } else if (text != "mapped") {
    return false;
  }
  *mode = read;
  return true;
}

}  // namespace parallax
