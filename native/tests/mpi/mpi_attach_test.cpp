// Attaching to ranks of MPI programs that run.
#include <gtest/gtest.h>

#include <signal.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "tests/mpi/mpi_runner.h"
#include "tests/running_program.h"

namespace parallax::tests {
namespace {

using format::Collective;
using format::Kind;

class MpiAttach : public MpiTest {
 protected:
  // What a rank has written to a file, once it has.
  static std::string pidIn(const std::string& path) {
    std::string pid;
    for (int i = 0; i < 1000 && !(std::ifstream(path) >> pid); i++) usleep(10000);
    return pid;
  }
};

INSTANTIATE_TEST_SUITE_P(Mpi, MpiAttach, kDebians);

void expectRank1Of4(const std::string& directory) {
  const Trace trace = loadTrace(directory);
  const std::vector<TracedRank> ranks = processesOf(trace, directory);
  ASSERT_EQ(1u, ranks.size());
  const TracedRank& rank = ranks[0];
  EXPECT_EQ(1u, rank.rank);
  EXPECT_EQ(4u, rank.size);
  EXPECT_NE("", rank.library);
  ASSERT_EQ(1u, rank.communicators.count(1));
  const TracedCommunicator& world = rank.communicators.at(1);
  EXPECT_EQ("MPI_COMM_WORLD", world.name);
  EXPECT_EQ(4u, world.size);
  EXPECT_EQ((std::vector<uint32_t>{0, 1, 2, 3}), world.members);

  constexpr uint64_t kBytes = 600 * sizeof(int);
  std::map<uint64_t, uint64_t> sends, receives;  // by peer and tag
  for (const auto& [number, thread] : rank.process->threads) {
    for (const TracedEvent& event : thread.events) {
      if (event.kind != Kind::kSend && event.kind != Kind::kReceive) continue;
      EXPECT_EQ(1u, event.operand);
      EXPECT_EQ(kBytes, event.payload[1]);
      (event.kind == Kind::kSend ? sends : receives)[event.payload[0]]++;
    }
  }
  const auto key = [](uint64_t peer, uint64_t tag) { return peer << 32 | tag; };
  // In a ring to the right with tags 1 and 2, to the left with 3.
  EXPECT_EQ(3u, sends.size());
  EXPECT_EQ(3u, receives.size());
  for (const uint64_t sent : {key(2, 1), key(2, 2), key(0, 3)}) EXPECT_GT(sends[sent], 0u);
  for (const uint64_t received : {key(0, 1), key(0, 2), key(2, 3)}) EXPECT_GT(receives[received], 0u);
  const MessageSums sums = sumsOf(*rank.process);
  for (const Collective collective : {Collective::kAllreduce, Collective::kScan, Collective::kBcast}) {
    ASSERT_EQ(1u, sums.collectives.count(collective));
    EXPECT_GT(sums.collectives.at(collective).calls, 0u);
  }
}

TEST_P(MpiAttach, PeersAndBytesAreTold) {
  TemporaryDirectory scratch;
  Running job(onRanks(4, "attached", {scratch.path()}));
  const std::string pid = pidIn(scratch / "rank-1");
  ASSERT_NE("", pid);
  for (const std::string name : {"first", "second"}) {
    std::string directory;
    for (const char* time : {"0.3s", "3s"}) {  // on a busy machine, a few steps take long
      directory = scratch / (name + time);
      const Outcome outcome = run(attached(pid, directory, time));
      EXPECT_EQ("", outcome.errors);
      EXPECT_EQ(0, outcome.status);
      const Trace trace = loadTrace(directory);
      if (!trace.processes.empty() && sumsOf(trace.processes[0]).collectives.count(Collective::kBcast) != 0) break;
    }
    SCOPED_TRACE(directory);
    expectRank1Of4(directory);
  }
  std::ofstream(scratch / "stop");
  const std::string output = job.end();
  EXPECT_NE(std::string::npos, output.find(" steps, 0 wrong\n")) << output;
  EXPECT_EQ(std::string::npos, output.find("status")) << output;
}

// One of four ranks is recorded when MPI begins: the agent must not talk to the others, which have none.
TEST_P(MpiAttach, BeforeMpiBegins) {
  TemporaryDirectory scratch;
  Running job(onRanks(4, "attached", {scratch.path(), "wait"}));
  const std::string pid = pidIn(scratch / "before-0");
  ASSERT_NE("", pid);
  {
    Running recording({recorder(), "--attach", pid, "-o", scratch / "trace", "--no-calibration", "--quiet"});
    for (int i = 0; i < 500 && !std::filesystem::exists(scratch / "trace/manifest"); i++) usleep(10000);
    usleep(300000);
    std::ofstream(scratch / "begin");
    ASSERT_NE("", pidIn(scratch / "rank-3"));
    usleep(100000);
    std::ofstream(scratch / "stop");
    EXPECT_EQ("", recording.end());
  }
  const std::string output = job.end();
  EXPECT_NE(std::string::npos, output.find(" steps, 0 wrong\n")) << output;
  const Trace trace = loadTrace(scratch / "trace");
  const std::vector<TracedRank> ranks = processesOf(trace, scratch / "trace");
  ASSERT_EQ(1u, ranks.size());
  EXPECT_EQ(0u, ranks[0].rank);
  EXPECT_EQ(4u, ranks[0].size);
}

}  // namespace
}  // namespace parallax::tests
