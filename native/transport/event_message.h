// Messages by which processes hand parts of their event files to the writer of their host (the transport `writer`).
#pragma once

#include <cstddef>
#include <cstdint>

#include "format/format.h"

namespace parallax {

//   datagram:  | EventMessage | bytes of the file from `offset` on |
//
// They go to a UNIX socket in the file system, whose path is that of the memory that all processes share with the writer
// (ring_file.h) and kSocketEnding. The kernel holds a few of them (net.unix.max_dgram_qlen) until the writer takes them.
// Each can be written twice with the same result.
//
// A collector gets them by TCP, on a connection for each:
//
//   thread:     | secret 16 | EventMessage |           | bytes |
//   collector:                             | kCollects |       | 0, or why it could not be written, as -errno |
//
// So a thread that gives up before kCollects has sent nothing that could be written later.
struct EventMessage {
  uint32_t magic;
  uint32_t bytes;
  uint64_t offset;
  char name[256];  // of the event file
};

struct CollectorRequest {
  uint8_t secret[16];
  EventMessage head;
};
inline constexpr int32_t kCollects = 1;

inline constexpr uint32_t kMessageMagic = 0x474D5250;  // "PRMG"
inline constexpr size_t kMostMessageBytes = format::kBlockBytes;
inline constexpr char kSocketEnding[] = ".socket";
inline constexpr size_t kMostSocketPath = 107;

// Sends a part of an event file, of at most kMostMessageBytes, to the writer or the collector. Waits until it has room,
// or fails with -kWriterBehind where that is the user's choice. Returns -kNoRing if the caller has to write it: there is
// no writer, or no way to it. Signal handlers may call it.
int sendEvents(const char* name, const char* data, size_t bytes, uint64_t offset);

}  // namespace parallax
