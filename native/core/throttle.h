// When functions that are instrumented are throttled; for the agent and for parallax-record.
#pragma once

#include <cstdint>
#include <string_view>

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
  uint64_t numbers[2] = {0, 0};
  const size_t colon = text.find(':');
  if (colon == std::string_view::npos) return false;
  const std::string_view parts[2] = {text.substr(0, colon), text.substr(colon + 1)};
  for (int i = 0; i < 2; i++) {
    if (parts[i].empty() || parts[i].size() > 12) return false;
    for (const char c : parts[i]) {
      if (c < '0' || c > '9') return false;
      numbers[i] = numbers[i] * 10 + static_cast<uint64_t>(c - '0');
    }
  }
  if (numbers[0] == 0) return false;
  *calls = numbers[0];
  *ns = numbers[1];
  return true;
}

}  // namespace parallax
