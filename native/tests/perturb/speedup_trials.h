// Trials of tests/programs/speedup: its hotLoop() virtually faster, or really.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "tests/temporary_directory.h"

namespace parallax::tests {

// What one run of the program was told to be.
struct SpeedupRun {
  std::string shape;       // of the program
  std::string build;       // openmpi, mpich, gnu (OpenMP); empty: with threads and processes only
  int realPercent = 0;     // by which hotLoop() is faster
  int virtualPercent = 0;  // by which it is to look so; -1: runs without the agent
  bool traced = false;
  uint64_t delayNs = 0;    // of each call of hotLoop(), in it
};

struct SpeedupResult {
  double ms = 0;       // what the program measured, less the delay of all
  double delayMs = 0;  // of all
  double hotMs = 0;    // of samples in hotLoop()
};

class SpeedupTrials {
 public:
  // `scale` is that of the program; what others disturb is made again so many times.
  explicit SpeedupTrials(double scale, int mostRepeats = 5);
  // Whether the program of this build is there.
  bool has(const std::string& build) const;
  // Repeats runs, up to mostRepeats times, in which other processes of the machine took the processors (see
  // OtherLoad). Nothing: it failed, see problem().
  std::optional<SpeedupResult> run(const SpeedupRun& what);
  // Runs that had to do as they were.
  int disturbed() const { return disturbed_; }
  int repeated() const { return repeated_; }
  const std::string& problem() const { return problem_; }

 private:
  std::optional<SpeedupResult> runOnce(const SpeedupRun& what);

  TemporaryDirectory scratch_;
  double scale_;
  int mostRepeats_;
  std::string iterations_;                     // for a millisecond
  std::map<std::string, std::string> ranges_;  // of the programs, by build
  int disturbed_ = 0, repeated_ = 0;
  std::string problem_;
};

}  // namespace parallax::tests
