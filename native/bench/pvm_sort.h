// The integer sort under PVM: tuned while it runs by `parallax tune`, beside Table 4 of Morajko et al. 2003; and with settings
// that it makes by itself, as a designed experiment over them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "bench/pvm_machine.h"
#include "bench/study_rounds.h"

namespace parallax::bench {

// What the sort sets by the options of mpi.h, the options of `parallax tune` (null: it runs alone), and the paper's seconds
// and intrusion in percent, 0 where it has none.
struct SortScenario {
  const char* name;
  const char* title;
  const char* options;
  const char* tuner;
  const char* base;  // the scenario with which it is compared
  double paperSeconds, paperIntrusion;

  bool isTuned() const { return tuner != nullptr; }
};
// Names of scenarios.
inline constexpr char kSortNone[] = "none", kSortAll[] = "all", kSortWatched[] = "watched", kSortXdr[] = "xdr", kSortXdrAll[] = "xdr-all";
const std::vector<SortScenario>& sortScenarios();
const SortScenario& sortScenario(const std::string& name);
// The names as in "none, route, ...", and kSortExperiment.
std::string sortScenarioNames();

// The three settings with two levels each; the high ones are those of the paper's tuner.
struct SortFactor {
  const char* name;
  const char *low, *high;                // in words
  const char *lowOptions, *highOptions;  // of mpi.h
  const char* model;                     // with which the names of the models begin that set the high level
};
constexpr int kSortFactors = 3;
inline constexpr char kSortExperiment[] = "experiment";  // the word for it beside the names of scenarios
inline constexpr double kNsInSecond = 1e9;
const std::vector<SortFactor>& sortFactors();

struct SortSettings {
  std::vector<std::string> places = {Place::kOne, Place::kThree};
  std::vector<std::string> classes = {"W"};
  std::vector<std::string> scenarios;  // their names, and kSortExperiment; none: all of them
  int processes = 3;
  int repeats = 200;  // of ten iterations, so that there is time to tune
  int rounds = 10;
  unsigned seed = 2003;
  std::string parallax = "parallax";  // the command line
  std::string interval = "50ms";      // in which the tuner gets metrics

  // The runs of the experiment need no time to tune.
  int designRepeats() const { return repeats > 10 ? repeats / 10 : 1; }
  bool isWanted(const std::string& scenario) const;
  // All on which the figures depend, a line for each. More rounds, classes and places add to what there is.
  std::string comparable() const;
};

class SortResults : public KeyedResults {
 public:
  static constexpr char kWall[] = "wall_ns", kElapsed[] = "elapsed_ns", kFragment[] = "fragment_bytes", kTunedNs[] = "tuned_ns";
  static constexpr char kLast[] = "last_ns";  // the last tenth of the sort

  SortResults();
  SortResults(const std::string& folder, const std::string& settings, std::string* message);

  static Keys keysOf(const std::string& place, const std::string& size, const std::string& scenario);
  // Of a run of the design: bit f of `cell` is the level of factor f.
  static Keys designKeys(const std::string& place, const std::string& size, int cell);
  static std::vector<Keys> designCells(const std::string& place, const std::string& size);
  static std::string keptName(const SortFactor& factor);  // the figure: in how many processes, or runs, the tuner kept it
  static std::string keptAtName(const SortFactor& factor);  // when it did so last, 0 if not
  Estimate seconds(const Keys& keys) const;
  // Of the runs in which the tuner has kept it, the time of that since the start of the monitor.
  Estimate keptAtSeconds(const Keys& keys, const SortFactor& factor) const;
};

// All runs of these settings; two blocks for each class and place: what is tuned, and the experiment. Without those that are not wanted.
RoundsPlan planOf(const SortSettings& settings, const std::vector<std::string>& places);

// Runs them on the machines that are there, see runRounds. A run whose output differs from that of the first one fails.
RoundsDone runSorts(const SortSettings& settings, const PvmMachines& machines, const std::string& folder,
                    SortResults* results);

// That tuning changes no result: what the sort prints of it, in each run as in the first one of the same kind.
class SameOutput {
 public:
  // Empty, or the line that differs.
  std::string check(const std::string& kind, const std::string& output);

 private:
  std::map<std::string, std::string> first_;
};

// What `parallax tune` printed: how often it kept the model of each factor (`kept_...`) and when it did so last (`kept_at_..._ns`),
// how often it undid an action (`undone`), and when it kept the last one (`tuned_ns`).
std::map<std::string, double> tunerFigures(const std::string& text);

// Table 4 for each place and class, the effects, and sentences on what differs from the paper.
std::string sortTables(const SortSettings& settings, const SortResults& results);
// The rows of Table 4 with their intervals.
std::string sortCsv(const SortSettings& settings, const SortResults& results);

// The experiment of a place and class: each effect in percent of the time, the best setting, and what the tuner set. Empty if it was
// not measured.
std::string sortEffects(const std::string& place, const std::string& size, const SortResults& results);

}  // namespace parallax::bench
