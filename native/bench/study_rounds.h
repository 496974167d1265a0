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

// How many rounds there are of each of some cells, those without any left out.
struct RoundCounts {
  size_t least = 0, most = 0;

  std::string text() const;  // such as "7 rounds" or "3 to 7 rounds"
};

class KeyedResults {
 public:
  // Without a file: all that is added is kept for the life of the object.
  explicit KeyedResults(const std::vector<std::string>& figures) : figures_(figures) {}
  // Those of FOLDER, see RecordFile. Runs that failed are tried again.
  KeyedResults(const std::string& folder, const std::string& settings, const std::vector<std::string>& keys,
               const std::vector<std::string>& figures, std::string* message);

  // Of this session. Writes its line at once. Returns false if that fails.
  bool add(Record record);
  // Where they are kept.
  const std::string& path() const { return file_.path(); }
  // Null if there is none.
  const Record* find(const Keys& keys, int round) const;
  // Of a run that has printed figures, or else failed.
  Record recordOf(const Keys& keys, int round, const Run& run) const;
  // NaN if the run failed, infinite if it took too long.
  double valueOf(const Record& record, const std::string& figure) const;
  void set(Record* record, const std::string& figure, double value) const;
  // Whether most runs took too long: then no more are made.
  bool isGivenUp(const Keys& keys) const;
  // Whether each cell that is not given up has been measured in this round, all of them in one session.
  bool isComplete(const std::vector<Keys>& block, int round) const;
  RoundCounts roundsOf(const std::vector<Keys>& cells) const;

  // Of the runs that are done, in the order of the rounds.
  std::vector<double> valuesOf(const Keys& keys, const std::string& figure) const;
  // Runs that took too long count as the longest of all.
  Estimate estimateOf(const Keys& keys, const std::string& figure) const;
  // The figure divided by that of `base`, by rounds in which one session has measured both. What was measured in different
  // sessions differs also by what has changed in the machine meanwhile.
  std::map<int, double> ratiosOf(const Keys& keys, const Keys& base, const std::string& figure) const;
  // By how much less than that of `base`: 0.5 is half as much.
  Estimate saved(const Keys& keys, const Keys& base, const std::string& figure) const;
  // That which saves most beside the first of `cells`, without what the round `except` tells of it; the first, if none does.
  Keys bestOf(const std::vector<Keys>& cells, const std::string& figure, int except = kNoRound) const;
  // For each round that has the first of `cells` the one that is the best by the other rounds. The least of noisy values is too
  // low, also where all cells are alike; what its cell has in a round that did not choose it is not.
  std::map<int, Keys> bestByOthers(const std::vector<Keys>& cells, const std::string& figure) const;
  std::vector<const Record*> failures() const;

 private:
  static constexpr int kNoRound = -1;

  const std::map<int, Record>& runsOf(const Keys& keys) const;

  std::vector<std::string> figures_;
  RecordFile file_;
  std::map<Keys, std::map<int, Record>> all_;
};

struct RoundsDone {
  bool isComplete = false;  // false: an interrupt ended it
  std::string failure;      // why nothing more can be measured
};

// Cells of a block are compared with each other, so they are run one after the other. In each round the blocks and the cells of
// each block have a random order.
struct RoundsPlan {
  int rounds;
  unsigned seed;
  std::vector<std::vector<Keys>> blocks;

  std::vector<Keys> cells() const;
};

// Runs what `results` does not have already. A block that a session has left incomplete is run again as a whole. It ends when
// an Interruptible, which must be there, is interrupted, or when one run after the other fails.
RoundsDone runRounds(const RoundsPlan& plan, KeyedResults* results,
                     const std::function<Record(const Keys&, int round)>& measure);

// Such as "12.3 [10.1, 15.0]", in percent; without the interval where too few rounds give none.
std::string savedText(const Estimate& saved);

}  // namespace parallax::bench
