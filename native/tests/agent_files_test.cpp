// Files, and what stdio reads and writes.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/guest_runner.h"
#include "tests/guest_trace.h"
#include "tests/stream_arcs.h"

namespace parallax::tests {
namespace {

using format::FileOp;
using format::Kind;
using format::StreamKind;

struct FileEvent {
  std::string routine;
  FileOp op;
  uint64_t bytes;
  bool operator==(const FileEvent& other) const {
    return routine == other.routine && op == other.op && bytes == other.bytes;
  }
};

void PrintTo(const FileEvent& event, std::ostream* out) {
  *out << event.routine << " op " << static_cast<int>(event.op) << ", " << event.bytes << " bytes";
}

class AgentFiles : public testing::Test {
 protected:
  void record(const Words& command) {
    const Outcome plain = run(command);
    const Outcome outcome = run(recorded(scratch_ / "trace", command, {"--quiet"}));
    EXPECT_EQ(0, plain.status) << plain.errors;
    EXPECT_EQ(plain.status, outcome.status) << outcome.errors;
    EXPECT_EQ(plain.output, outcome.output);
    trace_ = loadTrace(scratch_ / "trace");
  }
  void recordGuest(const char* scenario) {
    record({guest("files"), scenario, scratch_.path()});
    ASSERT_FALSE(trace_.processes.empty());
  }
  // What was done with one file of the first process, in order.
  std::vector<FileEvent> eventsOf(const std::string& name) const {
    const TracedProcess& process = trace_.processes[0];
    std::vector<FileEvent> found;
    std::string routine;
    for (const TracedEvent& event : process.threads.at(0).events) {
      if (event.kind == Kind::kEnter) routine = process.leafOf(event.operand);
      if (event.kind != Kind::kFile) continue;
      if (process.files.at(static_cast<uint32_t>(event.operand)) != scratch_ / name) continue;
      found.push_back({routine, static_cast<FileOp>(event.payload[0]), event.payload[1]});
    }
    return found;
  }

  TemporaryDirectory scratch_;
  Trace trace_;
};

TEST_F(AgentFiles, EveryCall) {
  recordGuest("calls");
  std::vector<FileEvent> events = eventsOf("data");
  // Seeks are told when they took long.
  events.erase(std::remove_if(events.begin(), events.end(),
                              [](const FileEvent& event) { return event.op == FileOp::kSeek; }),
               events.end());
  EXPECT_EQ((std::vector<FileEvent>{{"open", FileOp::kOpen, 0}, {"write", FileOp::kWrite, 50},
                                    {"pwrite", FileOp::kWrite, 5}, {"writev", FileOp::kWrite, 30},
                                    {"pwritev", FileOp::kWrite, 30}, {"fsync", FileOp::kSync, 0},
                                    {"fdatasync", FileOp::kSync, 0}, {"read", FileOp::kRead, 40},
                                    {"pread", FileOp::kRead, 7}, {"readv", FileOp::kRead, 30},
                                    {"preadv", FileOp::kRead, 30}, {"read", FileOp::kRead, 0},
                                    {"close", FileOp::kClose, 0}}),
            events);
  for (const auto& [number, path] : trace_.processes[0].files) EXPECT_NE("/dev/null", path);
}

TEST_F(AgentFiles, WhatLibcOpensAndClosesByItself) {
  recordGuest("stdio");
  EXPECT_EQ((std::vector<FileEvent>{{"fopen", FileOp::kOpen, 0}, {"write", FileOp::kWrite, 7},
                                    {"close", FileOp::kClose, 0}}),
            eventsOf("first"));
  EXPECT_EQ((std::vector<FileEvent>{{"fopen", FileOp::kOpen, 0}, {"write", FileOp::kWrite, 3}}),
            eventsOf("second"));
  EXPECT_EQ((std::vector<FileEvent>{{"fopen", FileOp::kOpen, 0}, {"write", FileOp::kWrite, 5},
                                    {"close", FileOp::kClose, 0}}),
            eventsOf("third"));
  // Each std::endl is a write of its own.
  EXPECT_EQ((std::vector<FileEvent>{{"fopen", FileOp::kOpen, 0}, {"write", FileOp::kWrite, 3},
                                    {"write", FileOp::kWrite, 4}, {"close", FileOp::kClose, 0},
                                    {"fopen", FileOp::kOpen, 0}, {"read", FileOp::kRead, 7},
                                    {"close", FileOp::kClose, 0}}),
            eventsOf("fourth"));
}

TEST_F(AgentFiles, StandardOutputThatWasMadeAnotherStream) {
  recordGuest("reassigned");
  EXPECT_EQ((std::vector<FileEvent>{{"fopen", FileOp::kOpen, 0}, {"write", FileOp::kWrite, 7},
                                    {"close", FileOp::kClose, 0}}),
            eventsOf("own"));
}

TEST_F(AgentFiles, LinesThroughPipesUpToTheLastOne) {
  recordGuest("lines");
  const auto pipes = streamsOf(trace_, StreamKind::kPipe);
  ASSERT_GE(pipes.size(), 2u);
  expectWhole(pipes[0]);
  EXPECT_EQ((std::vector<uint64_t>{2, 3, 5, 9}), pipes[0].sendSizes());
  EXPECT_NE(pipes[0].sends[0].process, pipes[0].receives[0].process);
  for (const SharedStream& stream : pipes) EXPECT_TRUE(stream.trusted);
  // What pclose would have written is there; small tools of shells are not recorded.
  EXPECT_EQ((std::vector<uint64_t>{6}), pipes[1].sendSizes());
}

// A shell's pipeline of programs that know of nothing but stdio, and one that has its own.
TEST_F(AgentFiles, APipelineOfCommandsIsOneGraph) {
  const std::string program = guest("files") + " ";
  record({"sh", "-c", program + "source . | " + program + "pass . | perl -pe 1 | " + program +
                          "count ."});
  const auto pipes = streamsOf(trace_, StreamKind::kPipe);
  ASSERT_EQ(3u, pipes.size());
  size_t arcs = 0;
  for (const SharedStream& stream : pipes) {
    expectWhole(stream);
    for (const StreamCall& receive : stream.receives) {
      EXPECT_NE(receive.process, stream.senderOf(receive)->process);
      arcs++;
    }
    EXPECT_EQ(108894u, stream.sent());
  }
  EXPECT_GE(arcs, 6u);
}

}  // namespace
}  // namespace parallax::tests
