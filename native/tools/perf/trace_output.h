// Writes a recording as a trace.
#pragma once

#include <string>

#include "tools/perf/recording.h"

namespace parallax::perf {

struct OutputOptions {
  std::string directory;
  std::string original;  // the path of the file
  std::string format;
};

// Uses up the recording. Returns an empty string, or why there is no trace.
std::string writeTrace(Recording* recording, const OutputOptions& options);

}  // namespace parallax::perf
