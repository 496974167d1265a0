// Measured round trips, and what follows from them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "bench/pvm_settings.h"
#include "bench/study_rounds.h"

namespace parallax::bench {

// A line of the file has the median, mean and standard deviation of the trips of a run, and how long the shortest of a few
// trips is on the mean, in nanoseconds.
class PvmResults : public KeyedResults {
 public:
  PvmResults();
  // With `isLeast` a run stands for its shortest trips, else for its median one.
  PvmResults(const std::string& folder, const std::string& settings, bool isLeast, std::string* message);

  // Of the runs, in milliseconds.
  Estimate milliseconds(const PvmCell& cell) const;
  // By how much shorter than in `base`, of the rounds that have both: 0.5 is half as long.
  Estimate saved(const PvmCell& cell, const PvmCell& base) const;
  // The one of `cells` that saves most beside the first of them, by all rounds. What is known of it is of rounds that have not
  // chosen it: for each round, of the cell that is the best by the others. There is nothing of one round.
  struct Best {
    PvmCell cell;
    Estimate milliseconds, saved;
  };
  Best bestOf(const std::vector<PvmCell>& cells) const;
  // For each round the best cell by the others; and what a cell saves in a round, NaN if that is not known.
  std::map<int, PvmCell> bestByOthers(const std::vector<PvmCell>& cells) const;
  double savedIn(int round, const PvmCell& cell, const PvmCell& base) const;

 private:
  std::string figure_;
};

}  // namespace parallax::bench
