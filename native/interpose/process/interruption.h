// Waits that the handler of a signal has ended.
#pragma once

#include <cstdint>

#include "core/calls.h"

namespace parallax {

// What a Wake tells of a signal that a thread has taken: the sending, by which this process or thread got it. Object 0:
// nothing is to be told. Inside a Guard.
struct TakenSignal {
  uint32_t object = 0;
  uint64_t sending = 0;
};

// Of the signal whose handler has interrupted a wait of this thread: the last one that was sent to it, or to its process,
// or its group, that has interrupted no wait before, and that was sent since the wait began, at `waitTicks`. Sending 0:
// a timer, or somebody who was not recorded.
TakenSignal interruptingSignal(uint64_t waitTicks);

// Tells by what signal a wait ended that returned EINTR. Instead of returned().
template <class AnyCall>
void tellSignalThatEnds(AnyCall& call) {
  const TakenSignal taken = interruptingSignal(call.enterTicks());
  call.returned();
  if (taken.object != 0) call.emit(Kind::kWake, taken.object, {taken.sending});
}
inline void tellInterruption(Call& call) {
  if (call) tellSignalThatEnds(call);
}

}  // namespace parallax
