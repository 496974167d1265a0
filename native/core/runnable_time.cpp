#include "core/runnable_time.h"

#include <sys/resource.h>

#include "base/sys.h"
#include "format/slots.h"

namespace parallax {

bool RunnableTime::readSwitches(Switches* switches) {
  rusage usage{};
  if (sys::call(SYS_getrusage, RUSAGE_THREAD, sys::word(&usage)) != 0) return false;
  *switches = {static_cast<uint64_t>(usage.ru_nvcsw), static_cast<uint64_t>(usage.ru_nivcsw)};
  return true;
}

uint64_t RunnableTime::take(bool isAll) {
  const uint64_t untoldNs = untoldNs_;
  untoldNs_ = 0;
  Switches now;
  if (!readSwitches(&now)) return format::kRunnableUnknown;
  const bool gaveUp = now.voluntary != switches_.voluntary;
  const bool wasPreempted = now.involuntary != switches_.involuntary;
  if (isAll) switches_ = now;
  // Without any switch a hypervisor or interrupts took the time.
  if (!gaveUp) return untoldNs;
  return wasPreempted ? format::kRunnableUnknown : 0;
}

}  // namespace parallax
