// Message counts and bytes equal what the programs counted themselves.

#include <unistd.h>

#include "tests/mpi/mpi_runner.h"

namespace parallax::tests {
namespace {

using format::Kind;

class MpiCounts : public MpiTest {
 protected:
  // Runs a program of the kind of message_counts and compares each rank.
  void expectCounted(int ranks, const std::string& name, const Words& arguments = {}) {
    TemporaryDirectory scratch;
    const Recorded run = runBoth(onRanks(ranks, name, arguments), scratch);
    expectComplete(run);
    ASSERT_EQ(size_t(ranks), run.ranks.size());
    EXPECT_EQ(0, run.traced.status) << run.traced.errors;
    for (const auto& [number, rank] : run.ranks) {
      const std::string start = "counts rank=" + std::to_string(number) + " ";
      const std::string counted = lineAfter(run.traced.output, start);
      ASSERT_NE("", counted) << run.traced.output;
      EXPECT_EQ(counted, inWords(sumsOf(*rank.process))) << "rank " << number;
    }
  }
};

TEST_P(MpiCounts, AllRoutines) { expectCounted(2, "message_counts"); }

TEST_P(MpiCounts, AllRoutinesOtherSeedAndRanks) {
  expectCounted(isOpenMpi() ? 4 : 3, "message_counts", {"77"});
}

// The agent needs the size of each, and asks nothing about a type that can be an error.
TEST_P(MpiCounts, Types) { expectCounted(2, "types"); }

// The MPIs of today come without Fortran.
class MpiFortran : public MpiCounts {};

TEST_P(MpiFortran, Counts) { expectCounted(2, "message_counts_f"); }

TEST_P(MpiFortran, Counts2008) { expectCounted(3, "message_counts_f08"); }

TEST_P(MpiCounts, Mpi4) {
  if (access(program("mpi4").c_str(), X_OK) != 0) {
    GTEST_SKIP() << mpi() << " has no MPI 4 here";
  }
  expectCounted(3, "mpi4");
}

// The call path of an MPI routine ends in the Fortran procedure, not in the library's wrapper.
TEST_P(MpiFortran, CallPaths) {
  for (const char* name : {"message_counts_f", "message_counts_f08"}) {
    TemporaryDirectory scratch;
    const Recorded run = runBoth(onRanks(2, name), scratch);
    ASSERT_EQ(2u, run.ranks.size());
    const TracedRank& rank = run.ranks.at(0);
    const TracedProcess& process = *rank.process;
    size_t inProgram = 0, elsewhere = 0;
    for (const auto& [number, path] : process.paths) {
      if (process.leafOf(number).compare(0, 4, "MPI_") != 0) continue;
      const auto caller = process.paths.find(path.parent);
      if (caller == process.paths.end()) continue;
      const bool isProgram = rank.moduleOf(caller->second.value) == process.executable;
      (isProgram ? inProgram : elsewhere)++;
    }
    EXPECT_GT(inProgram, 10u) << name;
    EXPECT_EQ(0u, elsewhere) << name;
  }
}

TEST_P(MpiCounts, ThreadMultiple) {
  TemporaryDirectory scratch;
  const Recorded run = runBoth(onRanks(2, "thread_messages", {"4", "150"}), scratch);
  expectComplete(run);
  ASSERT_EQ(2u, run.ranks.size()) << run.traced.errors;
  for (const auto& [number, rank] : run.ranks) {
    EXPECT_EQ(3u, rank.threadLevel);
    EXPECT_EQ("sends=600 send_bytes=2400 receives=600 receive_bytes=2400 probes=0 cancels=0 "
              "allreduce=60/240/240 comm_create=4/0/0 init=1/0/0 finalize=1/0/0",
              inWords(sumsOf(*rank.process)));
  }
}

INSTANTIATE_TEST_SUITE_P(Of, MpiFortran, kDebians,
                         [](const auto& info) { return std::string(info.param); });
INSTANTIATE_TEST_SUITE_P(Of, MpiCounts, kAllMpis,
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace parallax::tests
