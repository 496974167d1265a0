#pragma once

#include <cstdint>

namespace parallax::sampler {

// Whether this tracer is gdb or lldb, which would stop the process at every sample. Others, such as strace,
// let signals pass. 0: there is none.
bool isDebugger(uint64_t tracer);

}  // namespace parallax::sampler
