// Read-write locks, spin locks, semaphores and C11 threads; what processes share of them.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/guest_runner.h"
#include "tests/guest_trace.h"

namespace parallax::tests {
namespace {

using format::Kind;
using format::SyncKind;

class AgentSemaphores : public testing::Test {
 protected:
  // Runs a scenario plain and recorded, expects the same of both, and reads the trace.
  void record(const Words& arguments, size_t processes = 1, Words options = {}) {
    Words command{guest("semaphores")};
    command.insert(command.end(), arguments.begin(), arguments.end());
    const Outcome plain = run(command);
    options.push_back("--quiet");
    const Outcome outcome = run(recorded(scratch_ / "trace", command, options));
    EXPECT_EQ(0, plain.status);
    EXPECT_EQ(plain.status, outcome.status);
    EXPECT_EQ(plain.output, outcome.output);
    EXPECT_EQ(plain.errors, outcome.errors);
    trace_ = loadTrace(scratch_ / "trace");
    ASSERT_EQ(processes, trace_.processes.size());
  }
  const TracedProcess& only() const { return trace_.processes[0]; }
  // The two processes of a trace, the one that began first and the other.
  const TracedProcess& parent() const { return trace_.processes[parentIndex()]; }
  const TracedProcess& child() const { return trace_.processes[1 - parentIndex()]; }
  size_t parentIndex() const {
    return trace_.processes[1].process.parentPid == trace_.processes[0].process.pid ? 0 : 1;
  }
  static std::vector<TracedEvent> events(const TracedProcess& process, uint32_t thread, Kind kind) {
    std::vector<TracedEvent> found;
    for (const TracedEvent& event : process.threads.at(thread).events) {
      if (event.kind == kind) found.push_back(event);
    }
    return found;
  }
  static double ms(const TracedProcess& process, const std::vector<TracedEvent>& call) {
    return static_cast<double>(call.back().ticks - call.front().ticks) * 1e3 /
           static_cast<double>(process.process.tickHz);
  }
  static SyncKind kindOf(const TracedProcess& process, const TracedEvent& event) {
    return process.objects.at(static_cast<uint32_t>(event.operand)).kind;
  }
  static void expectTimedOut(const TracedProcess& process, const TracedEvent& wake) {
    EXPECT_EQ(Kind::kWake, wake.kind);
    EXPECT_EQ(SyncKind::kTimer, kindOf(process, wake));
    EXPECT_EQ(0u, wake.payload[0]);
  }
  static uint64_t keyOf(const TracedProcess& process, SyncKind kind) {
    for (const auto& [number, object] : process.objects) {
      if (object.kind == kind && object.key != 0) return object.key;
    }
    return 0;
  }

  TemporaryDirectory scratch_;
  Trace trace_;
};

TEST_F(AgentSemaphores, AWriterWaitsForTheLastReaderAndReadersForTheWriter) {
  record({"readers-writer"});
  const TracedProcess& process = only();
  ASSERT_EQ(6u, process.threads.size());
  EXPECT_EQ(1u, process.objectsOf(SyncKind::kReadWriteLock));
  EXPECT_EQ(5u, process.count(Kind::kAcquire));
  EXPECT_EQ(5u, process.count(Kind::kRelease));
  for (const uint32_t reader : {1u, 2u}) {  // they share, and did not wait
    const auto acquired = events(process, reader, Kind::kAcquire);
    ASSERT_EQ(1u, acquired.size());
    EXPECT_EQ(1u << 1 | 0, acquired[0].payload[0]);
    EXPECT_EQ(1u, acquired[0].payload[1]);
    EXPECT_EQ(0u, process.calls(process.threads.at(reader), "pthread_rwlock_rdlock").size());
  }
  EXPECT_EQ(1u, events(process, 1, Kind::kRelease).at(0).payload[0]);
  EXPECT_EQ(2u, events(process, 2, Kind::kRelease).at(0).payload[0]);
  const auto written = process.calls(process.threads.at(3), "pthread_rwlock_wrlock");
  ASSERT_EQ(1u, written.size());
  ASSERT_EQ(3u, written[0].size());
  EXPECT_EQ(3u << 1 | 1, written[0][1].payload[0]);  // made possible by release 2
  EXPECT_EQ(0u, written[0][1].payload[1]);
  EXPECT_GT(ms(process, written[0]), 20);
  EXPECT_GE(written[0][1].ticks, events(process, 2, Kind::kRelease)[0].ticks);
  EXPECT_EQ(3u, events(process, 3, Kind::kRelease).at(0).payload[0]);
  for (const uint32_t reader : {4u, 5u}) {  // both by the writer's, whichever came first
    const auto read = process.calls(process.threads.at(reader), "pthread_rwlock_rdlock");
    ASSERT_EQ(1u, read.size());
    EXPECT_EQ(4u << 1 | 1, read[0].at(1).payload[0]);
    EXPECT_EQ(1u, read[0].at(1).payload[1]);
    EXPECT_GE(read[0][1].ticks, events(process, 3, Kind::kRelease)[0].ticks);
  }
}

TEST_F(AgentSemaphores, ReadWriteLocksAnswerAsWithoutTheAgent) {
  record({"rwlock-answers"});
  // Read twice, again in time, written once.
  EXPECT_EQ(4u, only().count(Kind::kAcquire));
  EXPECT_EQ(4u, only().count(Kind::kRelease));
  const TracedThread& main = only().threads.at(0);
  EXPECT_EQ(1u, only().calls(main, "pthread_rwlock_timedwrlock").size());
  EXPECT_EQ(1u, only().calls(main, "pthread_rwlock_clockwrlock").size());
  EXPECT_EQ(1u, only().calls(main, "pthread_rwlock_wrlock").size());  // the deadlock
}

TEST_F(AgentSemaphores, EverySpinIsRecorded) {
  record({"spin", "4", "2000"});
  const TracedProcess& process = only();
  EXPECT_EQ(2u, process.objectsOf(SyncKind::kSpinLock));
  EXPECT_EQ(8000u, process.count(Kind::kAcquire));
  EXPECT_EQ(8000u, process.count(Kind::kRelease));
  expectLocksConsistent(process);
  for (const auto& [number, thread] : process.threads) {
    size_t waited = 0;
    for (const TracedEvent& event : thread.events) {
      if (event.kind == Kind::kAcquire) waited += event.payload[0] & 1;
    }
    EXPECT_EQ(waited, process.calls(thread, "pthread_spin_lock").size());
  }
}

TEST_F(AgentSemaphores, WaitsNameThePostsThatEndedThem) {
  record({"produce"});
  const TracedProcess& process = only();
  EXPECT_EQ(1u, process.objectsOf(SyncKind::kSemaphore));
  const auto taken = events(process, 0, Kind::kAcquire);
  ASSERT_EQ(2u, taken.size());  // the tokens that were there
  EXPECT_EQ(1u << 1, taken[0].payload[0]);
  EXPECT_EQ(2u << 1, taken[1].payload[0]);
  const auto posts = events(process, 1, Kind::kSignal);
  const auto waits = process.calls(process.threads.at(0), "sem_wait");
  ASSERT_EQ(3u, posts.size());
  ASSERT_EQ(3u, waits.size());
  for (size_t i = 0; i < 3; i++) {
    ASSERT_EQ(3u, waits[i].size());
    EXPECT_EQ(i + 1, posts[i].payload[0]);
    EXPECT_EQ(Kind::kWake, waits[i][1].kind);
    EXPECT_EQ(i + 1, waits[i][1].payload[0]);
    EXPECT_GE(waits[i][1].ticks, posts[i].ticks);
    EXPECT_LE(waits[i][0].ticks, posts[i].ticks);
  }
}

TEST_F(AgentSemaphores, SemaphoresAnswerAsWithoutTheAgent) {
  record({"semaphore-answers"});
  const TracedProcess& process = only();
  const TracedThread& main = process.threads.at(0);
  for (const char* routine : {"sem_timedwait", "sem_clockwait"}) {
    const auto calls = process.calls(main, routine);
    ASSERT_EQ(1u, calls.size()) << routine;
    ASSERT_EQ(3u, calls[0].size());
    expectTimedOut(process, calls[0][1]);
  }
  const auto interrupted = process.calls(main, "sem_wait");
  ASSERT_EQ(2u, interrupted.size());
  // The handler's post is counted, though it has no event of its own.
  EXPECT_EQ(SyncKind::kSemaphore, kindOf(process, interrupted[0].at(1)));
  EXPECT_EQ(1u, interrupted[0][1].payload[0]);
  // The other handler ended the wait without a post.
  ASSERT_EQ(3u, interrupted[1].size());
  EXPECT_EQ(Kind::kWake, interrupted[1][1].kind);
  EXPECT_EQ(SyncKind::kSignal, kindOf(process, interrupted[1][1]));
  EXPECT_EQ(1u, interrupted[1][1].payload[0]);
}

TEST_F(AgentSemaphores, TimeLimitsOfWhatProcessesShare) {
  record({"shared-limits"});
  const TracedProcess& process = only();
  const TracedThread& main = process.threads.at(0);
  EXPECT_NE(0u, keyOf(process, SyncKind::kMutex));
  for (const char* routine : {"sem_timedwait", "pthread_cond_timedwait"}) {
    const auto calls = process.calls(main, routine);
    ASSERT_EQ(1u, calls.size()) << routine;
    const auto wake = std::find_if(calls[0].begin(), calls[0].end(),
                                   [](const TracedEvent& event) { return event.kind == Kind::kWake; });
    ASSERT_NE(calls[0].end(), wake) << routine;
    expectTimedOut(process, *wake);
    EXPECT_GT(ms(process, calls[0]), 9) << routine;
  }
}

TEST_F(AgentSemaphores, ASemaphoreOfTwoProcessesIsOneObject) {
  record({"shared"}, 2);
  const uint64_t key = keyOf(parent(), SyncKind::kSemaphore);
  EXPECT_NE(0u, key);
  EXPECT_EQ(key, keyOf(child(), SyncKind::kSemaphore));
  const auto posts = events(child(), 0, Kind::kSignal);
  const auto waits = parent().calls(parent().threads.at(0), "sem_wait");
  ASSERT_EQ(3u, posts.size());
  ASSERT_EQ(3u, waits.size());
  for (size_t i = 0; i < 3; i++) {
    EXPECT_EQ(i + 1, posts[i].payload[0]);
    EXPECT_EQ(i + 1, waits[i].at(1).payload[0]);
    EXPECT_LE(waits[i][0].ticks, posts[i].ticks);
    EXPECT_GE(waits[i][1].ticks, posts[i].ticks);
  }
}

// Samples come while the files of a child are made for its first definition.
TEST_F(AgentSemaphores, TheFirstEventsOfAChildAreKeptWhateverSignalsCome) {
  constexpr size_t kChildren = 100;
  record({"children", std::to_string(kChildren)}, 1 + kChildren, {"--sample-hz", "10000"});
  for (const TracedProcess& process : trace_.processes) {
    if (process.count(Kind::kProcessCreate) > 0) continue;  // the parent
    EXPECT_EQ(1u, process.count(Kind::kAcquire)) << process.process.pid;
    EXPECT_EQ(1u, process.count(Kind::kSignal)) << process.process.pid;
    EXPECT_EQ(0u, process.losses.events) << process.process.pid;
  }
}

TEST_F(AgentSemaphores, ANamedSemaphoreIsOneObjectWhereverItIsMapped) {
  record({"named"}, 2);
  const uint64_t key = keyOf(parent(), SyncKind::kSemaphore);
  EXPECT_NE(0u, key);
  EXPECT_EQ(key, keyOf(child(), SyncKind::kSemaphore));
  EXPECT_EQ(1u, events(parent(), 0, Kind::kAcquire).size());  // the token of sem_open
  const auto waits = parent().calls(parent().threads.at(0), "sem_wait");
  ASSERT_EQ(3u, waits.size());
  for (size_t i = 0; i < 3; i++) EXPECT_EQ(i + 1, waits[i].at(1).payload[0]);
}

TEST_F(AgentSemaphores, BarriersConditionsAndLocksOfTwoProcesses) {
  record({"meeting", "10"}, 2);
  for (const SyncKind kind : {SyncKind::kBarrier, SyncKind::kCondition, SyncKind::kMutex,
                              SyncKind::kReadWriteLock}) {
    EXPECT_NE(0u, keyOf(parent(), kind)) << static_cast<int>(kind);
    EXPECT_EQ(keyOf(parent(), kind), keyOf(child(), kind)) << static_cast<int>(kind);
  }
  const auto here = events(parent(), 0, Kind::kBarrier), there = events(child(), 0, Kind::kBarrier);
  ASSERT_EQ(11u, here.size());
  ASSERT_EQ(11u, there.size());
  for (size_t i = 0; i < here.size(); i++) {
    EXPECT_EQ(i, here[i].payload[0]);
    EXPECT_EQ(i, there[i].payload[0]);
    EXPECT_EQ(2u, here[i].payload[1]);
  }
  const auto signals = events(parent(), 0, Kind::kSignal);
  const auto wakes = events(child(), 0, Kind::kWake);
  ASSERT_EQ(1u, signals.size());
  ASSERT_EQ(1u, wakes.size());
  EXPECT_EQ(1u, wakes[0].payload[0]);
  EXPECT_GE(wakes[0].ticks, signals[0].ticks);
  expectLocksConsistent({&parent(), &child()});
  const auto read = child().calls(child().threads.at(0), "pthread_rwlock_rdlock");
  ASSERT_EQ(1u, read.size());
  EXPECT_EQ(2u << 1 | 1, read[0].at(1).payload[0]);  // made possible by release 1, the parent's
  EXPECT_EQ(1u, read[0][1].payload[1]);
  EXPECT_GT(ms(child(), read[0]), 20);
}

TEST_F(AgentSemaphores, WaitsOnWordsOfMemory) {
  record({"futexes"}, 2);
  ASSERT_EQ(3u, parent().threads.size());
  // Three waits of the main thread that were not ended by a wake; then the two wakes.
  const auto waits = parent().calls(parent().threads.at(0), "futex");
  ASSERT_EQ(3u, waits.size());
  EXPECT_EQ(SyncKind::kFutex, kindOf(parent(), waits[0].at(1)));
  EXPECT_EQ(0u, waits[0][1].payload[0]);
  expectTimedOut(parent(), waits[1].at(1));
  EXPECT_GT(ms(parent(), waits[1]), 19);
  EXPECT_EQ(SyncKind::kSignal, kindOf(parent(), waits[2].at(1)));
  EXPECT_EQ(1u, waits[2][1].payload[0]);
  const auto signals = events(parent(), 0, Kind::kSignal);
  ASSERT_EQ(2u, signals.size());
  for (const auto& signal : signals) EXPECT_EQ(1u, signal.payload[0]);
  for (const auto* wakes : {&parent().threads.at(2), &child().threads.at(0)}) {
    const TracedProcess& process = wakes == &parent().threads.at(2) ? parent() : child();
    const auto calls = process.calls(*wakes, "futex");
    ASSERT_EQ(1u, calls.size());
    EXPECT_EQ(1u, calls[0].at(1).payload[0]);
  }
  EXPECT_NE(0u, keyOf(parent(), SyncKind::kFutex));
  EXPECT_EQ(keyOf(parent(), SyncKind::kFutex), keyOf(child(), SyncKind::kFutex));
}

TEST_F(AgentSemaphores, ThreadsLocksAndConditionsOfC11) {
  record({"c11"});
  const TracedProcess& process = only();
  ASSERT_EQ(3u, process.threads.size());
  const TracedThread& main = process.threads.at(0);
  EXPECT_EQ(2u, process.calls(main, "thrd_create").size());
  EXPECT_EQ(2u, process.calls(main, "thrd_join").size());
  EXPECT_EQ(2u, main.count(Kind::kThreadCreate));
  EXPECT_EQ(2u, main.count(Kind::kThreadJoin));
  EXPECT_EQ(21u, process.count(Kind::kSignal));
  EXPECT_EQ(1u, process.calls(main, "cnd_timedwait").size());
  EXPECT_EQ(1u, process.calls(main, "mtx_timedlock").size());
  expectLocksConsistent(process);
  for (const uint32_t thread : {1u, 2u}) {
    EXPECT_EQ(1u, process.threads.at(thread).count(Kind::kThreadBegin));
    EXPECT_EQ(1u, process.threads.at(thread).count(Kind::kThreadEnd));
    EXPECT_GE(process.calls(process.threads.at(thread), "cnd_wait").size(), 1u);
  }
}

TEST_F(AgentSemaphores, SwitchedOffTheThreadsRemain) {
  const Words command{guest("semaphores"), "c11"};
  const Outcome plain = run(command);
  const Outcome outcome = run(recorded(scratch_ / "trace", command, {"--quiet"}),
                              [] { setenv("PARALLAX_ADAPTERS", "-pthread,-file,-stream", 1); });
  EXPECT_EQ(plain.output, outcome.output);
  trace_ = loadTrace(scratch_ / "trace");
  ASSERT_EQ(1u, trace_.processes.size());
  ASSERT_EQ(3u, only().threads.size());
  for (const auto& [number, thread] : only().threads) {
    EXPECT_EQ(1u, thread.count(Kind::kThreadBegin));
    EXPECT_EQ(0u, thread.count(Kind::kEnter));
    EXPECT_EQ(0u, thread.count(Kind::kAcquire));
  }
}

}  // namespace
}  // namespace parallax::tests
