// The `symbols` file of a trace: its text form in both directions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace parallax::format {

struct SymbolFrame {
  std::string function, file;
  uint32_t line = 0, declaredLine = 0;
  bool inlined = false;  // into the frame after this one
};

struct SymbolAddress {
  uint64_t offset = 0;              // from the load bias
  std::vector<SymbolFrame> frames;  // innermost first; empty: unresolved
  // Where the function of an unresolved address begins, as unwind information tells; 0: unknown.
  uint64_t functionStart = 0;
};

struct SymbolModule {
  uint32_t number = 0;
  std::string buildId, path;
  std::string reason;  // why addresses without frames are unresolved; may be empty
  std::vector<SymbolAddress> addresses;
};

// Tabs and line ends within a field become blanks.
std::string formatSymbols(const std::vector<SymbolModule>& modules);
// Returns an empty string, or what is wrong in which line.
std::string parseSymbols(std::string_view text, std::vector<SymbolModule>* modules);

}  // namespace parallax::format
