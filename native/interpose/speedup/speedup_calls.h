#pragma once

namespace parallax::speedup {

// Once a virtual speed-up is active, before the process has threads.
void replaceCalls();

}  // namespace parallax::speedup
