// Turns a trace of Paraver into a trace.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace parallax::paraver {

struct ImportOptions {
  std::string file;       // .prv or .prv.gz; the .pcf and the .row are beside it
  std::string directory;  // of the trace, which must not have one
  std::function<void(uint64_t done, uint64_t all)> progress;  // bytes; may be empty
};

// Returns an empty string, or why there is no trace: a sentence without an end.
std::string importFile(const ImportOptions& options);

}  // namespace parallax::paraver
