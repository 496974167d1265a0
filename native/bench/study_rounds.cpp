#include "bench/study_rounds.h"

#include <stdlib.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "bench/interruptible.h"
#include "bench/study_text.h"

namespace parallax::bench {
namespace {

constexpr int kMostFailures = 5;  // one after the other: then it is not the run that fails
constexpr char kLoad[] = "load";
constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace

std::string RoundCounts::text() const {
  if (most == 0) return "no rounds";
  const std::string counts = least == most ? std::to_string(most) : std::to_string(least) + " to " + std::to_string(most);
  return counts + (most == 1 ? " round" : " rounds");
}

KeyedResults::KeyedResults(const std::string& folder, const std::string& settings, const std::vector<std::string>& keys,
                           const std::vector<std::string>& figures, std::string* message)
    : figures_(figures), file_(folder, settings, {keys, figures}, message) {
  for (const Record& record : file_.found()) all_[record.keys][record.round] = record;
}

bool KeyedResults::add(Record record) {
  record.session = file_.session();
  all_[record.keys][record.round] = record;
  return file_.add(record);
}

const Record* KeyedResults::find(const Keys& keys, int round) const {
  const auto& runs = runsOf(keys);
  const auto run = runs.find(round);
  return run == runs.end() ? nullptr : &run->second;
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

double KeyedResults::valueOf(const Record& record, const std::string& figure) const {
  if (record.outcome == Record::kTooLong) return kInfinity;
  const auto place = static_cast<size_t>(std::find(figures_.begin(), figures_.end(), figure) - figures_.begin());
  return record.outcome == Record::kDone && place < record.figures.size() ? record.figures[place] : std::nan("");
}

void KeyedResults::set(Record* record, const std::string& figure, double value) const {
  const auto place = static_cast<size_t>(std::find(figures_.begin(), figures_.end(), figure) - figures_.begin());
  record->figures.resize(figures_.size());
  record->figures.at(place) = value;
}

const std::map<int, Record>& KeyedResults::runsOf(const Keys& keys) const {
  static const std::map<int, Record> none;
  const auto runs = all_.find(keys);
  return runs == all_.end() ? none : runs->second;
}

bool KeyedResults::isGivenUp(const Keys& keys) const {
  int tooLong = 0, done = 0;
  for (const auto& [round, record] : runsOf(keys)) {
    tooLong += record.outcome == Record::kTooLong ? 1 : 0;
    done += record.outcome == Record::kDone ? 1 : 0;
  }
  return tooLong > done;
}

bool KeyedResults::isComplete(const std::vector<Keys>& block, int round) const {
  int session = 0;
  for (const Keys& keys : block) {
    if (isGivenUp(keys)) continue;
    const Record* record = find(keys, round);
    if (record == nullptr || (session != 0 && record->session != session)) return false;
    session = record->session;
  }
  return true;
}

RoundCounts KeyedResults::roundsOf(const std::vector<Keys>& cells) const {
  RoundCounts counts;
  for (const Keys& keys : cells) {
    const auto& runs = runsOf(keys);
    const auto count = static_cast<size_t>(std::count_if(runs.begin(), runs.end(), [](const auto& run) {
      return !run.second.isFailed();
    }));
    if (count == 0) continue;
    counts.least = counts.most == 0 ? count : std::min(counts.least, count);
    counts.most = std::max(counts.most, count);
  }
  return counts;
}

std::vector<double> KeyedResults::valuesOf(const Keys& keys, const std::string& figure) const {
  std::vector<double> values;
  for (const auto& [round, record] : runsOf(keys)) {
    if (const double value = valueOf(record, figure); std::isfinite(value)) values.push_back(value);
  }
  return values;
}

Estimate KeyedResults::estimateOf(const Keys& keys, const std::string& figure) const {
  std::vector<double> values;
  for (const auto& [round, record] : runsOf(keys)) {
    if (const double value = valueOf(record, figure); !std::isnan(value)) values.push_back(value);
  }
  return estimate(values);
}

std::map<int, double> KeyedResults::ratiosOf(const Keys& keys, const Keys& base, const std::string& figure) const {
  std::map<int, double> ratios;
  for (const auto& [round, record] : runsOf(keys)) {
    const Record* other = find(base, round);
    if (other == nullptr || other->session != record.session) continue;
    const double divisor = valueOf(*other, figure), ratio = valueOf(record, figure) / divisor;
    if (divisor > 0 && std::isfinite(divisor) && !std::isnan(ratio)) ratios[round] = ratio;
  }
  return ratios;
}

Estimate KeyedResults::saved(const Keys& keys, const Keys& base, const std::string& figure) const {
  std::vector<double> values;
  for (const auto& [round, ratio] : ratiosOf(keys, base, figure)) values.push_back(1 - ratio);
  return estimate(values);
}

Keys KeyedResults::bestOf(const std::vector<Keys>& cells, const std::string& figure, int except) const {
  Keys best = cells.front();
  double least = 1;
  for (const Keys& keys : cells) {
    std::map<int, double> ratios = ratiosOf(keys, cells.front(), figure);
    ratios.erase(except);
    std::vector<double> values;
    for (const auto& [round, ratio] : ratios) values.push_back(ratio);
    if (const double ratio = median(values); ratio < least) {
      least = ratio;
      best = keys;
    }
  }
  return best;
}

std::map<int, Keys> KeyedResults::bestByOthers(const std::vector<Keys>& cells, const std::string& figure) const {
  std::map<int, Keys> best;
  const auto rounds = ratiosOf(cells.front(), cells.front(), figure);
  if (rounds.size() < 2) return best;
  for (const auto& [round, one] : rounds) best[round] = bestOf(cells, figure, round);
  return best;
}

std::vector<const Record*> KeyedResults::failures() const {
  std::vector<const Record*> found;
  for (const auto& [keys, runs] : all_) {
    for (const auto& [round, record] : runs) {
      if (record.isFailed()) found.push_back(&record);
    }
  }
  return found;
}

std::vector<Keys> RoundsPlan::cells() const {
  std::vector<Keys> all;
  for (const std::vector<Keys>& block : blocks) all.insert(all.end(), block.begin(), block.end());
  return all;
}

RoundsDone runRounds(const RoundsPlan& plan, KeyedResults* results,
                     const std::function<Record(const Keys&, int round)>& measure) {
  RoundsDone done;
  int failures = 0;
  for (int round = 0; round < plan.rounds; round++) {
    std::vector<std::vector<Keys>> blocks = plan.blocks;
    std::mt19937 random(plan.seed + static_cast<unsigned>(round));
    std::shuffle(blocks.begin(), blocks.end(), random);
    std::vector<Keys> left;
    for (std::vector<Keys>& block : blocks) {
      std::shuffle(block.begin(), block.end(), random);
      if (!results->isComplete(block, round)) left.insert(left.end(), block.begin(), block.end());
    }
    if (left.empty() || Interruptible::isInterrupted()) continue;
    fprintf(stderr, "parallax: round %d of %d, %zu runs ...\n", round + 1, plan.rounds, left.size());
    for (const Keys& keys : left) {
      if (Interruptible::isInterrupted()) break;
      if (results->isGivenUp(keys)) continue;
      const Record record = measure(keys, round);
      if (Interruptible::mustEndTheRun()) break;  // and has ended it
      failures = record.isFailed() ? failures + 1 : 0;
      if (!results->add(record)) done.failure = "the measurements in " + results->path() + " cannot be written";
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
