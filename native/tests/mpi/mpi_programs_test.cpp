// The programs with a planted answer: what they communicate, and errors that MPI returns.

#include "tests/mpi/mpi_runner.h"

namespace parallax::tests {
namespace {

using format::Collective;
using format::Kind;

class MpiPrograms : public MpiTest {};

TEST_P(MpiPrograms, Imbalance) {
  TemporaryDirectory scratch;
  const Recorded run = runBoth(onRanks(2, "imbalance", {"3", "6", "1"}), scratch);
  expectComplete(run);
  ASSERT_EQ(2u, run.ranks.size()) << run.traced.errors;
  for (const auto& [number, rank] : run.ranks) {
    EXPECT_EQ("sends=0 send_bytes=0 receives=0 receive_bytes=0 probes=0 cancels=0 "
              "barrier=6/0/0 init=1/0/0 finalize=1/0/0",
              inWords(sumsOf(*rank.process)));
    EXPECT_EQ(0u, rank.library.find(isOpenMpi() ? "Open MPI v" : "MPICH ")) << rank.library;
    EXPECT_EQ(mpi() == "mpiabi", rank.library.find(", MPI ABI") != std::string::npos)
        << rank.library;
  }
}

TEST_P(MpiPrograms, Pipeline) {
  TemporaryDirectory scratch;
  const Recorded run = runBoth(onRanks(2, "pipeline", {"5", "1"}), scratch);
  expectComplete(run);
  ASSERT_EQ(2u, run.ranks.size()) << run.traced.errors;
  uint64_t messages = 0, bytes = 0;
  for (const auto& [number, rank] : run.ranks) {
    messages += sumsOf(*rank.process).sends;
    bytes += sumsOf(*rank.process).sentBytes;
  }
  EXPECT_EQ(9u, messages);
  EXPECT_EQ(72u, bytes);
}

TEST_P(MpiPrograms, Heat) {
  TemporaryDirectory scratch;
  const int ranks = isOpenMpi() ? 4 : 2;
  const Recorded run = runBoth(onRanks(ranks, "heat", {"40", "60", "70", "2"}), scratch);
  expectComplete(run);
  ASSERT_EQ(size_t(ranks), run.ranks.size()) << run.traced.errors;
  for (const auto& [number, rank] : run.ranks) {
    const MessageSums sums = sumsOf(*rank.process);
    const uint64_t neighbours = number == 0 || int(number) == ranks - 1 ? 1 : 2;
    EXPECT_EQ(40 * neighbours, sums.sends);
    EXPECT_EQ(40 * neighbours, sums.receives);
    EXPECT_EQ(40 * neighbours * 70 * 8, sums.sentBytes);
    EXPECT_EQ(40u, sums.collectives.at(Collective::kAllreduce).calls);
  }
}

// Where the events of one call stand: posts at its Enter, completions at its Leave.
TEST_P(MpiPrograms, EventsStandAtTheEndsOfCalls) {
  TemporaryDirectory scratch;
  const Recorded run = runBoth(onRanks(2, "pipeline", {"3", "1"}), scratch);
  ASSERT_EQ(2u, run.ranks.size()) << run.traced.errors;
  const TracedProcess& process = *run.ranks.at(0).process;
  const auto sends = process.calls(process.threads.at(0), "MPI_Send");
  ASSERT_EQ(3u, sends.size());
  for (const auto& call : sends) {
    ASSERT_EQ(3u, call.size());
    EXPECT_EQ(Kind::kSend, call[1].kind);
    EXPECT_EQ(call[0].ticks, call[1].ticks);
    EXPECT_LT(call[1].ticks, call[2].ticks);
  }
  const auto receives = process.calls(process.threads.at(0), "MPI_Recv");
  ASSERT_EQ(2u, receives.size());
  for (const auto& call : receives) {
    ASSERT_EQ(3u, call.size());
    EXPECT_EQ(Kind::kReceive, call[1].kind);
    EXPECT_EQ(call[2].ticks, call[1].ticks);
    EXPECT_LT(call[0].ticks, call[1].ticks);
  }
}

// Results, error classes and statuses are those of a run without the agent; what was truncated
// has been received, what was refused has not been sent.
TEST_P(MpiPrograms, ErrorCodes) {
  TemporaryDirectory scratch;
  Recorded run = runBoth(onRanks(2, "error_codes"), scratch);
  if (mpi() == "openmpi5") {
    // It answers one or another class by chance, also without the agent.
    run.plain.output = linesWithout(run.plain.output, "waitall_ignore");
    run.traced.output = linesWithout(run.traced.output, "waitall_ignore");
  }
  expectComplete(run, true);
  ASSERT_EQ(2u, run.ranks.size()) << run.traced.errors;
  for (const auto& [number, rank] : run.ranks) {
    const MessageSums sums = sumsOf(*rank.process);
    EXPECT_EQ(6u, sums.sends);
    EXPECT_EQ(6u, sums.receives);
  }
}

TEST_P(MpiPrograms, ManyCommunicators) {
  TemporaryDirectory scratch;
  const Recorded run = runBoth(onRanks(2, "many_communicators", {"160"}), scratch);
  expectComplete(run);
  ASSERT_EQ(2u, run.ranks.size()) << run.traced.errors;
  for (const auto& [number, rank] : run.ranks) {
    EXPECT_EQ(242u, rank.communicators.size());
    EXPECT_EQ("sends=240 send_bytes=960 receives=240 receive_bytes=960 probes=0 cancels=0 "
              "comm_create=240/0/0 init=1/0/0 finalize=1/0/0",
              inWords(sumsOf(*rank.process)));
  }
}

// A program that has wrappers of its own for MPI_Send and MPI_Recv and calls PMPI_Send and
// PMPI_Recv in them: each call counts once.
TEST_P(MpiPrograms, ProfilingLayerInTheProgram) {
  TemporaryDirectory scratch;
  const Recorded run = runBoth(onRanks(2, "layered"), scratch);
  expectComplete(run);
  ASSERT_EQ(2u, run.ranks.size()) << run.traced.errors;
  for (const auto& [number, rank] : run.ranks) {
    EXPECT_EQ("sends=10 send_bytes=40 receives=10 receive_bytes=40 probes=0 cancels=0 "
              "allreduce=10/40/40 init=1/0/0 finalize=1/0/0",
              inWords(sumsOf(*rank.process)));
  }
}

INSTANTIATE_TEST_SUITE_P(Of, MpiPrograms, kAllMpis,
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace parallax::tests
