// What both directions of parallax-otf2 print.
#pragma once

#include <stdio.h>

#include <cstdint>
#include <string>

namespace parallax::otf2 {

inline int fail(const std::string& message) {
  fprintf(stderr, "parallax-otf2: %s\n", message.c_str());
  return 1;
}

// `command` is what --help belongs to.
inline int wrongUse(const std::string& message, const char* command) {
  fprintf(stderr, "parallax-otf2: %s; see: %s --help\n", message.c_str(), command);
  return 2;
}

// A line for --progress.
inline void printProgress(uint64_t done, uint64_t all) {
  printf("%llu %llu\n", static_cast<unsigned long long>(done), static_cast<unsigned long long>(all));
  fflush(stdout);
}

}  // namespace parallax::otf2
