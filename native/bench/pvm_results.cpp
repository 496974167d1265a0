#include "bench/pvm_results.h"

#include <cmath>

namespace parallax::bench {
namespace {

constexpr double kNsInMillisecond = 1e6;

// That of a trip, the first figure; NaN if the run failed.
double nsOf(const Record& record) {
  return record.outcome == Record::kDone && !record.figures.empty() ? record.figures[0] : std::nan("");
}

}  // namespace

PvmResults::PvmResults(const std::string& folder, const std::string& settings, std::string* message)
    : file_(folder, settings, {PvmCell::keyNames(), figureNames(), {Record::kDone}}, message) {
  for (const Record& record : file_.found()) all_[record.keys][record.round] = record;
}

std::vector<std::string> PvmResults::figureNames() { return {"trip_ns", "mean_ns", "sd_ns", "trips", "load"}; }

bool PvmResults::add(const Record& record) {
  all_[record.keys][record.round] = record;
  return file_.add(record);
}

const Record* PvmResults::find(const PvmCell& cell, int round) const {
  const auto runs = all_.find(cell.keys());
  if (runs == all_.end()) return nullptr;
  const auto run = runs->second.find(round);
  return run == runs->second.end() ? nullptr : &run->second;
}

Estimate PvmResults::milliseconds(const PvmCell& cell) const {
  std::vector<double> values;
  if (const auto runs = all_.find(cell.keys()); runs != all_.end()) {
    for (const auto& [round, record] : runs->second) {
      if (const double ns = nsOf(record); !std::isnan(ns)) values.push_back(ns / kNsInMillisecond);
    }
  }
  return estimate(values);
}

Estimate PvmResults::saved(const PvmCell& cell, const PvmCell& base) const {
  std::vector<double> values;
  if (const auto runs = all_.find(cell.keys()); runs != all_.end()) {
    for (const auto& [round, record] : runs->second) {
      const Record* other = find(base, round);
      const double share = other == nullptr ? std::nan("") : 1 - nsOf(record) / nsOf(*other);
      if (!std::isnan(share)) values.push_back(share);
    }
  }
  return estimate(values);
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

std::vector<const Record*> PvmResults::failures() const {
  std::vector<const Record*> found;
  for (const auto& [keys, runs] : all_) {
    for (const auto& [round, record] : runs) {
      if (record.outcome != Record::kDone) found.push_back(&record);
    }
  }
  return found;
}

}  // namespace parallax::bench
