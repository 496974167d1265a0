// Tables, sentences and charts of round trips, beside those of Morajko et al. 2003.
#pragma once

#include <string>

#include "bench/pvm_results.h"
#include "bench/pvm_settings.h"

namespace parallax::bench {

// For each place Tables 1 to 3, and the fastest of all settings.
std::string pvmTables(const PvmSettings& settings, const PvmResults& results);
// A sentence on each of the three factors at each place: what the paper found, and what is found here.
std::string pvmFindings(const PvmSettings& settings, const PvmResults& results);

// Times by message size: for each route and encoding; for each fragment size. As SVG.
std::string pvmModesChart(const PvmSettings& settings, const PvmResults& results);
std::string pvmFragmentsChart(const PvmSettings& settings, const PvmResults& results);

// With as many digits as matter, such as "0.0371"; without a value empty.
std::string millisecondsText(double milliseconds);

}  // namespace parallax::bench
