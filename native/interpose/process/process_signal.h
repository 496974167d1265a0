// Signals that a thread takes in its own time, not by a handler.
#pragma once

#include <sys/signalfd.h>

#include <cstddef>
#include <cstdint>

namespace parallax {

// The sending by which this process got a signal that it takes now: what a Wake tells. Object 0: who
// sent it was not recorded. Inside a Guard.
struct TakenSignal {
  uint32_t object = 0;
  uint64_t sending = 0;
};
TakenSignal takenSignal(int number, int code);

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
