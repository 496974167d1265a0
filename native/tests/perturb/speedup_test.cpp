// Virtual speed-ups of a function, and the same programs with the function really faster.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/perturb/speedup_trials.h"

namespace parallax::tests {
namespace {

struct Case {
  const char* shape;
  const char* build;
  int percent;
  double tolerance;  // of the elapsed time as it is, in percent
};

std::string caseName(const testing::TestParamInfo<Case>& info) {
  const Case& c = info.param;
  return std::string(c.shape) + (*c.build != '\0' ? "_" : "") + c.build + "_" + std::to_string(c.percent);
}

class VirtualSpeedup : public testing::TestWithParam<Case> {
 protected:
  static void SetUpTestSuite() { trials = new SpeedupTrials(0.5); }
  static void TearDownTestSuite() { delete trials; }
  static SpeedupTrials* trials;
};
SpeedupTrials* VirtualSpeedup::trials = nullptr;

// In the middle of three runs. Not more of them where others disturb.
double middleOf(SpeedupTrials* trials, const SpeedupRun& what) {
  const int before = trials->disturbed();
  std::vector<double> ms;
  for (int i = 0; i < 3 && trials->disturbed() == before; i++) {
    const auto result = trials->run(what);
    EXPECT_TRUE(result) << trials->problem();
    if (!result) return 0;
    ms.push_back(result->ms);
  }
  std::sort(ms.begin(), ms.end());
  return ms[ms.size() / 2];
}

// Once more where it is not: the clock of a virtual machine goes on while others have its processors.
TEST_P(VirtualSpeedup, IsWhatTheRealOneGains) {
  constexpr int kAttempts = 3;
  const Case& c = GetParam();
  if (!trials->has(c.build)) GTEST_SKIP() << "no " << c.build;
  for (int attempt = 1;; attempt++) {
    const int before = trials->disturbed();
    const double as = middleOf(trials, {c.shape, c.build, 0, 0});
    const double real = middleOf(trials, {c.shape, c.build, c.percent, 0});
    const double predicted = middleOf(trials, {c.shape, c.build, 0, c.percent});
    if (HasFailure()) return;
    if (trials->disturbed() > before) GTEST_SKIP() << "other processes take the processors";
    const double gain = 100 * (1 - real / as), told = 100 * (1 - predicted / as);
    if (attempt < kAttempts && std::abs(told - gain) > c.tolerance) continue;
    EXPECT_NEAR(told, gain, c.tolerance) << "as it is " << as << " ms, really faster " << real
                                         << " ms, virtually " << predicted << " ms";
    return;
  }
}

INSTANTIATE_TEST_SUITE_P(Programs, VirtualSpeedup,
                         testing::Values(Case{"halves", "", 25, 6}, Case{"halves", "", 100, 6},
                                         Case{"aside", "", 50, 6}, Case{"queue", "", 50, 6},
                                         Case{"barriers", "", 50, 6}, Case{"both", "", 50, 8},
                                         Case{"bothfine", "", 50, 15}, Case{"locks", "", 50, 8},
                                         Case{"callees", "", 10, 6}, Case{"callees", "", 20, 6},
                                         Case{"callees", "", 30, 6},
                                         Case{"calleesaside", "", 30, 6},
                                         Case{"pipe", "", 50, 8}, Case{"ranks", "openmpi", 50, 8},
                                         Case{"ranks", "mpich", 100, 8},
                                         Case{"reduce", "mpich", 50, 8}, Case{"regions", "gnu", 50, 8},
                                         Case{"tasks", "gnu", 50, 8}),
                         caseName);

// It counts what it sampled, and adds nothing when it is to look no faster.
TEST_F(VirtualSpeedup, OfNothingOnlySamples) {
  const int before = trials->disturbed();
  const auto result = trials->run({"halves", "", 0, 0});
  ASSERT_TRUE(result) << trials->problem();
  EXPECT_EQ(result->delayMs, 0);
  if (trials->disturbed() == before) {
    EXPECT_NEAR(result->hotMs, 150, 15) << "half of 300 ms";
  }
}

// All samples are in what the function calls, and half of what is called there is not by it.
TEST_F(VirtualSpeedup, IsOfWhatTheFunctionCalls) {
  const int before = trials->disturbed();
  const auto result = trials->run({"callees", "", 0, 0});
  ASSERT_TRUE(result) << trials->problem();
  if (trials->disturbed() > before) GTEST_SKIP() << "other processes take the processors";
  EXPECT_NEAR(result->hotMs, 150, 15) << "half of 300 ms";
}

// The same below a deep recursion, of which the function is the root.
TEST_F(VirtualSpeedup, IsOfTheRootOfARecursion) {
  const auto shallow = trials->run({"callees", "", 0, 0});
  ASSERT_TRUE(shallow) << trials->problem();
  for (const char* shape : {"deep", "deeper"}) {
    const int before = trials->disturbed();
    const auto result = trials->run({shape, "", 0, 0});
    ASSERT_TRUE(result) << trials->problem();
    EXPECT_GT(result->hotMs, shallow->hotMs / 2) << shape;
    if (trials->disturbed() > before) continue;
    // Walks of ten thousand frames take time too, in which the program is sampled again.
    EXPECT_NEAR(result->hotMs, 150, shape == std::string("deeper") ? 50 : 15) << shape << ": half of 300 ms";
  }
}

TEST_F(VirtualSpeedup, DelaysAllByWhatTheFunctionWouldTakeLess) {
  const int before = trials->disturbed();
  const auto result = trials->run({"halves", "", 0, 50});
  ASSERT_TRUE(result) << trials->problem();
  // Pauses end late where others have the processors, and count as long as they were.
  if (trials->disturbed() > before) GTEST_SKIP() << "other processes take the processors";
  EXPECT_NEAR(result->delayMs, result->hotMs / 2, 1);
}

// Delays at a place in the function are not the function's.
TEST_F(VirtualSpeedup, IsNotOfDelays) {
  const int before = trials->disturbed();
  SpeedupRun what{"barriers", "", 0, 0};
  const auto plain = trials->run(what);
  ASSERT_TRUE(plain) << trials->problem();
  what.delayNs = 20000000;  // 15 times
  const auto delayed = trials->run(what);
  ASSERT_TRUE(delayed) << trials->problem();
  if (trials->disturbed() > before) GTEST_SKIP() << "other processes take the processors";
  EXPECT_GT(delayed->ms, plain->ms + 200);
  EXPECT_NEAR(delayed->hotMs, plain->hotMs, 0.25 * plain->hotMs);
}

TEST_F(VirtualSpeedup, IsTheSameInAProgramThatIsTraced) {
  const int before = trials->disturbed();
  SpeedupRun what{"queue", "", 0, 50};
  const double plain = middleOf(trials, what);
  what.traced = true;
  const double traced = middleOf(trials, what);
  if (trials->disturbed() > before) GTEST_SKIP() << "other processes take the processors";
  EXPECT_NEAR(traced, plain, plain * 0.12);
}

}  // namespace
}  // namespace parallax::tests
