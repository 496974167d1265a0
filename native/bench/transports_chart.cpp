// The chart of transports.
#include <algorithm>
#include <cmath>

#include "bench/study_chart.h"
#include "bench/transports_paper.h"
#include "bench/transports_tables.h"

namespace parallax::bench {
namespace {

char paperSize(const TransportSettings& settings) { return settings.classes.front() == "B" ? 'B' : 'A'; }

ChartLine measured(const TransportSettings& settings, const Results& results, const std::string& store,
                   const std::string& mode) {
  ChartLine line{mode, {}, {}, "ended after " + std::to_string(settings.mostSeconds) + " s"};
  for (const int processes : settings.processes) {
    const Cell cell = {settings.classes.front(), processes, store, mode};
    const Estimate e = results.increaseOf(cell, "wall_ns");
    if (results.isGivenUp(cell.keys())) line.beyond.push_back(processes);
    if (!std::isfinite(e.median)) continue;
    const bool hasInterval = std::isfinite(e.low) && std::isfinite(e.high);
    line.points.push_back({static_cast<double>(processes), 1 + e.median, 1 + (hasInterval ? e.low : e.median),
                           1 + (hasInterval ? e.high : e.median)});
  }
  return line;
}

std::vector<ChartLine> paper(char size) {
  std::vector<ChartLine> lines;
  double plain = 1;
  for (const PaperTime& time : paperTimes()) {
    if (time.size != size) continue;
    const std::string name = time.column;
    if (name == kPaperPlain) {
      plain = time.seconds;
      continue;
    }
    auto line = std::find_if(lines.begin(), lines.end(), [&](const ChartLine& known) { return known.name == name; });
    if (line == lines.end()) line = lines.insert(lines.end(), ChartLine{name, {}});
    const double ratio = time.seconds / plain;
    line->points.push_back({static_cast<double>(time.processes), ratio, ratio, ratio});
  }
  return lines;
}

}  // namespace

std::string transportChart(const TransportSettings& settings, const Results& results) {
  Chart chart{"processes", "time, by the time without tracing", {}, 2, 1, 2, 0.1};
  for (const std::string& store : settings.stores) {
    ChartPanel panel{"Here, " + store + " store, class " + settings.classes.front(), {}, store == settings.stores.back()};
    for (const std::string& mode : settings.modes) panel.lines.push_back(measured(settings, results, store, mode));
    chart.panels.push_back(panel);
  }
  const char size = paperSize(settings);
  chart.panels.push_back({std::string("The paper, class ") + size, paper(size)});
  return svgOf(chart);
}

}  // namespace parallax::bench
