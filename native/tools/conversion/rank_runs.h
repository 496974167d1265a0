// What Communicator records need: the members as runs of ranks, and ids that all members share.
#pragma once

#include <cstdint>
#include <vector>

#include "format/definitions.h"

namespace parallax::conversion {

// A number other than 0 that two numbers make.
uint64_t mix(uint64_t a, uint64_t b);

// World ranks, in the order of the communicator.
std::vector<format::RankRun> runsOf(const std::vector<uint64_t>& ranks);

}  // namespace parallax::conversion
