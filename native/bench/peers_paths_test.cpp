#include "bench/peers_paths.h"

#include <gtest/gtest.h>

namespace parallax::bench {
namespace {

// As parallax-bench-unwind prints it.
constexpr char kPrinted[] = R"(tables: 75870 rows of 7 modules, 889 KiB, made in 3.51 ms

same place                      10      1000
calls alone                    1.4       2.2
+ last walk                   30.9    6196.4
+ markers                     30.9      42.1
all frames marked             26.3      26.1
routine with call path        57.9      65.7
routine without               26.1      26.4
routine only counted           9.0       9.0

other place                     10      1000
+ last walk                   61.5    6014.2
+ markers                     61.5      84.2
routine with call path       117.6     122.7
routine without               26.1      26.4
routine only counted           8.9       8.8

new subtree, each frame         10      1000
routine with call path       960.0      23.3
routine without               27.4       3.7

What the call path adds to a routine, goal: at most 100 ns at any depth
same place                    31.8      39.3  reached
other place                   91.5      96.3  reached

with markers: 470862 walks, 470861 ended in the last one, 0 failed, 34317 markers put
)";

TEST(PeersPaths, TheDearestOfAllDepthsAtOneOrAnotherPlaceCounts) {
  const PathCosts costs = readPaths(kPrinted);
  EXPECT_EQ(costs.failure, "");
  EXPECT_DOUBLE_EQ(costs.mostNs, 122.7 - 26.4);
  EXPECT_EQ(costs.mostWhere, "other place, 1000 frames");
  EXPECT_EQ(costs.table, kPrinted);
}

TEST(PeersPaths, AnythingElseIsNoMeasurement) {
  EXPECT_NE(readPaths("").failure, "");
  EXPECT_NE(readPaths("same place                      10\ncalls alone        1.4\n").failure, "");
}

}  // namespace
}  // namespace parallax::bench
