// Programs that end badly: traced to their end, with the status they have without the agent.

#include <fstream>
#include <iterator>

#include "tests/mpi/mpi_runner.h"

namespace parallax::tests {
namespace {

using format::Collective;

class MpiEndings : public MpiTest {
 protected:
  // Each rank has the message and the barriers that come before the end.
  Recorded expectTracedToTheEnd(const std::string& how) {
    // Which rank the launcher hears of first can change its status, with and without the agent.
    constexpr int kAttempts = 3;
    Recorded run;
    std::string line;
    for (int i = 0; i < kAttempts && (i == 0 || run.plain.status != run.traced.status); ++i) {
      const TemporaryDirectory scratch;
      run = runBoth(onRanks(2, "bad_ends", {how, scratch / "line"}), scratch);
      std::ifstream file(scratch / "line");
      line.assign(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    }
    EXPECT_EQ(run.plain.status, run.traced.status) << run.traced.errors;
    EXPECT_EQ("bad_ends " + how + "\n", line);
    EXPECT_EQ(2u, run.ranks.size()) << run.traced.errors;
    for (const auto& [number, rank] : run.ranks) {
      const MessageSums sums = sumsOf(*rank.process);
      EXPECT_EQ(1u, sums.sends) << how;
      EXPECT_EQ(4u, sums.sentBytes) << how;
      EXPECT_EQ(1u, sums.receives) << how;
      EXPECT_EQ(4u, sums.receivedBytes) << how;
      EXPECT_EQ(1u, sums.collectives.at(Collective::kInit).calls) << how;
      // The launcher may kill the last rank before it has left the second barrier.
      EXPECT_GE(sums.collectives.at(Collective::kBarrier).calls, 1u) << how;
      EXPECT_LE(sums.collectives.at(Collective::kBarrier).calls, 2u) << how;
      EXPECT_EQ(how == "exit_in_thread" ? 1u : 0u, sums.collectives.count(Collective::kFinalize));
    }
    expectMessagesMatch(run.ranks);
    return run;
  }
};

TEST_P(MpiEndings, Killed) { expectTracedToTheEnd("kill"); }

TEST_P(MpiEndings, Aborted) { expectTracedToTheEnd("abort"); }

TEST_P(MpiEndings, Segfault) { expectTracedToTheEnd("segv"); }

TEST_P(MpiEndings, MpiAbort) {
  const Recorded run = expectTracedToTheEnd("mpi_abort");
  ASSERT_EQ(1u, run.ranks.count(1));
  const TracedProcess& process = *run.ranks.at(1).process;
  EXPECT_EQ(1u, process.calls(process.threads.at(0), "MPI_Abort").size());
}

TEST_P(MpiEndings, ExitWithoutFinalize) { expectTracedToTheEnd("exit"); }

TEST_P(MpiEndings, ReturnWithoutFinalize) { expectTracedToTheEnd("return"); }

TEST_P(MpiEndings, HardExit) { expectTracedToTheEnd("hard_exit"); }

TEST_P(MpiEndings, ExitInThread) { expectTracedToTheEnd("exit_in_thread"); }

INSTANTIATE_TEST_SUITE_P(Of, MpiEndings, kDebians,
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace parallax::tests
