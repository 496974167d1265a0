// What the agent assumes of glibc (core/glibc.h), of the one that is here.
#include <stdlib.h>
#include <sys/wait.h>

#include <gtest/gtest.h>

#include "base/settings.h"
#include "core/glibc.h"

namespace parallax::glibc {
namespace {

constexpr int kEnd = static_cast<int>(Assumption::kEnd);

class Glibc : public testing::Test {
 protected:
  void distrust(const std::string& names) {
    setenv("PARALLAX_DISTRUST", names.c_str(), 1);
    copySettings();
    check();
  }
  void TearDown() override { distrust(""); }
};

TEST_F(Glibc, IsAsAssumed) {
  for (int i = 0; i < kEnd; i++) {
    const auto assumption = static_cast<Assumption>(i);
    EXPECT_TRUE(check(assumption)) << nameOf(assumption);
  }
}

TEST_F(Glibc, EachCanBeDistrusted) {
  for (int i = 0; i < kEnd; i++) {
    distrust(std::string("x, ") + nameOf(static_cast<Assumption>(i)));
    for (int j = 0; j < kEnd; j++) {
      EXPECT_EQ(holds(static_cast<Assumption>(j)), i != j) << nameOf(static_cast<Assumption>(i)) << " " << j;
    }
  }
}

TEST_F(Glibc, RefutedIsFalseFromThenOn) {
  distrust("");
  EXPECT_TRUE(holds(Assumption::kStdioTables));
  refute(Assumption::kStdioTables);
  EXPECT_FALSE(holds(Assumption::kStdioTables));
  EXPECT_TRUE(holds(Assumption::kMutex));
}

TEST_F(Glibc, TargetOfAJump) {
  distrust("");
  jmp_buf buffer;
  ASSERT_EQ(setjmp(buffer), 0);
  const auto here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  EXPECT_LE(jumpTarget(buffer), here);
  EXPECT_GT(jumpTarget(buffer), here - (64 << 10));
  distrust("jump-buffer");
  EXPECT_EQ(jumpTarget(buffer), 0u);
}

TEST_F(Glibc, ProcessOfPopen) {
  distrust("");
  FILE* stream = popen("exit 3", "r");
  ASSERT_NE(stream, nullptr);
  const int pid = popenProcess(stream);
  siginfo_t info{};
  EXPECT_EQ(waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOWAIT), 0);
  EXPECT_EQ(info.si_status, 3);
  distrust("popen-stream");
  EXPECT_EQ(popenProcess(stream), 0);
  pclose(stream);
}

TEST_F(Glibc, LocksThatAreSharedOrNot) {
  pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
  pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
  distrust("");
  EXPECT_FALSE(mayBeShared(&condition));
  EXPECT_FALSE(mayBeShared(&lock));
  distrust("condition");
  EXPECT_TRUE(mayBeShared(&condition));
  EXPECT_FALSE(mayBeShared(&lock));
  distrust("read-write-lock");
  EXPECT_FALSE(mayBeShared(&condition));
  EXPECT_TRUE(mayBeShared(&lock));
}

}  // namespace
}  // namespace parallax::glibc
