// Words and numbers into a buffer, for places where nothing of the library may be called. What
// does not fit is left out. Signal handlers may use it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace parallax {

// Both return where the text now ends; `at` is where it ended before.
inline size_t appendText(char* buffer, size_t at, size_t capacity, const char* text) {
  while (*text != '\0' && at < capacity) buffer[at++] = *text++;
  return at;
}

inline size_t appendNumber(char* buffer, size_t at, size_t capacity, int64_t value) {
  char digits[24];
  size_t count = 0;
  uint64_t rest = value < 0 ? 0 - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
  do {
    digits[count++] = static_cast<char>('0' + rest % 10);
    rest /= 10;
  } while (rest != 0);
  if (value < 0) digits[count++] = '-';
  while (count > 0 && at < capacity) buffer[at++] = digits[--count];
  return at;
}

// A host's name as files have it.
inline size_t appendHost(char* buffer, size_t at, size_t capacity, const char* host) {
  for (; *host != '\0' && at < capacity; host++) {
    const char c = *host;
    const bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
                       (c >= 'A' && c <= 'Z') || c == '-';
    buffer[at++] = plain ? c : '_';
  }
  return at;
}

}  // namespace parallax
