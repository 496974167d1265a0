// Finds functions by the names that people type.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "tools/points/points_image.h"

namespace parallax::points {

// Names of a function: `_ZN6Solver4stepEi.constprop.0` is `Solver::step(int)`, `Solver::step`, and a
// clone. Template arguments may be left out.
struct FunctionName {
  std::string linked;      // without what the compiler added
  std::string full;        // with parameters
  std::string plain;       // without parameters
  std::string simplest;    // without template arguments, too
  bool isPart;             // a piece that the compiler split off: no entry of its own
  bool isClone;
};
FunctionName nameOf(const std::string& symbol);
// "Solver<int>::step" of "void Solver<int>::step(int) const".
std::string withoutParameters(const std::string& readable);
std::string withoutTemplates(const std::string& name);

// Whether `typed` means the function: its linked name, or its name in the source with or without
// parameters, or the same in Fortran, where letters' case does not count and a linker's name ends in
// an underscore.
bool isNamed(const FunctionName& name, const std::string& typed);
// The same where scopes in front may be left out: `step` for `Solver::step`.
bool endsInName(const FunctionName& name, const std::string& typed);

// Up to `most` of `names` that are nearest to `typed`, best first.
std::vector<std::string> nearNames(const std::vector<std::string>& names, const std::string& typed,
                                   size_t most);
// ": did you mean a, b or c?" or an empty string.
std::string didYouMean(const std::vector<std::string>& names, const std::string& typed);

}  // namespace parallax::points
