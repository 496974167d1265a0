// Words and numbers into a buffer and out of text, for places where nothing of the library may be called.
// What does not fit is left out. Signal handlers may use it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

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

// How many characters stand before the first of `ends`, or all. strcspn is in a part of the C library that
// few programs have loaded.
inline size_t lengthBefore(const char* text, std::string_view ends) {
  size_t length = 0;
  while (text[length] != '\0' && ends.find(text[length]) == std::string_view::npos) length++;
  return length;
}

// The value of a digit of bases up to 16; 99: it is none.
inline unsigned digitOf(char c) {
  return c >= '0' && c <= '9'   ? static_cast<unsigned>(c - '0')
         : c >= 'a' && c <= 'f' ? static_cast<unsigned>(c - 'a' + 10)
         : c >= 'A' && c <= 'F' ? static_cast<unsigned>(c - 'A' + 10) : 99;
}

// Takes the number with which `text` begins. False, and takes nothing, where there is none or it does not
// fit into 64 bits.
inline bool readNumber(std::string_view* text, unsigned base, uint64_t* value) {
  uint64_t read = 0;
  size_t at = 0;
  for (; at < text->size(); at++) {
    const unsigned digit = digitOf((*text)[at]);
    if (digit >= base) break;
    if (read > (~uint64_t{0} - digit) / base) return false;
    read = read * base + digit;
  }
  if (at == 0) return false;
  text->remove_prefix(at);
  *value = read;
  return true;
}

// A number that is all of `text`. False where it is not, or larger than `most`.
inline bool parseNumber(std::string_view text, unsigned base, uint64_t most, uint64_t* value) {
  uint64_t read;
  if (!readNumber(&text, base, &read) || !text.empty() || read > most) return false;
  *value = read;
  return true;
}

}  // namespace parallax
