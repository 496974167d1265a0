// Rounds of runs whose order is random, and what follows from them.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "bench/peers_run.h"
#include "bench/peers_stats.h"
#include "bench/study_records.h"

namespace parallax::bench {

using Keys = std::vector<std::string>;

class KeyedResults {
 public:
  // Without a file: all that is added is kept for the life of the object.
  explicit KeyedResults(const std::vector<std::string>& figures) : figures_(figures) {}
  // Those of FOLDER, see RecordFile. Runs that failed are tried again.
  KeyedResults(const std::string& folder, const std::string& settings, const std::vector<std::string>& keys,
               const std::vector<std::string>& figures, std::string* message);

  // Writes its line at once. Returns false if that fails.
  bool add(const Record& record);
  // Null if there is none.
  const Record* find(const Keys& keys, int round) const;
  // Of a run that has printed figures, or else failed.
  Record recordOf(const Keys& keys, int round, const Run& run) const;

  Estimate estimateOf(const Keys& keys, const std::string& figure) const;
  // By how much less than that of `base`, of the rounds that have both: 0.5 is half as much.
  Estimate saved(const Keys& keys, const Keys& base, const std::string& figure) const;
  std::vector<const Record*> failures() const;

 private:
  double valueOf(const Record& record, const std::string& figure) const;
  std::map<int, Record> runsOf(const Keys& keys) const;

  std::vector<std::string> figures_;
  RecordFile file_;
  std::map<Keys, std::map<int, Record>> all_;
};

struct RoundsDone {
  bool isComplete = false;  // false: an interrupt ended it, after the run that was under way
  std::string failure;      // why nothing more can be measured
};

// In each round each of `cells` once, in random order. What `results` has already is not run again. It ends when an
// Interruptible, which must be there, is interrupted, or when one run after the other fails.
RoundsDone runRounds(int rounds, unsigned seed, const std::vector<Keys>& cells, KeyedResults* results,
                     const std::function<Record(const Keys&, int round)>& measure);

// Such as "12.3 [10.1, 15.0]", in percent; without the interval where too few rounds give none.
std::string savedText(const Estimate& saved);

}  // namespace parallax::bench
