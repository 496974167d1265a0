// For calls of the program that must find no thread of the agent's.
#pragma once

#include "core/process.h"
#include "transport/block_buffer.h"
#include "transport/transport_mode.h"

namespace parallax {

// While it exists, no threads write events but those of the program. errno stays.
class WritesHeld {
 public:
  WritesHeld() : held_(transportMode.isAsync() && process.isOurs()) {
    if (!held_) return;
    AsyncWrite::hold();
    BlockBuffer::awaitWrites();
  }
  ~WritesHeld() {
    if (held_) AsyncWrite::letGo();
  }
  WritesHeld(const WritesHeld&) = delete;
  WritesHeld& operator=(const WritesHeld&) = delete;

 private:
  const bool held_;
};

}  // namespace parallax
