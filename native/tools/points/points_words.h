// Parts of messages.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace parallax::points {

// "1 exit", "3 exits"
std::string counted(size_t count, const char* one, const char* many);
// "a, b and 5 more"
std::string listed(const std::vector<std::string>& items, size_t most);
// "401000"
std::string digits(uint64_t value);
// "e8ffffffff"
std::string bytesText(const std::vector<uint8_t>& bytes);
// "0x401000"
std::string hexText(uint64_t value);
// "0x401000", for code without names.
bool isAddress(const std::string& text, uint64_t* address);
// "solver.c:12"
std::string lineText(const std::string& file, uint32_t line);

}  // namespace parallax::points
