// Perf events of the calling thread's task clock.
#pragma once

#include <linux/perf_event.h>

#include "agent/sys.h"

namespace parallax::sys {

// What any user may open up to perf_event_paranoid 2.
inline perf_event_attr taskClock() {
  perf_event_attr attributes{};
  attributes.type = PERF_TYPE_SOFTWARE;
  attributes.size = sizeof attributes;
  attributes.config = PERF_COUNT_SW_TASK_CLOCK;
  attributes.exclude_kernel = 1;
  attributes.exclude_hv = 1;
  return attributes;
}

// A descriptor, or -errno.
inline int openPerfEvent(const perf_event_attr& attributes) {
  constexpr long kThisThread = 0, kAnyCpu = -1, kNoGroup = -1;
  return static_cast<int>(call(SYS_perf_event_open, word(&attributes), kThisThread, kAnyCpu,
                               kNoGroup, PERF_FLAG_FD_CLOEXEC));
}

}  // namespace parallax::sys
