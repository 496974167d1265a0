#pragma once

namespace parallax::sampler {

// Whether gdb or lldb is attached to this process and would stop it at each sample. Other tracers,
// such as strace, pass signals on.
bool isDebugged();

}  // namespace parallax::sampler
