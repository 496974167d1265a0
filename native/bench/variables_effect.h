// What writing a variable changes, and the search for it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "bench/variables_plan.h"
#include "bench/variables_times.h"

namespace parallax::bench {

struct EffectWord {
  static constexpr char kAtOnce[] = "at-once";             // also on communicators that exist
  static constexpr char kNew[] = "new-communicators";      // on those made after it is written
  static constexpr char kNever[] = "never";                // it cannot be written, or acts only if it is set at the start
  static constexpr char kNotSeen[] = "not-seen";           // nor if it is set at the start
  static constexpr char kUndecided[] = "undecided";        // too much noise
  static constexpr char kEnds[] = "ends-program";          // with each other value
  static constexpr char kNotMeasured[] = "not-measured";
};

// A comparison of a run.
struct Measurement {
  std::string start;       // the settings with which the program was started
  bool isAgain = false;    // repeats one that differed, in another run with twice the repetitions
  Comparison comparison;
};

// The strongest difference that a second run repeated; null if there is none.
const Measurement* repeatedDifference(const std::vector<Measurement>& all, const std::string& start, const std::string& stage);
// Whether each run failed or had wrong results.
bool hasNoTimes(const std::vector<Measurement>& all);

struct Effect {
  std::string word, needs, evidence;
};

// Of the measurements of a variable. Pure, so that a resumed study says the same.
Effect effectOf(const Variable& variable, const Plan& plan, const std::vector<Measurement>& measurements);

struct JobResult {
  std::string failure;
  std::vector<Time> times;
};
struct JobRequest {
  std::string start;                // the settings in its environment
  std::string variable = "-";       // which it writes; "-" for nothing
  std::vector<std::string> values = {};
  bool isAgain = false;             // with twice the repetitions
};
using Job = std::function<JobResult(const JobRequest& request)>;

// Runs jobs until the effect is known. `isInterrupted` ends it early.
std::vector<Measurement> searchEffect(const Variable& variable, const Plan& plan, const Job& job,
                                      const std::function<bool()>& isInterrupted);

}  // namespace parallax::bench
