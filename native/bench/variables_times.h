// Times of calls with several values of a variable, in turns, and how they differ from those with the first value.
#pragma once

#include <string>
#include <vector>

namespace parallax::bench {

struct Stage {
  static constexpr char kExisting[] = "existing", kNew[] = "new";  // the communicator
  static constexpr char kStart[] = "start";                        // the value is set at the start
  static constexpr char kWrong[] = "wrong", kFailed[] = "failed";  // no times: a wrong result, or a program that ended
};

struct Time {
  std::string stage, value, call;  // the value "-" is that of the start
  int bytes = 0;
  double ns = 0;
};

// The lines `time` and `wrong` of `mpi_variables effect`; a wrong one has the stage kWrong.
std::vector<Time> parseTimes(const std::string& text);

struct Comparison {
  std::string stage, value, call;
  int bytes = 0;
  double baseNs = 0, ns = 0;               // medians
  double ratio = 1, low = 1, high = 1;     // of pairs: the median and its interval
  double probability = 1;                  // of such a difference by chance
};

// The i-th time of a value is compared with the i-th of the first value. Wrong results are comparisons without times.
std::vector<Comparison> compare(const std::vector<Time>& times);
Comparison comparisonOf(const std::vector<double>& base, const std::vector<double>& times);

// Of the sign test, two-sided and exact: of the same direction so often by chance. Times that other programs prolong count
// no more than others. 1 without differences.
double signProbability(const std::vector<double>& differences);

// A difference of a tenth that is worth another look: one in twenty is chance.
bool isDifferent(const Comparison& comparison);
// One that is larger than noise: one in 500 is chance.
bool isCertain(const Comparison& comparison);
double sizeOf(const Comparison& comparison);  // of the difference, the same for half and twice the time
bool isSameDirection(const Comparison& one, const Comparison& other);

}  // namespace parallax::bench
