// Programs under the agent where it takes an assumption about glibc (core/glibc.h) for false: they run as
// without it, what depends on the assumption is left out, and the trace says so.
#include <stdlib.h>

#include <gtest/gtest.h>

#include "tests/guest_runner.h"
#include "tests/guest_trace.h"

namespace parallax::tests {
namespace {

using format::Kind;
using format::SyncKind;

class AgentGlibc : public testing::Test {
 protected:
  // Runs plain and recorded, expects the same, and reads the trace.
  Trace trace(const Words& command, const std::string& distrust = {}) {
    const Outcome plain = run(command);
    const std::string directory = scratch_ / ("trace-" + distrust);
    const Outcome outcome = run(recorded(directory, command, {"--quiet"}), [&] {
      setenv("PARALLAX_DISTRUST", distrust.c_str(), 1);
    });
    EXPECT_EQ(plain.status, outcome.status);
    EXPECT_EQ(plain.output, outcome.output);
    EXPECT_EQ(plain.errors, outcome.errors);
    Trace trace = loadTrace(directory);
    EXPECT_FALSE(trace.processes.empty());
    if (trace.processes.empty()) trace.processes.emplace_back();
    return trace;
  }
  static size_t notes(const TracedProcess& process) {
    size_t count = 0;
    for (const std::string& text : process.notes) count += text.find("this libc") != std::string::npos;
    return count;
  }
  static size_t creations(const Trace& trace) {
    size_t count = 0;
    for (const TracedProcess& process : trace.processes) count += process.count(Kind::kProcessCreate);
    return count;
  }
  // Calls of a routine in all threads.
  static size_t calls(const TracedProcess& process, const std::string& routine) {
    size_t count = 0;
    for (const auto& [number, thread] : process.threads) count += process.calls(thread, routine).size();
    return count;
  }

  TemporaryDirectory scratch_;
};

TEST_F(AgentGlibc, Mutexes) {
  const Words command{guest("locks"), "counting", "4", "100"};
  const Trace usual = trace(command), without = trace(command, "mutex");
  EXPECT_EQ(0u, notes(usual.processes[0]));
  EXPECT_EQ(400u, usual.processes[0].count(Kind::kAcquire));
  EXPECT_EQ(1u, notes(without.processes[0]));
  EXPECT_EQ(0u, without.processes[0].count(Kind::kAcquire));
  EXPECT_EQ(0u, without.processes[0].count(Kind::kRelease));
  EXPECT_EQ(0u, without.processes[0].objectsOf(SyncKind::kMutex));
}

TEST_F(AgentGlibc, Semaphores) {
  const Words command{guest("semaphores"), "produce"};
  const Trace usual = trace(command), without = trace(command, "semaphore");
  EXPECT_LT(0u, usual.processes[0].objectsOf(SyncKind::kSemaphore));
  EXPECT_EQ(1u, notes(without.processes[0]));
  EXPECT_EQ(0u, without.processes[0].objectsOf(SyncKind::kSemaphore));
}

TEST_F(AgentGlibc, Barriers) {
  const Words command{guest("locks"), "barriers", "4", "25"};
  const Trace usual = trace(command), without = trace(command, "barrier");
  EXPECT_EQ(100u, usual.processes[0].count(Kind::kBarrier));
  EXPECT_EQ(1u, notes(without.processes[0]));
  EXPECT_EQ(0u, without.processes[0].count(Kind::kBarrier));
  EXPECT_EQ(100u, calls(without.processes[0], "pthread_barrier_wait"));
}

// Whether they are shared is then seen by their memory.
TEST_F(AgentGlibc, ConditionsAndReadWriteLocks) {
  const Trace without = trace({guest("semaphores"), "meeting", "10"}, "condition,read-write-lock");
  ASSERT_EQ(2u, without.processes.size());
  for (const TracedProcess& process : without.processes) {
    EXPECT_EQ(2u, notes(process));
    for (const auto& [number, object] : process.objects) {
      if (object.kind == SyncKind::kCondition || object.kind == SyncKind::kReadWriteLock) {
        EXPECT_NE(0u, object.key);
      }
    }
  }
  const Trace alone = trace({guest("locks"), "timeout"}, "condition");
  EXPECT_EQ(1u, alone.processes[0].objectsOf(SyncKind::kCondition));
  for (const auto& [number, object] : alone.processes[0].objects) EXPECT_EQ(0u, object.key);
}

TEST_F(AgentGlibc, ProcessesOfPopen) {
  const Words command{guest("processes"), "broken-pipe"};
  const Trace usual = trace(command), without = trace(command, "popen-stream");
  EXPECT_EQ(2u, creations(usual));
  EXPECT_EQ(1u, notes(without.processes[0]));
  EXPECT_EQ(0u, creations(without));
  EXPECT_EQ(2u, calls(without.processes[0], "popen"));
}

TEST_F(AgentGlibc, TimersOfSamples) {
#if defined(PARALLAX_NO_SAMPLES)
  GTEST_SKIP() << "this build takes no samples";
#endif
  const Words command{guest("locks"), "counting", "2", "10"};
  Trace usual = trace(command), without = trace(command, "timer-signal");
  EXPECT_EQ("timer", usual.processes[0].settings["sample-source"]);
  EXPECT_EQ(1u, notes(without.processes[0]));
  EXPECT_NE("timer", without.processes[0].settings["sample-source"]);
}

TEST_F(AgentGlibc, RestartableSequences) {
  const Words command{guest("locks"), "counting", "2", "10"};
  const Trace usual = trace(command), without = trace(command, "sequence-mark");
  if (usual.processes[0].process.cpuClock != format::CpuClock::kSwitchMark) {
    GTEST_SKIP() << "this kernel or libc has none";
  }
  EXPECT_EQ(1u, notes(without.processes[0]));
  EXPECT_NE(format::CpuClock::kSwitchMark, without.processes[0].process.cpuClock);
}

TEST_F(AgentGlibc, Stdio) {
  const Words command{guest("locks"), "counting", "2", "10"};  // which prints
  const Trace usual = trace(command), without = trace(command, "stdio-tables");
  EXPECT_LT(0u, calls(usual.processes[0], "write"));
  EXPECT_EQ(1u, notes(without.processes[0]));
  EXPECT_EQ(0u, calls(without.processes[0], "write"));
}

// loadTrace() looks at the Leaves.
TEST_F(AgentGlibc, Jumps) {
  const Trace without = trace({guest("processes"), "fork-in-thread"}, "jump-buffer");
  ASSERT_EQ(2u, without.processes.size());
  for (const TracedProcess& process : without.processes) EXPECT_EQ(1u, notes(process));
}

TEST_F(AgentGlibc, AllAtOnce) {
  const Trace without = trace({guest("locks"), "counting", "4", "100"},
                              "jump-buffer,popen-stream,timer-signal,mutex,condition,read-write-lock,semaphore,"
                              "barrier,sequence-mark,stdio-tables");
  EXPECT_EQ(10u, notes(without.processes[0]));
}

}  // namespace
}  // namespace parallax::tests
