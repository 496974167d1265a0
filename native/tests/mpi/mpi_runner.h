// Runs the programs of tests/programs under each MPI, recorded and not.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "tests/guest_runner.h"
#include "tests/mpi/mpi_trace.h"

namespace parallax::tests {

// The MPIs, by the endings of their programs: those of Debian, and those of today.
inline const auto kDebians = testing::Values("openmpi", "mpich");
inline const auto kAllMpis = testing::Values("openmpi", "mpich", "openmpi5", "mpich5", "mpiabi");

// Tests that run once for each MPI; the parameter is the ending of its programs. Skipped, with
// the reason, where the MPI is not installed.
class MpiTest : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override;
  // In place of SetUp: ranks that wait leave the processor to others. Skips the test if the program was not built.
  void setUpYielding(const std::string& name);

  std::string mpi() const { return GetParam(); }
  bool isOpenMpi() const { return mpi().compare(0, 7, "openmpi") == 0; }
  bool isDebians() const { return mpi() == "openmpi" || mpi() == "mpich"; }
  std::string program(const std::string& name) const;
  // A command of this MPI, of the same name in all: "mpirun".
  std::string tool(const std::string& name) const;
  // mpirun -n RANKS program ARGUMENTS
  Words onRanks(int ranks, const std::string& name, const Words& arguments = {}) const;
};

struct Recorded {
  Outcome plain, traced;
  Trace trace;
  std::map<uint32_t, TracedRank> ranks;
};

// Runs a command without and with the agent.
Recorded runBoth(const Words& command, const TemporaryDirectory& scratch);

// The lines of an output in alphabetical order: those of several ranks come in any.
std::string sortedLines(const std::string& text);
// The rest of the line that begins with `start`; empty when there is none.
std::string lineAfter(const std::string& text, const std::string& start);

// The other lines than those that hold `part`.
std::string linesWithout(const std::string& text, const std::string& part);

// What holds for every run that ended in order: same output and status as without the agent,
// everything that was begun has ended, messages and collectives match.
void expectComplete(const Recorded& run, bool truncated = false);

}  // namespace parallax::tests
