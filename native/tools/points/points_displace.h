// Writes instructions anew so that they do the same elsewhere.
#pragma once

#include "tools/points/points_patch.h"

namespace parallax::points {

// Instructions in the order of their addresses, and jumps to where they go on. Calls push the address
// behind the original call, so that nobody ever sees another caller. Branches to one of these
// instructions go to its copy where `keepsInside`, else to the original.
Displaced displace(const Image& image, const std::vector<const Instruction*>& instructions,
                   bool keepsInside);

}  // namespace parallax::points
