// When functions that are instrumented are throttled; for the agent and for parallax-record.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/text.h"

namespace parallax {

inline constexpr uint64_t kThrottleCalls = 100000;
inline constexpr uint64_t kThrottleNs = 10000;

// `off`, or CALLS:NS: after so many calls of less than NS each, with what they call, on average.
// Returns false, and changes nothing, when it is neither; calls 0 is off.
inline bool parseThrottle(std::string_view text, uint64_t* calls, uint64_t* ns) {
  if (text == "off") {
    *calls = 0;
    return true;
  }
  constexpr uint64_t kMost = 999999999999;
  uint64_t numbers[2];
  const size_t colon = text.find(':');
  if (colon == std::string_view::npos || !parseNumber(text.substr(0, colon), 10, kMost, &numbers[0]) ||
      !parseNumber(text.substr(colon + 1), 10, kMost, &numbers[1]) || numbers[0] == 0) {
    return false;
  }
  *calls = numbers[0];
  *ns = numbers[1];
  return true;
}

}  // namespace parallax
