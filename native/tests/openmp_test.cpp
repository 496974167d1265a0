// OpenMP programs of tests/programs/openmp under GNU's and LLVM's runtime.
//
// Here: regions, tasks and locks are told as they were, and programs do as without the agent.
#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <set>
#include <string>

#include "tests/open_mpi.h"
#include "tests/openmp_fixture.h"

namespace parallax::tests {
namespace {

using format::Kind;
using format::SyncKind;

TEST_P(OpenMp, TasksWithDependencesFollowOneAnother) {
  const TracedProcess process = traceOf("cases", {"chain", "3"});
  expectTeamsConsistent(process);
  EXPECT_EQ(1u, process.objectsOf(SyncKind::kOpenMpTasks));
  // Each of the four was created in a call, and begun by a Wake of that call's Signal.
  std::set<uint64_t> created, begun;
  for (const auto& [number, thread] : process.threads) {
    for (const auto& call : process.calls(thread, "omp task")) {
      for (const TracedEvent& event : call) {
        if (event.kind == Kind::kSignal) created.insert(event.payload[0]);
      }
    }
    for (const TracedEvent& event : thread.events) {
      if (event.kind == Kind::kWake) begun.insert(event.payload[0]);
    }
  }
  EXPECT_EQ(4u, created.size());
  for (const uint64_t signal : created) EXPECT_EQ(1u, begun.count(signal)) << signal;
}

TEST_P(OpenMp, NestedTeamsAreTeams) {
  const TracedProcess process = traceOf("cases", {"nested"});
  expectTeamsConsistent(process);
  size_t regions = 0;
  for (const auto& [number, thread] : process.threads) {
    regions += process.calls(thread, "omp parallel").size();
  }
  EXPECT_EQ(9u, regions);
  EXPECT_GE(process.objectsOf(SyncKind::kOpenMpTasks), 3u);
  // Four at once at least; a runtime may make new ones for each inner team.
  EXPECT_GE(process.threads.size(), 4u);
}

TEST_P(OpenMp, EndOfTheProcessInsideARegion) {
  const TracedProcess process = traceOf("cases", {"exit", "3"});
  EXPECT_EQ(3u, process.threads.size());
  ASSERT_EQ(1u, process.ends.size());
  EXPECT_EQ(3, process.ends[0].status);
}

TEST_P(OpenMp, AllConstructsGiveTheSameResults) {
  for (const std::string threads : {"1", "2", "3"}) {
    // LLVM 14's doacross loops end with a signal in a team of one under libgomp's names.
    if (threads == "1" && GetParam() == std::string("gnu_on_llvm")) continue;
    SCOPED_TRACE(threads);
    expectTeamsConsistent(traceOf("cases", {"results", threads}));
  }
}

TEST_P(OpenMp, DetachedTask) {
  if (GetParam() == std::string("gnu_on_llvm")) {
    GTEST_SKIP() << "LLVM 14 has no detached tasks under libgomp's names";
  }
  expectTeamsConsistent(traceOf("cases", {"detached"}));
}

// Its thread counts without atomic operations, and reads the clock without waiting for others.
TEST_P(OpenMp, TasksOfATeamOfOneThread) {
  const TracedProcess process = traceOf("cases", {"alone"});
  expectTeamsConsistent(process);
  ASSERT_EQ(1u, process.threads.size());
  size_t ends = 0, waits = 0, last = 0;
  for (const TracedEvent& event : process.threads.at(0).events) {
    const auto object = process.objects.find(static_cast<uint32_t>(event.operand));
    if (object == process.objects.end() || object->second.kind != SyncKind::kOpenMpTaskEnds) continue;
    if (event.kind == Kind::kSignal) EXPECT_EQ(++ends, last = event.payload[0]);
    if (event.kind != Kind::kWake) continue;
    waits++;
    EXPECT_LE(event.payload[0], last);
  }
  if (GetParam() != std::string("gnu")) return;  // LLVM's runtime executes tasks where such a team creates them
  EXPECT_EQ(300u, ends);
  EXPECT_GE(waits, 200u) << "of a taskwait and a taskgroup each";
}

TEST_P(OpenMp, MastersInSeveralThreadsAndExceptions) {
  if (access(program("threads").c_str(), X_OK) != 0) {
    GTEST_SKIP() << "no C++ program for " << GetParam();
  }
  const TracedProcess process = traceOf("threads", {});
  expectTeamsConsistent(process);
  EXPECT_GE(process.threads.size(), 3u);  // the pool's may serve one after the other
  EXPECT_LE(process.threads.size(), 4u);
}

TEST_P(OpenMp, Fortran) {
  if (access(program("fortran").c_str(), X_OK) != 0) {
    GTEST_SKIP() << "no Fortran program for " << GetParam() << ": there is no compiler for it";
  }
  const TracedProcess process = traceOf("fortran", {});
  expectTeamsConsistent(process);
  EXPECT_EQ(3u, process.objectsOf(SyncKind::kOpenMpLock));
}

TEST_P(OpenMp, EveryAcquisitionOfEveryKindOfLock) {
  const TracedProcess process = traceOf("cases", {"locks"});
  expectTeamsConsistent(process);
  // A lock, a nested lock, the unnamed critical section, and what stands for atomics that the
  // compiler has no instruction for.
  const bool atomics = GetParam() != std::string("llvm");
  EXPECT_EQ(atomics ? 4u : 3u, process.objectsOf(SyncKind::kOpenMpLock));
  size_t acquired = 0, released = 0;
  for (const auto& [number, thread] : process.threads) {
    for (const TracedEvent& event : thread.events) {
      if (!isOfOmpLock(process, event)) continue;
      acquired += event.kind == Kind::kAcquire;
      released += event.kind == Kind::kRelease;
    }
  }
  const size_t always = atomics ? 160 : 120;
  EXPECT_GT(acquired, always);  // and those of omp_test_lock that succeeded
  EXPECT_LE(acquired, always + 40);
  EXPECT_EQ(acquired, released);
}

TEST_P(OpenMp, PausedRuntime) {
  expectTeamsConsistent(traceOf("cases", {"pause"}));
}

// Another thread writes their end.
TEST_P(OpenMp, IdleThreadsEndTheirPauseWithTheProcess) {
  const TracedProcess process = traceOf("cases", {"paused"});
  ASSERT_EQ(2u, process.threads.size());
  for (const auto& [number, thread] : process.threads) {
    const auto ends = [&](const TracedEvent& event) {
      return event.kind == Kind::kLeave && process.leafOf(event.operand) == "[not recorded]";
    };
    EXPECT_EQ(1, std::count_if(thread.events.begin(), thread.events.end(), ends)) << "thread " << number;
    ASSERT_FALSE(thread.events.empty());
    EXPECT_EQ(Kind::kThreadEnd, thread.events.back().kind) << "thread " << number;
  }
}

TEST_P(OpenMp, ChildAfterARegion) {
  const Words command{"timeout", "60", program("cases"), "fork"};
  const Outcome plain = run(command);
  const Outcome traced = run(recorded(scratch_ / "trace", command, {"--quiet"}));
  EXPECT_EQ(0, traced.status);
  EXPECT_EQ(plain.output, traced.output);
  const Trace trace = loadTrace(scratch_ / "trace");
  size_t regions = 0;
  for (const TracedProcess& process : trace.processes) {
    if (process.executable.find("openmp_cases") == std::string::npos) continue;
    expectTeamsConsistent(process);
    regions += process.calls(process.threads.at(0), "omp parallel").size();
  }
  // GNU's runtime cannot begin one in the child.
  EXPECT_EQ(GetParam() == std::string("gnu") ? 2u : 3u, regions);
}

// A child may have been made while another thread changed what it finds at its end.
TEST_P(OpenMp, ChildrenWhileWorkersBeginAndEnd) {
  if (GetParam() != std::string("gnu")) GTEST_SKIP() << "LLVM's runtime keeps its threads";
  const Words command{"timeout", "100", program("cases"), "churn"};
  const Outcome traced = run(recorded(scratch_ / "trace", command, {"--quiet"}));
  EXPECT_EQ(0, traced.status) << traced.errors;
  EXPECT_EQ("failed 0\n", traced.output);
}

TEST_P(OpenMp, FirstCallOnASmallStack) {
  expectTeamsConsistent(traceOf("cases", {"stack"}));
}

TEST_P(OpenMp, WithinMpi) {
  if (access(program("hybrid").c_str(), X_OK) != 0) {
    GTEST_SKIP() << "mpicc.openmpi is not installed";
  }
  allowOpenMpi();
  const Words command{"timeout", "60", "mpirun.openmpi", "-n", "2", program("hybrid")};
  const Outcome traced = run(recorded(scratch_ / "trace", command, {"--quiet"}));
  EXPECT_EQ(0, traced.status) << traced.errors;
  EXPECT_EQ("sum 59400\n", traced.output);
  const Trace trace = loadTrace(scratch_ / "trace");
  size_t ranks = 0;
  for (const TracedProcess& process : trace.processes) {
    if (process.executable.find("openmp_hybrid") == std::string::npos) continue;
    ranks++;
    expectTeamsConsistent(process);
    const TracedThread& master = process.threads.at(0);
    EXPECT_EQ(4u, process.calls(master, "MPI_Allreduce").size());
    size_t members = 0;  // threads that were in the teams
    for (const auto& [number, thread] : process.threads) {
      members += thread.count(Kind::kBarrier) > 0;
    }
    EXPECT_EQ(2u, members);
  }
  EXPECT_EQ(2u, ranks);
}

TEST_P(OpenMp, SwitchedOff) {
  const TracedProcess off = traceOf("cases", {"results", "2"}, {"--adapters", "-openmp"});
  EXPECT_EQ(0u, off.objectsOf(SyncKind::kOpenMpTasks));
  EXPECT_EQ(0u, off.objectsOf(SyncKind::kOpenMpLock));
  EXPECT_GE(off.threads.size(), 2u);  // which are sampled as any others
  for (const auto& [number, name] : off.regions) EXPECT_NE(0u, name.find("omp ")) << name;
}

TEST_P(OpenMp, WithAThreadLimit) {
  setenv("OMP_THREAD_LIMIT", "2", 1);
  expectTeamsConsistent(traceOf("cases", {"results", "2"}));
  unsetenv("OMP_THREAD_LIMIT");
}

TEST_P(OpenMp, ManyRunsWithoutAHang) {
  const Words command{"timeout", "60", program("cases"), "results", "2"};
  const Outcome plain = run(command);
  // The third way has the code of the second one.
  const int repetitions = GetParam() == std::string("gnu_on_llvm") ? 20 : 60;
  for (int i = 0; i < repetitions; i++) {
    TemporaryDirectory scratch;
    const Outcome outcome = run(recorded(scratch / "trace", command, {"--quiet"}));
    ASSERT_EQ(0, outcome.status) << "run " << i;
    ASSERT_EQ(plain.output, outcome.output) << "run " << i;
  }
}

}  // namespace
}  // namespace parallax::tests
