// Turns an archive of OTF2 into a trace.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace parallax::otf2 {

struct ImportOptions {
  std::string archive;    // the anchor file
  std::string directory;  // of the trace, which must not have one
  unsigned workers = 0;   // 0: one for each processor
  int hangSeconds = 60;   // CPU time without a record after which a worker hangs
  std::function<void(uint64_t read, uint64_t all)> progress;
  std::function<void()> onDefinitions;  // they are read; may be empty
};

// Returns an empty string, or why there is no trace: a sentence without an end.
std::string importArchive(const ImportOptions& options);

}  // namespace parallax::otf2
