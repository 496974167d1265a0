#include "bench/peers_stats.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace parallax::bench {
namespace {

TEST(PeersStats, MedianOfOddAndEvenCounts) {
  EXPECT_EQ(median({3, 1, 2}), 2);
  EXPECT_EQ(median({4, 1, 2, 3}), 2.5);
  EXPECT_TRUE(std::isnan(median({})));
}

// The places that tables of the sign test give.
TEST(PeersStats, IntervalEndsAtThePlacesOfTheTables) {
  const auto placesOf = [](int count) {
    std::vector<double> values;
    for (int i = count; i >= 1; i--) values.push_back(i);
    const Estimate found = estimate(values);
    return std::make_pair(found.low, found.high);
  };
  EXPECT_TRUE(std::isinf(placesOf(5).first));
  EXPECT_EQ(placesOf(6), std::make_pair(1.0, 6.0));
  EXPECT_EQ(placesOf(8), std::make_pair(1.0, 8.0));
  EXPECT_EQ(placesOf(9), std::make_pair(2.0, 8.0));
  EXPECT_EQ(placesOf(15), std::make_pair(4.0, 12.0));
  EXPECT_EQ(placesOf(20), std::make_pair(6.0, 15.0));
  EXPECT_EQ(placesOf(25), std::make_pair(8.0, 18.0));
}

TEST(PeersStats, IntervalHoldsTheTrueMedianNineteenTimesInTwenty) {
  constexpr unsigned kSeed = 20;
  constexpr int kTrials = 4000;
  std::mt19937 random(kSeed);
  std::exponential_distribution<double> skewed(1.0);
  int held = 0;
  for (int trial = 0; trial < kTrials; trial++) {
    std::vector<double> values(21);
    for (double& value : values) value = skewed(random);
    const Estimate found = estimate(values);
    if (found.low <= std::log(2.0) && std::log(2.0) <= found.high) held++;
  }
  EXPECT_GE(held, kTrials * 0.94) << "seed " << kSeed;
  EXPECT_LE(held, kTrials * 0.99) << "seed " << kSeed;
}

TEST(PeersStats, AGoalIsDecidedByTheWholeInterval) {
  EXPECT_EQ(below({0.5, 0.2, 0.9, 9}, 1), Verdict::kReached);
  EXPECT_EQ(below({0.5, 0.2, 1.1, 9}, 1), Verdict::kNotDecided);
  EXPECT_EQ(below({1.5, 1.2, 1.9, 9}, 1), Verdict::kNotReached);
  EXPECT_EQ(below(estimate({0.1, 0.1, 0.1}), 1), Verdict::kNotDecided);
}

}  // namespace
}  // namespace parallax::bench
