#include "bench/pvm_results.h"

#include <cmath>

namespace parallax::bench {
namespace {

constexpr double kNsInMillisecond = 1e6;
constexpr char kTrip[] = "trip_ns", kLeast[] = "least_ns";

std::vector<std::string> figures() { return {kTrip, kLeast, "mean_ns", "sd_ns", "trips", "load"}; }

}  // namespace

PvmResults::PvmResults() : KeyedResults(figures()), figure_(kTrip) {}

PvmResults::PvmResults(const std::string& folder, const std::string& settings, bool isLeast, std::string* message)
    : KeyedResults(folder, settings, PvmCell::keyNames(), figures(), message), figure_(isLeast ? kLeast : kTrip) {}

Estimate PvmResults::milliseconds(const PvmCell& cell) const {
  Estimate time = estimateOf(cell.keys(), figure_);
  for (double* value : {&time.median, &time.low, &time.high}) *value /= kNsInMillisecond;
  return time;
}

Estimate PvmResults::saved(const PvmCell& cell, const PvmCell& base) const {
  return KeyedResults::saved(cell.keys(), base.keys(), figure_);
}

PvmCell PvmResults::fastest(const std::vector<PvmCell>& cells) const {
  PvmCell best = cells.front();
  double least = std::nan("");
  for (const PvmCell& cell : cells) {
    const double time = milliseconds(cell).median;
    if (!std::isnan(time) && !(time >= least)) {
      least = time;
      best = cell;
    }
  }
  return best;
}

}  // namespace parallax::bench
