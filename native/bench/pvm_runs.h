// Runs round trips with each setting on each virtual machine in turns.
#pragma once

#include <string>

#include "bench/pvm_results.h"
#include "bench/pvm_settings.h"

namespace parallax::bench {

struct PvmRunsDone {
  bool isComplete = false;  // false: an interrupt ended it, after the run that was under way
  std::string missing;      // why there are no three hosts, if they are wanted and missing
  std::string failure;      // why nothing can be measured
};

// In each round each of the cells once, in random order. What `results` has already is not run again. The settings lose
// the places that are missing. Nothing remains of the virtual machines.
PvmRunsDone runRoundTrips(PvmSettings* settings, const std::string& folder, PvmResults* results);

}  // namespace parallax::bench
