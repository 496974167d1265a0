// Turns what perf wrote into a trace.
#pragma once

#include <string>

#include "tools/conversion/file_import.h"

namespace parallax::perf {

// Returns an empty string, or why there is no trace: a sentence without an end.
std::string importFile(const conversion::FileImport& options);

}  // namespace parallax::perf
