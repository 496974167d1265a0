// The ways in which events get to the disk: the same trace, and what a kill leaves of it.
#include <gtest/gtest.h>
#include <linux/io_uring.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <filesystem>
#include <random>
#include <regex>
#include <string>

#include "tests/agent_transports.h"

namespace parallax::tests {
namespace {

using format::Kind;

// Those that write the file while the program runs, in parts that are smaller than a block.
class AgentTransportsInParts : public AgentTransports {};

TEST_P(AgentTransports, HasAllEvents) {
  constexpr size_t kLocks = 15000;  // 3 blocks in each thread
  const Trace trace = record({guest("space"), "events", "2", std::to_string(kLocks)}, 7);
  EXPECT_EQ(GetParam(), trace.manifest.at("transport"));
  ASSERT_EQ(1u, trace.processes.size());
  const TracedProcess& process = trace.processes[0];
  EXPECT_EQ(GetParam(), process.settings.at("transport"));
  EXPECT_EQ(format::LossCause::kNone, process.losses.cause);
  EXPECT_EQ(2 * kLocks, process.count(Kind::kAcquire));
  EXPECT_EQ(2 * kLocks, process.count(Kind::kRelease));
  for (const auto& [number, thread] : process.threads) {
    EXPECT_TRUE(thread.lastBlockClosed) << number;
    EXPECT_EQ(0u, thread.lost);
    EXPECT_EQ(1u, thread.count(Kind::kThreadEnd));
  }
}

// Another thread than the one that ends the process writes what theirs have.
TEST_P(AgentTransports, KeepsEventsOfThreadsThatRunOn) {
  const Trace trace = record({guest("endings"), "threads-run-on"}, 11);
  ASSERT_EQ(1u, trace.processes.size());
  ASSERT_EQ(4u, trace.processes[0].threads.size());
  for (const auto& [number, thread] : trace.processes[0].threads) {
    EXPECT_EQ(1u, thread.count(Kind::kThreadBegin)) << number;
  }
  EXPECT_GE(trace.processes[0].count(Kind::kAcquire), 20u);
}

TEST_P(AgentTransports, KeepsEventsBeforeAnExecution) {
  const Trace trace = record({"perl", "-e", "exec 'true'"}, 0);
  ASSERT_EQ(2u, trace.processes.size());
  for (const TracedProcess& process : trace.processes) {
    EXPECT_EQ(1u, process.count(Kind::kThreadBegin)) << process.command;
  }
}

TEST_P(AgentTransports, KeepsEventsBesideExecutionsThatFail) {
  constexpr size_t kLocks = 15000;
  const Trace trace = record({guest("space"), "executes", "2", std::to_string(kLocks)}, 7);
  ASSERT_EQ(1u, trace.processes.size());
  EXPECT_EQ(format::LossCause::kNone, trace.processes[0].losses.cause);
  EXPECT_EQ(2 * kLocks, trace.processes[0].count(Kind::kAcquire));
}

// A parent can end inside of libc after a fork, as in daemon(). This one first waits for the end of its child: the
// recorder does not wait for processes that the command leaves.
TEST_P(AgentTransports, KeepsEventsBeforeAFork) {
  const Trace trace = record({"perl", "-e", "pipe R, W; if (fork) { close W; <R>; kill 9, $$ }"}, 137);
  ASSERT_EQ(2u, trace.processes.size());
  for (const TracedProcess& process : trace.processes) {
    EXPECT_EQ(1u, process.count(Kind::kThreadBegin)) << process.command;
    EXPECT_EQ(1u, process.threads.size());
  }
}

// PARALLAX_TEST_KILLS: how often.
TEST_P(AgentTransports, AKillAtAnyTimeLeavesWholeEvents) {
  const char* rounds = getenv("PARALLAX_TEST_KILLS");
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  for (int round = rounds != nullptr ? atoi(rounds) : 5; round > 0; round--) {
    const std::string trace = directory_ + std::to_string(round);
    const pid_t recorder = start(recorded(directory_, {guest("busy"), "3"}, options()));
    ASSERT_GT(recorder, 0);
    const pid_t pid = awaitGuest();
    usleep(random() % 50000);
    kill(pid, SIGKILL);
    EXPECT_EQ(137, endOf(recorder));
    const Trace found = loadTrace(directory_);
    ASSERT_EQ(1u, found.processes.size());
    EXPECT_EQ(format::LossCause::kNone, found.processes[0].losses.cause);
    size_t acquired = 0;
    for (const auto& [number, thread] : found.processes[0].threads) {
      EXPECT_EQ(0u, thread.count(Kind::kThreadEnd));
      acquired += thread.count(Kind::kAcquire);
      EXPECT_LE(thread.count(Kind::kAcquire) - thread.count(Kind::kRelease), 1u) << "thread " << number;
    }
    if (std::string(GetParam()).find(":1M") == std::string::npos) {
      EXPECT_GT(acquired, 100u);
    }
    ASSERT_EQ(0, rename(directory_.c_str(), trace.c_str()));
  }
}

// Writing beyond a limit that the program has lowered meanwhile would end it with SIGXFSZ.
TEST_P(AgentTransportsInParts, ALimitThatIsLoweredEndsTheTraceOnly) {
  const pid_t recorder = start(recorded(directory_, {guest("busy"), "2"}, options()));
  const pid_t pid = awaitGuest();
  const rlimit limit{4096, 4096};
  ASSERT_EQ(0, prlimit(pid, RLIMIT_FSIZE, &limit, nullptr));
  awaitCpuNs(pid, 100'000'000);  // many parts
  kill(pid, SIGKILL);
  EXPECT_EQ(137, endOf(recorder));
  const Trace trace = loadTrace(directory_);
  ASSERT_EQ(1u, trace.processes.size());
  EXPECT_EQ(format::LossCause::kFileTooLarge, trace.processes[0].losses.cause);
  EXPECT_GT(trace.processes[0].losses.events, 0u);
}

// Threads of the agent's that write events must not be seen by the program.
class AgentAsyncWrites : public AgentTransports {
 protected:
  void expectNoNotice(const std::string& mode) {
    record({guest("writes"), mode}, 0);
    std::filesystem::remove_all(directory_);
    record({guest("writes"), mode, "beside"}, 0);
  }
};

// What the agent asks of the kernel.
bool kernelHasRings() {
  io_uring_params params{};
  params.flags = IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN;
  const long ring = syscall(SYS_io_uring_setup, 2, &params);
  if (ring >= 0) close(static_cast<int>(ring));
  return ring >= 0;
}

TEST_P(AgentAsyncWrites, AreByThreads) { record({guest("writes"), "threads"}, 0); }

TEST_P(AgentAsyncWrites, AreByTheKernelBesideOtherThreads) {
  if (!kernelHasRings()) GTEST_SKIP() << "no io_uring with deferred completions here (Linux 6.1)";
  const Trace trace = record({guest("writes"), "ring", "beside"}, 0);
  ASSERT_EQ(1u, trace.processes.size());
  EXPECT_EQ(15000u, trace.processes[0].count(Kind::kAcquire));
  std::filesystem::remove_all(directory_);
  record({guest("writes"), "ring"}, 3);
}

// The kernel's threads stay as long as it, and would make the program one of several threads.
TEST_P(AgentAsyncWrites, AreNeverByTheKernelInTheFirstThread) {
  record({guest("writes"), "ring", "first"}, 3);
  std::filesystem::remove_all(directory_);
  record({guest("writes"), "alone-again"}, 0);
}

// By a filter that would end the program.
TEST_P(AgentAsyncWrites, AreByThreadsWhereTheKernelsAreForbidden) {
  Words command = recorded(directory_, {guest("writes"), "ring", "beside"}, options());
  command.insert(command.begin(), {guest("writes"), "forbid"});
  const Outcome outcome = run(command);
  EXPECT_EQ(3, outcome.status) << outcome.errors;
  const Trace trace = loadTrace(directory_);
  ASSERT_EQ(1u, trace.processes.size());
  EXPECT_EQ(15000u, trace.processes[0].count(Kind::kAcquire));
  EXPECT_EQ(format::LossCause::kNone, trace.processes[0].losses.cause);
}

TEST_P(AgentAsyncWrites, InterruptNoWait) { expectNoNotice("waits"); }

TEST_P(AgentAsyncWrites, LeaveTheProcessAloneWhereItMustBe) { record({guest("writes"), "alone"}, 0); }

TEST_P(AgentAsyncWrites, LeaveNoDescriptorsToChildren) { expectNoNotice("forks"); }

TEST_P(AgentAsyncWrites, NeverWriteIntoAFileOfTheProgram) { expectNoNotice("descriptors"); }

TEST_P(AgentAsyncWrites, EndBeforeAFilterThatWouldEndThem) { expectNoNotice("filter"); }

TEST_P(AgentAsyncWrites, AreWritesOfTheThreadItselfUnderAFilter) {
  const Trace trace = record({guest("writes"), "restricted"}, 0);
  ASSERT_EQ(1u, trace.processes.size());
  EXPECT_EQ(15000u, trace.processes[0].count(Kind::kAcquire));
  EXPECT_EQ(format::LossCause::kNone, trace.processes[0].losses.cause);
}

// The end of the process comes between two windows of some: no window is in the file without the one before.
TEST_P(AgentAsyncWrites, LeaveNoHolesAtTheEnd) {
  for (int round = 0; round < 6; round++) {
    const Trace trace = record({guest("endings"), "threads-run-on", "12"}, 11);
    ASSERT_EQ(1u, trace.processes.size());
    for (const auto& [number, thread] : trace.processes[0].threads) EXPECT_EQ(0u, thread.missingBlocks) << number;
    std::filesystem::remove_all(directory_);
  }
}

// The limit is lowered between the check and the write, again and again.
TEST_P(AgentTransports, ALimitThatIsLoweredMeanwhileEndsNothing) {
  const Outcome outcome = run(recorded(directory_, {guest("writes"), "limits"}, options()));
  EXPECT_EQ(0, outcome.status) << outcome.errors;
  EXPECT_EQ(1u, loadTrace(directory_).processes.size());
}

INSTANTIATE_TEST_SUITE_P(AgentTransports, AgentTransports,
                         testing::Values("mapped", "unbuffered", "shared", "writer", "collector", "buffered:4K", "buffered:1M", "async:64K",
                                         "async:1M"), nameOf);
INSTANTIATE_TEST_SUITE_P(AgentTransportsInParts, AgentTransportsInParts,
                         testing::Values("unbuffered", "buffered:4K", "async:64K"), nameOf);

INSTANTIATE_TEST_SUITE_P(AgentAsyncWrites, AgentAsyncWrites, testing::Values("async:64K"), nameOf);

TEST(AgentTransportOption, DiscardKeepsNoEvent) {
  const TemporaryDirectory scratch;
  const Outcome outcome =
      run(recorded(scratch / "t", {guest("space"), "events", "2", "15000"}, {"--transport", "discard"}));
  EXPECT_EQ(7, outcome.status);
  // No report is proposed: there is nothing to tell.
  EXPECT_TRUE(std::regex_match(outcome.errors,
                               std::regex("parallax: no event of 1 process was kept \\(--transport discard\\); the run took "
                                          "[0-9]+\\.[0-9]{3} s; compare this time with that of the command alone\n")))
      << outcome.errors;
  const Trace trace = loadTrace(scratch / "t");
  ASSERT_EQ(1u, trace.processes.size());
  EXPECT_EQ(0u, trace.processes[0].count(Kind::kAcquire));
  EXPECT_EQ(format::LossCause::kNone, trace.processes[0].losses.cause);
  EXPECT_EQ(1u, trace.processes[0].ends.size());
}

TEST(AgentTransportOption, RefusesWhatIsNone) {
  const TemporaryDirectory scratch;
  for (const char* mode : {"", "fast", "buffered", "buffered:", "buffered:1K", "buffered:65M", "buffered:8Q",
                           "buffered:-64K", "buffered:99999999999999999999", "async", "async:", "async:32K", "async:65M",
                           "async:1G"}) {
    const Outcome outcome = run(recorded(scratch / "t", {"true"}, {"--transport", mode}));
    EXPECT_EQ(2, outcome.status) << mode;
    EXPECT_NE(std::string::npos, outcome.errors.find("takes mapped, unbuffered, shared, writer, collector, discard, buffered:SIZE"))
        << outcome.errors;
  }
}

}  // namespace
}  // namespace parallax::tests
