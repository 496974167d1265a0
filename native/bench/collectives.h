// One collective of MPI again and again, untuned and tuned while it runs by `parallax tune`, with each MPI library, as the
// library decides itself and with settings at the start that are bad or good for it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "bench/study_rounds.h"

namespace parallax::bench {

struct CollectiveLibrary {
  std::string name;  // the ending of its programs
  std::string mpirun, program;

  bool isOpenMpi() const;
  bool isThere() const;
};
// Debian's Open MPI and MPICH, and those of today that are fetched.
std::vector<CollectiveLibrary> collectiveLibraries();

struct CollectiveSettings {
  std::vector<std::string> libraries;  // names; all that are there if it is empty
  std::vector<std::string> operations = {"alltoall", "allreduce"};
  std::vector<std::string> starts = {"default", "badly", "well"};
  int processes = 2;   // if there are more than processors, they wait mostly for their turns
  int bytes = 65536;   // that a process gives in a call
  double seconds = 8;  // of a run: a tuner needs time
  double turns = 4;    // seconds more of a tuned run, in which the tuner is paused in turns; 0: none
  int rounds = 6;
  unsigned seed = 2026;
  std::string parallax = "parallax";  // the command line
  std::string interval = "50ms";      // in which the tuner gets metrics

  // Some runs that end soon, to test that all works.
  void makeQuick();
  // All on which the figures depend, a line for each.
  std::string comparable() const;
};

// What the library is told in the environment when it starts; empty for its own decision.
std::string environmentOf(const CollectiveLibrary& library, const std::string& operation, const std::string& start);

// What the models of collectives choose, such as `exchange`: the ends of their names.
const std::vector<std::string>& collectiveMethods();

class CollectiveResults : public KeyedResults {
 public:
  static constexpr char kCall[] = "call_ns", kLast[] = "last_call_ns", kUndone[] = "undone", kTunedNs[] = "tuned_ns";
  // Of the turns (collectives_turns.h): their ratio, how many pairs they were, and the time of a call while the tuner is paused. 0 if
  // there were none.
  static constexpr char kTurns[] = "turns_ratio", kPairs[] = "turns_pairs", kPaused[] = "paused_call_ns";

  CollectiveResults();
  CollectiveResults(const std::string& folder, const std::string& settings, std::string* message);

  static Keys keysOf(const std::string& library, const std::string& operation, const std::string& start, bool isTuned);
  static std::string keptName(const std::string& method);
  // By how much longer a call takes in the runs that had turns than while the tuner is paused there: while it is on, and in all calls
  // before, in which it has tuned.
  Estimate lostInTurns(const Keys& keys) const;
  Estimate lostBeforeTurns(const Keys& keys) const;
};

// All runs, a block for each library and operation.
RoundsPlan planOf(const CollectiveSettings& settings, const std::vector<CollectiveLibrary>& libraries);

// What `parallax tune` printed: how often it kept each method, how often it undid one, and when it kept the last one.
std::map<std::string, double> collectiveDecisions(const std::string& text);

// The results of runs with as many calls must be the same.
class SameResults {
 public:
  // Empty, or what differs.
  std::string check(const std::string& kind, const std::string& answer);

 private:
  std::map<std::string, std::string> first_;
};

// Runs them, see runRounds. A run fails in which a process has a wrong result, or with other results than the first one.
RoundsDone runCollectives(const CollectiveSettings& settings, const std::vector<CollectiveLibrary>& libraries,
                          const std::string& folder, CollectiveResults* results);

// A program that is set well may lose so much by tuning.
inline constexpr double kMostLoss = 0.03;

// A row for each library, operation and start, and sentences on gains and losses.
std::string collectivesTable(const CollectiveSettings& settings, const std::vector<CollectiveLibrary>& libraries,
                             const CollectiveResults& results);
std::string collectivesCsv(const CollectiveSettings& settings, const std::vector<CollectiveLibrary>& libraries,
                           const CollectiveResults& results);

}  // namespace parallax::bench
