// Waits that no thread ends: a time limit, or something that the agent does not see.
#pragma once

#include <cstdint>

#include "core/calls.h"
#include "format/format.h"

namespace parallax {

// An object of this process alone for such waits: a timer, or what the agent does not see (22). Their Wakes have the number
// 0. Inside a Guard.
uint32_t unsignalledObject(format::SyncKind kind);

// The call has waited until its time was over.
inline void tellTimedOut(Call& call) {
  if (call) call.emit(Kind::kWake, unsignalledObject(format::SyncKind::kTimer), {0});
}

}  // namespace parallax
