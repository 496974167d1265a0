// Measurements of transports, and what follows from them.
#pragma once

#include <string>
#include <vector>

#include "bench/study_rounds.h"

namespace parallax::bench {

// Which runs are repetitions of each other.
struct Cell {
  std::string size;  // the class of the sort
  int processes = 0;
  std::string store, mode;

  Keys keys() const;
  static Cell of(const Keys& keys);
};

// Times are in nanoseconds. Memory, faults, and what the contended store served are those of a process on the mean.
const std::vector<std::string>& figureNames();

class Results : public KeyedResults {
 public:
  Results();
  Results(const std::string& folder, const std::string& settings, std::string* message);

  // By how much the figure is more than in the run without tracing of the same round: 0.01 is 1 %. Of a run that took too
  // long it is infinite.
  Estimate increaseOf(const Cell& cell, const std::string& figure) const;
  // By how much more than in the other cell it is longer, in the rounds that both have.
  Estimate increaseAbove(const Cell& cell, const Cell& other, const std::string& figure) const;
  // By how much the store's own CPU time can have made the sort longer at most, as it runs on the same processors: relative to the
  // run without tracing of the same round.
  Estimate elapsedByStore(const Cell& cell, int processors) const;
  // How much more CPU time all processes of the command and the writer take than those of the other cell, relative to the CPU time
  // of the sort without tracing of the same round.
  Estimate cpuAbove(const Cell& cell, const Cell& other) const;
};

// The run without tracing that a cell is compared with. It writes nothing, so it has no store.
Cell untraced(const Cell& cell);

}  // namespace parallax::bench
