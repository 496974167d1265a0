// perf.data, as `perf record` writes it into a file or a pipe, on machines of both byte orders.
#pragma once

#include <functional>
#include <string>

#include "tools/perf/recording.h"

namespace parallax::perf {

// Reads as far as it can; what is damaged is told by warnings. `path` is for these. Returns an empty string, or why
// there is nothing to show: a sentence without an end.
std::string readData(std::string_view file, const std::string& path, Recording* recording,
                     const std::function<void(uint64_t done)>& progress);

}  // namespace parallax::perf
