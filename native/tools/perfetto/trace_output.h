// Writes a timeline as a trace.
#pragma once

#include <string>

#include "tools/perfetto/timeline.h"

namespace parallax::perfetto {

struct OutputOptions {
  std::string directory;  // of the trace
  std::string original;   // absolute path
  std::string format;     // its name in the report
};

// Returns an empty string, or why the trace could not be written. Counts in the timeline what it cannot say.
std::string writeTrace(Timeline* timeline, const OutputOptions& options);

}  // namespace parallax::perfetto
