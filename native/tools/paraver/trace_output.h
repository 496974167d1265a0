// Writes what was read of a trace of Paraver as a trace of Parallax.
#pragma once

#include <string>

#include "tools/paraver/trace.h"

namespace parallax::paraver {

struct OutputOptions {
  std::string directory;  // of the trace
  std::string original;   // absolute path
};

// Returns an empty string, or why the trace could not be written. Counts in the trace what it cannot say.
std::string writeTrace(Trace* trace, const OutputOptions& options);

}  // namespace parallax::paraver
