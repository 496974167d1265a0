// Runs round trips with each setting on each virtual machine in turns.
#pragma once

#include <string>
#include <vector>

#include "bench/pvm_machine.h"
#include "bench/pvm_results.h"
#include "bench/pvm_settings.h"

namespace parallax::bench {

// All runs of these settings; a block for each message size and place.
RoundsPlan planOf(const PvmSettings& settings, const std::vector<std::string>& places);

// Runs them on the machines that are there, see runRounds.
RoundsDone runRoundTrips(const PvmSettings& settings, const PvmMachines& machines, const std::string& folder,
                         PvmResults* results);

}  // namespace parallax::bench
