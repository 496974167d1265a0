// Runs jobs until the effect of a variable is known.
#include <algorithm>
#include <map>
#include <utility>

#include "bench/peers_stats.h"
#include "bench/variables_effect.h"

namespace parallax::bench {
namespace {

// The medians of runs, by calls.
class Pairs {
 public:
  // Returns false if a run failed.
  bool add(const JobResult& base, const JobResult& with) {
    if (!base.failure.empty() || !with.failure.empty()) return false;
    take(base, &base_);
    take(with, &with_);
    return true;
  }

  bool isPromising() const {
    constexpr double kLeast = 1.15;
    for (const Comparison& c : comparisons()) {
      if (c.low > kLeast || c.high < 1 / kLeast) return true;
    }
    return false;
  }

  std::vector<Comparison> comparisons() const {
    std::vector<Comparison> all;
    for (const auto& [call, times] : base_) {
      const auto other = with_.find(call);
      if (other == with_.end()) continue;
      all.push_back(comparisonOf(times, other->second));
      all.back().call = call.first;
      all.back().bytes = call.second;
    }
    return all;
  }

 private:
  using Times = std::map<std::pair<std::string, int>, std::vector<double>>;

  static void take(const JobResult& result, Times* all) {
    Times now;
    for (const Time& time : result.times) {
      if (time.stage == Stage::kExisting) now[{time.call, time.bytes}].push_back(time.ns);
    }
    for (const auto& [call, times] : now) (*all)[call].push_back(median(times));
  }

  Times base_, with_;
};

class Search {
 public:
  Search(const Variable& variable, const Plan& plan, const Job& job, const std::function<bool()>& isInterrupted)
      : variable_(variable), plan_(plan), job_(job), isInterrupted_(isInterrupted) {}

  std::vector<Measurement> run() {
    for (const std::string& start : plan_.starts) {
      if (isInterrupted_()) return found_;
      if (writes(start)) return found_;
    }
    if (!isInterrupted_() && !hasNoTimes(found_)) atStart(plan_.starts.back());
    return found_;
  }

 private:
  static constexpr size_t kMostAgain = 2;      // of each stage
  static constexpr size_t kMostAtStart = 2;    // values
  static constexpr size_t kFirstPairs = 2, kPairs = 10;

  // Whether it acts.
  bool writes(const std::string& start) {
    const JobResult all = job_({start, variable_.name, plan_.values, false});
    if (all.failure.empty()) {
      add(start, false, all);
    } else {
      for (const std::string& value : plan_.values) alone(start, value);
    }
    std::vector<std::string> again;
    for (const char* stage : {Stage::kExisting, Stage::kNew}) strongest(start, stage, &again);
    for (const std::string& value : again) {
      if (isInterrupted_()) return false;
      const JobResult result = job_({start, variable_.name, {value}, true});
      if (result.failure.empty()) add(start, true, result);
    }
    return repeatedDifference(found_, start, Stage::kExisting) != nullptr ||
        repeatedDifference(found_, start, Stage::kNew) != nullptr;
  }

  // A value counts as one that ends the program only if it does so twice.
  void alone(const std::string& start, const std::string& value) {
    for (int i = 0; i < 2; i++) {
      if (isInterrupted_()) return;
      const JobResult result = job_({start, variable_.name, {value}, false});
      if (!result.failure.empty()) continue;
      add(start, false, result);
      return;
    }
    Measurement failed{start, false, {}};
    failed.comparison.stage = Stage::kFailed;
    failed.comparison.value = value;
    found_.push_back(failed);
  }

  void add(const std::string& start, bool isAgain, const JobResult& result) {
    for (const Comparison& comparison : compare(result.times)) found_.push_back({start, isAgain, comparison});
  }

  // Adds the values with the largest differences, if they are larger than noise.
  void strongest(const std::string& start, const std::string& stage, std::vector<std::string>* values) const {
    std::vector<const Comparison*> different;
    for (const Measurement& m : found_) {
      if (m.start == start && m.comparison.stage == stage && isDifferent(m.comparison)) different.push_back(&m.comparison);
    }
    std::sort(different.begin(), different.end(), [](auto* a, auto* b) { return sizeOf(*a) > sizeOf(*b); });
    for (size_t i = 0; i < different.size() && i < kMostAgain; i++) {
      if (std::find(values->begin(), values->end(), different[i]->value) == values->end()) values->push_back(different[i]->value);
    }
  }

  // Pairs of runs, without and with a value in the environment; the run without is that of all values. A value has more
  // than one pair only while it differs.
  void atStart(const std::string& start) {
    std::map<std::string, Pairs> left;
    for (const std::string& value : plan_.values) {
      if (left.size() < kMostAtStart) left[value];
    }
    for (size_t i = 0; i < kPairs && !left.empty() && !isInterrupted_(); i++) {
      const JobResult base = job_({start});
      for (auto pairs = left.begin(); pairs != left.end();) {
        const std::string& value = pairs->first;
        const std::string with = (start.empty() ? "" : start + " ") + variable_.name + "=" + nameOfValue(variable_, value);
        const bool isAdded = !isInterrupted_() && pairs->second.add(base, job_({with}));
        if (isAdded && (i >= kFirstPairs || pairs->second.isPromising()) && i + 1 < kPairs) {
          ++pairs;
          continue;
        }
        keep(start, value, pairs->second);
        pairs = left.erase(pairs);
      }
    }
  }

  void keep(const std::string& start, const std::string& value, const Pairs& pairs) {
    for (Comparison comparison : pairs.comparisons()) {
      comparison.stage = Stage::kStart;
      comparison.value = value;
      found_.push_back({start, false, comparison});
    }
  }

  const Variable& variable_;
  const Plan& plan_;
  const Job& job_;
  const std::function<bool()>& isInterrupted_;
  std::vector<Measurement> found_;
};

}  // namespace

std::vector<Measurement> searchEffect(const Variable& variable, const Plan& plan, const Job& job,
                                      const std::function<bool()>& isInterrupted) {
  return Search(variable, plan, job, isInterrupted).run();
}

}  // namespace parallax::bench
