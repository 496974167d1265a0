// The text that `perf script` prints, with any of its usual fields.
#pragma once

#include <functional>
#include <string>

#include "tools/conversion/byte_source.h"
#include "tools/perf/recording.h"

namespace parallax::perf {

// Reads as far as it can; what is damaged is told by warnings. `path` is for these. Returns false if no sample and no
// context switch is found.
bool readText(conversion::ByteSource* source, const std::string& path, Recording* recording,
              const std::function<void()>& progress);

}  // namespace parallax::perf
