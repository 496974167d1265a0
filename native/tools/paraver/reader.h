// Reads the records of a trace of Paraver (.prv).
#pragma once

#include <functional>
#include <string>

#include "tools/conversion/byte_source.h"
#include "tools/paraver/trace.h"

namespace parallax::paraver {

// Reads as far as it can; what is damaged is told by warnings with the name of the file, `path`, and the line. Returns an
// empty string, or why the file is no trace of Paraver.
std::string readRecords(conversion::ByteSource* source, const std::string& path, Trace* trace,
                        const std::function<void()>& progress);

}  // namespace parallax::paraver
