#pragma once

namespace parallax::sampler {

// Whether gdb or lldb has this process, and would stop it at every sample. Other tracers, such as
// strace, let signals pass.
bool isDebugged();

}  // namespace parallax::sampler
