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

other place                     10      1000
+ last walk                   61.5    6014.2
+ markers                     61.5      84.2

new subtree, each frame         10      1000
+ markers                    933.9       8.0

with markers: 470862 walks, 470861 ended in the last one, 0 failed, 34317 markers put
)";

TEST(PeersPaths, TheDearestOfAllDepthsAtOneOrAnotherPlaceCounts) {
  const PathCosts costs = readPaths(kPrinted);
  EXPECT_EQ(costs.failure, "");
  EXPECT_DOUBLE_EQ(costs.mostNs, 84.2);
  EXPECT_EQ(costs.mostWhere, "other place, 1000 frames");
  EXPECT_EQ(costs.table, kPrinted);
}

TEST(PeersPaths, AnythingElseIsNoMeasurement) {
  EXPECT_NE(readPaths("").failure, "");
  EXPECT_NE(readPaths("same place                      10\ncalls alone        1.4\n").failure, "");
}

}  // namespace
}  // namespace parallax::bench
