// Pipes and sockets: every byte sent is matched to the same byte received.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/guest_runner.h"
#include "tests/guest_trace.h"
#include "tests/stream_arcs.h"

namespace parallax::tests {
namespace {

using format::Kind;
using format::StreamKind;
using Sizes = std::vector<uint64_t>;

class AgentStreams : public testing::Test {
 protected:
  // Runs a scenario plain and recorded, expects the same of both, and reads the trace.
  void record(const Words& arguments, size_t processes = 1) {
    Words command{guest("streams")};
    command.insert(command.end(), arguments.begin(), arguments.end());
    const Outcome plain = run(command);
    const Outcome outcome = run(recorded(scratch_ / "trace", command, {"--quiet"}));
    EXPECT_EQ(0, plain.status) << plain.errors;
    EXPECT_EQ(plain.status, outcome.status);
    EXPECT_EQ(plain.output, outcome.output);
    EXPECT_EQ(plain.errors, outcome.errors);
    trace_ = loadTrace(scratch_ / "trace");
    ASSERT_EQ(processes, trace_.processes.size());
  }
  const TracedThread& main() const { return trace_.processes[0].threads.at(0); }

  // Five requests and five answers, between two processes.
  void expectExchange(StreamKind kind) {
    const auto streams = streamsOf(trace_, kind);
    ASSERT_EQ(2u, streams.size());
    EXPECT_EQ((Sizes{10, 20, 30, 40, 50}), streams[0].sendSizes());
    EXPECT_EQ((Sizes{20, 40, 60, 80, 100}), streams[1].sendSizes());
    for (const SharedStream& stream : streams) {
      expectWhole(stream);
      EXPECT_EQ(stream.sendSizes(), stream.receiveSizes());
      for (const StreamCall& receive : stream.receives) {
        EXPECT_NE(receive.process, stream.senderOf(receive)->process);
        EXPECT_EQ("read", receive.routine);
      }
    }
    // Each answer after its request, each request after the answer before it.
    for (size_t i = 0; i < 5; i++) {
      EXPECT_GE(streams[1].sends[i].enterTicks, streams[0].receives[i].ticks);
      if (i == 0) continue;
      EXPECT_GE(streams[0].sends[i].enterTicks, streams[1].receives[i - 1].ticks);
    }
  }

  TemporaryDirectory scratch_;
  Trace trace_;
};

TEST_F(AgentStreams, PipesBetweenParentAndChild) {
  record({"pipes"}, 2);
  expectExchange(StreamKind::kPipe);
}

TEST_F(AgentStreams, ASocketPair) {
  record({"pair"}, 2);
  expectExchange(StreamKind::kUnixStream);
}

TEST_F(AgentStreams, AUnixConnection) {
  record({"unix", scratch_ / "socket"}, 2);
  expectExchange(StreamKind::kUnixStream);
}

TEST_F(AgentStreams, TcpConnectionsOfBothFamilies) {
  for (const char* scenario : {"tcp", "tcp6"}) {
    record({scenario}, 2);
    expectExchange(StreamKind::kTcp);
    for (const SharedStream& stream : streamsOf(trace_, StreamKind::kTcp)) {
      ASSERT_EQ(1u, stream.ends.size());  // each end has seen the other's
      EXPECT_EQ(stream.sent(), stream.ends[0].offset);
      ASSERT_FALSE(stream.closes.empty());
      EXPECT_LE(stream.closes[0].enterTicks, stream.ends[0].ticks);
      EXPECT_EQ(stream.sent(), stream.closes[0].offset);
    }
    run({"rm", "-rf", scratch_ / "trace"});
  }
}

TEST_F(AgentStreams, PiecesThatAreLargerOrSmallerThanWhatIsRead) {
  record({"partial"}, 2);
  const auto streams = streamsOf(trace_, StreamKind::kPipe);
  ASSERT_EQ(1u, streams.size());
  expectWhole(streams[0]);
  EXPECT_EQ(300100u, streams[0].received());
  EXPECT_EQ(11u, streams[0].sends.size());
  EXPECT_GT(streams[0].receives.size(), 40u);
  for (const StreamCall& receive : streams[0].receives) {
    if (receive.offset >= 300000) continue;
    EXPECT_EQ(&streams[0].sends[0], streams[0].senderOf(receive));
  }
  // Ten pieces are there when the last is taken.
  EXPECT_EQ(100u, streams[0].receives.back().bytes);
  EXPECT_EQ(&streams[0].sends[10], streams[0].senderOf(streams[0].receives.back()));
}

TEST_F(AgentStreams, EveryCallThatSendsOrReceives) {
  record({"calls"});
  const auto streams = streamsOf(trace_, StreamKind::kTcp);
  ASSERT_EQ(1u, streams.size());
  expectWhole(streams[0]);
  auto routines = [](const std::vector<StreamCall>& calls) {
    Words names;
    for (const StreamCall& call : calls) names.push_back(call.routine);
    return names;
  };
  EXPECT_EQ((Words{"write", "writev", "send", "sendto", "sendmsg", "sendmmsg"}),
            routines(streams[0].sends));
  EXPECT_EQ((Words{"read", "readv", "recv", "recvfrom", "recvmsg", "recvmmsg"}),
            routines(streams[0].receives));
  EXPECT_EQ((Sizes{7, 7, 7, 7, 7, 14}), streams[0].sendSizes());
  EXPECT_EQ((Sizes{7, 7, 7, 7, 7, 14}), streams[0].receiveSizes());
}

TEST_F(AgentStreams, CopiesOfADescriptorAreOneSender) {
  record({"copies"}, 2);
  const auto pipes = streamsOf(trace_, StreamKind::kPipe);
  ASSERT_EQ(1u, pipes.size());
  expectWhole(pipes[0]);
  EXPECT_EQ((Sizes{1, 2, 3, 4, 5, 6, 7}), pipes[0].sendSizes());
  EXPECT_NE(pipes[0].sends[5].process, pipes[0].sends[4].process);
  EXPECT_EQ(28u, pipes[0].received());
}

TEST_F(AgentStreams, LooksThatFindNothingAreNoEvents) {
  record({"polling"}, 2);
  const auto pipes = streamsOf(trace_, StreamKind::kPipe);
  ASSERT_EQ(2u, pipes.size());
  for (const SharedStream& stream : pipes) expectWhole(stream);
  EXPECT_EQ((Sizes{64, 64, 64}), pipes[1].receiveSizes());
  const TracedProcess& process = *pipes[1].receives[0].process;
  const TracedThread& thread = process.threads.at(0);
  // A thousand of each; those in which the thread was interrupted stand in the trace.
  EXPECT_LT(process.calls(thread, "read").size(), 500u);
  EXPECT_LT(process.calls(thread, "epoll_wait").size(), 500u);
  // Those that may wait are all there.
  EXPECT_EQ(1u, process.calls(thread, "poll").size());
  EXPECT_EQ(1u, process.calls(thread, "select").size());
  EXPECT_GE(process.calls(thread, "epoll_wait").size(), 1u);
}

TEST_F(AgentStreams, DescriptorsThatAreClosedWhileAThreadReads) {
  record({"closing"});
  const auto pipes = streamsOf(trace_, StreamKind::kPipe);
  ASSERT_EQ(1u, pipes.size());
  expectWhole(pipes[0]);
  EXPECT_EQ(5u, pipes[0].received());
  const auto pairs = streamsOf(trace_, StreamKind::kUnixStream);
  ASSERT_EQ(1u, pairs.size());
  expectWhole(pairs[0]);
  EXPECT_EQ(9u, pairs[0].received());
  size_t ends = 0;
  for (const auto& [key, stream] : sharedStreams({&trace_})) {
    if (stream.kind != StreamKind::kTcp) continue;
    ends += stream.ends.size();
    for (const StreamCall& end : stream.ends) {
      ASSERT_EQ(1u, stream.closes.size());
      EXPECT_EQ("shutdown", stream.closes[0].routine);
      EXPECT_LE(stream.closes[0].enterTicks, end.ticks);
    }
  }
  EXPECT_EQ(1u, ends);
}

TEST_F(AgentStreams, NumbersOfDescriptorsThatAreUsedAgain) {
  record({"numbers"});
  auto streams = streamsOf(trace_, StreamKind::kPipe);
  EXPECT_EQ(100u, streams.size());
  const auto pairs = streamsOf(trace_, StreamKind::kUnixStream);
  EXPECT_EQ(100u, pairs.size());
  streams.insert(streams.end(), pairs.begin(), pairs.end());
  Sizes sizes;
  for (const SharedStream& stream : streams) {
    expectWhole(stream);
    ASSERT_EQ(1u, stream.sends.size());
    sizes.push_back(stream.sent());
  }
  std::sort(sizes.begin(), sizes.end());
  for (size_t i = 0; i < sizes.size(); i++) EXPECT_EQ(i + 1, sizes[i]);
}

TEST_F(AgentStreams, NumbersThatAreClosedPastLibc) {
  record({"unseen"});
  const auto streams = streamsOf(trace_, StreamKind::kPipe);
  ASSERT_EQ(2u, streams.size());
  for (const SharedStream& stream : streams) {
    EXPECT_EQ(Sizes{5}, stream.sendSizes());
    EXPECT_EQ(Sizes{5}, stream.receiveSizes());
  }
  for (const TracedEvent& event : main().events) {
    EXPECT_FALSE(event.kind == Kind::kStreamSend && event.operand == 0);
  }
}

TEST_F(AgentStreams, PortsThatAreConnectedAgain) {
  record({"ports"});
  const auto streams = streamsOf(trace_, StreamKind::kTcp);
  ASSERT_EQ(5u, streams.size());
  for (size_t i = 0; i < 5; i++) {
    expectWhole(streams[i]);
    EXPECT_EQ((Sizes{i + 1}), streams[i].sendSizes());
  }
}

TEST_F(AgentStreams, BytesThatTheKernelMoves) {
  record({"moving"});
  const auto connections = streamsOf(trace_, StreamKind::kTcp);
  ASSERT_EQ(1u, connections.size());
  expectWhole(connections[0]);
  EXPECT_EQ("sendfile", connections[0].sends[0].routine);
  EXPECT_EQ("splice", connections[0].receives[0].routine);
  EXPECT_EQ(3000u, connections[0].received());
  const auto pipes = streamsOf(trace_, StreamKind::kPipe);
  ASSERT_EQ(2u, pipes.size());
  for (const SharedStream& stream : pipes) expectWhole(stream);
  EXPECT_EQ(3000u, pipes[0].received());
  EXPECT_EQ("splice", pipes[0].sends[0].routine);
  EXPECT_EQ((Sizes{3000, 100}), pipes[1].sendSizes());
  EXPECT_EQ("tee", pipes[1].sends[0].routine);
  EXPECT_EQ("vmsplice", pipes[1].sends[1].routine);
}

TEST_F(AgentStreams, DatagramsAreCountedAndMatchNothing) {
  record({"datagrams"});
  auto bytes = [](const std::vector<StreamCall>& calls) {
    Sizes found;
    for (const StreamCall& call : calls) {
      EXPECT_EQ(0u, call.offset);
      found.push_back(call.bytes);
    }
    return found;
  };
  EXPECT_EQ((Sizes{10, 10, 20}), bytes(keylessCalls(trace_, Kind::kStreamSend)));
  EXPECT_EQ((Sizes{10, 10, 20}), bytes(keylessCalls(trace_, Kind::kStreamReceive)));
  EXPECT_TRUE(streamsOf(trace_, StreamKind::kUnixPacket).empty());
  EXPECT_TRUE(streamsOf(trace_, StreamKind::kUdp).empty());
}

TEST_F(AgentStreams, HandlersThatWriteWhileTheThreadReads) {
  record({"signals"});
  const auto pipes = streamsOf(trace_, StreamKind::kPipe);
  ASSERT_EQ(1u, pipes.size());
  // The handler's write ends the read that it interrupts, which goes on after it.
  EXPECT_TRUE(pipes[0].trusted);
  EXPECT_EQ((Sizes{2, 3, 4}), pipes[0].sendSizes());
  EXPECT_EQ(9u, pipes[0].received());
  expectWhole(pipes[0]);
}

TEST_F(AgentStreams, BytesThatWentPastAreFoundOut) {
  record({"past"});
  const auto pipes = streamsOf(trace_, StreamKind::kPipe);
  ASSERT_EQ(3u, pipes.size());
  EXPECT_FALSE(pipes[0].trusted);
  EXPECT_FALSE(pipes[1].trusted);
  expectWhole(pipes[2]);
  const auto urgent = streamsOf(trace_, StreamKind::kTcp);
  ASSERT_EQ(1u, urgent.size());
  EXPECT_FALSE(urgent[0].trusted);
}

TEST_F(AgentStreams, AddressesThatAreWrongAreRefusedByTheKernel) {
  record({"faults"});
  const auto pairs = streamsOf(trace_, StreamKind::kUnixStream);
  ASSERT_EQ(1u, pairs.size());
  EXPECT_TRUE(pairs[0].trusted);
  EXPECT_EQ((Sizes{8, 8}), pairs[0].sendSizes());
  EXPECT_EQ((Sizes{8, 8}), pairs[0].receiveSizes());
  EXPECT_EQ(2u, pairs[0].ends.size());  // no room is not the end
}

TEST_F(AgentStreams, ThreadsThatFirstReadAPipeAtOnce) {
  record({"together"});
  const auto pipes = streamsOf(trace_, StreamKind::kPipe);
  EXPECT_EQ(3000u, pipes.size());
  EXPECT_EQ(0, std::count_if(pipes.begin(), pipes.end(),
                             [](const SharedStream& stream) { return !stream.trusted; }));
}

TEST_F(AgentStreams, CallsBeforeAllConstructors) {
  record({"earliest"});
  const auto pipes = streamsOf(trace_, StreamKind::kPipe);
  ASSERT_EQ(1u, pipes.size());
  EXPECT_TRUE(pipes[0].trusted);
  EXPECT_EQ(14u, pipes[0].receives.back().offset + pipes[0].receives.back().bytes -
                     pipes[0].receives[0].offset);
}

// Each side of a connection by a command of its own.
class AgentStreamsApart : public testing::Test {
 protected:
  // `serverTrace` and `clientTrace` may be the same.
  void recordBoth(const std::string& serverTrace, const std::string& clientTrace,
                  const Words& serverPrefix = {}, const Words& clientPrefix = {}) {
    const std::string file = scratch_ / "address";
    auto side = [&](const Words& prefix, const char* how, const std::string& trace) {
      Words command = prefix;
      for (const std::string& word :
           recorded(trace, {guest("streams"), "apart", how, file}, {"--quiet"})) {
        command.push_back(word);
      }
      return command;
    };
    const int server = start(side(serverPrefix, "serve", serverTrace));
    const Outcome client = run(side(clientPrefix, "ask", clientTrace));
    EXPECT_EQ(0, client.status) << client.errors;
    EXPECT_EQ(0, endOf(server));
  }
  static void expectArcs(const std::vector<const Trace*>& traces) {
    std::vector<SharedStream> connections;
    for (auto& [key, stream] : sharedStreams(traces)) {
      if (stream.kind == StreamKind::kTcp) connections.push_back(stream);
    }
    ASSERT_EQ(2u, connections.size());
    if (connections[0].sent() > connections[1].sent()) std::swap(connections[0], connections[1]);
    EXPECT_EQ((Sizes{10, 20, 30, 40, 50}), connections[0].sendSizes());
    EXPECT_EQ((Sizes{20, 40, 60, 80, 100}), connections[1].sendSizes());
    for (const SharedStream& stream : connections) {
      expectWhole(stream);
      EXPECT_EQ(stream.sendSizes(), stream.receiveSizes());
      EXPECT_NE(stream.sends[0].process, stream.receives[0].process);
    }
  }

  TemporaryDirectory scratch_;
};

TEST_F(AgentStreamsApart, TwoTracesOfOneHostMatch) {
  recordBoth(scratch_ / "server", scratch_ / "client");
  const Trace server = loadTrace(scratch_ / "server"), client = loadTrace(scratch_ / "client");
  expectArcs({&server, &client});
}

}  // namespace
}  // namespace parallax::tests
