// The bytes of streams, of all processes of a trace or of several, put together by their keys.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tests/guest_trace.h"

namespace parallax::tests {

struct StreamCall {
  const TracedProcess* process = nullptr;
  uint32_t thread = 0, stream = 0;
  std::string routine;  // empty: not within one
  uint64_t offset = 0, bytes = 0;
  uint64_t enterTicks = 0, ticks = 0;
};

// One direction of a pipe or connection.
struct SharedStream {
  format::StreamKind kind = format::StreamKind::kPipe;
  bool trusted = true;
  std::vector<StreamCall> sends, receives;  // that moved bytes, in the order of offsets
  std::vector<StreamCall> closes, ends;     // those of no bytes

  uint64_t sent() const;
  uint64_t received() const;
  // The sizes, in order.
  std::vector<uint64_t> sendSizes() const;
  std::vector<uint64_t> receiveSizes() const;
  // The send that holds the last byte of a receive, or null.
  const StreamCall* senderOf(const StreamCall& receive) const;
};

using StreamKeys = std::pair<uint64_t, uint64_t>;
std::map<StreamKeys, SharedStream> sharedStreams(const std::vector<const Trace*>& traces);
// Those of one kind in which bytes moved, in the order of their first send.
std::vector<SharedStream> streamsOf(const Trace& trace, format::StreamKind kind);
// What matches nothing.
std::vector<StreamCall> keylessCalls(const Trace& trace, format::Kind kind);

// Expects all bytes from 0 on to be sent once and received once, each receive to name a send that
// began before the receive ended, and nothing to be distrusted.
void expectWhole(const SharedStream& stream);

}  // namespace parallax::tests
