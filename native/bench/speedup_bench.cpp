// parallax-bench-speedup [--short] [--runs N] [SHAPE...]: what virtual speed-ups of a function
// predict, and what programs gain whose function is really faster (tests/programs/speedup.c); all
// runs in random order, N of each (10). Medians, and half of their intervals of confidence (95 %).
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "bench/peers_stats.h"
#include "tests/perturb/speedup_trials.h"

using namespace parallax::tests;

namespace {

struct Shape {
  const char* name;
  const char* build;
  const char* about;
};
constexpr Shape kShapes[] = {
    {"halves", "", "two threads, the longer one hot"},
    {"aside", "", "two threads, the shorter one hot: nothing to gain"},
    {"queue", "", "producer and consumer; the consumer, slower, hot"},
    {"barriers", "", "rounds of 10 ms of two threads, the longer share hot"},
    {"both", "", "rounds of 10 ms of two threads, both hot"},
    {"fine", "", "rounds of 0.2 ms, the longer share hot"},
    {"bothfine", "", "rounds of 0.2 ms, both hot"},
    {"locks", "", "two threads, three quarters under one lock and hot"},
    {"pipe", "", "two processes and pipes, the longer part hot"},
    {"ranks", "openmpi", "two ranks and messages, the sender slower and hot"},
    {"ranks", "mpich", "the same"},
    {"reduce", "openmpi", "two ranks, rounds with MPI_Allreduce, the longer share hot"},
    {"reduce", "mpich", "the same"},
    {"regions", "gnu", "OpenMP: regions of 10 ms of two threads, the longer share hot"},
    {"rounds", "gnu", "OpenMP: the same between barriers of one region"},
    {"tasks", "gnu", "OpenMP: tasks of two threads, a quarter of them hot"},
};
constexpr int kPercents[] = {25, 50, 100};

std::string nameOf(const Shape& shape) {
  return std::string(shape.name) + (*shape.build != '\0' ? std::string(".") + shape.build : "");
}

using Key = std::pair<int, int>;  // real and virtual percent
using Values = std::map<Key, std::vector<double>>;

struct Figure {
  double value, error;
};

Figure figureOf(const std::vector<double>& values) {
  const parallax::bench::Estimate e = parallax::bench::estimate(values);
  return {e.median, (e.high - e.low) / 2};
}

// 1 - faster / slower, in percent, with the errors of both.
Figure gainOf(const Figure& faster, const Figure& slower) {
  const double ratio = faster.value / slower.value;
  return {100 * (1 - ratio),
          100 * std::hypot(faster.error / slower.value, ratio * slower.error / slower.value)};
}

bool measure(SpeedupTrials* trials, const Shape& shape, int runs, Values* values) {
  std::vector<Key> keys;
  for (int i = 0; i < runs; i++) {
    keys.push_back({0, 0});
    keys.push_back({0, -1});
    for (const int percent : kPercents) {
      keys.push_back({percent, 0});
      keys.push_back({0, percent});
    }
  }
  std::shuffle(keys.begin(), keys.end(), std::mt19937(static_cast<unsigned>(runs)));
  for (const Key& key : keys) {
    const auto result = trials->run({shape.name, shape.build, key.first, key.second});
    if (!result) {
      fprintf(stderr, "parallax-bench-speedup: %s\n", trials->problem().c_str());
      return false;
    }
    (*values)[key].push_back(result->ms);
  }
  return true;
}

void print(const Shape& shape, const Values& values) {
  const Figure as = figureOf(values.at({0, 0})), without = figureOf(values.at({0, -1}));
  printf("%-14s %s; %.1f ms (without the agent %.1f)\n", nameOf(shape).c_str(), shape.about, as.value,
         without.value);
  for (const int percent : kPercents) {
    const Figure real = figureOf(values.at({percent, 0}));
    const Figure predicted = figureOf(values.at({0, percent}));
    const Figure gained = gainOf(real, as), expected = gainOf(predicted, as);
    printf("  %3d %%   real %6.1f +- %4.1f ms, gain %5.1f +- %3.1f %%   predicted %6.1f +- %4.1f ms, "
           "gain %5.1f +- %3.1f %%   difference %+5.1f\n",
           percent, real.value, real.error, gained.value, gained.error, predicted.value, predicted.error,
           expected.value, expected.error, expected.value - gained.value);
  }
  fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  int runs = 10;
  bool isShort = false;
  std::vector<std::string> wanted;
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--short") == 0) {
      isShort = true;
    } else if (strcmp(argv[i], "--runs") == 0 && i + 1 < argc) {
      runs = atoi(argv[++i]);
    } else {
      wanted.push_back(argv[i]);
    }
  }
  if (isShort) runs = 2;
  // The short form is to see that it works, beside other tests: it judges nothing, and repeats nothing.
  SpeedupTrials trials(isShort ? 0.2 : 1, isShort ? 0 : 5);
  for (const Shape& shape : kShapes) {
    const std::string name = nameOf(shape);
    if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), name) == wanted.end()) continue;
    if (!trials.has(shape.build)) {
      printf("%s: left out, there is no %s\n", name.c_str(), shape.build);
      continue;
    }
    Values values;
    if (!measure(&trials, shape, runs, &values)) return 1;
    print(shape, values);
  }
  printf("%d runs were disturbed by other processes and repeated; %d had to do as they were\n",
         trials.repeated(), trials.disturbed());
  return 0;
}
