#include "tools/conversion/rank_runs.h"

namespace parallax::conversion {

using format::RankRun;

uint64_t mix(uint64_t a, uint64_t b) {
  uint64_t x = a ^ (b + 0x9E3779B97F4A7C15 + (a << 6) + (a >> 2));
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9;
  x = (x ^ x >> 27) * 0x94D049BB133111EB;
  x ^= x >> 31;
  return x == 0 ? 1 : x;
}

std::vector<RankRun> runsOf(const std::vector<uint64_t>& ranks) {
  std::vector<RankRun> runs;
  for (const uint64_t value : ranks) {
    const auto rank = static_cast<uint32_t>(value);
    if (!runs.empty()) {
      RankRun& last = runs.back();
      const int64_t step = int64_t{rank} - (int64_t{last.first} + int64_t{last.stride} * (last.count - 1));
      if (last.count == 1 && step != 0 && step >= INT32_MIN && step <= INT32_MAX) {
        last.stride = static_cast<int32_t>(step);
        last.count = 2;
        continue;
      }
      if (last.count > 1 && step == last.stride) {
        last.count++;
        continue;
      }
    }
    runs.push_back({rank, 1, 1});
  }
  return runs;
}

}  // namespace parallax::conversion
