#include "bench/peers_stats.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace parallax::bench {

double median(std::vector<double> values) {
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  std::sort(values.begin(), values.end());
  const size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

Estimate estimate(std::vector<double> values) {
  constexpr double kDoubt = 0.05;
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  Estimate result{median(values), -kInfinity, kInfinity, values.size()};
  std::sort(values.begin(), values.end());
  const size_t n = values.size();
  // The true median lies below the k-th smallest value when fewer than k of n are below it.
  double tail = 0, probability = std::pow(0.5, static_cast<double>(n));
  for (size_t k = 0; k < n / 2; k++) {
    tail += probability;
    if (2 * tail > kDoubt) break;
    result.low = values[k];
    result.high = values[n - 1 - k];
    probability *= static_cast<double>(n - k) / static_cast<double>(k + 1);
  }
  return result;
}

Verdict below(const Estimate& estimate, double goal) {
  if (estimate.high < goal) return Verdict::kReached;
  if (estimate.low >= goal) return Verdict::kNotReached;
  return Verdict::kNotDecided;
}

const char* wordFor(Verdict verdict) {
  switch (verdict) {
    case Verdict::kReached: return "reached";
    case Verdict::kNotReached: return "NOT REACHED";
    case Verdict::kNotDecided: break;
  }
  return "not decided";
}

}  // namespace parallax::bench
