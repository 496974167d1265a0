// Signals that a thread takes, in its own time or by a handler that ends its wait.
#pragma once

#include <sys/signalfd.h>

#include <cstddef>
#include <cstdint>

#include "core/thread.h"
#include "interpose/descriptors/fd_call.h"
#include "interpose/process/interruption.h"

namespace parallax {

// Of a signal from a signalfd or from sigwaitinfo. Sending 0: a timer sent it.
TakenSignal takenSignal(int number, int code);

// From here on, also where the handler calls something recorded, which ends the wait in the trace. Once, at start.
void tellInterruptionsByHandlers();

// As for other calls (interruption.h).
inline void tellInterruption(FdCall& call) {
  if (call.entered()) tellSignalThatEnds(call);
}

// `take(TakenSignal)` for each signal with a known sending that a read of a signalfd has given.
template <class Take>
void takeSignals(const void* bytes, size_t sizeBytes, Take take) {
  const auto* infos = static_cast<const signalfd_siginfo*>(bytes);
  for (size_t i = 0; i < sizeBytes / sizeof *infos; i++) {
    const TakenSignal taken = takenSignal(static_cast<int>(infos[i].ssi_signo), infos[i].ssi_code);
    if (taken.object != 0) take(taken);
  }
}

}  // namespace parallax
