#include "bench/variables_times.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <sstream>
#include <tuple>

#include "bench/peers_stats.h"

namespace parallax::bench {
namespace {

constexpr char kFirst[] = "-";
constexpr double kLeastRatio = 1.1, kMostProbability = 0.002;

}  // namespace

std::vector<Time> parseTimes(const std::string& text) {
  std::vector<Time> times;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string key;
    Time time;
    words >> key >> time.stage >> time.value >> time.call >> time.bytes;
    if (words.fail() || (key != "time" && key != "wrong")) continue;
    if (key == "wrong") {
      time.stage = Stage::kWrong;
    } else if (!(words >> time.ns)) {
      continue;
    }
    times.push_back(time);
  }
  return times;
}

Comparison comparisonOf(const std::vector<double>& base, const std::vector<double>& times) {
  Comparison comparison;
  std::vector<double> ratios, logs;
  for (size_t i = 0; i < std::min(base.size(), times.size()); i++) {
    ratios.push_back(times[i] / base[i]);
    logs.push_back(std::log(ratios.back()));
  }
  if (ratios.empty()) return comparison;
  const Estimate ratio = estimate(ratios);
  comparison.ratio = ratio.median;
  comparison.low = std::isfinite(ratio.low) ? ratio.low : *std::min_element(ratios.begin(), ratios.end());
  comparison.high = std::isfinite(ratio.high) ? ratio.high : *std::max_element(ratios.begin(), ratios.end());
  comparison.baseNs = median(base);
  comparison.ns = median(times);
  comparison.probability = signedRankProbability(logs);
  return comparison;
}

std::vector<Comparison> compare(const std::vector<Time>& times) {
  using Key = std::tuple<std::string, std::string, int, std::string>;  // stage, call, bytes, value
  std::map<Key, std::vector<double>> all;
  for (const Time& time : times) all[{time.stage, time.call, time.bytes, time.value}].push_back(time.ns);
  std::vector<Comparison> comparisons;
  for (const auto& [key, values] : all) {
    const auto& [stage, call, bytes, value] = key;
    const bool isWrong = stage == Stage::kWrong;
    const auto base = all.find({stage, call, bytes, kFirst});
    if (!isWrong && (value == kFirst || base == all.end())) continue;
    Comparison comparison = isWrong ? Comparison() : comparisonOf(base->second, values);
    comparison.stage = stage;
    comparison.value = value;
    comparison.call = call;
    comparison.bytes = bytes;
    comparisons.push_back(comparison);
  }
  return comparisons;
}

double signedRankProbability(const std::vector<double>& differences) {
  std::vector<double> left;
  for (const double d : differences) {
    if (d != 0) left.push_back(d);
  }
  std::sort(left.begin(), left.end(), [](double a, double b) { return std::fabs(a) < std::fabs(b); });
  // Twice the ranks, which are then whole numbers also where several share a rank.
  std::vector<size_t> ranks(left.size());
  for (size_t i = 0; i < left.size();) {
    size_t end = i;
    while (end < left.size() && std::fabs(left[end]) == std::fabs(left[i])) end++;
    for (size_t j = i; j < end; j++) ranks[j] = i + 1 + end;
    i = end;
  }
  const size_t all = std::accumulate(ranks.begin(), ranks.end(), size_t{0});
  size_t positive = 0;
  // The share of the choices of signs that give each sum of positive ranks.
  std::vector<double> shares(all + 1, 0);
  shares[0] = 1;
  for (size_t i = 0; i < left.size(); i++) {
    if (left[i] > 0) positive += ranks[i];
    for (size_t sum = all + 1; sum-- > 0;) shares[sum] = (shares[sum] + (sum >= ranks[i] ? shares[sum - ranks[i]] : 0)) / 2;
  }
  const size_t least = std::min(positive, all - positive);
  double probability = 0;
  for (size_t sum = 0; sum <= all; sum++) {
    if (sum <= least || sum >= all - least) probability += shares[sum];
  }
  return std::min(1.0, probability);
}

double sizeOf(const Comparison& comparison) { return std::fabs(std::log(comparison.ratio)); }

bool isDifferent(const Comparison& comparison) {
  return sizeOf(comparison) >= std::log(kLeastRatio) && comparison.probability <= kMostProbability;
}

bool isSameDirection(const Comparison& one, const Comparison& other) { return (one.ratio > 1) == (other.ratio > 1); }

}  // namespace parallax::bench
