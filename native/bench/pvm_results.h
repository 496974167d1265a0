// Measured round trips, and what follows from them.
#pragma once

#include <string>
#include <vector>

#include "bench/pvm_settings.h"
#include "bench/study_rounds.h"

namespace parallax::bench {

// A line of the file has the median, least, mean and standard deviation of the trips of a run, in nanoseconds.
class PvmResults : public KeyedResults {
 public:
  PvmResults();
  // With `isLeast` a run stands for its shortest trip, else for its median one.
  PvmResults(const std::string& folder, const std::string& settings, bool isLeast, std::string* message);

  // Of the runs, in milliseconds.
  Estimate milliseconds(const PvmCell& cell) const;
  // By how much shorter than in `base`, of the rounds that have both: 0.5 is half as long.
  Estimate saved(const PvmCell& cell, const PvmCell& base) const;
  // The one with the shortest median; the first if none is measured. There must be one.
  PvmCell fastest(const std::vector<PvmCell>& cells) const;

 private:
  std::string figure_;
};

}  // namespace parallax::bench
