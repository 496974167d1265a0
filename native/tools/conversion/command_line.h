// What the command lines of these programs have in common.
#pragma once

#include <stdio.h>
#include <sys/resource.h>

#include <cstdint>
#include <string>

namespace parallax::conversion {

inline int fail(const char* program, const std::string& message) {
  fprintf(stderr, "%s: %s\n", program, message.c_str());
  return 1;
}

// `command` is what --help belongs to.
inline int wrongUse(const char* program, const std::string& message, const char* command) {
  fprintf(stderr, "%s: %s; see: %s --help\n", program, message.c_str(), command);
  return 2;
}

// A line for --progress.
inline void printProgress(uint64_t done, uint64_t all) {
  printf("%llu %llu\n", static_cast<unsigned long long>(done), static_cast<unsigned long long>(all));
  fflush(stdout);
}

// Of addresses. Sanitizers need far more, and have no limit.
inline void limitMemory(rlim_t gibibytes) {
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  const rlimit most{gibibytes << 30, gibibytes << 30};
  setrlimit(RLIMIT_AS, &most);
#endif
}

}  // namespace parallax::conversion
