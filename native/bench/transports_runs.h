// Runs the integer sort without tracing and with each transport in turns.
#pragma once

#include <string>

#include "bench/transports_results.h"
#include "bench/transports_settings.h"

namespace parallax::bench {

struct RunsDone {
  bool isComplete = false;     // false: an interrupt (Ctrl-C) ended it, after the run that was under way
  std::string missingStore;    // why there is no contended store, if it is wanted and missing
  std::string failure;         // why nothing can be measured
};

// In each round each of the cells once, in random order: first by class and process count, then by mode and store, so
// that a run is compared with one without tracing of about the same time. What `results` has already is not run
// again. Traces are in `folder` while they are measured.
RunsDone runTransports(const TransportSettings& settings, const std::string& folder, Results* results);

// A run of the sort that is ended after some seconds. Its trace is in `trace` afterwards, unless that is empty. `options`
// are more ones of parallax-record; `repeats` is how often it makes its ten iterations.
struct SortRun {
  Cell cell;
  std::string trace, options;
  int mostSeconds;
  int repeats = 1;

  std::string command() const;
  Measurement measure(const std::string& scratch) const;
};

inline constexpr char kSortProgram[] = "integer_sort.openmpi";

}  // namespace parallax::bench
