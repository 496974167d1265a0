#include "tools/points/points_words.h"

#include <stdio.h>
#include <stdlib.h>

#include <algorithm>

namespace parallax::points {

std::string counted(size_t count, const char* one, const char* many) {
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

std::string listed(const std::vector<std::string>& items, size_t most) {
  std::string text;
  const size_t shown = std::min(items.size(), most);
  const bool hasMore = shown < items.size();
  for (size_t i = 0; i < shown; i++) {
    if (i > 0) text += i + 1 == shown && !hasMore ? " and " : ", ";
    text += items[i];
  }
  if (hasMore) text += " and " + std::to_string(items.size() - shown) + " more";
  return text;
}

std::string digits(uint64_t value) {
  char buffer[24];
  snprintf(buffer, sizeof buffer, "%llx", static_cast<unsigned long long>(value));
  return buffer;
}

std::string bytesText(const std::vector<uint8_t>& bytes) {
  std::string text;
  char buffer[4];
  for (const uint8_t byte : bytes) {
    snprintf(buffer, sizeof buffer, "%02x", byte);
    text += buffer;
  }
  return text;
}

std::string hexText(uint64_t value) { return "0x" + digits(value); }

std::string lineText(const std::string& file, uint32_t line) {
  const std::string name = file.substr(file.rfind('/') + 1);
  return (name.empty() ? "?" : name) + ":" + std::to_string(line);
}

bool isAddress(const std::string& text, uint64_t* address) {
  if (text.size() < 3 || text.size() > 18 || text.compare(0, 2, "0x") != 0 ||
      text.find_first_not_of("0123456789abcdefABCDEF", 2) != std::string::npos) {
    return false;
  }
  *address = strtoull(text.c_str(), nullptr, 16);
  return true;
}

}  // namespace parallax::points
