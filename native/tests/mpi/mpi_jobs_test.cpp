// Jobs that MPI joins: MPI_Comm_spawn_multiple and MPI_Comm_join, and messages that the agent must not take or leave.

#include <algorithm>
#include <tuple>

#include "format/slots.h"
#include "tests/mpi/mpi_runner.h"

namespace parallax::tests {
namespace {

using format::Collective;
using format::Kind;

class MpiJobs : public MpiTest {
 protected:
  // Runs it without and with the agent, which changes nothing, and reads the processes of MPI, which have ranks of
  // several jobs.
  std::vector<TracedRank> recordedJobs(const std::string& way, const TemporaryDirectory& scratch) {
    const Words command = onRanks(2, "jobs", {way});
    const std::string directory = scratch / "trace";
    const Outcome plain = run(command), traced = run(recorded(directory, command));
    EXPECT_EQ(0, plain.status) << plain.errors;
    EXPECT_EQ(plain.status, traced.status) << traced.errors;
    EXPECT_EQ(sortedLines(plain.output), sortedLines(traced.output));
    trace_ = loadTrace(directory);
    return processesOf(trace_, directory);
  }

  Trace trace_;
};

// A group of an intercommunicator between jobs, or of what is derived from it.
struct Groups {
  std::vector<uint32_t> first, second;  // ranks in the group
  bool parentsAreKnown = false;
};

std::map<uint64_t, Groups> groupsBetween(const std::vector<TracedRank>& ranks) {
  std::map<uint64_t, Groups> all;
  for (const TracedRank& rank : ranks) {
    for (const auto& [number, c] : rank.communicators) {
      if ((c.flags & format::kMembersUnknown) == 0) continue;
      Groups& groups = all[c.globalId];
      (c.flags & format::kSecondGroup ? groups.second : groups.first).push_back(c.ownRank);
      groups.parentsAreKnown |= (c.flags & format::kParentGroup) != 0;
    }
  }
  for (auto& [id, groups] : all) {
    std::sort(groups.first.begin(), groups.first.end());
    std::sort(groups.second.begin(), groups.second.end());
  }
  return all;
}

// Sends and receives on each communicator between jobs: by id, side of the sender, both ranks and tag.
using Channel = std::tuple<uint64_t, bool, uint32_t, uint32_t, uint32_t>;

std::map<Channel, int> unmatched(const std::vector<TracedRank>& ranks, int* messages) {
  std::map<Channel, int> open;
  for (const TracedRank& rank : ranks) {
    for (const auto& [number, thread] : rank.process->threads) {
      for (const TracedEvent& e : thread.events) {
        if (e.kind != Kind::kSend && e.kind != Kind::kReceive) continue;
        const TracedCommunicator& c = rank.communicators.at(e.operand);
        if ((c.flags & format::kMembersUnknown) == 0) continue;
        const auto peer = static_cast<uint32_t>(e.payload[0] >> 32), tag = static_cast<uint32_t>(e.payload[0]);
        const bool second = (c.flags & format::kSecondGroup) != 0;
        if (e.kind == Kind::kSend) {
          ++*messages;
          ++open[{c.globalId, second, c.ownRank, peer, tag}];
        } else {
          --open[{c.globalId, !second, peer, c.ownRank, tag}];
        }
      }
    }
  }
  for (auto at = open.begin(); at != open.end();) at = at->second == 0 ? open.erase(at) : std::next(at);
  return open;
}

uint64_t calls(const TracedRank& rank, Collective op) {
  const MessageSums sums = sumsOf(*rank.process);
  const auto found = sums.collectives.find(op);
  return found != sums.collectives.end() ? found->second.calls : 0;
}

TEST_P(MpiJobs, SpawnOfSeveralPrograms) {
  TemporaryDirectory scratch;
  const std::vector<TracedRank> ranks = recordedJobs("multiple", scratch);
  ASSERT_EQ(5u, ranks.size());
  // To the children, its two duplicates, and the merged one.
  const std::map<uint64_t, Groups> all = groupsBetween(ranks);
  ASSERT_EQ(4u, all.size());
  int merged = 0, parents = 0;
  for (const auto& [id, groups] : all) {
    parents += groups.parentsAreKnown;
    if (groups.second.empty()) {
      merged++;
      EXPECT_EQ((std::vector<uint32_t>{0, 1, 2, 3, 4}), groups.first);
    } else {
      EXPECT_EQ((std::vector<uint32_t>{0, 1}), groups.first);
      EXPECT_EQ((std::vector<uint32_t>{0, 1, 2}), groups.second);
    }
  }
  EXPECT_EQ(1, merged);
  EXPECT_EQ(1, parents);
  int messages = 0;
  EXPECT_EQ((std::map<Channel, int>{}), unmatched(ranks, &messages));
  EXPECT_EQ(2 * 2 * 6, messages);
  for (const TracedRank& rank : ranks) {
    const bool isParent = rank.size == 2;
    // A parent's call is one on its communicator, too.
    EXPECT_EQ(isParent ? 2u : 1u, calls(rank, Collective::kCommSpawn));
    EXPECT_EQ(1u, calls(rank, Collective::kCommDisconnect));
  }
  // The creator knows which job it has created.
  std::vector<uint64_t> created;
  uint64_t job = 0;
  for (const TracedRank& rank : ranks) {
    if (rank.size == 3) job = rank.job;
    for (const auto& [number, thread] : rank.process->threads) {
      for (const TracedEvent& e : thread.events) {
        const auto how = static_cast<uint64_t>(format::Creation::kMpiSpawn);
        if (e.kind == Kind::kProcessCreate && e.payload[1] == how) created.push_back(e.payload[0]);
      }
    }
  }
  EXPECT_EQ(std::vector<uint64_t>{job}, created);
}

TEST_P(MpiJobs, Join) {
  TemporaryDirectory scratch;
  const std::vector<TracedRank> ranks = recordedJobs("join", scratch);
  ASSERT_EQ(2u, ranks.size());
  const std::map<uint64_t, Groups> all = groupsBetween(ranks);
  EXPECT_EQ(2u, all.size());
  for (const auto& [id, groups] : all) {
    EXPECT_EQ(std::vector<uint32_t>{0}, groups.first);
    EXPECT_EQ(std::vector<uint32_t>{0}, groups.second);
  }
  int messages = 0;
  EXPECT_EQ((std::map<Channel, int>{}), unmatched(ranks, &messages));
  EXPECT_EQ(4, messages);
  for (const TracedRank& rank : ranks) EXPECT_EQ(2u, calls(rank, Collective::kCommConnect));
}

// The child gives up before its parents come to introduce themselves. They must not do so any more: it would be the
// program that gets their message.
class MpiLateJobs : public MpiTest {};

TEST_P(MpiLateJobs, LeaveNoMessageBehind) {
  TemporaryDirectory scratch;
  const std::string directory = scratch / "trace";
  const Outcome outcome = run(recorded(directory, onRanks(1, "late_jobs", {"late"})));
  EXPECT_EQ(0, outcome.status) << outcome.errors;
  EXPECT_EQ("c0 hears with tag 5\n", outcome.output);
  const Trace trace = loadTrace(directory);
  const std::vector<TracedRank> ranks = processesOf(trace, directory);
  ASSERT_EQ(2u, ranks.size());
  for (const auto& [id, groups] : groupsBetween(ranks)) EXPECT_EQ(1u, groups.first.size() + groups.second.size());
}

// When the children look for it, the introduction has come, and a message of another parent with the same tag.
TEST_P(MpiLateJobs, MeetNoMessageOfTheProgram) {
  TemporaryDirectory scratch;
  const std::string directory = scratch / "trace";
  const Outcome plain = run(onRanks(2, "jobs", {"multiple", "0"}));
  const Outcome traced = run(recorded(directory, onRanks(2, "late_jobs", {"multiple", "0"})));
  EXPECT_EQ(0, traced.status) << traced.errors;
  EXPECT_EQ(sortedLines(plain.output), sortedLines(traced.output));
  const Trace trace = loadTrace(directory);
  EXPECT_EQ(4u, groupsBetween(processesOf(trace, directory)).size());
}

const auto kMpiName = [](const auto& info) { return std::string(info.param); };

INSTANTIATE_TEST_SUITE_P(Of, MpiJobs, testing::Values("openmpi", "mpich5"), kMpiName);
INSTANTIATE_TEST_SUITE_P(Of, MpiLateJobs, testing::Values("openmpi"), kMpiName);

}  // namespace
}  // namespace parallax::tests
