// Charts of round trips.
#include <algorithm>
#include <cmath>

#include "bench/pvm_paper.h"
#include "bench/pvm_tables.h"
#include "bench/study_chart.h"

namespace parallax::bench {
namespace {

void add(ChartLine* line, double x, const Estimate& time) {
  if (!std::isfinite(time.median)) return;
  const bool hasInterval = std::isfinite(time.low) && std::isfinite(time.high);
  line->points.push_back({x, time.median, hasInterval ? time.low : time.median, hasInterval ? time.high : time.median});
}

void add(ChartLine* line, double x, double milliseconds) {
  line->points.push_back({x, milliseconds, milliseconds, milliseconds});
}

std::string nameOf(const PvmCell& cell) {
  return std::string(cell.route == Route::kDirect ? "direct, " : "indirect, ") +
      (cell.encoding == Encoding::kXdr ? "XDR" : cell.encoding);
}

// The least time, so that the axis begins there.
double leastOf(const Chart& chart) {
  double least = 1;
  for (const ChartPanel& panel : chart.panels) {
    for (const ChartLine& line : panel.lines) {
      for (const ChartPoint& point : line.points) least = std::min(least, point.low);
    }
  }
  return least;
}

std::string svgFrom(Chart chart) {
  chart.least = leastOf(chart);
  return svgOf(chart);
}

}  // namespace

std::string pvmModesChart(const PvmSettings& settings, const PvmResults& results) {
  Chart chart{"bytes", "round trip in ms", {}, 10};
  for (const std::string& place : settings.places) {
    ChartPanel panel{Place::nameOf(place) + ", fragments of 4 KB", {}, place == settings.places.back()};
    for (const PvmCell& mode : settings.modes(place, 1)) {
      ChartLine line{nameOf(mode), {}};
      for (const int bytes : settings.modeBytes) {
        add(&line, bytes, results.milliseconds({place, mode.route, mode.encoding, kDefaultFragment, bytes}));
      }
      panel.lines.push_back(line);
    }
    chart.panels.push_back(panel);
  }
  ChartPanel paper{"The paper", {{"indirect, XDR", {}}, {"direct, XDR", {}}, {"direct, raw", {}}}};
  for (const PaperRoundTrips& row : kPaperRoundTrips) {
    add(&paper.lines[0], row.bytes, row.indirectXdr);
    add(&paper.lines[1], row.bytes, row.directXdr);
    add(&paper.lines[2], row.bytes, row.directRaw);
  }
  chart.panels.push_back(paper);
  return svgFrom(chart);
}

std::string pvmFragmentsChart(const PvmSettings& settings, const PvmResults& results) {
  Chart chart{"KB", "round trip in ms", {}, 4};
  for (const std::string& place : settings.places) {
    for (const char* encoding : {Encoding::kXdr, Encoding::kRaw}) {
      const bool isXdr = encoding == std::string(Encoding::kXdr);
      ChartPanel panel{Place::nameOf(place) + ", direct, " + (isXdr ? "XDR" : "raw"), {}, false};
      for (const int fragment : settings.fragments) {
        ChartLine line{"fragments of " + std::to_string(fragment / kKilobyte) + " KB", {}};
        for (const int bytes : settings.fragmentBytes) {
          add(&line, static_cast<double>(bytes) / kKilobyte,
              results.milliseconds({place, Route::kDirect, encoding, fragment, bytes}));
        }
        panel.lines.push_back(line);
      }
      chart.panels.push_back(panel);
    }
  }
  ChartPanel paper{"The paper, direct, XDR", {}};
  for (size_t i = 0; i < std::size(kPaperFragmentsKb); i++) {
    ChartLine line{"fragments of " + std::to_string(kPaperFragmentsKb[i]) + " KB", {}};
    for (const PaperFragments& row : kPaperFragments) add(&line, row.kilobytes, row.milliseconds[i]);
    paper.lines.push_back(line);
  }
  chart.panels.push_back(paper);
  return svgFrom(chart);
}

}  // namespace parallax::bench
