// The table of counters that the processes of a host share.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <memory>
#include <set>
#include <string>

#include "base/sys.h"
#include "core/shared_counters.h"
#include "tests/temporary_directory.h"

namespace parallax {
namespace {

constexpr char kFile[] = "host.shared";

class AgentSharedCounters : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(0, directory_.open(path_.path().c_str()));
  }
  SharedCounters* obtain(SharedTable& table, uint64_t high, uint64_t low) {
    return table.obtain(directory_, kFile, high, low);
  }
  // Runs f(table) in children that have a table of their own; returns how many ended well.
  template <class F>
  int inChildren(int children, F f) {
    for (int i = 0; i < children; i++) {
      if (fork() == 0) {
        auto table = std::make_unique<SharedTable>();
        f(*table);
        _exit(0);
      }
    }
    int good = 0, status = 0;
    while (wait(&status) > 0) good += status == 0 ? 1 : 0;
    return good;
  }

  const TemporaryDirectory path_;
  TraceDirectory directory_;
};

TEST_F(AgentSharedCounters, ProcessesCountTogether) {
  // More keys than the first two levels hold, and keys that share one half.
  constexpr uint64_t kKeys = 5000;
  ASSERT_EQ(4, inChildren(4, [this](SharedTable& table) {
    for (uint64_t i = 1; i <= kKeys; i++) {
      for (const SharedCounters* counters :
           {obtain(table, i, 7), obtain(table, 7, i), obtain(table, i * 0x100000001, i)}) {
        if (counters == nullptr) _exit(1);
        const_cast<SharedCounters*>(counters)->value[i % 4].fetch_add(i);
      }
    }
  }));
  SharedTable table;
  std::set<SharedCounters*> distinct;
  for (uint64_t i = 1; i <= kKeys; i++) {
    for (SharedCounters* counters :
         {obtain(table, i, 7), obtain(table, 7, i), obtain(table, i * 0x100000001, i)}) {
      ASSERT_NE(nullptr, counters);
      distinct.insert(counters);
      if (i == 7) continue;  // (7, 7) was counted twice
      ASSERT_EQ(4 * i, counters->value[i % 4].load()) << i;
      ASSERT_EQ(0u, counters->value[(i + 1) % 4].load()) << i;
    }
  }
  EXPECT_EQ(3 * kKeys - 1, distinct.size());
}

TEST_F(AgentSharedCounters, KilledProcessesLeaveAUsableTable) {
  constexpr uint64_t kKeys = 20000;
  for (int round = 0; round < 10; round++) {
    const pid_t child = fork();
    if (child == 0) {
      SharedTable table;
      for (uint64_t i = 1; i <= kKeys; i++) obtain(table, i, 1)->value[0].store(i);
      _exit(0);
    }
    usleep(200 * static_cast<unsigned>(round));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
  }
  ASSERT_EQ(2, inChildren(2, [this](SharedTable& table) {
    for (uint64_t i = 1; i <= kKeys; i++) obtain(table, i, 1)->value[1].fetch_add(i);
  }));
  SharedTable table;
  for (uint64_t i = 1; i <= kKeys; i++) {
    const SharedCounters* counters = obtain(table, i, 1);
    ASSERT_TRUE(counters->value[0] == 0 || counters->value[0] == i);
    ASSERT_EQ(2 * i, counters->value[1]);
  }
}

TEST_F(AgentSharedCounters, NoSpaceIsNoCounters) {
  ASSERT_EQ(1, inChildren(1, [this](SharedTable& table) {
    signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{100 << 10, 100 << 10};  // the first level fits
    setrlimit(RLIMIT_FSIZE, &limit);
    int found = 0;
    for (uint64_t i = 1; i < 5000; i++) found += obtain(table, i, i) != nullptr;
    if (found < 500 || found > 1024) _exit(1);
  }));
  SharedTable table;
  EXPECT_EQ(nullptr, obtain(table, 0, 0));
  EXPECT_NE(nullptr, obtain(table, 0, 1));
  EXPECT_NE(obtain(table, 0, 1), obtain(table, 1, 0));
}

TEST_F(AgentSharedCounters, TheFileGrowsWithItsUse) {
  SharedTable table;
  ASSERT_NE(nullptr, obtain(table, 1, 1));
  struct stat status;
  ASSERT_EQ(0, stat((path_ / kFile).c_str(), &status));
  EXPECT_EQ(4096 + 1024 * 64, status.st_size);
}

}  // namespace
}  // namespace parallax
