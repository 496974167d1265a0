// Medians of noisy measurements, with what is known of them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace parallax::bench {

// The middle value, or the mean of the two in the middle; NaN of none.
double median(std::vector<double> values);

// A median and an interval that holds the true one with a probability of at least 95 %, whatever
// the values are distributed like: it ends at values of fixed places in their order, the binomial
// distribution says which. Below six values there is none: it is (-infinity, infinity).
struct Estimate {
  double median;
  double low;
  double high;
  size_t count;
};
Estimate estimate(std::vector<double> values);

enum class Verdict { kReached, kNotReached, kNotDecided };
// Whether what was estimated is below the goal: decided only when the whole interval is.
Verdict below(const Estimate& estimate, double goal);
const char* wordFor(Verdict verdict);

}  // namespace parallax::bench
