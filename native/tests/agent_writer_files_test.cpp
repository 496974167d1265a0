// The files of transports in which another process writes the events: how often it opens them, and what happens where they,
// or their disk, fail it.
#include <errno.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <set>
#include <string>

#include "tests/agent_transports.h"
#include "tests/agent_writers.h"
#include "tests/watched_calls.h"

namespace parallax::tests {
namespace {

using format::Kind;

bool isEvents(const std::string& path) { return path.size() > 4 && path.compare(path.size() - 4, 4, ".evt") == 0; }

// Takes a block out of a file, as a server does that could not store it.
void takeBlock(const std::string& path, uint64_t block) {
  const int fd = open(path.c_str(), O_RDWR | O_CLOEXEC);
  EXPECT_EQ(0, fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(block * format::kBlockBytes),
                         format::kBlockBytes));
  close(fd);
}

size_t locksOf(const TracedProcess& process) { return process.count(Kind::kAcquire) + process.count(Kind::kRelease); }

class AgentWriterFiles : public AgentTransports {
 protected:
  // Each thread sleeps now and then, so that the writer is watched before much is written.
  static constexpr size_t kLocks = 60000;
  Words program(int threads) const { return {guest("space"), "events", std::to_string(threads), std::to_string(kLocks), "5000"}; }
};

// On a file server each close waits.
TEST_P(AgentWriterFiles, StayOpen) {
  // Enough for them, and for the collector's connections.
  Words words{"sh", "-c", "ulimit -n 256; exec \"$@\"", "sh"};
  for (const std::string& word : recorded(directory_, program(2), options())) words.push_back(word);
  const pid_t recorder = start(words);
  std::atomic<size_t> opened{0}, written{0};
  const WatchedCalls calls(awaitWriter(recorder), [&](const WatchedCall& call) {
    if (!isEvents(call.file)) return 0;
    opened += call.number == SYS_openat ? 1 : 0;
    written += call.number == SYS_pwrite64 ? 1 : 0;
    return 0;
  });
  EXPECT_EQ(7, endOf(recorder));
  if (!calls.watches()) GTEST_SKIP() << "may not watch another process";
  EXPECT_EQ(4 * kLocks, locksOf(loadTrace(directory_).processes.at(0)));
  EXPECT_GE(written, 10u);
  EXPECT_LE(opened, 4u);
}

TEST_P(AgentWriterFiles, OfManyThreadsKeepToTheLimit) {
  constexpr size_t kThreads = 32, kOfEach = 8000;
  const Words command{guest("space"), "events", std::to_string(kThreads), std::to_string(kOfEach), "1000"};
  for (const bool isLate : {false, true}) {  // with less than it knows, a writer finds it out
    SCOPED_TRACE(isLate);
    const std::string trace = directory_ + (isLate ? "-late" : "");
    Words words{"sh", "-c", isLate ? "exec \"$@\"" : "ulimit -n 48; exec \"$@\"", "sh"};
    for (const std::string& word : recorded(trace, command, options())) words.push_back(word);
    const pid_t recorder = start(words);
    const rlimit limit{32, 32};
    if (isLate) {
      EXPECT_EQ(0, prlimit(awaitWriter(recorder), RLIMIT_NOFILE, &limit, nullptr));
    }
    EXPECT_EQ(7, endOf(recorder));
    const Trace found = loadTrace(trace);
    ASSERT_EQ(1u, found.processes.size());
    EXPECT_EQ(format::LossCause::kNone, found.processes[0].losses.cause);
    EXPECT_EQ(2 * kThreads * kOfEach, locksOf(found.processes[0]));
  }
}

// A server tells at the close that it has no space for what was written long before.
TEST_P(AgentWriterFiles, ThatFailAtTheirCloseAreLossesOfTheirProcess) {
  const std::string one = guest("space") + " events 1 " + std::to_string(kLocks) + " 5000";
  const pid_t recorder = start(recorded(directory_, {"sh", "-c", one + " & " + one + "; wait; exit 7"}, options()));
  std::atomic<bool> hasFailed{false};
  std::string failed;
  size_t writes = 0;
  const WatchedCalls calls(awaitWriter(recorder), [&](const WatchedCall& call) {
    if (!isEvents(call.file) || call.number == SYS_openat || hasFailed) return 0;
    if (failed.empty()) failed = call.file;
    if (call.file != failed) return 0;
    writes += call.number == SYS_pwrite64 ? 1 : 0;
    constexpr size_t kOfSomeBlocks = 8;
    if (call.number != SYS_close || writes < kOfSomeBlocks) return 0;
    hasFailed = true;
    takeBlock(call.file, 2);
    return EDQUOT;
  });
  EXPECT_EQ(7, endOf(recorder));
  if (!calls.watches()) GTEST_SKIP() << "may not watch another process";
  EXPECT_TRUE(hasFailed);
  const Trace trace = loadTrace(directory_);
  size_t lost = 0, kept = 0, losers = 0;
  for (const TracedProcess& process : trace.processes) {
    kept += locksOf(process);
    if (process.losses.cause == format::LossCause::kNone) continue;
    losers++;
    lost += process.losses.events;
    EXPECT_EQ(format::LossCause::kDiskFull, process.losses.cause);
    EXPECT_EQ(static_cast<uint32_t>(EDQUOT), process.losses.error);
    EXPECT_NE(std::string::npos, failed.find("." + std::to_string(process.process.pid) + "."));
  }
  EXPECT_EQ(1u, losers);
  EXPECT_GT(lost, 1000u);
  EXPECT_LT(lost, 10000u);  // one block of many
  EXPECT_LT(kept, 4 * kLocks);
  EXPECT_GE(kept + lost, 4 * kLocks);
}

// Or at a later write, and then not at the close.
TEST_P(AgentWriterFiles, ThatFailAtALaterWriteAreLossesOfTheWritesBefore) {
  const pid_t recorder = start(recorded(directory_, program(1), options()));
  const size_t fails = GetParam() == std::string("shared") ? 8 : 24;  // several blocks at once
  std::atomic<size_t> writes{0};
  const WatchedCalls calls(awaitWriter(recorder), [&](const WatchedCall& call) {
    if (!isEvents(call.file) || call.number != SYS_pwrite64 || ++writes != fails) return 0;
    for (uint64_t block = 2; block < 5; block++) takeBlock(call.file, block);
    return EDQUOT;
  });
  EXPECT_EQ(7, endOf(recorder));
  if (!calls.watches()) GTEST_SKIP() << "may not watch another process";
  EXPECT_GE(writes, fails);
  const Trace trace = loadTrace(directory_);
  ASSERT_EQ(1u, trace.processes.size());
  EXPECT_EQ(format::LossCause::kDiskFull, trace.processes[0].losses.cause);
  EXPECT_LT(locksOf(trace.processes[0]), 2 * kLocks);
  EXPECT_GE(locksOf(trace.processes[0]) + trace.processes[0].losses.events, 2 * kLocks);
}

TEST_P(AgentWriterFiles, ThatCannotBeWrittenForATimeAreLossesOfThisTime) {
  const pid_t recorder = start(recorded(directory_, program(1), options()));
  constexpr size_t kFirst = 8, kLast = 11;
  std::atomic<size_t> writes{0};
  const WatchedCalls calls(awaitWriter(recorder), [&](const WatchedCall& call) {
    if (!isEvents(call.file) || call.number != SYS_pwrite64 || ++writes < kFirst || writes > kLast) return 0;
    return EIO;
  });
  EXPECT_EQ(7, endOf(recorder));
  if (!calls.watches()) GTEST_SKIP() << "may not watch another process";
  const Trace trace = loadTrace(directory_);
  ASSERT_EQ(1u, trace.processes.size());
  const TracedProcess& process = trace.processes[0];
  EXPECT_EQ(format::LossCause::kOther, process.losses.cause);
  EXPECT_EQ(static_cast<uint32_t>(EIO), process.losses.error);
  EXPECT_LT(locksOf(process), 2 * kLocks);
  EXPECT_GT(locksOf(process), 1000u);  // threads of a collector learn of it, and lose a tenth of a second
  EXPECT_GE(locksOf(process) + process.losses.events, 2 * kLocks);
}

INSTANTIATE_TEST_SUITE_P(AgentWriterFiles, AgentWriterFiles, testing::Values("shared", "writer", "collector"), nameOf);

// Most blocks are written with the next one, and with their headers: on a file server each write waits.
TEST(AgentSharedFiles, TakeFewerWritesThanBlocks) {
  const TemporaryDirectory scratch;
  const std::string directory = scratch / "trace";
  const pid_t recorder = start(recorded(directory, {guest("space"), "events", "1", "100000", "5000"}, {"--transport", "shared", "--quiet"}));
  std::atomic<size_t> writes{0};
  const WatchedCalls calls(awaitWriter(recorder), [&](const WatchedCall& call) {
    writes += isEvents(call.file) && call.number == SYS_pwrite64 ? 1 : 0;
    return 0;
  });
  EXPECT_EQ(7, endOf(recorder));
  if (!calls.watches()) GTEST_SKIP() << "may not watch another process";
  const Trace trace = loadTrace(directory);
  ASSERT_EQ(1u, trace.processes.size());
  const TracedThread& thread = trace.processes[0].threads.at(1);
  EXPECT_GT(thread.blocks, 20u);
  EXPECT_GT(writes, 0u);
  EXPECT_LT(writes * 4, thread.blocks * 3);  // twice as many, if each had two
}

// The limit on the size of files ends a write in the middle of a block: what was written of it is no block, and others are kept.
TEST(AgentSharedFiles, ABlockThatIsWrittenInPartIsMissing) {
  constexpr size_t kLocks = 100000;
  const TemporaryDirectory scratch;
  const std::string directory = scratch / "trace";
  const Words program{guest("space"), "events", "1", std::to_string(kLocks), "5000"};
  const pid_t recorder = start(recorded(directory, program, {"--transport", "shared", "--quiet"}));
  const pid_t writer = awaitWriter(recorder);
  std::atomic<size_t> writes{0};
  const WatchedCalls calls(writer, [&](const WatchedCall& call) {
    if (!isEvents(call.file) || call.number != SYS_pwrite64) return 0;
    constexpr rlim_t kInTheFirstBlock = format::kBlockBytes / 2;
    const rlimit low{kInTheFirstBlock, RLIM_INFINITY}, none{RLIM_INFINITY, RLIM_INFINITY};
    if (++writes == 1) prlimit(writer, RLIMIT_FSIZE, &low, nullptr);
    if (writes == 6) prlimit(writer, RLIMIT_FSIZE, &none, nullptr);
    return 0;
  });
  EXPECT_EQ(7, endOf(recorder));
  if (!calls.watches()) GTEST_SKIP() << "may not watch another process";
  const Trace trace = loadTrace(directory);  // of which each block is whole
  ASSERT_EQ(1u, trace.processes.size());
  const TracedProcess& process = trace.processes[0];
  EXPECT_EQ(format::LossCause::kFileTooLarge, process.losses.cause);
  EXPECT_GT(process.losses.events, 1000u);
  EXPECT_GT(process.threads.at(1).missingBlocks, 0u);
  EXPECT_GT(locksOf(process), kLocks / 2);
  EXPECT_LT(locksOf(process), 2 * kLocks);
  EXPECT_GE(locksOf(process) + process.losses.events, 2 * kLocks);
}

// The command ends before a process that has an open block: what cannot be written then can be written later.
TEST(AgentSharedFiles, AnOpenBlockThatCannotBeWrittenIsLostOnce) {
  constexpr size_t kLocks = 3000;
  const TemporaryDirectory scratch;
  const std::string directory = scratch / "trace";
  const std::string program = guest("space") + " events 1 " + std::to_string(kLocks) + " 200000";
  const pid_t recorder = start(recorded(directory, {"sh", "-c", program + " & sleep 0.3"}, {"--transport", "shared", "--quiet"}));
  {
    const WatchedCalls calls(awaitWriter(recorder), [](const WatchedCall& call) {
      return isEvents(call.file) && call.number == SYS_pwrite64 ? EIO : 0;
    });
    EXPECT_EQ(0, endOf(recorder));
    if (!calls.watches()) GTEST_SKIP() << "may not watch another process";
  }
  const Trace trace = loadTrace(directory);
  ASSERT_FALSE(trace.processes.empty());
  size_t kept = 0, lost = 0;
  for (const TracedProcess& process : trace.processes) {
    kept += locksOf(process);
    lost += process.losses.events;
  }
  EXPECT_GT(lost, 1000u);
  constexpr size_t kOthers = 20;  // of the shell, and of the ends of threads
  EXPECT_GE(kept + lost, 2 * kLocks);
  EXPECT_LE(kept + lost, 2 * kLocks + kOthers);
}

// Those of threads that write by themselves.
class AgentOwnFiles : public AgentTransports {};

TEST_P(AgentOwnFiles, ThatFailAtTheirCloseAreLosses) {
  const pid_t recorder = start(recorded(directory_, {guest("busy"), "1"}, options()));
  const pid_t pid = awaitGuest();
  std::atomic<int> closes{0};  // after a write: at the first close of a file nothing is lost
  bool isWritten = false;
  const WatchedCalls calls(pid, [&](const WatchedCall& call) {
    if (!isEvents(call.file)) return 0;
    isWritten = isWritten || call.number == SYS_pwrite64;
    return isWritten && call.number == SYS_close && closes++ == 0 ? EDQUOT : 0;
  });
  constexpr int kOfLaterWindows = 4;  // the loss has been counted by then
  for (int i = 0; i < 20000 && calls.watches() && closes < kOfLaterWindows; i++) usleep(1000);
  kill(pid, SIGKILL);
  EXPECT_EQ(137, endOf(recorder));
  if (!calls.watches()) GTEST_SKIP() << "may not watch another process";
  EXPECT_LE(kOfLaterWindows, closes);
  const Trace trace = loadTrace(directory_);
  ASSERT_EQ(1u, trace.processes.size());
  EXPECT_EQ(format::LossCause::kDiskFull, trace.processes[0].losses.cause);
  EXPECT_EQ(static_cast<uint32_t>(EDQUOT), trace.processes[0].losses.error);
  EXPECT_GT(trace.processes[0].losses.events, 100u);
}

INSTANTIATE_TEST_SUITE_P(AgentOwnFiles, AgentOwnFiles, testing::Values("buffered:4K", "buffered:64K"), nameOf);

}  // namespace
}  // namespace parallax::tests
