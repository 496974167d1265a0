// Runs round trips with each setting on each virtual machine in turns.
#pragma once

#include <string>

#include "bench/pvm_machine.h"
#include "bench/pvm_results.h"
#include "bench/pvm_settings.h"

namespace parallax::bench {

// Each of the settings' cells on the machines that are there, see runRounds.
RoundsDone runRoundTrips(const PvmSettings& settings, const PvmMachines& machines, const std::string& folder,
                         PvmResults* results);

}  // namespace parallax::bench
