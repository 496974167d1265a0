// What the kernel tells of this process in /proc/self/status. A read of it takes some 10 us.
#pragma once

#include <cstdint>

namespace parallax {

struct ProcessStatus {
  int filters = -1;     // of seccomp, that hold for the process; -1: not known (before Linux 5.9)
  uint64_t tracer = 0;  // the process that traces this one, or 0
};

// Of a process that may not be recorded, too.
ProcessStatus readProcessStatus();

}  // namespace parallax
