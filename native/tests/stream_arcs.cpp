#include "tests/stream_arcs.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace parallax::tests {
namespace {

using format::Kind;

template <class Use>
void forEachCall(const Trace& trace, Use use) {
  for (const TracedProcess& process : trace.processes) {
    for (const auto& [number, thread] : process.threads) {
      std::vector<const TracedEvent*> open;
      for (const TracedEvent& event : thread.events) {
        if (event.kind == Kind::kEnter) open.push_back(&event);
        if (event.kind == Kind::kLeave && !open.empty()) open.pop_back();
        if (event.kind != Kind::kStreamSend && event.kind != Kind::kStreamReceive) continue;
        StreamCall call;
        call.process = &process;
        call.thread = number;
        call.stream = static_cast<uint32_t>(event.operand);
        call.offset = event.payload[0];
        call.bytes = event.payload[1];
        call.ticks = event.ticks;
        call.enterTicks = open.empty() ? event.ticks : open.back()->ticks;
        if (!open.empty()) call.routine = process.leafOf(open.back()->operand);
        use(call, event.kind, process.streams.at(call.stream));
      }
    }
  }
}

std::vector<uint64_t> sizes(const std::vector<StreamCall>& calls) {
  std::vector<uint64_t> result;
  for (const StreamCall& call : calls) result.push_back(call.bytes);
  return result;
}

uint64_t total(const std::vector<StreamCall>& calls) {
  uint64_t bytes = 0;
  for (const StreamCall& call : calls) bytes += call.bytes;
  return bytes;
}

}  // namespace

uint64_t SharedStream::sent() const { return total(sends); }
uint64_t SharedStream::received() const { return total(receives); }
std::vector<uint64_t> SharedStream::sendSizes() const { return sizes(sends); }
std::vector<uint64_t> SharedStream::receiveSizes() const { return sizes(receives); }

const StreamCall* SharedStream::senderOf(const StreamCall& receive) const {
  const uint64_t last = receive.offset + receive.bytes - 1;
  for (const StreamCall& send : sends) {
    if (send.offset <= last && last < send.offset + send.bytes) return &send;
  }
  return nullptr;
}

std::map<StreamKeys, SharedStream> sharedStreams(const std::vector<const Trace*>& traces) {
  std::map<StreamKeys, SharedStream> result;
  for (const Trace* trace : traces) {
    for (const TracedProcess& process : trace->processes) {
      for (const auto& [number, record] : process.streams) {
        if (record.keyHigh == 0 && record.keyLow == 0) continue;
        SharedStream& stream = result[{record.keyHigh, record.keyLow}];
        stream.kind = record.kind;
        stream.trusted = stream.trusted && record.flags == 0;
      }
    }
    forEachCall(*trace, [&](const StreamCall& call, Kind kind, const format::StreamRecord& record) {
      if (record.keyHigh == 0 && record.keyLow == 0) return;
      SharedStream& stream = result[{record.keyHigh, record.keyLow}];
      const bool send = kind == Kind::kStreamSend;
      auto& calls = call.bytes == 0 ? (send ? stream.closes : stream.ends)
                                    : (send ? stream.sends : stream.receives);
      calls.push_back(call);
    });
  }
  for (auto& [key, stream] : result) {
    for (auto* calls : {&stream.sends, &stream.receives}) {
      std::sort(calls->begin(), calls->end(),
                [](const StreamCall& a, const StreamCall& b) { return a.offset < b.offset; });
    }
  }
  return result;
}

std::vector<SharedStream> streamsOf(const Trace& trace, format::StreamKind kind) {
  std::vector<SharedStream> result;
  for (auto& [key, stream] : sharedStreams({&trace})) {
    if (stream.kind == kind && !stream.sends.empty()) result.push_back(stream);
  }
  std::sort(result.begin(), result.end(), [](const SharedStream& a, const SharedStream& b) {
    return a.sends[0].enterTicks < b.sends[0].enterTicks;
  });
  return result;
}

std::vector<StreamCall> keylessCalls(const Trace& trace, format::Kind kind) {
  std::vector<StreamCall> result;
  forEachCall(trace, [&](const StreamCall& call, Kind found, const format::StreamRecord& record) {
    if (found == kind && record.keyHigh == 0 && record.keyLow == 0) result.push_back(call);
  });
  return result;
}

void expectWhole(const SharedStream& stream) {
  EXPECT_TRUE(stream.trusted);
  for (const auto* calls : {&stream.sends, &stream.receives}) {
    uint64_t next = 0;
    for (const StreamCall& call : *calls) {
      EXPECT_EQ(next, call.offset) << call.routine;
      next = call.offset + call.bytes;
    }
  }
  EXPECT_EQ(stream.sent(), stream.received());
  for (const StreamCall& receive : stream.receives) {
    const StreamCall* send = stream.senderOf(receive);
    ASSERT_NE(nullptr, send) << "bytes from " << receive.offset << " that nobody sent";
    EXPECT_LE(send->enterTicks, receive.ticks) << "bytes from " << receive.offset;
  }
}

}  // namespace parallax::tests
