// Finds a program's variables, such as the mutex of a lock treatment.
#pragma once

#include <string>
#include <vector>

#include "tools/points/points_module.h"

namespace parallax::points {

struct Variable {
  uint32_t module = 0;
  uint64_t address = 0;
  std::string problem;  // one message, or empty
};

// A variable with static storage, by its name as linked or as in the source.
Variable findVariable(const std::vector<std::unique_ptr<Module>>& modules, const std::string& name);

}  // namespace parallax::points
