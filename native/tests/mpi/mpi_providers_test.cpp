// Whose data a process receives in a collective, as its events tell it, under all MPIs.

#include <set>

#include "format/slots.h"
#include "tests/mpi/mpi_runner.h"

namespace parallax::tests {
namespace {

using format::Collective;
using format::Kind;

class MpiProviders : public MpiTest {};

// A collective and the one rank of two whose data it receives; only events that say so.
using Told = std::multiset<std::pair<Collective, uint64_t>>;

Told toldBy(const TracedRank& rank) {
  Told told;
  for (const auto& [number, thread] : rank.process->threads) {
    for (const TracedEvent& e : thread.events) {
      if ((e.kind != Kind::kCollective && e.kind != Kind::kCollectivePost) || e.payloadCount == 4) continue;
      EXPECT_EQ(e.payloadCount, 6u);
      EXPECT_EQ(e.payload[4], static_cast<uint64_t>(format::Providers::kRuns));
      EXPECT_EQ(e.payload[5] & 0x7fffffff, 1u);
      told.emplace(static_cast<Collective>(e.payload[0] >> 31), e.payload[5] >> 31);
    }
  }
  return told;
}

TEST_P(MpiProviders, AreToldOnceAndOnlyWhereTheyAreNotAll) {
  TemporaryDirectory scratch;
  const Recorded run = runBoth(onRanks(2, "collective_counts", {"1", "quiet"}), scratch);
  ASSERT_NO_FATAL_FAILURE(expectComplete(run));
  ASSERT_EQ(run.ranks.size(), 2u);
  for (const auto& [number, rank] : run.ranks) {
    SCOPED_TRACE("rank " + std::to_string(number));
    const uint64_t other = 1 - number;
    Told expected = {{Collective::kAllgatherv, 0},         {Collective::kAllgatherv, 1},
                     {Collective::kAlltoallv, other},      {Collective::kAlltoallv, other},
                     {Collective::kAlltoallw, other},      {Collective::kNeighborAllgather, other},
                     {Collective::kNeighborAllgather, other}, {Collective::kNeighborAllgather, other},
                     {Collective::kNeighborAlltoallw, other}};
    if (number == 0) {
      expected.insert({{Collective::kGatherv, 0}, {Collective::kGatherv, 0}, {Collective::kGatherv, 1}});
    } else {
      expected.insert({Collective::kNeighborAlltoallv, 0});
    }
    const Told told = toldBy(rank);
    // A third one is persistent, where the MPI has such.
    if (told.count({Collective::kAlltoallv, other}) == 3) expected.insert({Collective::kAlltoallv, other});
    EXPECT_EQ(told, expected);
  }
}

INSTANTIATE_TEST_SUITE_P(Mpi, MpiProviders, kAllMpis);

}  // namespace
}  // namespace parallax::tests
