// What the import report says of an archive.
#pragma once

#include <string>
#include <vector>

#include "tools/otf2/archive.h"
#include "tools/otf2/records.h"
#include "tools/otf2/workers.h"

namespace parallax::otf2 {

// What was wrong with records, a sentence without an end for each kind.
std::vector<std::string> describe(const Counts& counts);

std::string formatReport(const Archive& archive, const std::string& format, const std::string& path,
                         const WorkerResult& result, const std::vector<std::string>& warnings);

}  // namespace parallax::otf2
