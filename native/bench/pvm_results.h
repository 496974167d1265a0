// Measured round trips, and what follows from them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "bench/peers_stats.h"
#include "bench/pvm_settings.h"
#include "bench/study_records.h"

namespace parallax::bench {

class PvmResults {
 public:
  // Without a file: all that is added is kept for the life of the object.
  PvmResults() = default;
  // Those of FOLDER, see RecordFile. Runs that failed are tried again.
  PvmResults(const std::string& folder, const std::string& settings, std::string* message);

  // Times are in nanoseconds: the median, mean and standard deviation of the trips of the run.
  static std::vector<std::string> figureNames();

  // Writes its line at once. Returns false if that fails.
  bool add(const Record& record);
  // Of the last run of this cell in this round; null if there is none.
  const Record* find(const PvmCell& cell, int round) const;

  // Of the medians of the runs, in milliseconds.
  Estimate milliseconds(const PvmCell& cell) const;
  // By how much shorter than in `base`, of the rounds that have both: 0.5 is half as long.
  Estimate saved(const PvmCell& cell, const PvmCell& base) const;
  // The one with the shortest median; the first if none is measured. There must be one.
  PvmCell fastest(const std::vector<PvmCell>& cells) const;

  std::vector<const Record*> failures() const;

 private:
  RecordFile file_;
  std::map<std::vector<std::string>, std::map<int, Record>> all_;
};

}  // namespace parallax::bench
