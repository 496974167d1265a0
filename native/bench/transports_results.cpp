#include "bench/transports_results.h"

#include <cmath>
#include <cstdlib>

#include "bench/transports_settings.h"

namespace parallax::bench {

const std::vector<std::string>& figureNames() {
  static const std::vector<std::string> names = {"wall_ns", "cpu_ns", "elapsed_ns", "trace_bytes", "rss_kb",
                                                 "most_rss_kb", "minor_faults", "major_faults",
                                                 "store_requests", "store_bytes", "store_busy_ns", "load",
                                                 "all_cpu_ns", "store_cpu_ns"};
  return names;
}

Keys Cell::keys() const { return {size, std::to_string(processes), store, mode}; }

Cell Cell::of(const Keys& keys) { return {keys.at(0), atoi(keys.at(1).c_str()), keys.at(2), keys.at(3)}; }

Cell untraced(const Cell& cell) { return {cell.size, cell.processes, Store::kPlain, kUntraced}; }

Results::Results() : KeyedResults(figureNames()) {}

Results::Results(const std::string& folder, const std::string& settings, std::string* message)
    : KeyedResults(folder, settings, {"class", "processes", "store", "mode"}, figureNames(), message) {}

Estimate Results::increaseOf(const Cell& cell, const std::string& figure) const {
  std::vector<double> values;
  for (const auto& [round, ratio] : ratiosOf(cell.keys(), untraced(cell).keys(), figure)) values.push_back(ratio - 1);
  return estimate(values);
}

Estimate Results::increaseAbove(const Cell& cell, const Cell& other, const std::string& figure) const {
  const auto others = ratiosOf(other.keys(), untraced(other).keys(), figure);
  std::vector<double> values;
  for (const auto& [round, ratio] : ratiosOf(cell.keys(), untraced(cell).keys(), figure)) {
    const auto base = others.find(round);
    const double value = base == others.end() ? std::nan("") : ratio - base->second;
    if (!std::isnan(value)) values.push_back(value);
  }
  return estimate(values);
}

Estimate Results::elapsedByStore(const Cell& cell, int processors) const {
  std::vector<double> values;
  for (const auto& [round, ratio] : ratiosOf(cell.keys(), untraced(cell).keys(), "wall_ns")) {
    const Record* const record = find(cell.keys(), round);
    const Record* const plain = find(untraced(cell).keys(), round);
    if (record == nullptr || plain == nullptr) continue;
    const double value = valueOf(*record, "store_cpu_ns") * cell.processes / processors / valueOf(*plain, "wall_ns");
    if (!std::isnan(value)) values.push_back(value);
  }
  return estimate(values);
}

Estimate Results::cpuAbove(const Cell& cell, const Cell& other) const {
  std::vector<double> values;
  for (const auto& [round, ratio] : ratiosOf(cell.keys(), other.keys(), "all_cpu_ns")) {
    const Record* const base = find(other.keys(), round);
    const Record* const plain = find(untraced(cell).keys(), round);
    if (base == nullptr || plain == nullptr) continue;
    const double value = (ratio - 1) * valueOf(*base, "all_cpu_ns") / valueOf(*plain, "cpu_ns");
    if (!std::isnan(value)) values.push_back(value);
  }
  return estimate(values);
}

}  // namespace parallax::bench
