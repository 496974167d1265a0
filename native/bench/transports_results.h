// Measurements of transports, and what follows from them.
#pragma once

#include <string>
#include <vector>

#include "bench/peers_stats.h"
#include "bench/study_records.h"

namespace parallax::bench {

// Which runs are repetitions of each other.
struct Cell {
  std::string size;  // the class of the sort
  int processes = 0;
  std::string store, mode;

  bool operator<(const Cell& other) const;
};

struct Measurement {
  static constexpr const char* kDone = Record::kDone;
  static constexpr char kTooLong[] = "too long";

  Cell cell;
  int round = 0;
  std::string outcome;  // kDone, kTooLong, or why it failed
  // Those of figureNames(), in this order. Times are in nanoseconds. Memory, faults, and what the contended store served
  // are those of a process on the mean.
  std::vector<double> figures;

  double figure(const std::string& name) const;
  void set(const std::string& name, double value);
  bool isFailed() const { return outcome != kDone && outcome != kTooLong; }
};

const std::vector<std::string>& figureNames();

class Results {
 public:
  // Without a file: all that is added is kept for the life of the object.
  Results() = default;
  // Those of FOLDER, see RecordFile. Runs that failed are tried again.
  Results(const std::string& folder, const std::string& settings, std::string* message);

  // Writes its line at once. Returns false if that fails.
  bool add(const Measurement& measurement);
  const Measurement* find(const Cell& cell, int round) const;
  // Whether most runs of the cell took too long: then it is given up.
  bool isTooLong(const Cell& cell) const;

  std::vector<const Measurement*> of(const Cell& cell) const;  // those that are done
  // A figure of the cell; and by how much it is longer than in the run without tracing of the same round: 0.01 is 1 %.
  // Of a run that took too long it is infinite.
  Estimate estimateOf(const Cell& cell, const std::string& figure) const;
  Estimate increaseOf(const Cell& cell, const std::string& figure) const;
  // By how much more than in the other cell it is longer, in the rounds that both have.
  Estimate increaseAbove(const Cell& cell, const Cell& other, const std::string& figure) const;
  std::vector<const Measurement*> failures() const;
  const std::vector<Measurement>& all() const { return all_; }

 private:
  double increase(const Measurement& m, const std::string& figure) const;

  RecordFile file_;
  std::vector<Measurement> all_;
};

// The run without tracing that a cell is compared with. It writes nothing, so it has no store.
Cell untraced(const Cell& cell);

}  // namespace parallax::bench
