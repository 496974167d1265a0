#include "bench/variables_times.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>
#include <tuple>

#include "bench/peers_stats.h"

namespace parallax::bench {
namespace {

constexpr char kFirst[] = "-";
constexpr double kLeastRatio = 1.1;

bool isDifferent(const Comparison& comparison, double mostProbability) {
  return sizeOf(comparison) >= std::log(kLeastRatio) && comparison.probability <= mostProbability;
}

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
  comparison.probability = signProbability(logs);
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

double signProbability(const std::vector<double>& differences) {
  int positive = 0, negative = 0;
  for (const double d : differences) {
    positive += d > 0;
    negative += d < 0;
  }
  const int all = positive + negative, least = std::min(positive, negative);
  double share = std::ldexp(1, -all), below = 0;  // of the choices with so many of one sign; and with as many or fewer
  for (int i = 0; i <= least; i++) {
    below += share;
    share *= static_cast<double>(all - i) / (i + 1);
  }
  return std::min(1.0, 2 * below);
}

double sizeOf(const Comparison& comparison) { return std::fabs(std::log(comparison.ratio)); }

bool isDifferent(const Comparison& comparison) { return isDifferent(comparison, 0.05); }

bool isCertain(const Comparison& comparison) { return isDifferent(comparison, 0.002); }

bool isSameDirection(const Comparison& one, const Comparison& other) { return (one.ratio > 1) == (other.ratio > 1); }

}  // namespace parallax::bench
