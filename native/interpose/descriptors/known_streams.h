// The streams that this process has defined last: both ends of a pipe, and both ends of a connection of a process
// with itself, get one number and one definition.
#pragma once

#include <cstdint>

#include "interpose/descriptors/stream_keys.h"

namespace parallax {

// The number that this process gave to the stream; 0 if it gave none, or has given so many since that it is forgotten.
// A stream that two threads define at the same time can have two numbers. Lock-free; signal handlers may call both.
uint32_t knownStream(const StreamKey& key);
void rememberStream(const StreamKey& key, uint32_t id);

}  // namespace parallax
