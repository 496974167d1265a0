// Turns what perf wrote into a trace.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace parallax::perf {

struct ImportOptions {
  std::string file;
  std::string directory;  // of the trace, which must not have one
  std::function<void(uint64_t done, uint64_t all)> progress;  // bytes; may be empty
};

// Returns an empty string, or why there is no trace: a sentence without an end.
std::string importFile(const ImportOptions& options);

}  // namespace parallax::perf
