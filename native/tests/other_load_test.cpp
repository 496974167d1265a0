// What measurements beside other programs count for.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <string>

#include "tests/other_load.h"

namespace parallax::tests {
namespace {

// A child that keeps a processor busy until it is ended, and has had so much of one.
class BusyChild {
 public:
  BusyChild() : pid_(fork()) {
    if (pid_ == 0) {
      for (volatile unsigned i = 0;; i = i + 1) {
      }
    }
  }
  ~BusyChild() {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  void awaitMs(long ms) const {
    clockid_t clock;
    timespec used{};
    ASSERT_EQ(0, clock_getcpuclockid(pid_, &clock));
    while (clock_gettime(clock, &used) == 0 && used.tv_sec * 1000 + used.tv_nsec / 1000000 < ms) usleep(1000);
  }

 private:
  pid_t pid_;
};

TEST(OtherLoad, IsOfProgramsThatAreNotOfTheTest) {
  const OtherLoad load;
  const BusyChild child;
  child.awaitMs(1000);
  EXPECT_GT(load.ms(), 900);
  EXPECT_GT(load.share(), 0);
}

TEST(OtherLoad, RightTimesPassAtOnce) {
  int made = 0;
  const Measured measured = measure(3, [&](int number) {
    made = number;
    return std::string(number < 2 ? "wrong" : "");
  });
  EXPECT_EQ(2, made);
  EXPECT_EQ("", measured.wrong + measured.skipped);
}

// Whatever else the machine does: either all attempts were disturbed or one was not.
TEST(OtherLoad, WrongTimesFailOrAreSkipped) {
  int made = 0;
  const Measured measured = measure(3, [&](int number) {
    made = number;
    usleep(20000);
    return "wrong " + std::to_string(number);
  });
  EXPECT_EQ(3, made);
  EXPECT_NE(measured.wrong == "", measured.skipped == "");
}

TEST(OtherLoad, WrongTimesAreSkippedBesideOthers) {
  if (sysconf(_SC_NPROCESSORS_ONLN) > 16) GTEST_SKIP() << "one program is little load for so many processors";
  const BusyChild child;
  const Measured beside = measure(2, [&](int number) {
    child.awaitMs(300 * number);
    return std::string("wrong");
  });
  EXPECT_EQ("", beside.wrong);
  EXPECT_EQ(0u, beside.skipped.find("other programs took at least ")) << beside.skipped;
}

}  // namespace
}  // namespace parallax::tests
