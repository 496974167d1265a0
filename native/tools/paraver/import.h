// Turns a trace of Paraver into a trace.
#pragma once

#include <string>

#include "tools/conversion/file_import.h"

namespace parallax::paraver {

// Returns an empty string, or why there is no trace: a sentence without an end. The .pcf and the .row of a .prv or .prv.gz are beside it.
std::string importFile(const conversion::FileImport& options);

}  // namespace parallax::paraver
