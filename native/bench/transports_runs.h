// Runs the integer sort without tracing and with each transport in turns.
#pragma once

#include <string>

#include "bench/transports_results.h"
#include "bench/transports_settings.h"

namespace parallax::bench {

struct RunsDone : RoundsDone {
  std::string missingStore;  // why there is no contended store, if it is wanted and missing
};

// The runs of a class and process count are a block: a run is compared with one without tracing of about the same time. See
// runRounds. Traces are in `folder` while they are measured. Needs an Interruptible.
RunsDone runTransports(const TransportSettings& settings, const std::string& folder, Results* results);

// All that runTransports runs with these settings.
RoundsPlan planOf(const TransportSettings& settings, bool hasContended);

// A run of the sort that is ended after some seconds. Its trace is in `trace` afterwards, unless that is empty. `options`
// are more ones of parallax-record; `repeats` is how often it makes its ten iterations.
struct SortRun {
  Cell cell;
  std::string trace, options;
  int mostSeconds;
  int repeats = 1;

  std::string command() const;
  Record measure(const std::string& scratch, int round, const Results& results) const;
};

inline constexpr char kSortProgram[] = "integer_sort.openmpi";

}  // namespace parallax::bench
