// Signals that a thread takes, in its own time or by a handler that ends its wait.
#pragma once

#include <sys/signalfd.h>

#include <cstddef>
#include <cstdint>

#include "core/thread.h"
#include "interpose/descriptors/fd_call.h"

namespace parallax {

// What a Wake tells of a signal that a thread has taken: the sending, by which this process or thread got it. Object 0:
// nothing is to be told. Inside a Guard.
struct TakenSignal {
  uint32_t object = 0;
  uint64_t sending = 0;
};

// Of a signal from a signalfd or from sigwaitinfo. Sending 0: a timer sent it.
TakenSignal takenSignal(int number, int code);

// Of the signal whose handler has interrupted a wait of this thread: the last one that was sent to it, or to its process,
// or its group, that has interrupted no wait before, and that was sent since the wait began, at `waitTicks`. Sending 0:
// a timer, or somebody who was not recorded.
TakenSignal interruptingSignal(uint64_t waitTicks);

// From here on, also where the handler calls something recorded, which ends the wait in the trace. Once, at start.
void tellInterruptionsByHandlers();

// Tells by what signal a wait ended that returned EINTR. Instead of returned().
template <class AnyCall>
void tellSignalThatEnds(AnyCall& call) {
  const TakenSignal taken = interruptingSignal(call.enterTicks());
  call.returned();
  if (taken.object != 0) call.emit(Kind::kWake, taken.object, {taken.sending});
}
inline void tellInterruption(FdCall& call) {
  if (call.entered()) tellSignalThatEnds(call);
}
inline void tellInterruption(Call& call) {
  if (call) tellSignalThatEnds(call);
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
