// The lock-free tables: addresses, call paths.
#include <gtest/gtest.h>

#include <cstdlib>
#include <set>
#include <thread>
#include <vector>

#include "base/address_table.h"
#include "base/launchers.h"
#include "core/agent.h"
#include "core/sync_objects.h"

namespace parallax {
namespace {

struct Counter {
  std::atomic<uint64_t> value;
};

TEST(AgentTables, AddressesKeepTheirEntryWhileTheTableGrows) {
  static AddressTable<Counter> table;
  constexpr uint64_t kAddresses = 50000;
  EXPECT_EQ(nullptr, table.find(64));
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; t++) {
    threads.emplace_back([] {
      for (uint64_t i = 1; i <= kAddresses; i++) table.obtain(i * 48)->value.fetch_add(i);
    });
  }
  for (auto& thread : threads) thread.join();
  for (uint64_t i = 1; i <= kAddresses; i++) {
    Counter* found = table.find(i * 48);
    ASSERT_NE(nullptr, found);
    ASSERT_EQ(4 * i, found->value.load());
  }
  size_t entries = 0;
  table.forEach([&](uint64_t, Counter&) { entries++; });
  EXPECT_EQ(kAddresses, entries);
}

TEST(AgentTables, CallPathsHaveOneNumber) {
  constexpr uint32_t kPaths = 50000;
  std::vector<std::vector<uint32_t>> numbers(4, std::vector<uint32_t>(kPaths));
  std::vector<std::thread> threads;
  for (auto& own : numbers) {
    threads.emplace_back([&own] {
      for (uint32_t i = 0; i < kPaths; i++) {
        const uint32_t parent = i == 0 ? 0 : own[i / 2];
        own[i] = callPath(parent, format::PathKind::kReturnAddress, 0x400000 + i);
      }
    });
  }
  for (auto& thread : threads) thread.join();
  for (size_t t = 1; t < numbers.size(); t++) EXPECT_EQ(numbers[0], numbers[t]);
  EXPECT_EQ(kPaths, std::set<uint32_t>(numbers[0].begin(), numbers[0].end()).size());
  EXPECT_EQ(0u, std::set<uint32_t>(numbers[0].begin(), numbers[0].end()).count(0));
  // The kind and the parent are part of what a path is.
  const uint32_t other = callPath(0, format::PathKind::kAddress, 0x400000);
  EXPECT_NE(numbers[0][0], other);
  EXPECT_EQ(other, callPath(0, format::PathKind::kAddress, 0x400000));
}

// Beyond what the first buckets are made for. PARALLAX_TEST_PATHS tries more than the usual number.
TEST(AgentTables, MillionsOfCallPathsHaveOneNumberAndStayQuick) {
  const char* wanted = getenv("PARALLAX_TEST_PATHS");
  const uint32_t paths = wanted != nullptr ? static_cast<uint32_t>(atol(wanted)) : 1000000;
  const auto value = [](uint32_t i) { return uint64_t{0x7f0000000000} + uint64_t{i} * 4; };
  const uint32_t first = callPath(0, format::PathKind::kReturnAddress, value(0));
  std::vector<uint32_t> numbers(paths);
  for (uint32_t i = 0; i < paths; i++) {
    numbers[i] = callPath(first + i % 3, format::PathKind::kReturnAddress, value(i));
  }
  const std::set<uint32_t> distinct(numbers.begin(), numbers.end());
  EXPECT_EQ(paths, distinct.size());
  for (uint32_t i = 0; i < paths; i += 7) {
    ASSERT_EQ(numbers[i], callPath(first + i % 3, format::PathKind::kReturnAddress, value(i)));
  }
}

TEST(AgentTables, AnObjectMadeAnewHasANewNumber) {
  int place = 0;
  SyncObject* object = syncObject(format::SyncKind::kMutex, &place);
  ASSERT_NE(nullptr, object);
  const uint32_t first = object->id.load();
  object->count(Count::kAcquisitions).store(5);
  EXPECT_EQ(object, syncObject(format::SyncKind::kMutex, &place));
  EXPECT_EQ(first, object->id.load());
  renewSyncObject(&place);
  EXPECT_EQ(object, syncObject(format::SyncKind::kMutex, &place));
  EXPECT_NE(first, object->id.load());
  EXPECT_EQ(0u, object->count(Count::kAcquisitions).load());
  // Another kind of object at the same address is another object, too.
  const uint32_t second = object->id.load();
  EXPECT_NE(second, syncObject(format::SyncKind::kCondition, &place)->id.load());
}

TEST(AgentTables, LaunchersByName) {
  for (const char* name : {"mpirun", "mpirun.openmpi", "mpiexec.hydra", "orted", "prted",
                           "prterun", "prte", "hydra_pmi_proxy", "srun", "slurmstepd", "sh", "bash", "dash", "env",
                           "ssh", "timeout", "numactl", "xargs", "parallax-symbols"}) {
    EXPECT_TRUE(isLauncher(name)) << name;
  }
  for (const char* name : {"", "solver", "shell", "bashful", "python3.11", "mpi", "environment"}) {
    EXPECT_FALSE(isLauncher(name)) << name;
  }
  EXPECT_TRUE(isScriptTool("cat"));
  EXPECT_FALSE(isScriptTool("catalogue"));
}

}  // namespace
}  // namespace parallax
