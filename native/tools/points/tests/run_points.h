// Runs programs under the agent with points set in them, and reads what these counted.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace parallax::points {

struct Output {
  std::string text;
  int status = -1;
};
// Standard output; a place of its own for the standard error.
Output run(const std::vector<std::string>& command, const std::string& input,
           const std::vector<std::string>& environment);

struct Perturbed {
  Output output;
  std::vector<uint64_t> counts;          // by place
  std::map<std::string, size_t> methods;  // points of each
  std::vector<std::string> problems;     // of places, each "PLACE: PROBLEM", then of the agent
};
// With the points of these places set, none of which delays.
Perturbed runWithPoints(const std::vector<std::string>& command,
                        const std::vector<std::string>& options,
                        const std::vector<std::string>& places, const std::string& input);

}  // namespace parallax::points
