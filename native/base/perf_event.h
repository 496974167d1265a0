// Perf events of the calling thread's task clock.
#pragma once

#include <csignal>
#include <cstring>
#include <linux/perf_event.h>

#include "base/sys.h"

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

// One that raises SIGTRAP in the thread each time that it has run for so long, with `data` in the
// signal. It must not outlive an execution, after which the signal would end the program.
inline perf_event_attr taskClockWithSignal(uint64_t periodNs, uint64_t data) {
  perf_event_attr attributes = taskClock();
  attributes.sample_period = periodNs;
  attributes.sigtrap = 1;
  attributes.remove_on_exec = 1;
  attributes.sig_data = data;
  return attributes;
}

constexpr int kTrapPerf = 6;  // si_code of that signal; headers may be older

// The word that the kernel stores after si_addr for TRAP_PERF.
inline uint64_t perfDataOf(const siginfo_t& info) {
  constexpr size_t kOffset = 24;
  uint64_t data;
  memcpy(&data, reinterpret_cast<const char*>(&info) + kOffset, sizeof data);
  return data;
}

// A descriptor, or -errno.
inline int openPerfEvent(const perf_event_attr& attributes) {
  constexpr long kThisThread = 0, kAnyCpu = -1, kNoGroup = -1;
  return static_cast<int>(call(SYS_perf_event_open, word(&attributes), kThisThread, kAnyCpu,
                               kNoGroup, PERF_FLAG_FD_CLOEXEC));
}

}  // namespace parallax::sys
