// How much longer programs take under ours and under the others.
#pragma once

#include <string>
#include <vector>

#include "bench/peers_tools.h"

namespace parallax::bench {

// One program under one tool: what each run took, by what the runs without a tool of the same
// round took. Less than nothing is possible: that is noise.
struct Dilation {
  const Program* program;
  const Tool* tool;
  std::string failure;         // why there is nothing
  std::vector<double> wall;    // of the section that the program is for: 0.01 is 1 % longer
  std::vector<double> cpu;     // of all its threads and ranks
  std::vector<double> turns;   // the same in turns with one without a tool (runInTurns)
  std::vector<double> startMs; // what the whole command took beyond that, start and end
};

struct Dilations {
  std::vector<Dilation> cells;
  std::vector<double> plainNs;  // of each of programs(), median: how long its section is
};

enum class Size { kFull, kQuick };

// In each round every program runs under each of ours that goals judge, in turns with one without.
// In each `othersEvery`-th round it also runs under every tool in random order, one after the other,
// and twice without, whose mean is what the others are compared with. An interrupt (Ctrl-C) ends it after the round that is under way, and so
// does time that is over.
struct Rounds {
  int most;
  int othersEvery;
  double mostSeconds;
};
Dilations measureDilations(const Rounds& rounds, Size size, const std::string& scratch,
                           unsigned seed, const std::string& lockFile);

}  // namespace parallax::bench
