// What parallax-points prints.
#pragma once

#include <string>
#include <vector>

#include "tools/points/points_resolve.h"

namespace parallax::points {

std::string toJson(const std::vector<std::unique_ptr<Module>>& modules,
                   const std::vector<Resolved>& places);

}  // namespace parallax::points
