#include "bench/study_rounds.h"

#include <stdlib.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "bench/study_interrupt.h"
#include "bench/study_text.h"

namespace parallax::bench {
namespace {

constexpr int kMostFailures = 5;  // one after the other: then it is not the run that fails
constexpr char kLoad[] = "load";

}  // namespace

KeyedResults::KeyedResults(const std::string& folder, const std::string& settings, const std::vector<std::string>& keys,
                           const std::vector<std::string>& figures, std::string* message)
    : figures_(figures), file_(folder, settings, {keys, figures, {Record::kDone}}, message) {
  for (const Record& record : file_.found()) all_[record.keys][record.round] = record;
}

bool KeyedResults::add(const Record& record) {
  all_[record.keys][record.round] = record;
  return file_.add(record);
}

const Record* KeyedResults::find(const Keys& keys, int round) const {
  const auto runs = all_.find(keys);
  if (runs == all_.end()) return nullptr;
  const auto run = runs->second.find(round);
  return run == runs->second.end() ? nullptr : &run->second;
}

Record KeyedResults::recordOf(const Keys& keys, int round, const Run& run) const {
  Record record{keys, round, run.failure.empty() ? Record::kDone : run.failure, {}};
  double load = 0;
  getloadavg(&load, 1);
  for (const std::string& name : figures_) {
    const auto figure = run.figures.find(name);
    if (figure == run.figures.end() && name != kLoad && run.failure.empty()) {
      record.outcome = "the program printed no " + name;
    }
    record.figures.push_back(name == kLoad ? load : figure == run.figures.end() ? 0 : figure->second);
  }
  if (record.outcome != Record::kDone) record.figures.clear();
  return record;
}

// NaN if the run failed.
double KeyedResults::valueOf(const Record& record, const std::string& figure) const {
  const auto place = static_cast<size_t>(std::find(figures_.begin(), figures_.end(), figure) - figures_.begin());
  return record.outcome == Record::kDone && place < record.figures.size() ? record.figures[place] : std::nan("");
}

std::map<int, Record> KeyedResults::runsOf(const Keys& keys) const {
  const auto runs = all_.find(keys);
  return runs == all_.end() ? std::map<int, Record>() : runs->second;
}

Estimate KeyedResults::estimateOf(const Keys& keys, const std::string& figure) const {
  std::vector<double> values;
  for (const auto& [round, record] : runsOf(keys)) {
    if (const double value = valueOf(record, figure); !std::isnan(value)) values.push_back(value);
  }
  return estimate(values);
}

Estimate KeyedResults::saved(const Keys& keys, const Keys& base, const std::string& figure) const {
  std::vector<double> values;
  for (const auto& [round, record] : runsOf(keys)) {
    const Record* other = find(base, round);
    const double share = other == nullptr ? std::nan("") : 1 - valueOf(record, figure) / valueOf(*other, figure);
    if (!std::isnan(share)) values.push_back(share);
  }
  return estimate(values);
}

std::vector<const Record*> KeyedResults::failures() const {
  std::vector<const Record*> found;
  for (const auto& [keys, runs] : all_) {
    for (const auto& [round, record] : runs) {
      if (record.outcome != Record::kDone) found.push_back(&record);
    }
  }
  return found;
}

RoundsDone runRounds(int rounds, unsigned seed, const std::vector<Keys>& cells, KeyedResults* results,
                     const std::function<Record(const Keys&, int round)>& measure) {
  RoundsDone done;
  int failures = 0;
  for (int round = 0; round < rounds; round++) {
    std::vector<Keys> left = cells;
    std::mt19937 random(seed + static_cast<unsigned>(round));
    std::shuffle(left.begin(), left.end(), random);
    left.erase(std::remove_if(left.begin(), left.end(), [&](const Keys& keys) {
      return results->find(keys, round) != nullptr;
    }), left.end());
    if (left.empty() || Interruptible::isInterrupted()) continue;
    fprintf(stderr, "parallax: round %d of %d, %zu runs ...\n", round + 1, rounds, left.size());
    for (const Keys& keys : left) {
      if (Interruptible::isInterrupted()) break;
      const Record record = measure(keys, round);
      failures = record.outcome == Record::kDone ? 0 : failures + 1;
      if (!results->add(record)) done.failure = "the measurements cannot be written";
      if (failures == kMostFailures) done.failure = "too many runs fail: " + record.outcome;
      if (!done.failure.empty()) return done;
    }
  }
  done.isComplete = !Interruptible::isInterrupted();
  return done;
}

std::string savedText(const Estimate& saved) {
  if (!std::isfinite(saved.median)) return "";
  const std::string median = format("%.1f", 100 * saved.median);
  if (!std::isfinite(saved.low) || !std::isfinite(saved.high)) return median;
  return median + format(" [%.1f, %.1f]", 100 * saved.low, 100 * saved.high);
}

}  // namespace parallax::bench
