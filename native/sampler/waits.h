// Waits outside intercepted routines, for samples on wall time (PARALLAX_SAMPLE_CLOCK=wall).
//
// No signal may end or shorten a wait of the program, so none is sent to a thread that waits.
// Instead the time without the processor in these routines is added up, and each time that it
// passes a sample period the routine in which it does takes a sample at its end, with the path
// of its caller: samples of waits come by the time waited as others come by CPU time.
#pragma once

#include <cerrno>

#include "agent/agent.h"
#include "agent/cpu_clock.h"
#include "sampler/sampler.h"

namespace parallax::sampler {

template <class Wait>
auto sampledWait(Wait wait) {
  if (!samplesWaits()) return wait();
  const uint64_t beginNs = monotonicNs();
  const uint64_t beginCpuNs = CpuClock::readNs();
  const auto result = wait();
  const int savedErrno = errno;
  const auto waitedNs = static_cast<int64_t>((monotonicNs() - beginNs) -
                                             (CpuClock::readNs() - beginCpuNs));
  if (waitedNs > 0) waited(static_cast<uint64_t>(waitedNs));
  errno = savedErrno;
  return result;
}

}  // namespace parallax::sampler
