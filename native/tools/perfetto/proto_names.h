// The names of packets and events of Perfetto in the report.
#pragma once

#include <cstdint>

namespace parallax::perfetto {

// Packets that are named in the report; others by their number.
inline const char* packetName(uint32_t field) {
  switch (field) {
    case 1: return "FtraceEvents";
    case 2: return "ProcessTree";
    case 4: return "InodeFileMap";
    case 5: return "ChromeEvents";
    case 6: return "ClockSnapshot";
    case 7: return "SysStats";
    case 9: return "ProcessStats";
    case 11: return "TrackEvent";
    case 33: return "TraceConfig";
    case 34: return "FtraceStats";
    case 35: return "TraceStats";
    case 36: return "SynchronizationMarker";
    case 37: return "ProfilePacket";
    case 43: return "ProcessDescriptor";
    case 44: return "ThreadDescriptor";
    case 45: return "SystemInfo";
    case 46: return "Trigger";
    case 50: return "CompressedPackets";
    case 54: return "StreamingProfilePacket";
    case 60: return "TrackDescriptor";
    case 66: return "PerfSample";
    case 133: return "ZstdCompressedPackets";
    default: return nullptr;
  }
}

inline const char* eventName(uint64_t type) {
  switch (type) {
    case 1: return "TrackEvent SLICE_BEGIN";
    case 2: return "TrackEvent SLICE_END";
    case 3: return "TrackEvent INSTANT";
    case 4: return "TrackEvent COUNTER";
    default: return nullptr;
  }
}

}  // namespace parallax::perfetto
