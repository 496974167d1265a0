// The Trace Event Format, which Chrome, PyTorch, Go, Node.js, clang and many others write: an array of events, or an
// object that has one.
#pragma once

#include <functional>
#include <string>

#include "tools/conversion/byte_source.h"
#include "tools/perfetto/timeline.h"

namespace parallax::perfetto {

using conversion::ByteSource;

// Reads as far as it can; what is damaged is told by warnings. `path` is for these. Returns false if the file is not of
// this format.
bool readJson(ByteSource* source, const std::string& path, Timeline* timeline, const std::function<void()>& progress);

}  // namespace parallax::perfetto
