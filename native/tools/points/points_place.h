// Places as people type them.
#pragma once

#include <cstdint>
#include <string>

namespace parallax::points {

enum class PlaceKind : uint8_t { kEntry, kExit, kLine, kBefore, kAfter, kMacro };

// entry:FUNCTION exit:FUNCTION FUNCTION [line:]FILE:LINE before:ROUTINE[@WHERE] after:ROUTINE[@WHERE]
// macro:NAME, each with MODULE! in front of the name; WHERE is FUNCTION or FILE:LINE, and a function
// may be FILE:FUNCTION.
struct Place {
  std::string text;
  PlaceKind kind = PlaceKind::kEntry;
  std::string module;    // empty: any
  std::string name;      // of the function, routine or macro
  std::string file;      // of a line, or to choose among functions of the same name
  uint32_t line = 0;
  std::string inFunction, inFile;  // where calls are looked for; empty: everywhere
  uint32_t inLine = 0;
  std::string problem;   // why it is no place
};

Place parsePlace(const std::string& text);

}  // namespace parallax::points
