// Facts from /proc/self/status. Reading the file takes some 10 us.
#pragma once

#include <cstdint>

namespace parallax {

struct ProcessStatus {
  int filters = -1;     // number of seccomp filters of the process; -1: unknown (before Linux 5.9)
  uint64_t tracer = 0;  // the process that traces this one, or 0
};

// Also works in a process that may not be recorded.
ProcessStatus readProcessStatus();

}  // namespace parallax
