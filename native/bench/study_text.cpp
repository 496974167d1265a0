#include "bench/study_text.h"

#include <cmath>
#include <cstdarg>
#include <cstdio>

namespace parallax::bench {

std::string format(const char* pattern, ...) {
  char text[600];
  va_list arguments;
  va_start(arguments, pattern);
  vsnprintf(text, sizeof text, pattern, arguments);
  va_end(arguments);
  return text;
}

std::string shortNumber(double value) {
  return format(std::fabs(value) < 9.95 ? "%.2f" : std::fabs(value) < 99.5 ? "%.1f" : "%.0f", value);
}

std::string withoutTrailingSpaces(const std::string& text) {
  std::string trimmed;
  for (const char c : text) {
    while (c == '\n' && !trimmed.empty() && trimmed.back() == ' ') trimmed.pop_back();
    trimmed += c;
  }
  return trimmed;
}

std::vector<std::string> split(const std::string& list, char separator) {
  std::vector<std::string> words;
  std::string word;
  for (const char c : list + separator) {
    if (c != separator) {
      word += c;
    } else if (!word.empty()) {
      words.push_back(word);
      word.clear();
    }
  }
  return words;
}

}  // namespace parallax::bench
