#include <gtest/gtest.h>

#include "tests/guest_runner.h"
#include "tests/guest_trace.h"

namespace parallax::tests {
namespace {

using format::Kind;
using format::SyncKind;

// Runs a scenario plain and recorded, expects the same of both, and reads the trace.
Trace traceOf(const Words& command, const Words& options = {}) {
  TemporaryDirectory scratch;
  const Outcome plain = run(command);
  Words all{"--quiet"};
  all.insert(all.end(), options.begin(), options.end());
  const Outcome recordedRun = run(recorded(scratch / "trace", command, all));
  EXPECT_EQ(plain.status, recordedRun.status);
  EXPECT_EQ(plain.output, recordedRun.output);
  EXPECT_EQ(plain.errors, recordedRun.errors);
  Trace trace = loadTrace(scratch / "trace");
  EXPECT_EQ(1u, trace.processes.size());
  if (trace.processes.empty()) trace.processes.emplace_back();
  return trace;
}

TEST(AgentLocks, EveryAcquisitionAndReleaseIsRecorded) {
  const Trace trace = traceOf({guest("locks"), "counting", "4", "1000"});
  const TracedProcess& process = trace.processes[0];
  ASSERT_EQ(5u, process.threads.size());
  EXPECT_EQ(1u, process.objectsOf(SyncKind::kMutex));
  EXPECT_EQ(4000u, process.count(Kind::kAcquire));
  EXPECT_EQ(4000u, process.count(Kind::kRelease));
  expectLocksConsistent(process);
  // Those that waited, and only those, stand in a call.
  for (const auto& [number, thread] : process.threads) {
    size_t waited = 0;
    for (const TracedEvent& event : thread.events) {
      if (event.kind == Kind::kAcquire) waited += event.payload[0] & 1;
    }
    const auto calls = process.calls(thread, "pthread_mutex_lock");
    EXPECT_EQ(waited, calls.size());
    for (const auto& call : calls) {
      ASSERT_EQ(3u, call.size());
      EXPECT_EQ(Kind::kAcquire, call[1].kind);
      EXPECT_EQ(call[1].ticks, call[2].ticks);
    }
  }
}

TEST(AgentLocks, WaitLastsUntilTheRelease) {
  const Trace trace = traceOf({guest("locks"), "waiting"});
  const TracedProcess& process = trace.processes[0];
  ASSERT_EQ(2u, process.threads.size());
  const auto calls = process.calls(process.threads.at(1), "pthread_mutex_lock");
  ASSERT_EQ(1u, calls.size());
  const double seconds = static_cast<double>(calls[0][2].ticks - calls[0][0].ticks) /
                         static_cast<double>(process.process.tickHz);
  EXPECT_GT(seconds, 0.02);
  const TracedEvent* release = process.threads.at(0).first(Kind::kRelease);
  ASSERT_NE(nullptr, release);
  EXPECT_LE(release->ticks, calls[0][1].ticks);
  EXPECT_EQ(2u << 1 | 1, calls[0][1].payload[0]);  // the second acquisition, and it waited
  expectLocksConsistent(process);
}

TEST(AgentLocks, AllKindsOfMutexAnswerAsWithoutTheAgent) {
  const Trace trace = traceOf({guest("locks"), "kinds"});
  const TracedProcess& process = trace.processes[0];
  // Recursive 1, checking 1, robust 2, normal 2 and 1 after it was made anew.
  EXPECT_EQ(7u, process.count(Kind::kAcquire));
  // The dying thread never gives the robust one.
  EXPECT_EQ(6u, process.count(Kind::kRelease));
  EXPECT_EQ(5u, process.objectsOf(SyncKind::kMutex));  // the normal one is two objects
  EXPECT_EQ(1u, process.calls(process.threads.at(0), "pthread_mutex_timedlock").size());
}

TEST(AgentLocks, ConditionsOfTheStandardLibrary) {
  const Trace trace = traceOf({guest("locks"), "queue", "200"});
  const TracedProcess& process = trace.processes[0];
  ASSERT_EQ(3u, process.threads.size());
  EXPECT_EQ(201u, process.count(Kind::kSignal));
  const TracedThread& producer = process.threads.at(0);
  uint64_t last = 0;
  for (const TracedEvent& event : producer.events) {
    if (event.kind != Kind::kSignal) continue;
    EXPECT_EQ(++last, event.payload[0]);
  }
  EXPECT_EQ(200u, process.calls(producer, "pthread_cond_signal").size());
  EXPECT_EQ(1u, process.calls(producer, "pthread_cond_broadcast").size());
  expectLocksConsistent(process);
  for (const uint32_t consumer : {1u, 2u}) {
    for (const auto& call :
         process.calls(process.threads.at(consumer), "pthread_cond_wait")) {
      ASSERT_EQ(5u, call.size());  // Enter, Release, Wake, Acquire, Leave
      EXPECT_EQ(Kind::kRelease, call[1].kind);
      EXPECT_EQ(Kind::kWake, call[2].kind);
      EXPECT_EQ(Kind::kAcquire, call[3].kind);
      EXPECT_LE(call[2].payload[0], 201u);
      EXPECT_EQ(1u, call[3].payload[0] & 1);
    }
  }
}

TEST(AgentLocks, WakeOfATimeoutNamesNoSignal) {
  const Trace trace = traceOf({guest("locks"), "timeout"});
  const TracedProcess& process = trace.processes[0];
  const auto timed = process.calls(process.threads.at(0), "pthread_cond_clockwait");
  ASSERT_EQ(1u, timed.size());
  ASSERT_EQ(5u, timed[0].size());
  EXPECT_EQ(SyncKind::kTimer, process.objects.at(static_cast<uint32_t>(timed[0][2].operand)).kind);
  EXPECT_EQ(0u, timed[0][2].payload[0]);
  const auto woken = process.calls(process.threads.at(0), "pthread_cond_wait");
  ASSERT_GE(woken.size(), 1u);
  EXPECT_EQ(1u, woken.back()[2].payload[0]);
  expectLocksConsistent(process);
}

TEST(AgentLocks, AConditionThatIsDestroyedRightAfterItsSignal) {
  const Trace trace = traceOf({guest("locks"), "destroyed"});
  const TracedProcess& process = trace.processes[0];
  const TracedEvent* signal = process.threads.at(0).first(Kind::kSignal);
  const TracedEvent* wake = process.threads.at(1).first(Kind::kWake);
  ASSERT_NE(nullptr, signal);
  ASSERT_NE(nullptr, wake);
  EXPECT_EQ(signal->operand, wake->operand);
  EXPECT_EQ(1u, signal->payload[0]);
  EXPECT_EQ(1u, wake->payload[0]);
}

TEST(AgentLocks, AConditionWhoseMemoryIsAMutexByTheTimeOfTheWake) {
  const Trace trace = traceOf({guest("locks"), "reused"});
  const TracedProcess& process = trace.processes[0];
  const TracedEvent* wake = process.threads.at(1).first(Kind::kWake);
  ASSERT_NE(nullptr, wake);
  EXPECT_EQ(process.threads.at(0).first(Kind::kSignal)->operand, wake->operand);
  EXPECT_EQ(0u, wake->payload[0]) << "which signal it was is not known any more";
}

TEST(AgentLocks, TimedWaitsAndBroadcastsOfC) {
  const Trace trace = traceOf({guest("locks"), "c"});
  const TracedProcess& process = trace.processes[0];
  expectLocksConsistent(process);
  const TracedThread& main = process.threads.at(0);
  EXPECT_EQ(2u, process.objectsOf(SyncKind::kMutex));
  const auto locks = process.calls(main, "pthread_mutex_clocklock");
  ASSERT_EQ(1u, locks.size());
  for (const TracedEvent& event : locks[0]) {
    EXPECT_NE(Kind::kAcquire, event.kind);  // it gave up
  }
  for (const char* routine : {"pthread_cond_timedwait", "pthread_cond_clockwait"}) {
    const auto calls = process.calls(main, routine);
    ASSERT_EQ(1u, calls.size()) << routine;
    ASSERT_EQ(5u, calls[0].size()) << routine;  // Enter, Release, Wake, Acquire, Leave
    EXPECT_EQ(0u, calls[0][2].payload[0]) << routine;
  }
  // One Signal, which wakes all three.
  EXPECT_EQ(1u, process.count(Kind::kSignal));
  for (uint32_t waiter = 1; waiter <= 3; waiter++) {
    const auto calls = process.calls(process.threads.at(waiter), "pthread_cond_wait");
    ASSERT_GE(calls.size(), 1u);
    EXPECT_EQ(1u, calls.back()[2].payload[0]);
  }
}

TEST(AgentLocks, BarriersHaveGenerations) {
  const Trace trace = traceOf({guest("locks"), "barriers", "4", "25"});
  const TracedProcess& process = trace.processes[0];
  ASSERT_EQ(5u, process.threads.size());
  EXPECT_EQ(100u, process.count(Kind::kBarrier));
  EXPECT_EQ(1u, process.objectsOf(SyncKind::kBarrier));
  std::map<uint64_t, uint64_t> lastEnter, firstLeave;  // by generation
  for (uint32_t number = 1; number <= 4; number++) {
    const auto calls = process.calls(process.threads.at(number), "pthread_barrier_wait");
    ASSERT_EQ(25u, calls.size());
    for (uint64_t i = 0; i < calls.size(); i++) {
      ASSERT_EQ(3u, calls[i].size());
      EXPECT_EQ(i, calls[i][1].payload[0]);
      EXPECT_EQ(4u, calls[i][1].payload[1]);
      lastEnter[i] = std::max(lastEnter[i], calls[i][0].ticks);
      auto& leave = firstLeave.emplace(i, calls[i][2].ticks).first->second;
      leave = std::min(leave, calls[i][2].ticks);
    }
  }
  for (uint64_t i = 0; i < 25; i++) EXPECT_LE(lastEnter[i], firstLeave[i]) << "generation " << i;
}

TEST(AgentLocks, CancelledWaitTakesTheMutexAgain) {
  const Trace trace = traceOf({guest("locks"), "cancelled"});
  const TracedProcess& process = trace.processes[0];
  ASSERT_EQ(2u, process.threads.size());
  const TracedThread& waiter = process.threads.at(1);
  EXPECT_EQ(2u, waiter.count(Kind::kAcquire));  // before the wait and when it was cancelled
  EXPECT_EQ(2u, waiter.count(Kind::kRelease));  // by the wait and by the program's handler
  EXPECT_EQ(waiter.count(Kind::kEnter), waiter.count(Kind::kLeave));
  EXPECT_EQ(1u, waiter.count(Kind::kThreadEnd));
  expectLocksConsistent(process);
}

TEST(AgentLocks, AWaitForARoutineEndsWhereTheThreadRunsItItself) {
  const Trace trace = traceOf({guest("locks"), "once"});
  const TracedProcess& process = trace.processes[0];
  ASSERT_EQ(2u, process.threads.size());
  const TracedThread& waiter = process.threads.at(1);
  EXPECT_EQ(2u, waiter.count(Kind::kAcquire));  // both times that it runs the routine
  EXPECT_EQ(2u, waiter.count(Kind::kRelease));
  EXPECT_EQ(1u, waiter.count(Kind::kThreadEnd));
  const auto calls = process.calls(waiter, "pthread_once");
  ASSERT_EQ(1u, calls.size());
  ASSERT_EQ(2u, calls[0].size());  // Enter and Leave, without what the routine does
  EXPECT_EQ(0u, waiter.count(Kind::kWake));
  EXPECT_EQ(0u, process.count(Kind::kSignal));  // nobody waits when the routine has ended
}

TEST(AgentLocks, ManyThreadsAndBlocks) {
  const Trace trace = traceOf({guest("locks"), "counting", "64", "2000"}, {"--sample-hz", "1000"});
  const TracedProcess& process = trace.processes[0];
  ASSERT_EQ(65u, process.threads.size());
  EXPECT_EQ(128000u, process.count(Kind::kAcquire));
  EXPECT_EQ(128000u, process.count(Kind::kRelease));
  expectLocksConsistent(process);
  for (const auto& [number, thread] : process.threads) {
    EXPECT_TRUE(thread.lastBlockClosed);
    EXPECT_EQ(0u, thread.lost);
    EXPECT_EQ(1u, thread.count(Kind::kThreadEnd));
  }
}

}  // namespace
}  // namespace parallax::tests
