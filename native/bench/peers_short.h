// What many short threads and processes take, with and without a tool.
#pragma once

#include <string>
#include <vector>

namespace parallax::bench {

struct ShortLife {
  std::string what;    // "short threads, one by one"
  std::string tool;    // empty: none
  int count;           // in a run
  std::string failure; // why there is nothing
  double leastUs = 0;  // for each, of all runs
  double ratio = 0;    // the median of what the rounds took beside the run without a tool
};

// In rounds, in each of which every case runs without a tool and under each, one after the other.
// The time is what the program takes, without the start and end of the tool itself.
std::vector<ShortLife> measureShortLives(bool quick, const std::string& scratch,
                                         const std::string& lockFile);
void printShortLives(const std::vector<ShortLife>& rows);

}  // namespace parallax::bench
