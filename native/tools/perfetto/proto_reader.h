// The protobuf form of Perfetto's traces: track events with their tracks, names, counters, flows and clocks.
#pragma once

#include <functional>
#include <string>

#include "tools/conversion/byte_source.h"
#include "tools/perfetto/timeline.h"

namespace parallax::perfetto {

using conversion::ByteSource;

// Reads as far as it can, as readJson does. Returns false if the file does not begin with a packet.
bool readProto(ByteSource* source, const std::string& path, Timeline* timeline, const std::function<void()>& progress);

}  // namespace parallax::perfetto
