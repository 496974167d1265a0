// MPI that comes late, by name, in part or not at all.

#include <stdlib.h>
#include <unistd.h>

#include <set>

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

// Runs a program of three ranks, of which only rank 0 or only the others have the agent, and expects what it does without.
class MpiInPart : public MpiLoading {
 protected:
  void SetUp() override { setUpYielding("partly"); }

  void expectUnchanged(bool isFirstRecorded, size_t processes) {
    TemporaryDirectory scratch;
    const std::string partly = program("partly");
    const Words others{":", "-n", "2"}, without{"env", "PARALLAX_TRACE="};
    Words command{"timeout", "-k", "1", "60", tool("mpirun"), "-n", "1"};
    if (!isFirstRecorded) command.insert(command.end(), without.begin(), without.end());
    command.push_back(partly);
    command.insert(command.end(), others.begin(), others.end());
    command.insert(command.end(), around_.begin(), around_.end());
    if (isFirstRecorded) command.insert(command.end(), without.begin(), without.end());
    command.push_back(partly);
    const Outcome outcome = run(recorded(scratch / "trace", command));
    EXPECT_EQ(0, outcome.status) << outcome.errors;
    EXPECT_EQ("rank 0 of 3: 0 wrong\nrank 1 of 3: 0 wrong\nrank 2 of 3: 0 wrong\n", sortedLines(linesWithout(outcome.output, "UCX  WARN")));
    const Trace trace = loadTrace(scratch / "trace");
    const std::vector<TracedRank> ranks = processesOf(trace, scratch / "trace");
    EXPECT_EQ(processes, ranks.size());
    std::set<uint64_t> jobs;
    for (const TracedRank& rank : ranks) jobs.insert(rank.job);
    jobs_ = jobs.size();
    notes_ = 0;
    for (const TracedProcess& process : trace.processes) {
      for (const std::string& note : process.notes) notes_ += note.find("has not told its job in time") != std::string::npos;
    }
  }

  Words around_;  // of the others
  size_t jobs_ = 0, notes_ = 0;
};

TEST_P(MpiInPart, TheFirstRankIsWithoutTheAgent) {
  expectUnchanged(false, 2);
  EXPECT_EQ(1u, jobs_);
  EXPECT_EQ(0u, notes_);
}

// Its broadcast would be taken for one of the program.
TEST_P(MpiInPart, OnlyTheFirstRankHasTheAgent) {
  expectUnchanged(true, 1);
  EXPECT_EQ(0u, notes_);
}

// As on several hosts, where each has a launcher of its own. Nobody waits for ever, and each then is a job of its own.
class MpiUnnamedJob : public MpiInPart {};

TEST_P(MpiUnnamedJob, IsNotWaitedForWithoutBound) {
  around_ = {"env", "MPI_LOCALNRANKS=2"};
  expectUnchanged(false, 2);
  EXPECT_EQ(2u, jobs_);
  EXPECT_EQ(2u, notes_);
}

// As in an interactive step of Slurm with PMIx: all ranks inherit the name and the rank of that launcher.
TEST_P(MpiUnnamedJob, IsOneBelowAnotherLauncher) {
  TemporaryDirectory scratch;
  const Outcome outcome = run(recorded(scratch / "trace", {"timeout", "-k", "1", "60", "env", "PMIX_NAMESPACE=outer", "PMIX_RANK=0",
                                                          tool("mpirun"), "-n", "3", program("partly")}));
  EXPECT_EQ(0, outcome.status) << outcome.errors;
  const std::vector<TracedRank> ranks = processesOf(loadTrace(scratch / "trace"), scratch / "trace");
  ASSERT_EQ(3u, ranks.size());
  for (const TracedRank& rank : ranks) EXPECT_EQ(ranks[0].job, rank.job);
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
INSTANTIATE_TEST_SUITE_P(Of, MpiInPart, kAllMpis, kMpiName);
INSTANTIATE_TEST_SUITE_P(Of, MpiUnnamedJob, testing::Values("mpich"), kMpiName);
INSTANTIATE_TEST_SUITE_P(Of, MpiLoading, kAllMpis, kMpiName);

}  // namespace
}  // namespace parallax::tests
