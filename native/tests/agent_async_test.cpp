// Asynchronous I/O: every byte sent is matched to the same byte received, or the stream is not trusted.
#include <gtest/gtest.h>

#include "tests/guest_runner.h"
#include "tests/guest_trace.h"
#include "tests/stream_arcs.h"

namespace parallax::tests {
namespace {

using format::Kind;
using format::StreamKind;
using Sizes = std::vector<uint64_t>;

class AgentAsync : public testing::Test {
 protected:
  // False where the kernel denies io_uring.
  bool record(const Words& arguments, const char* program = "async") {
    Words command{guest(program)};
    command.insert(command.end(), arguments.begin(), arguments.end());
    constexpr int kDenied = 77;
    const Outcome plain = run(command);
    if (plain.status == kDenied) return false;
    const Outcome outcome = run(recorded(scratch_ / "trace", command, {"--quiet"}));
    EXPECT_EQ(0, plain.status) << plain.errors;
    EXPECT_EQ(0, outcome.status) << outcome.errors;
    EXPECT_EQ(plain.output, outcome.output);
    trace_ = loadTrace(scratch_ / "trace");
    return true;
  }

  TemporaryDirectory scratch_;
  Trace trace_;
};

#define RECORD(...) \
  if (!record(__VA_ARGS__)) GTEST_SKIP() << "the kernel denies io_uring"

TEST_F(AgentAsync, EndsThatAreTakenWithoutACall) {
  RECORD({"batch"});
  const auto streams = streamsOf(trace_, StreamKind::kPipe);
  ASSERT_EQ(1u, streams.size());
  expectWhole(streams[0]);
  EXPECT_EQ((Sizes{10, 11, 12, 13, 14, 15, 16, 17}), streams[0].sendSizes());
  EXPECT_EQ(streams[0].sendSizes(), streams[0].receiveSizes());
}

TEST_F(AgentAsync, SendsInParts) {
  RECORD({"parts"});
  const auto streams = streamsOf(trace_, StreamKind::kUnixStream);
  ASSERT_EQ(1u, streams.size());
  EXPECT_TRUE(streams[0].trusted);
  EXPECT_EQ(1u << 20, streams[0].received());
  EXPECT_GT(streams[0].sends.size(), 1u);
  // Each begins where the one before really ended, and all end where the bytes do.
  EXPECT_EQ(1u << 20, streams[0].sends.back().offset + streams[0].sends.back().bytes);
}

TEST_F(AgentAsync, ThreadsWithOneRing) {
  RECORD({"threads"});
  const auto streams = streamsOf(trace_, StreamKind::kPipe);
  ASSERT_EQ(4u, streams.size());
  for (const SharedStream& stream : streams) {
    expectWhole(stream);
    EXPECT_EQ(Sizes(200, 64), stream.sendSizes());
  }
}

TEST_F(AgentAsync, RegisteredFilesAreNotTrusted) {
  RECORD({"registered"});
  const auto streams = sharedStreams({&trace_});
  int trusted = 0, distrusted = 0;
  for (const auto& [keys, stream] : streams) (stream.trusted ? trusted : distrusted)++;
  EXPECT_EQ(1, trusted);
  EXPECT_EQ(1, distrusted);
}

TEST_F(AgentAsync, OneRequestThatReceivesOften) {
  RECORD({"multishot"});
  const auto streams = streamsOf(trace_, StreamKind::kUnixStream);
  ASSERT_EQ(1u, streams.size());
  expectWhole(streams[0]);
  EXPECT_EQ((Sizes{100, 200, 300, 400, 500}), streams[0].receiveSizes());
}

TEST_F(AgentAsync, AConnection) {
  RECORD({"connection"});
  const auto streams = streamsOf(trace_, StreamKind::kTcp);
  ASSERT_EQ(1u, streams.size());
  expectWhole(streams[0]);
  EXPECT_EQ((Sizes{30, 70, 30, 70, 30, 70}), streams[0].sendSizes());
  EXPECT_EQ((Sizes{100, 100, 100}), streams[0].receiveSizes());
  EXPECT_EQ(1u, streams[0].closes.size());
}

TEST_F(AgentAsync, ListsOfPosixAio) {
  RECORD({"lists", scratch_ / "file"});
  const auto streams = streamsOf(trace_, StreamKind::kPipe);
  ASSERT_EQ(1u, streams.size());
  expectWhole(streams[0]);
  EXPECT_EQ(Sizes(10, 70), streams[0].sendSizes());
  EXPECT_EQ(Sizes(10, 70), streams[0].receiveSizes());
  EXPECT_EQ(1u, trace_.processes[0].threads.size()) << "libc's own threads are not the program's";
}

TEST_F(AgentAsync, ChildrenDoNotTouchTheRingsOfTheirParent) {
  RECORD({"children"});
  const auto streams = streamsOf(trace_, StreamKind::kPipe);
  ASSERT_EQ(2u, streams.size());
  const bool parentIsFirst = streams[0].sends.size() == 2;
  const SharedStream &parent = streams[parentIsFirst ? 0 : 1], &child = streams[parentIsFirst ? 1 : 0];
  expectWhole(parent);
  EXPECT_EQ((Sizes{10, 20}), parent.sendSizes());
  EXPECT_EQ((Sizes{10, 20}), parent.receiveSizes());
  expectWhole(child);
  EXPECT_EQ(Sizes{33}, child.sendSizes());
}

TEST_F(AgentAsync, ARingIsClosedWhileAThreadWaits) { RECORD({"closed"}); }

TEST_F(AgentAsync, FirstUsesTogether) { RECORD({"first-uses"}); }

TEST_F(AgentAsync, ALibraryOutOfTheScopeOfOthers) { RECORD({}, "async-local"); }

}  // namespace
}  // namespace parallax::tests
