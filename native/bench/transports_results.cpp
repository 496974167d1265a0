#include "bench/transports_results.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <tuple>

#include "bench/transports_settings.h"

namespace parallax::bench {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

bool isOf(const Measurement& m, const Cell& cell) { return !(m.cell < cell) && !(cell < m.cell); }

size_t placeOf(const std::string& figure) {
  const auto& names = figureNames();
  return static_cast<size_t>(std::find(names.begin(), names.end(), figure) - names.begin());
}

Record recordOf(const Measurement& m) {
  return {{m.cell.size, std::to_string(m.cell.processes), m.cell.store, m.cell.mode}, m.round, m.outcome, m.figures};
}

Measurement measurementOf(const Record& record) {
  const auto& keys = record.keys;
  return {{keys[0], atoi(keys[1].c_str()), keys[2], keys[3]}, record.round, record.outcome, record.figures};
}

}  // namespace

const std::vector<std::string>& figureNames() {
  static const std::vector<std::string> names = {"wall_ns", "cpu_ns", "elapsed_ns", "trace_bytes", "rss_kb",
                                                 "most_rss_kb", "minor_faults", "major_faults",
                                                 "store_requests", "store_bytes", "store_busy_ns", "load"};
  return names;
}

bool Cell::operator<(const Cell& other) const {
  return std::tie(size, processes, store, mode) < std::tie(other.size, other.processes, other.store, other.mode);
}

double Measurement::figure(const std::string& name) const {
  const size_t place = placeOf(name);
  return place < figures.size() ? figures[place] : 0;
}

void Measurement::set(const std::string& name, double value) {
  figures.resize(figureNames().size());
  figures.at(placeOf(name)) = value;
}

Cell untraced(const Cell& cell) { return {cell.size, cell.processes, Store::kPlain, kUntraced}; }

Results::Results(const std::string& folder, const std::string& settings, std::string* message)
    : file_(folder, settings,
            {{"class", "processes", "store", "mode"}, figureNames(), {Measurement::kDone, Measurement::kTooLong}},
            message) {
  for (const Record& record : file_.found()) all_.push_back(measurementOf(record));
}

bool Results::add(const Measurement& measurement) {
  all_.push_back(measurement);
  return file_.add(recordOf(measurement));
}

const Measurement* Results::find(const Cell& cell, int round) const {
  for (const Measurement& m : all_) {
    if (m.round == round && isOf(m, cell)) return &m;
  }
  return nullptr;
}

bool Results::isTooLong(const Cell& cell) const {
  const auto tooLong = std::count_if(all_.begin(), all_.end(), [&](const Measurement& m) {
    return m.outcome == Measurement::kTooLong && isOf(m, cell);
  });
  return static_cast<size_t>(tooLong) > of(cell).size();
}

std::vector<const Measurement*> Results::of(const Cell& cell) const {
  std::vector<const Measurement*> found;
  for (const Measurement& m : all_) {
    if (m.outcome == Measurement::kDone && isOf(m, cell)) found.push_back(&m);
  }
  return found;
}

Estimate Results::estimateOf(const Cell& cell, const std::string& figure) const {
  std::vector<double> values;
  for (const Measurement& m : all_) {
    if (!isOf(m, cell)) continue;
    if (m.outcome == Measurement::kTooLong) values.push_back(kInfinity);
    if (m.outcome == Measurement::kDone) values.push_back(m.figure(figure));
  }
  return estimate(values);
}

// NaN if it is not known; infinite if it took too long.
double Results::increase(const Measurement& m, const std::string& figure) const {
  const Measurement* plain = find(untraced(m.cell), m.round);
  if (plain == nullptr || plain->outcome != Measurement::kDone || plain->figure(figure) <= 0) return std::nan("");
  if (m.outcome == Measurement::kTooLong) return kInfinity;
  return m.outcome == Measurement::kDone ? m.figure(figure) / plain->figure(figure) - 1 : std::nan("");
}

Estimate Results::increaseOf(const Cell& cell, const std::string& figure) const {
  std::vector<double> values;
  for (const Measurement& m : all_) {
    const double value = isOf(m, cell) ? increase(m, figure) : std::nan("");
    if (!std::isnan(value)) values.push_back(value);
  }
  return estimate(values);
}

Estimate Results::increaseAbove(const Cell& cell, const Cell& other, const std::string& figure) const {
  std::vector<double> values;
  for (const Measurement& m : all_) {
    const Measurement* base = isOf(m, cell) ? find(other, m.round) : nullptr;
    const double value = base != nullptr ? increase(m, figure) - increase(*base, figure) : std::nan("");
    if (!std::isnan(value)) values.push_back(value);
  }
  return estimate(values);
}

std::vector<const Measurement*> Results::failures() const {
  std::vector<const Measurement*> found;
  for (const Measurement& m : all_) {
    if (m.isFailed()) found.push_back(&m);
  }
  return found;
}

}  // namespace parallax::bench
