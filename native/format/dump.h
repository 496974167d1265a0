// The canonical text of a trace, specified in golden/README.md. Every reader of the format
// prints the golden traces byte for byte alike.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace parallax::format {

// Prints the trace in `directory` piece by piece to `print`, until it returns false.
// Returns an empty string, or why the trace cannot be read.
std::string dumpTrace(const std::string& directory,
                      const std::function<bool(std::string_view)>& print);

}  // namespace parallax::format
