// Tables and a chart of measured transports, beside those of Wang 1994.
#pragma once

#include <string>

#include "bench/transports_results.h"
#include "bench/transports_settings.h"

namespace parallax::bench {

// Such as "12.3 [10.1, 15.0]", in percent; without the interval where too few rounds give none.
std::string increaseText(const Estimate& increase);

// The paper's Tables 1, 3 and 4 as far as the settings have such modes, those of no table, and Table 2 with memory.
// `processors` are those of this machine.
std::string transportTables(const TransportSettings& settings, const Results& results, int processors);

// Times relative to runs without tracing, by process count, a picture for each store, as SVG.
std::string transportChart(const TransportSettings& settings, const Results& results);

// What `size` prints of a program or library: what is only read, what is written, and what begins as zeros.
struct LoadSize {
  long text = 0, data = 0, bss = 0;
};
LoadSize loadSize(const std::string& path);

}  // namespace parallax::bench
