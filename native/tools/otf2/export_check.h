// Reads an archive that was just written: the library does not tell when its writes fail.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace parallax::otf2 {

// Reads all of it in a process of its own, as the library can crash on an incomplete file. `events` has the number of
// records of each location. Returns false if something is missing.
bool isComplete(const std::string& anchor, const std::vector<uint64_t>& events);

}  // namespace parallax::otf2
