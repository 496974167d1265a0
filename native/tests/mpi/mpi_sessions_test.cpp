// Programs with sessions: ranks, communicators and messages without MPI_COMM_WORLD.

#include <set>

#include "tests/mpi/mpi_runner.h"

namespace parallax::tests {
namespace {

using format::Collective;

class MpiSessions : public MpiTest {
 protected:
  void expectThreeRanks(const Recorded& run) {
    expectComplete(run);
    ASSERT_EQ(3u, run.ranks.size()) << run.traced.errors;
    for (const auto& [number, rank] : run.ranks) {
      EXPECT_EQ(3u, rank.size);
      EXPECT_EQ(0u, rank.library.find(isOpenMpi() ? "Open MPI v" : "MPICH ")) << rank.library;
    }
  }

  // Those of the calls of MPI_Comm_create_from_group and all others, without the process set itself.
  static std::vector<std::vector<uint32_t>> membersOf(const TracedRank& rank) {
    std::vector<std::vector<uint32_t>> all;
    for (const auto& [number, c] : rank.communicators) {
      EXPECT_EQ(0u, c.flags & format::kMembersUnknown);
      if (c.name.empty() && (c.flags & format::kWindowMembers) == 0) all.push_back(c.members);
    }
    return all;
  }

  static uint64_t calls(const TracedRank& rank, Collective op) {
    const MessageSums sums = sumsOf(*rank.process);
    const auto found = sums.collectives.find(op);
    return found != sums.collectives.end() ? found->second.calls : 0;
  }
};

using Lists = std::vector<std::vector<uint32_t>>;

TEST_P(MpiSessions, AreRecordedAsWithMpiInit) {
  TemporaryDirectory scratch;
  const Recorded run = runBoth(onRanks(3, "sessions"), scratch);
  ASSERT_NO_FATAL_FAILURE(expectThreeRanks(run));
  // By the order of creation in rank 2: alone, three parts, then twice the whole, its duplicates, the split, the group,
  // the two intercommunicators and what is made for them and of them.
  const Lists whole{{0, 1, 2}, {0, 1, 2}, {0, 1, 2}, {2, 0}, {1, 2}, {1, 2}, {1, 2, 0}, {1, 2}, {1, 2}};
  Lists expected{{2}, {0, 2}, {0, 2}, {2, 0}};
  if (mpi() == "mpich") expected.insert(expected.begin(), {0, 1, 2});
  expected.insert(expected.end(), whole.begin(), whole.end());
  expected.insert(expected.end(), whole.begin(), whole.end());
  EXPECT_EQ(expected, membersOf(run.ranks.at(2)));
  for (const auto& [number, rank] : run.ranks) {
    EXPECT_EQ(0u, rank.communicators.count(1)) << "there is no MPI_COMM_WORLD";
    // In each use once around six communicators, or five in rank 0, and a message between the groups.
    const uint64_t perUse = number == 0 ? 5 : number == 1 ? 6 : 7;
    EXPECT_EQ(1 + (number == 1 ? 0 : 3) + 2 * perUse, sumsOf(*rank.process).sends) << number;
    EXPECT_EQ(1u, calls(rank, Collective::kSessionInit));
    EXPECT_EQ(1u, calls(rank, Collective::kSessionFinalize));
    EXPECT_EQ(2u, calls(rank, Collective::kAllreduce));
    EXPECT_EQ(0u, calls(rank, Collective::kInit));
  }
}

// The MPIs of today come without Fortran.
class MpiSessionsInFortran : public MpiSessions {};

TEST_P(MpiSessionsInFortran, AreRecordedOnce) {
  for (const char* name : {"sessions_f", "sessions_f08"}) {
    SCOPED_TRACE(name);
    TemporaryDirectory scratch;
    const Recorded run = runBoth(onRanks(2, name), scratch);
    expectComplete(run);
    ASSERT_EQ(2u, run.ranks.size()) << run.traced.errors;
    for (const auto& [number, rank] : run.ranks) {
      EXPECT_EQ("sends=2 send_bytes=8 receives=2 receive_bytes=8 probes=0 cancels=0 comm_create=2/0/0 "
                "session_init=1/0/0 session_finalize=1/0/0",
                inWords(sumsOf(*rank.process)));
    }
  }
}

class MpiSessionsWithInit : public MpiSessions {};

TEST_P(MpiSessionsWithInit, GoTogether) {
  TemporaryDirectory scratch;
  const Recorded run = runBoth(onRanks(3, "sessions", {"both"}), scratch);
  ASSERT_NO_FATAL_FAILURE(expectThreeRanks(run));
  for (const auto& [number, rank] : run.ranks) {
    // Those of MPI_COMM_WORLD, which comes when the library has begun, and of the process set.
    EXPECT_EQ(2u, calls(rank, Collective::kSessionInit));
    EXPECT_EQ(2u, calls(rank, Collective::kSessionFinalize));
    EXPECT_EQ(3u, calls(rank, Collective::kAllreduce));
    EXPECT_EQ("MPI_COMM_WORLD", rank.communicators.at(1).name);
  }
}

// The agent's own communication would wait for ranks that take no part in it, or meet that of the program.
class MpiSessionOnOneRank : public MpiSessions {};

TEST_P(MpiSessionOnOneRank, TheOthersShareItsCommunicator) {
  TemporaryDirectory scratch;
  const Recorded run = runBoth(onRanks(3, "sessions", {"one"}), scratch);
  ASSERT_NO_FATAL_FAILURE(expectThreeRanks(run));
  std::set<uint64_t> ids;
  for (const auto& [number, rank] : run.ranks) {
    EXPECT_EQ(1u, calls(rank, Collective::kBcast));
    for (const auto& [communicator, record] : rank.communicators) {
      if (record.name.empty() && record.size == 3) ids.insert(record.globalId);
    }
  }
  EXPECT_EQ(1u, ids.size());
}

// There is no test of a library that begins again after its last session: Debian's MPICH and Open MPI 5 cannot, and
// MPICH 5 hangs in one of 20 runs, also without the agent.

// Each rank begins with a job number of its own, as on several hosts. The communicators tell them that it is one job.
class MpiSessionsOfStrangers : public MpiSessions {};

TEST_P(MpiSessionsOfStrangers, BecomeOneJob) {
  TemporaryDirectory scratch;
  const Recorded run = runBoth(onRanks(3, "sessions", {"strangers"}), scratch);
  ASSERT_NO_FATAL_FAILURE(expectThreeRanks(run));
  for (const auto& [number, rank] : run.ranks) {
    EXPECT_EQ(0u, calls(rank, Collective::kSessionInit));
    EXPECT_EQ(2u, calls(rank, Collective::kAllreduce));
  }
}

const auto kMpiName = [](const auto& info) { return std::string(info.param); };

INSTANTIATE_TEST_SUITE_P(Of, MpiSessions, testing::Values("mpich", "openmpi5", "mpich5", "mpiabi"), kMpiName);
INSTANTIATE_TEST_SUITE_P(Of, MpiSessionsWithInit, testing::Values("openmpi5", "mpich5"), kMpiName);
INSTANTIATE_TEST_SUITE_P(Of, MpiSessionOnOneRank, testing::Values("openmpi5", "mpich5"), kMpiName);
INSTANTIATE_TEST_SUITE_P(Of, MpiSessionsOfStrangers, testing::Values("mpich5"), kMpiName);
INSTANTIATE_TEST_SUITE_P(Of, MpiSessionsInFortran, testing::Values("mpich"), kMpiName);

}  // namespace
}  // namespace parallax::tests
