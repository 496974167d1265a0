// What `record` has found out about its machine, so that not every process of the run has to.
//
// PARALLAX_MACHINE is "HOST RELEASE FACTS": facts that hold for processes on a host and kernel of
// these names. Those elsewhere look for themselves.
#pragma once

#include <sys/utsname.h>

#include <cstddef>
#include <string_view>

namespace parallax::machine {

inline constexpr char kInvariantTsc = 't';    // clock.h
inline constexpr char kOrderingFence = 'f';   // clock.h
inline constexpr char kSwitchMark = 'm';      // switch_mark.h
inline constexpr char kHardwareCrc = 'c';     // format/crc32c.h
inline constexpr char kRing = 'u';         // transport/async_ring.h
inline constexpr size_t kMostBytes = 160;

// "HOST RELEASE " into `text`, of kMostBytes. Returns its length.
inline size_t writeName(const utsname& names, char* text) {
  size_t at = 0;
  for (const char* part : {names.nodename, names.release}) {
    while (*part != '\0' && at < kMostBytes - 2) text[at++] = *part++;
    text[at++] = ' ';
  }
  return at;
}

// Whether `told`, the variable's value, says so of the machine of these names.
inline bool has(std::string_view told, const utsname& names, char fact) {
  char name[kMostBytes];
  const std::string_view own(name, writeName(names, name));
  return told.substr(0, own.size()) == own &&
         told.substr(own.size()).find(fact) != std::string_view::npos;
}

}  // namespace parallax::machine
