#include "bench/pvm_results.h"

#include <cmath>

namespace parallax::bench {
namespace {

constexpr double kNsInMillisecond = 1e6;
constexpr char kTrip[] = "trip_ns", kLeast[] = "least_of_few_ns";

std::vector<std::string> figures() { return {kTrip, kLeast, "mean_ns", "sd_ns", "trips", "load"}; }

Estimate inMilliseconds(Estimate time) {
  for (double* value : {&time.median, &time.low, &time.high}) *value /= kNsInMillisecond;
  return time;
}

std::vector<Keys> keysOf(const std::vector<PvmCell>& cells) {
  std::vector<Keys> all;
  for (const PvmCell& cell : cells) all.push_back(cell.keys());
  return all;
}

}  // namespace

PvmResults::PvmResults() : KeyedResults(figures()), figure_(kTrip) {}

PvmResults::PvmResults(const std::string& folder, const std::string& settings, bool isLeast, std::string* message)
    : KeyedResults(folder, settings, PvmCell::keyNames(), figures(), message), figure_(isLeast ? kLeast : kTrip) {}

Estimate PvmResults::milliseconds(const PvmCell& cell) const {
  return inMilliseconds(estimateOf(cell.keys(), figure_));
}

Estimate PvmResults::saved(const PvmCell& cell, const PvmCell& base) const {
  return KeyedResults::saved(cell.keys(), base.keys(), figure_);
}

PvmResults::Best PvmResults::bestOf(const std::vector<PvmCell>& cells) const {
  std::vector<double> times, saved;
  for (const auto& [round, cell] : bestByOthers(cells)) {
    const Record* record = find(cell.keys(), round);
    const double time = record == nullptr ? std::nan("") : valueOf(*record, figure_);
    const double share = savedIn(round, cell, cells.front());
    if (!std::isnan(time)) times.push_back(time);
    if (!std::isnan(share)) saved.push_back(share);
  }
  return {PvmCell::of(KeyedResults::bestOf(keysOf(cells), figure_)), inMilliseconds(estimate(times)), estimate(saved)};
}

std::map<int, PvmCell> PvmResults::bestByOthers(const std::vector<PvmCell>& cells) const {
  std::map<int, PvmCell> best;
  for (const auto& [round, keys] : KeyedResults::bestByOthers(keysOf(cells), figure_)) best[round] = PvmCell::of(keys);
  return best;
}

double PvmResults::savedIn(int round, const PvmCell& cell, const PvmCell& base) const {
  const auto ratios = ratiosOf(cell.keys(), base.keys(), figure_);
  const auto ratio = ratios.find(round);
  return ratio == ratios.end() ? std::nan("") : 1 - ratio->second;
}

}  // namespace parallax::bench
