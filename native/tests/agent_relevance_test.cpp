// Which routine is measured how, and counts of visits.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <map>
#include <random>

#include "base/settings.h"
#include "core/adapters.h"
#include "core/routine_sets.h"
#include "core/visits.h"

namespace parallax {
namespace {

using format::Group;

class AgentRelevance : public testing::Test {
 protected:
  ~AgentRelevance() override { lists("", "", ""); }
  static void lists(const char* count, const char* flat, const char* full) {
    setenv("PARALLAX_COUNT", count, 1);
    setenv("PARALLAX_FLAT", flat, 1);
    setenv("PARALLAX_FULL", full, 1);
    copySettings();
  }
  static Relevance of(const char* name, Group group) { return Region(name, group).relevance(); }
};

TEST_F(AgentRelevance, LocalCallsAreCountedUsually) {
  lists("", "", "");
  EXPECT_EQ(Relevance::kCounted, of("MPI_Comm_rank", Group::kMpi));
  EXPECT_EQ(Relevance::kCounted, of("MPI_Type_vector", Group::kMpi));
  EXPECT_EQ(Relevance::kFull, of("MPI_Cart_create", Group::kMpi));
  EXPECT_EQ(Relevance::kFull, of("MPI_Send", Group::kMpi));
  EXPECT_EQ(Relevance::kFull, of("pthread_mutex_lock", Group::kPthread));
}

TEST_F(AgentRelevance, TheCloserNameWins) {
  lists("mpi,MPI_Type_size", "MPI_S*,mpi-type", "MPI_Send,pthread");
  EXPECT_EQ(Relevance::kFull, of("MPI_Send", Group::kMpi));
  EXPECT_EQ(Relevance::kFlat, of("MPI_Ssend", Group::kMpi));
  EXPECT_EQ(Relevance::kCounted, of("MPI_Recv", Group::kMpi));
  EXPECT_EQ(Relevance::kFlat, of("MPI_Type_commit", Group::kMpi));
  EXPECT_EQ(Relevance::kCounted, of("MPI_Type_size", Group::kMpi));
  EXPECT_EQ(Relevance::kFull, of("pthread_join", Group::kPthread));
  lists("lock", "lock", "");
  EXPECT_EQ(Relevance::kFlat, of("pthread_rwlock_rdlock", Group::kPthread)) << "as close: the more";
  lists("*", "", "");
  EXPECT_EQ(Relevance::kFull, of("[call stack truncated]", Group::kAgent));
}

TEST_F(AgentRelevance, Globs) {
  EXPECT_TRUE(matchesGlob("", ""));
  EXPECT_TRUE(matchesGlob("*", ""));
  EXPECT_TRUE(matchesGlob("a*b?d", "axxbbcd"));
  EXPECT_TRUE(matchesGlob("*::end*", "std::vector<int>::end() const"));
  EXPECT_FALSE(matchesGlob("a*b", "axxbc"));
  EXPECT_FALSE(matchesGlob("?", ""));
  EXPECT_FALSE(matchesGlob("abc", "abcd"));
}

// Every routine that the table of MPI calls local is in a set that is counted usually.
TEST_F(AgentRelevance, TheLocalRoutinesOfMpiAreInSets) {
  lists("", "", "");
  const char* names[] = {
#define PARALLAX_MPI(Name, name)
#define PARALLAX_MPI_LOCAL(Name, name) "MPI_" #Name,
#include "interpose/mpi/mpi_routines.def"
  };
  for (const char* name : names) EXPECT_EQ(Relevance::kCounted, of(name, Group::kMpi)) << name;
}

TEST_F(AgentRelevance, AdaptersOfAList) {
  uint32_t adapters = 0;
  EXPECT_EQ("", parseAdapters("", &adapters));
  EXPECT_EQ(kAllAdapters, adapters);
  EXPECT_EQ("", parseAdapters(" mpi , user,", &adapters));
  EXPECT_EQ(1u << int(Adapter::kMpi) | 1u << int(Adapter::kUser), adapters);
  EXPECT_EQ("", parseAdapters("-mpi", &adapters));
  EXPECT_EQ(kAllAdapters & ~1u, adapters);
  EXPECT_EQ("-mp", parseAdapters("file,-mp,x", &adapters));
}

// Against a map: nothing is lost or counted twice, whatever stands in each other's way.
TEST(AgentVisits, AddUp) {
  const unsigned seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  auto counts = std::make_unique<VisitCounts>();
  std::map<uint32_t, uint64_t> expected, seen;
  auto see = [&](uint32_t path, uint64_t visits) { seen[path] += visits; };
  for (int i = 0; i < 200000; i++) {
    const uint32_t path = 1 + random() % (i < 100000 ? 300 : 5000);
    const uint64_t visits = 1 + random() % 3;
    expected[path] += visits;
    if (!counts->add(path, visits)) {
      uint32_t taken = 0;
      if (const uint64_t others = counts->take(path, &taken)) see(taken, others);
      ASSERT_TRUE(counts->add(path, visits));
    }
    if (random() % 10000 == 0) counts->takeAll(see);
  }
  counts->takeAll(see);
  EXPECT_EQ(expected, seen);
  seen.clear();
  counts->takeAll(see);
  EXPECT_TRUE(seen.empty());
}

}  // namespace
}  // namespace parallax
