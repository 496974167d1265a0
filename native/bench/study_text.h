// Texts of the tables and charts of studies.
#pragma once

#include <string>
#include <vector>

namespace parallax::bench {

// As printf; at most 600 bytes.
std::string format(const char* pattern, ...) __attribute__((format(printf, 1, 2)));

// As many digits as matter.
std::string shortNumber(double value);

// The lines without spaces at their ends.
std::string withoutTrailingSpaces(const std::string& text);

// A list with separators; empty words are left out.
std::vector<std::string> split(const std::string& list, char separator = ',');

}  // namespace parallax::bench
