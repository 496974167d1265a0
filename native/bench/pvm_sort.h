// The integer sort under PVM with each of the tuned settings, beside Table 4 of Morajko et al. 2003.
#pragma once

#include <string>
#include <vector>

#include "bench/pvm_machine.h"
#include "bench/study_rounds.h"

namespace parallax::bench {

// What is tuned, by the options of mpi.h (none: it is not run), and the paper's seconds and intrusion in percent, 0 where
// it has none.
struct SortScenario {
  const char* name;
  const char* title;
  const char* options;
  double paperSeconds, paperIntrusion;
};
const std::vector<SortScenario>& sortScenarios();

struct SortSettings {
  std::vector<std::string> places = {Place::kOne, Place::kThree};
  std::vector<std::string> classes = {"A"};
  int processes = 3;
  int rounds = 7;
  unsigned seed = 2003;

  // All on which the figures depend, a line for each. More rounds, classes and places add to what there is.
  std::string comparable() const;
};

class SortResults : public KeyedResults {
 public:
  SortResults();
  SortResults(const std::string& folder, const std::string& settings, std::string* message);

  static Keys keysOf(const std::string& place, const std::string& size, const std::string& scenario);
  Estimate seconds(const Keys& keys) const;
};

// All runs of these settings; a block for each class and place.
RoundsPlan planOf(const SortSettings& settings, const std::vector<std::string>& places);

// Runs them on the machines that are there, see runRounds.
RoundsDone runSorts(const SortSettings& settings, const PvmMachines& machines, const std::string& folder,
                    SortResults* results);

// Table 4 for each place and class, and sentences on what differs from the paper.
std::string sortTables(const SortSettings& settings, const SortResults& results);

}  // namespace parallax::bench
