// Whether the program may be changed, or called, at this moment.
#pragma once

namespace parallax::tuning {

// Whether the calling thread is in a handler of a signal, or may be: it is on an alternate stack, or on one that is not its own, or
// the frame of a handler stands on its stack. What was left on the stack by a handler that has ended can look like one; then
// the answer is wrong until that is overwritten.
bool mayBeInHandler();

}  // namespace parallax::tuning
