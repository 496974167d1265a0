// Reads the events of an archive with several processes. The field's library can crash or hang on a damaged file: the
// process that dies is replaced, and the location at which it died ends before that record.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "tools/otf2/archive.h"
#include "tools/otf2/process_import.h"

namespace parallax::otf2 {

struct WorkerOptions {
  unsigned workers = 2;
  // Without a record for so much CPU time, a worker hangs. One that waits for a slow disk does not.
  int hangSeconds = 60;
  int stallSeconds = 1800;  // nor does one that gets no processor, for so long
  // Told of the records read up to now; may be empty.
  std::function<void(uint64_t)> progress;
};

struct WorkerResult {
  Counts counts;
  std::vector<std::string> warnings;
  std::map<OTF2_AttributeRef, ProcessImport::AttributeCount> attributes;
  std::string error;  // why the trace could not be written, empty if it was
  uint64_t firstTicks = UINT64_MAX, lastTicks = 0;
  int64_t exitStatus = 0;  // the first that is not 0
};

WorkerResult readEvents(OTF2_Reader* reader, const Archive& archive, const Target& target,
                        const WorkerOptions& options);

// The last message of the library, as a person can read it; empty if there was none since the last call.
std::string takeLibraryMessage();
void catchLibraryMessages();

}  // namespace parallax::otf2
