#include <gtest/gtest.h>

#include <set>
#include <string>

#include "tests/guest_runner.h"
#include "tests/guest_trace.h"
#include "tests/other_load.h"

namespace parallax::tests {
namespace {

using format::Kind;

Trace traceOf(const Words& command) {
  TemporaryDirectory scratch;
  const Outcome plain = run(command);
  const Outcome recordedRun = run(recorded(scratch / "trace", command, {"--quiet"}));
  EXPECT_EQ(plain.status, recordedRun.status);
  EXPECT_EQ(plain.output, recordedRun.output);
  EXPECT_EQ(plain.errors, recordedRun.errors);
  Trace trace = loadTrace(scratch / "trace");
  EXPECT_EQ(1u, trace.processes.size());
  if (trace.processes.empty()) trace.processes.emplace_back();
  return trace;
}

void expectBegunAndEnded(const TracedProcess& process) {
  for (const auto& [number, thread] : process.threads) {
    EXPECT_EQ(1u, thread.count(Kind::kThreadBegin)) << number;
    EXPECT_EQ(1u, thread.count(Kind::kThreadEnd)) << number;
    EXPECT_TRUE(thread.lastBlockClosed) << number;
  }
}

TEST(AgentThreads, CreationAndJoinNameTheThread) {
  const Trace trace = traceOf({guest("threads"), "many", "64"});
  const TracedProcess& process = trace.processes[0];
  ASSERT_EQ(65u, process.threads.size());
  expectBegunAndEnded(process);
  const TracedThread& main = process.threads.at(0);
  EXPECT_EQ(0u, main.first(Kind::kThreadBegin)->payload[0]);
  const auto creations = process.calls(main, "pthread_create");
  const auto joins = process.calls(main, "pthread_join");
  ASSERT_EQ(64u, creations.size());
  ASSERT_EQ(64u, joins.size());
  for (uint32_t i = 0; i < 64; i++) {
    ASSERT_EQ(3u, creations[i].size());
    EXPECT_EQ(Kind::kThreadCreate, creations[i][1].kind);
    EXPECT_EQ(i + 1, creations[i][1].payload[0]);
    ASSERT_EQ(3u, joins[i].size());
    EXPECT_EQ(Kind::kThreadJoin, joins[i][1].kind);
    EXPECT_EQ(i + 1, joins[i][1].payload[0]);
    const TracedThread& thread = process.threads.at(i + 1);
    EXPECT_EQ(1u, thread.definition.creatorPlusOne);
    EXPECT_EQ(1u, thread.first(Kind::kThreadBegin)->payload[0]);
    EXPECT_GE(thread.first(Kind::kThreadBegin)->ticks, creations[i][1].ticks);
    EXPECT_LE(thread.events.back().ticks, joins[i][1].ticks);
  }
}

TEST(AgentThreads, ReusedHandlesAreNotMistaken) {
  const Trace trace = traceOf({guest("threads"), "one-by-one", "40"});
  const TracedProcess& process = trace.processes[0];
  ASSERT_EQ(41u, process.threads.size());
  expectBegunAndEnded(process);
  std::vector<uint64_t> joined, expected;
  for (const TracedEvent& event : process.threads.at(0).events) {
    if (event.kind == Kind::kThreadJoin) joined.push_back(event.payload[0]);
  }
  for (uint64_t i = 0; i < 40; i++) {
    if (i % 4 != 3) expected.push_back(i + 1);  // each fourth is detached
  }
  EXPECT_EQ(expected, joined);
}

TEST(AgentThreads, EveryWayToEnd) {
  const Trace trace = traceOf({guest("threads"), "endings"});
  const TracedProcess& process = trace.processes[0];
  ASSERT_EQ(6u, process.threads.size());
  for (const auto& [number, thread] : process.threads) {
    if (number == 4) continue;  // detached: the program may end before it
    EXPECT_EQ(1u, thread.count(Kind::kThreadEnd)) << number;
  }
  // Four joins succeed, and the one of the detached thread never happens.
  EXPECT_EQ(4u, process.threads.at(0).count(Kind::kThreadJoin));
}

TEST(AgentThreads, JoinsThatGiveUpJoinNobody) {
  const Trace trace = traceOf({guest("threads"), "joins"});
  const TracedProcess& process = trace.processes[0];
  ASSERT_EQ(5u, process.threads.size());
  expectBegunAndEnded(process);
  const TracedThread& main = process.threads.at(0);
  std::vector<uint64_t> joined;
  for (const TracedEvent& event : main.events) {
    if (event.kind == Kind::kThreadJoin) joined.push_back(event.payload[0]);
  }
  EXPECT_EQ((std::vector<uint64_t>{1, 2, 3, 4}), joined);
  for (const char* routine : {"pthread_timedjoin_np", "pthread_clockjoin_np"}) {
    const auto calls = process.calls(main, routine);
    ASSERT_EQ(2u, calls.size()) << routine;
    EXPECT_EQ(2u, calls[0].size()) << routine;  // it gave up
    EXPECT_EQ(3u, calls[1].size()) << routine;
    const double seconds = static_cast<double>(calls[0].back().ticks - calls[0].front().ticks) /
                           static_cast<double>(process.process.tickHz);
    EXPECT_GT(seconds, 0.015) << routine;
  }
}

TEST(AgentThreads, LocksInDestructorsOfThreadDataAreRecorded) {
  const Trace trace = traceOf({guest("threads"), "destructors"});
  const TracedProcess& process = trace.processes[0];
  expectBegunAndEnded(process);
  EXPECT_EQ(1u, process.threads.at(1).count(Kind::kAcquire));
  EXPECT_EQ(1u, process.threads.at(1).count(Kind::kRelease));
}

TEST(AgentThreads, NamesThatDifferFromTheProgramsAreRecorded) {
  const Trace trace = traceOf({guest("threads"), "names"});
  const std::map<uint32_t, std::string> expected = {{0, "leader"}, {1, "itself"}, {2, "another"},
                                                    {3, "a name of the k"}, {4, "unseen"},
                                                    {5, "leader"}};
  EXPECT_EQ(expected, trace.processes[0].threadNames);
  EXPECT_TRUE(traceOf({guest("threads"), "many", "3"}).processes[0].threadNames.empty());
}

TEST(AgentThreads, CpuTimeIsNotMoreThanWallTime) {
  const Trace trace = traceOf({guest("locks"), "waiting"});
  const TracedProcess& process = trace.processes[0];
  // The waiter was off the processor for most of 50 ms, and a Cpu event says so.
  const TracedThread& waiter = process.threads.at(1);
  const TracedEvent* cpu = waiter.first(Kind::kCpu);
  ASSERT_NE(nullptr, cpu);
  const double hz = static_cast<double>(process.process.tickHz);
  const double wallNs =
      static_cast<double>(waiter.events.back().ticks - waiter.events[0].ticks) / hz * 1e9;
  EXPECT_GT(wallNs, 20e6);
  uint64_t lastCpuNs = 0, lostNs = 0;
  for (const TracedEvent& event : waiter.events) {
    if (event.kind != Kind::kCpu) continue;
    lastCpuNs = event.payload[0];
    lostNs += event.payload[1];
  }
  EXPECT_LT(static_cast<double>(lastCpuNs), wallNs / 2);
  EXPECT_GT(static_cast<double>(lostNs), 20e6);
  EXPECT_LE(static_cast<double>(lostNs), wallNs);
}

// A thread that waits for most of its time is told to have been blocked, whatever the machine does.
// What a thread was without a processor in its waits, as its events tell.
struct Losses {
  uint64_t blockedNs = 0, runnableNs = 0, unknownNs = 0;
};

Losses lossesOf(const TracedThread& thread) {
  Losses losses;
  uint64_t untoldNs = 0;
  for (const TracedEvent& event : thread.events) {
    if (event.kind != Kind::kCpu) continue;
    untoldNs += event.payload[1];
    if (event.payload.size() < 3) continue;
    if (event.payload[2] == format::kRunnableUnknown) {
      losses.unknownNs += untoldNs;
    } else {
      EXPECT_LE(event.payload[2], untoldNs);
      losses.runnableNs += event.payload[2];
      losses.blockedNs += untoldNs - event.payload[2];
    }
    untoldNs = 0;
  }
  return losses;
}

TEST(AgentThreads, LossesTellWhetherTheThreadWasPreempted) {
  // A machine with more to do than it can preempts a thread in many of its waits.
  EXPECT_TIMES(kAttempts, [](int) {
    const Trace trace = traceOf({guest("locks"), "waiting"});
    const Losses losses = lossesOf(trace.processes[0].threads.at(1));
    const uint64_t allNs = losses.blockedNs + losses.runnableNs + losses.unknownNs;
    EXPECT_GT(allNs, 20000000u);
    if (losses.runnableNs < allNs / 10 && losses.blockedNs > 0) return std::string();
    return "of " + std::to_string(allNs) + " ns, " + std::to_string(losses.runnableNs) + " waited for a processor, " +
           std::to_string(losses.blockedNs) + " did not";
  });
}

}  // namespace
}  // namespace parallax::tests
