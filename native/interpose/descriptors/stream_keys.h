// The keys of streams, which both ends find for themselves and which are equal.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>

#include "interpose/descriptors/fd_table.h"

namespace parallax {

// Keeps keys of different kinds of objects apart.
enum class StreamTag : uint64_t {
  kPath = 1, kHost, kPipe, kTcp, kTcpConnections, kUnixForth, kUnixBack, kSocket,
};

struct StreamKey {
  uint64_t high = 0, low = 0;
};

// A hash that is the same on all hosts.
StreamKey hashOf(StreamTag tag, const void* data, size_t sizeBytes);
// The same of what the kernel numbers: neighbours by their inodes have keys that are neighbours in
// the table that processes share, which so touches few pages.
StreamKey hashOfInode(StreamTag tag, uint64_t salt, uint64_t device, uint64_t inode);
// This boot of this host, and the network namespace of this process: what tells one loopback
// device, or one pipe, from that of another host.
uint64_t hostSalt();
uint64_t networkSalt();

// Both fill in what is known, define the streams in the trace, and fall back to streams that
// match nothing.
void describePipe(int fd, dev_t device, ino_t inode, Descriptor* result);
// False when the socket is not connected.
bool describeSocket(int fd, ino_t inode, Sight sight, Descriptor* result);

// stream_unix.cpp: the inode of the socket that a UNIX socket is connected with; 0 when it is not
// known.
uint64_t unixPeer(uint64_t inode);
// Two sockets that socketpair made: who they are is written down for all processes.
void pairUnixSockets(int first, int second);
// The keys of a UNIX stream socket; both 0 when its peer cannot be found.
void unixKeys(int fd, ino_t inode, Sight sight, StreamKey* send, StreamKey* receive);
// What all processes know of a socket; null when there is no space.
SharedCounters* socketEntry(int fd, ino_t inode);

// The number and the counters of one direction. Makes its Stream record, unless this process has made it.
StreamEnd defineEnd(format::StreamKind kind, const StreamKey& key, const char* name,
                    size_t nameLength);

}  // namespace parallax
