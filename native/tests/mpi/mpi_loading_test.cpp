// MPI that comes late, by name, in part or not at all.

#include <stdlib.h>
#include <unistd.h>

#include "tests/mpi/mpi_runner.h"

namespace parallax::tests {
namespace {

class MpiLoading : public MpiTest {
 protected:
  std::string library() const {
    if (isDebians()) return isOpenMpi() ? "libmpi.so.40" : "libmpich.so.12";
    const std::string folder = PARALLAX_MPI_LIBRARIES + std::string(isOpenMpi() ? "/openmpi" : "/mpich");
    return folder + "/lib/" + (mpi() == "mpiabi"  ? "libmpi_abi.so.1"
                               : isOpenMpi() ? "libmpi.so.40"
                                             : "libmpi.so.12");
  }

  // How many have a note with these words.
  static size_t processesTold(const Recorded& run, const char* words) {
    size_t told = 0;
    for (const TracedProcess& process : run.trace.processes) {
      for (const std::string& note : process.notes) told += note.find(words) != std::string::npos;
    }
    return told;
  }

  static void expectEach(const Recorded& run, const char* words) {
    ASSERT_EQ(2u, run.ranks.size()) << run.traced.errors;
    for (const auto& [number, rank] : run.ranks) EXPECT_EQ(words, inWords(sumsOf(*rank.process)));
  }
};

constexpr const char* kOneExchange =
    "sends=1 send_bytes=4 receives=1 receive_bytes=4 probes=0 cancels=0 "
    "allreduce=1/4/4 init=1/0/0 finalize=1/0/0";

// MPI comes with a library that the program loads privately, as scripting languages do.
TEST_P(MpiLoading, Privately) {
  TemporaryDirectory scratch;
  const Recorded run = runBoth(onRanks(2, "loader", {program("loaded.so")}), scratch);
  expectComplete(run);
  expectEach(run, kOneExchange);
}

// On some hosts there may be no agent. Rank 0 asks nobody for an answer who would not give one.
TEST_P(MpiLoading, ARankWithoutTheAgentIsNotWaitedFor) {
  TemporaryDirectory scratch;
  const std::string pipeline = program("pipeline");
  const Outcome outcome = run(recorded(scratch / "trace", {"timeout", "-k", "1", "30", tool("mpirun"), "-n", "1", pipeline, "5", "1",
                                                          ":", "-n", "1", "env", "PARALLAX_TRACE=", pipeline, "5", "1"}));
  EXPECT_EQ(0, outcome.status) << outcome.errors;
  EXPECT_EQ(1u, processesOf(loadTrace(scratch / "trace"), scratch / "trace").size());
}

TEST_P(MpiLoading, ByName) {
  TemporaryDirectory scratch;
  const Recorded run = runBoth(
      {tool("mpirun"), "-n", "2", PARALLAX_PROGRAMS_DIR "/by_name", library()}, scratch);
  EXPECT_NE(std::string::npos, run.plain.output.find("before: missing\n"));
  expectComplete(run);
  expectEach(run, kOneExchange);
}

// Another MPI library came first, and is not used: the program works with the one that it asked.
class MpiSecondLibrary : public MpiLoading {};

TEST_P(MpiSecondLibrary, IsLeftAlone) {
  TemporaryDirectory scratch;
  const Recorded run = runBoth({tool("mpirun"), "-n", "2", PARALLAX_PROGRAMS_DIR "/by_name", library(),
                                isOpenMpi() ? "libmpich.so.12" : "libmpi.so.40"},
                               scratch);
  EXPECT_EQ(0, run.plain.status) << run.plain.errors;
  EXPECT_EQ(run.plain.status, run.traced.status) << run.traced.errors;
  EXPECT_EQ(sortedLines(run.plain.output), sortedLines(run.traced.output));
  EXPECT_EQ(2u, processesTold(run, "from a second library"));
}

// The agent has the routines of all libraries. A program sees those of its own.
TEST_P(MpiLoading, NoRoutineAppears) {
  TemporaryDirectory scratch;
  const Recorded run =
      runBoth({PARALLAX_PROGRAMS_DIR "/weak", program("weak_library.so")}, scratch);
  EXPECT_EQ(0, run.plain.status) << run.plain.errors;
  EXPECT_NE(std::string::npos, run.plain.output.find("program: MPI_Send is missing\n"));
  EXPECT_NE(std::string::npos, run.plain.output.find("library: MPI_Send is there\n"));
  const bool mpi4 = !isOpenMpi();
  EXPECT_EQ(mpi4, run.plain.output.find("library: MPI_Send_c is there\n") != std::string::npos);
  EXPECT_EQ(run.plain.status, run.traced.status) << run.traced.errors;
  EXPECT_EQ(run.plain.output, run.traced.output);
}

// Two libraries that nobody knows: one of any name, and one with the ABI as it was proposed.
class MpiUnknown : public testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(MpiUnknown, IsNamed) {
  const auto& [name, version] = GetParam();
  TemporaryDirectory scratch;
  const Recorded run = runBoth({PARALLAX_PROGRAMS_DIR "/stubbed." + std::string(name)}, scratch);
  EXPECT_EQ("result 0\n", run.plain.output);
  EXPECT_EQ(run.plain.output, run.traced.output);
  EXPECT_EQ(0, run.traced.status) << run.traced.errors;
  ASSERT_EQ(1u, run.trace.processes.size());
  const TracedProcess& process = run.trace.processes[0];
  EXPECT_EQ(1u, process.calls(process.threads.at(0), "MPI_Init").size());
  ASSERT_EQ(1u, process.notes.size());
  EXPECT_EQ("MPI messages are not recorded: this MPI library has an unknown binary interface "
      "(known are MPI 5 ABI, Open MPI, MPICH): " + std::string(version),
            process.notes[0]);
}

INSTANTIATE_TEST_SUITE_P(Of, MpiUnknown,
                         testing::Values(std::pair("other", "Other MPI 1.0"),
                                         std::pair("proposal", "MPICH 4.3.0")),
                         [](const auto& info) { return std::string(info.param.first); });

// A program that MPI's launcher has started, and that contains MPI.
TEST(MpiStatic, IsTold) {
  TemporaryDirectory scratch;
  for (const bool rank : {true, false}) {
    const std::string trace = scratch / (rank ? "rank" : "alone");
    const Outcome outcome = run(recorded(trace, {PARALLAX_PROGRAMS_DIR "/stubbed.static"}), [rank] {
      if (rank) setenv("PMI_RANK", "0", 1);
    });
    EXPECT_EQ("result 0\n", outcome.output);
    const Trace read = loadTrace(trace);
    ASSERT_EQ(1u, read.processes.size());
    const std::vector<std::string> told{
        "MPI is linked statically into this program and is not recorded: link the program with the "
        "shared library of MPI."};
    EXPECT_EQ(rank ? told : std::vector<std::string>{}, read.processes[0].notes);
  }
}

TEST_P(MpiLoading, PastTheAgentIsTold) {
  TemporaryDirectory scratch;
  const Recorded run = runBoth(
      {tool("mpirun"), "-n", "2", PARALLAX_PROGRAMS_DIR "/deep", program("loaded.so")}, scratch);
  EXPECT_EQ(0, run.traced.status) << run.traced.errors;
  EXPECT_EQ(sortedLines(run.plain.output), sortedLines(run.traced.output));
  EXPECT_EQ(2u, processesTold(run, "MPI calls bypassed the agent"));
}

// Beside the MPIs of today.
class MpiMpi4py : public MpiLoading {};

TEST_P(MpiMpi4py, IsRecorded) {
  const std::string python = tool("python");
  if (run({python, "-c", "import mpi4py"}).status != 0) {
    GTEST_SKIP() << python << " has no mpi4py";
  }
  TemporaryDirectory scratch;
  const Recorded run = runBoth(
      {tool("mpirun"), "-n", "2", python, PARALLAX_MPI_GUESTS "/mpi4py_messages.py"}, scratch);
  expectComplete(run);
  expectEach(run,
             "sends=2 send_bytes=8 receives=2 receive_bytes=8 probes=0 cancels=0 "
             "barrier=1/0/0 allreduce=1/4/4 comm_create=1/0/0 init=1/0/0 finalize=1/0/0");
}

const auto kMpiName = [](const auto& info) { return std::string(info.param); };

INSTANTIATE_TEST_SUITE_P(Of, MpiSecondLibrary, kDebians, kMpiName);
INSTANTIATE_TEST_SUITE_P(Of, MpiMpi4py, testing::Values("openmpi5", "mpich5"), kMpiName);
INSTANTIATE_TEST_SUITE_P(Of, MpiLoading, kAllMpis, kMpiName);

}  // namespace
}  // namespace parallax::tests
