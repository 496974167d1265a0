// Turns a trace of Chrome or Perfetto into a trace.
#pragma once

#include <string>

#include "tools/conversion/file_import.h"

namespace parallax::perfetto {

// Returns an empty string, or why there is no trace: a sentence without an end.
std::string importFile(const conversion::FileImport& options);

}  // namespace parallax::perfetto
