// Counts the bytes of streams, in all processes of the host together, and finds out when bytes
// went past the agent: then the stream is marked, and never matched wrongly.
//
// Bytes are announced before they are sent and counted when that is done; whoever receives more
// than was announced has received from somebody who is not recorded.
#pragma once

#include <cstddef>
#include <cstdint>

#include "interpose/descriptors/fd_table.h"

namespace parallax {

inline constexpr int kAnnounced = 0, kSent = 1, kReceived = 2, kFlags = 3;  // of SharedCounters

// A process that can send has come to the stream.
void seeSender(SharedCounters* counters);
// The first of all processes to come to an end says what went before.
void beginSending(SharedCounters* counters, uint64_t sentBefore);
void beginReceiving(SharedCounters* counters, uint64_t receivedBefore);
void beginPipe(int fd, SharedCounters* counters);
// The first time that this process will receive: what waits must be what was sent.
void checkFirstReceive(int fd, const Descriptor& descriptor);

// Before bytes are sent, and after; returns the offset of the first one.
inline void announce(const StreamEnd& end, uint64_t bytes) {
  if (end.counters != nullptr) {
    end.counters->value[kAnnounced].fetch_add(bytes, std::memory_order_acq_rel);
  }
}
inline uint64_t countSent(const StreamEnd& end, uint64_t announced, uint64_t bytes) {
  if (end.counters == nullptr) return 0;
  if (announced != bytes) {
    end.counters->value[kAnnounced].fetch_sub(announced - bytes, std::memory_order_acq_rel);
  }
  return bytes == 0 ? end.counters->value[kSent].load(std::memory_order_acquire)
                    : end.counters->value[kSent].fetch_add(bytes, std::memory_order_acq_rel);
}
// After bytes were received. No bytes are the end of the stream.
uint64_t countReceived(const Descriptor& descriptor, uint64_t bytes);

// Counts bytes that will be sent, before the kernel is asked for it; returns the offset of the first one.
uint64_t countSentAhead(const StreamEnd& end, uint64_t bytes);
// Fewer bytes than counted were sent at an offset. If more were counted after them, the stream is not trusted.
void retractSent(const Descriptor& descriptor, uint64_t offset, uint64_t counted, uint64_t sent);

// What is counted of this stream cannot be trusted: the trace says so.
void distrust(const Descriptor& descriptor, const StreamEnd& end);

}  // namespace parallax
