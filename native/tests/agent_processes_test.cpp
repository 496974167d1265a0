#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstddef>
#include <iterator>
#include <set>

#include "tests/guest_runner.h"
#include "tests/guest_trace.h"

namespace parallax::tests {
namespace {

using format::Kind;

class AgentProcesses : public testing::Test {
 protected:
  // Runs plain and recorded, expects the same, and reads the trace.
  Trace trace(const Words& command, const std::function<void()>& inChild = {},
              const Words& options = {}) {
    const Outcome plain = run(command, inChild);
    Words all{"--quiet"};
    all.insert(all.end(), options.begin(), options.end());
    const Outcome outcome = run(recorded(scratch_ / "trace", command, all), inChild);
    EXPECT_EQ(plain.status, outcome.status);
    EXPECT_EQ(plain.output, outcome.output);
    EXPECT_EQ(plain.errors, outcome.errors);
    return loadTrace(scratch_ / "trace");
  }
  static const TracedProcess* childOf(const Trace& trace, const TracedProcess& parent) {
    for (const TracedProcess& process : trace.processes) {
      if (process.process.parentPid == parent.process.pid) return &process;
    }
    return nullptr;
  }
  // The process that exited with this status: one that executed another program has not.
  static const TracedProcess* withStatus(const Trace& trace, int status) {
    for (const TracedProcess& process : trace.processes) {
      if (process.ends.empty() || process.ends.back().reason == format::EndReason::kExec) continue;
      if (process.ends.back().status == status) return &process;
    }
    return nullptr;
  }

  TemporaryDirectory scratch_;
};

TEST_F(AgentProcesses, AForkedChildHasItsOwnTrace) {
  const Trace traced = trace({guest("processes"), "fork"});
  ASSERT_EQ(2u, traced.processes.size());
  const TracedProcess* parent = withStatus(traced, 0);
  ASSERT_NE(nullptr, parent);
  const TracedProcess* child = childOf(traced, *parent);
  ASSERT_NE(nullptr, child);
  EXPECT_EQ(7u, parent->count(Kind::kAcquire));  // 5 before and 2 after
  EXPECT_EQ(1u, parent->threads.size());
  EXPECT_EQ(10u, child->count(Kind::kAcquire));  // 7, and 3 in its thread
  EXPECT_EQ(2u, child->threads.size());
  EXPECT_EQ(1u, child->count(Kind::kThreadJoin));
  ASSERT_EQ(1u, child->ends.size());
  EXPECT_EQ(12, child->ends[0].status);
  EXPECT_GT(child->modules, 0u);
  EXPECT_GT(child->process.startTicks, parent->process.startTicks);
}

TEST_F(AgentProcesses, AForkPastLibcIsNoticed) {
  const Trace traced = trace({guest("processes"), "raw-fork"});
  ASSERT_EQ(2u, traced.processes.size());
  const TracedProcess* parent = withStatus(traced, 0);
  const TracedProcess* child = withStatus(traced, 12);
  ASSERT_NE(nullptr, parent);
  ASSERT_NE(nullptr, child);
  EXPECT_EQ(5u, parent->count(Kind::kAcquire));
  EXPECT_EQ(7u, child->count(Kind::kAcquire));
}

TEST_F(AgentProcesses, AChildOfTheSamePidIsAProcessOfItsOwn) {
  const Words command{guest("processes"), "namespaces"};
  if (run(command).status == 77) GTEST_SKIP() << "no right to a pid namespace (unshare -Up)";
  setenv("LSAN_OPTIONS", "detect_leaks=0", 1);  // no other process of the namespace can look on
  const Trace traced = trace(command);
  unsetenv("LSAN_OPTIONS");
  ASSERT_EQ(3u, traced.processes.size());
  std::multiset<size_t> acquired;
  size_t ofPid1 = 0;
  for (const TracedProcess& process : traced.processes) {
    acquired.insert(process.count(Kind::kAcquire));
    if (process.process.pid == 1) ofPid1++;
  }
  EXPECT_EQ((std::multiset<size_t>{5, 6, 7}), acquired);
  EXPECT_EQ(2u, ofPid1);
}

TEST_F(AgentProcesses, AChildOfAThreadGoesOnAfterAJumpOutOfAWait) {
  const Trace traced = trace({guest("processes"), "fork-in-thread"});
  ASSERT_EQ(2u, traced.processes.size());
  const TracedProcess* child = withStatus(traced, 12);
  ASSERT_NE(nullptr, child);
  EXPECT_EQ(8u, child->count(Kind::kAcquire));  // one that it holds, and 7 after the jump
}

TEST_F(AgentProcesses, ChildrenThatOnlyExecuteLeaveNothingBehind) {
  const Trace traced = trace({guest("processes"), "execute"});
  // The program itself, and four leaves; neither shells nor children between fork and exec.
  EXPECT_EQ(5u, traced.processes.size());
  const TracedProcess* parent = withStatus(traced, 0);
  ASSERT_NE(nullptr, parent);
  EXPECT_EQ(2u, parent->count(Kind::kAcquire));
  ASSERT_EQ(1u, parent->ends.size());  // none written by a child that shares its memory
  for (const int status : {21, 22, 23, 24}) {
    const TracedProcess* leaf = withStatus(traced, status);
    ASSERT_NE(nullptr, leaf) << status;
    EXPECT_EQ(9u, leaf->count(Kind::kAcquire));
  }
}

TEST_F(AgentProcesses, AnExecutedProgramIsANewProcessOfTheSamePid) {
  const Trace traced = trace({guest("processes"), "become"});
  ASSERT_EQ(2u, traced.processes.size());
  const TracedProcess& before = traced.processes[0];
  const TracedProcess& after = traced.processes[1];
  EXPECT_EQ(before.process.pid, after.process.pid);
  EXPECT_EQ(10u, before.count(Kind::kAcquire));  // also those after the execution that failed
  ASSERT_EQ(1u, before.ends.size());
  EXPECT_EQ(format::EndReason::kExec, before.ends[0].reason);
  EXPECT_EQ(9u, after.count(Kind::kAcquire));
  ASSERT_EQ(1u, after.ends.size());
  EXPECT_EQ(17, after.ends[0].status);
}

TEST_F(AgentProcesses, AProgramThatClosesAllDescriptorsIsTracedToItsEnd) {
  const Trace traced = trace({guest("processes"), "close"});
  ASSERT_EQ(1u, traced.processes.size());
  const TracedProcess& process = traced.processes[0];
  EXPECT_EQ(100006u, process.count(Kind::kAcquire));
  EXPECT_EQ(100006u, process.count(Kind::kRelease));
  EXPECT_GT(process.threads.at(0).blocks, 10u);
  EXPECT_EQ(1u, process.ends.size());
}

TEST_F(AgentProcesses, ShellsAndLaunchersAreNotRecorded) {
  const Trace traced = trace(
      {"env", "sh", "-c", "cat /dev/null; for i in 1 2; do " + guest("processes") +
                              " leaf $i; done; exit 7"});
  ASSERT_EQ(2u, traced.processes.size());
  for (const TracedProcess& process : traced.processes) {
    EXPECT_EQ(guest("processes"), process.executable);
  }
  EXPECT_EQ(guest("processes") + std::string(1, '\0') + "leaf" + std::string(1, '\0') + "1",
            traced.processes[0].command);
}

TEST_F(AgentProcesses, WhatTheUserPreloadsStays) {
  const Words command{"sh", "-c", guest("processes") + " leaf; echo $LD_PRELOAD"};
  const std::string own = "libm.so.6";
  const Outcome outcome =
      run(recorded(scratch_ / "trace", command, {"--quiet"}),
          [&] { setenv("LD_PRELOAD", own.c_str(), 1); });
  EXPECT_EQ(own + ":" + agent() + "\n", outcome.output);
  EXPECT_EQ(1u, loadTrace(scratch_ / "trace").processes.size());
}

TEST_F(AgentProcesses, ClosedStandardDescriptorsStayClosed) {
  const Words command{guest("processes"), "leaf", "5"};
  const Trace traced = trace(command, [] {
    for (int fd = 0; fd < 3; fd++) close(fd);
  });
  ASSERT_EQ(1u, traced.processes.size());
  EXPECT_EQ(9u, traced.processes[0].count(Kind::kAcquire));
  EXPECT_EQ(5, traced.processes[0].ends.at(0).status);
}

TEST_F(AgentProcesses, FewDescriptorsAndLittleAddressSpaceAreEnough) {
  const Trace traced = trace({guest("locks"), "counting", "16", "50"}, [] {
    const rlimit descriptors{20, 20};
    setrlimit(RLIMIT_NOFILE, &descriptors);
    const rlimit space{1u << 30, 1u << 30};
    setrlimit(RLIMIT_AS, &space);
  });
  ASSERT_EQ(1u, traced.processes.size());
  EXPECT_EQ(800u, traced.processes[0].count(Kind::kAcquire));
}

TEST_F(AgentProcesses, AMutexSharedByProcessesIsOneLock) {
  const Trace traced = trace({guest("processes"), "share"});
  ASSERT_EQ(2u, traced.processes.size());
  for (const TracedProcess& process : traced.processes) {
    EXPECT_EQ(20000u, process.count(Kind::kAcquire));
  }
  expectLocksConsistent({&traced.processes[0], &traced.processes[1]});
}

// ------------------------------------------------- creation and end, as the creator sees them

// The event of this kind in one of all calls of a routine, or those that stand alone.
struct Seen {
  uint64_t enter = 0, leave = 0;  // ticks
  uint64_t pid = 0, how = 0, status = 0;
};

std::vector<Seen> seen(const TracedThread& thread, Kind kind) {
  std::vector<Seen> all;
  uint64_t enter = 0;
  for (const TracedEvent& event : thread.events) {
    if (event.kind == Kind::kEnter) enter = event.ticks;
    if (event.kind == Kind::kLeave) enter = 0;
    if (event.kind != kind) continue;
    all.push_back({enter != 0 ? enter : event.ticks, event.ticks, event.payload[0],
                   event.payload[1], event.payload[2]});
  }
  return all;
}

const TracedProcess* withPid(const Trace& trace, uint64_t pid) {
  for (const TracedProcess& process : trace.processes) {
    if (process.process.pid == pid) return &process;
  }
  return nullptr;
}

// Each creation and each end that a process saw agrees with what the other recorded itself.
// Returns how many processes were matched.
size_t expectFamilyAgrees(const Trace& trace) {
  size_t matched = 0;
  for (const TracedProcess& process : trace.processes) {
    for (const auto& [number, thread] : process.threads) {
      for (const Seen& creation : seen(thread, Kind::kProcessCreate)) {
        const TracedProcess* child = withPid(trace, creation.pid);
        if (child == nullptr) continue;  // it only executed a shell, or left no trace
        matched++;
        EXPECT_EQ(process.process.pid, child->process.parentPid);
        EXPECT_GE(child->process.startTicks, creation.enter);
      }
      for (const Seen& end : seen(thread, Kind::kProcessWait)) {
        const TracedProcess* child = withPid(trace, end.pid);
        if (child == nullptr || child->ends.empty()) continue;
        EXPECT_EQ(static_cast<uint64_t>(child->ends.back().status) << 8, end.status);
        EXPECT_LE(child->ends.back().ticks, end.leave);
      }
    }
  }
  return matched;
}

TEST_F(AgentProcesses, AFamilyKnowsItsMembersAndHowTheyEnded) {
  if (losesAtKill()) GTEST_SKIP() << "the killed child has not told all";
  const Trace traced = trace({guest("processes"), "family"});
  ASSERT_EQ(11u, traced.processes.size());  // the first, 4 children, 0 + 1 + 2 + 3 grandchildren
  EXPECT_EQ(10u, expectFamilyAgrees(traced));
  const TracedProcess* first = withStatus(traced, 0);
  ASSERT_NE(nullptr, first);
  const TracedThread& main = first->threads.at(0);
  EXPECT_EQ(4u, first->calls(main, "fork").size());
  std::multiset<uint64_t> statuses;
  for (const Seen& end : seen(main, Kind::kProcessWait)) statuses.insert(end.status);
  EXPECT_EQ((std::multiset<uint64_t>{SIGKILL, 30 << 8, 31 << 8, 32 << 8}), statuses);
  for (const char* routine : {"wait3", "wait4", "waitid"}) {
    const auto calls = first->calls(main, routine);
    ASSERT_EQ(1u, calls.size()) << routine;
    ASSERT_EQ(3u, calls[0].size()) << routine;
    EXPECT_EQ(Kind::kProcessWait, calls[0][1].kind);
  }
  // Where it has to look more than once, it polls.
  for (const auto& call : first->calls(main, "waitpid")) EXPECT_EQ(Kind::kPoll, call.at(1).kind);
  ASSERT_EQ(1u, first->calls(main, "wait").size());     // nobody was left
  EXPECT_EQ(2u, first->calls(main, "wait")[0].size());
  size_t grandchildren = 0;
  for (const TracedProcess& process : traced.processes) {
    if (&process == first) continue;
    grandchildren += process.process.parentPid != first->process.pid ? 1 : 0;
    EXPECT_EQ(process.count(Kind::kEnter), process.count(Kind::kLeave));
    // Nothing of the parent's call is in the child.
    const auto& events = process.threads.at(0).events;
    ASSERT_FALSE(events.empty());
    EXPECT_EQ(Kind::kThreadBegin, events[0].kind);
    EXPECT_TRUE(events.size() < 2 || events[1].kind != Kind::kLeave);
  }
  EXPECT_EQ(6u, grandchildren);
}

TEST_F(AgentProcesses, EveryWayOfCreation) {
  const Trace traced = trace({guest("processes"), "create"});
  expectFamilyAgrees(traced);
  const TracedProcess* parent = withStatus(traced, 0);
  ASSERT_NE(nullptr, parent);
  const TracedThread& main = parent->threads.at(0);
  EXPECT_EQ(2u, parent->count(Kind::kAcquire));  // no work of a child is taken for the parent's
  using format::Creation;
  const std::vector<std::pair<const char*, Creation>> ways = {
      {"fork", Creation::kFork},          {"vfork", Creation::kVfork},
      {"vfork", Creation::kVfork},        {"posix_spawn", Creation::kSpawn},
      {"posix_spawnp", Creation::kSpawn}, {"system", Creation::kSpawn},
      {"system", Creation::kSpawn},       {"system", Creation::kSpawn},
      {"popen", Creation::kSpawn},        {"popen", Creation::kSpawn},
      {"_Fork", Creation::kFork},         {"clone", Creation::kFork},
      {"clone", Creation::kVfork}};
  std::map<std::string, size_t> calls;
  for (const TracedEvent& event : main.events) {
    if (event.kind == Kind::kEnter) calls[parent->leafOf(event.operand)]++;
  }
  EXPECT_EQ(2u, calls["posix_spawn"]);  // one failed
  EXPECT_EQ(2u, calls["popen"]);
  EXPECT_EQ(2u, calls["pclose"]);
  const auto creations = seen(main, Kind::kProcessCreate);
  const auto ends = seen(main, Kind::kProcessWait);
  ASSERT_EQ(ways.size(), creations.size());
  ASSERT_EQ(ways.size(), ends.size());
  const std::vector<uint64_t> statuses = {40 << 8, 41 << 8, 53 << 8, 42 << 8, 43 << 8, 44 << 8, 9,
                                          3 << 8,  45 << 8, 0,       46 << 8, 47 << 8, 48 << 8};
  std::multiset<uint64_t> expected(statuses.begin(), statuses.end()), actual;
  for (size_t i = 0; i < ways.size(); i++) {
    EXPECT_EQ(static_cast<uint64_t>(ways[i].second), creations[i].how) << ways[i].first;
    EXPECT_EQ(creations[i].pid, ends[i].pid) << ways[i].first;
    EXPECT_EQ(creations[i].how, ends[i].how) << ways[i].first;
    EXPECT_LE(creations[i].leave, ends[i].leave);
    actual.insert(ends[i].status);
  }
  EXPECT_EQ(expected, actual);
  // The programs that were executed are the processes that were created.
  for (const size_t i : {0u, 1u, 3u, 4u, 5u, 8u, 11u}) {
    const TracedProcess* child = withPid(traced, creations[i].pid);
    ASSERT_NE(nullptr, child) << ways[i].first;
    EXPECT_EQ(9u, child->count(Kind::kAcquire)) << ways[i].first;
  }
  const TracedProcess* bare = withPid(traced, creations[10].pid);  // _Fork
  ASSERT_NE(nullptr, bare);
  EXPECT_EQ(5u, bare->count(Kind::kAcquire));
}

// What children do on the memory of their parent is not the parent's doing, also where their creation
// is not recorded.
class AgentSharedMemory : public AgentProcesses, public testing::WithParamInterface<Words> {};

TEST_P(AgentSharedMemory, ChildrenLeaveTheParentAlone) {
  const Trace traced = trace({guest("processes"), "create"}, {}, GetParam());
  const TracedProcess* parent = withStatus(traced, 0);
  ASSERT_NE(nullptr, parent);
  EXPECT_EQ(2u, parent->count(Kind::kAcquire));
  EXPECT_EQ(0u, parent->calls(parent->threads.at(0), "vfork").size());
}

INSTANTIATE_TEST_SUITE_P(All, AgentSharedMemory,
                         testing::Values(Words{"--adapters", "-process"},
                                         Words{"--count", "vfork,clone"}));

TEST_F(AgentProcesses, ALookAtAChildIsNoWait) {
  const Trace traced = trace({guest("processes"), "look"});
  const TracedProcess* parent = withStatus(traced, 0);
  ASSERT_NE(nullptr, parent);
  const auto ends = seen(parent->threads.at(0), Kind::kProcessWait);
  ASSERT_GE(ends.size(), 2u);
  EXPECT_LE(ends.size(), 3u);  // the last one gave libc a wrong address
  std::set<uint64_t> children;
  for (const Seen& end : ends) EXPECT_TRUE(children.insert(end.pid).second);
}

TEST_F(AgentProcesses, ABrokenPipeIsSignalledOnce) {
  const Trace traced = trace({guest("processes"), "broken-pipe"});
  ASSERT_NE(nullptr, withStatus(traced, 0));
}

TEST_F(AgentProcesses, ThreadsOfAChildThatHaveTheFirstEventsAtOnce) {
  const Trace traced = trace({guest("processes"), "first-events"}, {}, {"--adapters", "-pthread"});
  ASSERT_EQ(21u, traced.processes.size());
  for (const TracedProcess& process : traced.processes) {
    EXPECT_EQ(1u, process.ends.size());
    if (process.threads.size() == 1) continue;  // the parent
    EXPECT_EQ(5u, process.threads.size());
    for (const auto& [number, thread] : process.threads) {
      EXPECT_TRUE(thread.hasFile) << number;
      EXPECT_EQ(1u, thread.count(Kind::kThreadEnd)) << number;
    }
  }
}

TEST_F(AgentProcesses, TheMessageOfAFailureStays) {
  const Trace traced = trace({guest("processes"), "message"});
  ASSERT_NE(nullptr, withStatus(traced, 0));
}

TEST_F(AgentProcesses, EveryWayOfExecution) {
  const Trace traced = trace({guest("processes"), "executions"});
  const TracedProcess* parent = withStatus(traced, 0);
  ASSERT_NE(nullptr, parent);
  EXPECT_EQ(9u, parent->calls(parent->threads.at(0), "fork").size());
  EXPECT_EQ(1u, parent->calls(parent->threads.at(0), "forkpty").size());
  for (int status = 60; status < 69; status++) {
    const TracedProcess* program = withStatus(traced, status);
    ASSERT_NE(nullptr, program) << status;
    EXPECT_EQ(9u, program->count(Kind::kAcquire)) << status;
    // What the process was before: its locks, and that it ended by an execution.
    const TracedProcess* before = nullptr;
    for (const TracedProcess& process : traced.processes) {
      if (&process != program && process.process.pid == program->process.pid) before = &process;
    }
    ASSERT_NE(nullptr, before) << status;
    EXPECT_EQ(2u, before->count(Kind::kAcquire)) << status;
    ASSERT_EQ(1u, before->ends.size()) << status;
    EXPECT_EQ(format::EndReason::kExec, before->ends[0].reason) << status;
    EXPECT_LE(before->ends[0].ticks, program->process.startTicks) << status;
  }
  const TracedProcess* onTerminal = withStatus(traced, 70);
  ASSERT_NE(nullptr, onTerminal);
  EXPECT_EQ(4u, onTerminal->count(Kind::kAcquire));
}

TEST_F(AgentProcesses, SignalsAroundSystemAreAsLibcHasThem) {
  const Trace traced = trace({guest("processes"), "keyboard"});
  const TracedProcess* parent = withStatus(traced, 0);
  ASSERT_NE(nullptr, parent);
  EXPECT_EQ(21u, parent->count(Kind::kProcessCreate));
  EXPECT_EQ(20u, parent->count(Kind::kProcessWait));  // one was cancelled
}

TEST_F(AgentProcesses, DaemonsHaveTheParentThatMadeThem) {
  const Trace traced = trace({guest("processes"), "daemon"});
  ASSERT_EQ(3u, traced.processes.size());
  EXPECT_EQ(2u, expectFamilyAgrees(traced));
  const TracedProcess* worker = withStatus(traced, 33);
  ASSERT_NE(nullptr, worker);
  EXPECT_EQ(6u, worker->count(Kind::kAcquire));
  const TracedProcess* between = withPid(traced, worker->process.parentPid);
  ASSERT_NE(nullptr, between);
  ASSERT_EQ(1u, between->ends.size());  // daemon() ends it in order
  EXPECT_EQ(1u, between->count(Kind::kAcquire));
}

TEST_F(AgentProcesses, ADoubleForkIsAChainOfProcesses) {
  const Trace traced = trace({guest("processes"), "double-fork"});
  ASSERT_EQ(4u, traced.processes.size());
  EXPECT_EQ(3u, expectFamilyAgrees(traced));
}

// Together 200 repetitions.
class AgentMixed : public AgentProcesses, public testing::WithParamInterface<int> {};

TEST_P(AgentMixed, FiftyTimesWithoutAHang) {
  const Words command{guest("processes"), "mixed"};
  for (int round = 0; round < 50; round++) {
    const std::string directory = scratch_ / std::to_string(round);
    Words all{"timeout", "20"};
    for (const std::string& word : recorded(directory, command, {"--quiet"})) all.push_back(word);
    const Outcome outcome = run(all);
    ASSERT_EQ(0, outcome.status) << "round " << round;
    ASSERT_EQ("5\n", outcome.output) << "round " << round;
    if (round % 20 != 0) continue;
    const Trace traced = loadTrace(directory);
    EXPECT_EQ(4u, traced.processes.size());
    EXPECT_EQ(3u, expectFamilyAgrees(traced));
  }
}

INSTANTIATE_TEST_SUITE_P(AgentProcesses, AgentMixed, testing::Range(0, 4));

// Makes the kernel refuse perf_event_open, as a strict perf_event_paranoid does.
void refusePerfEvents() {
  const sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_perf_event_open, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog program{static_cast<unsigned short>(std::size(filter)),
                           const_cast<sock_filter*>(filter)};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
    _exit(98);
  }
}

// Whichever tells that the processor was lost, the time is the same.
struct ClockChoice {
  const char* choice;
  bool perfRefused;
  format::CpuClock expected;
};
class AgentCpuClocks : public AgentProcesses, public testing::WithParamInterface<ClockChoice> {};

TEST_P(AgentCpuClocks, CpuTimeLostInAWait) {
  const Trace traced = trace({guest("locks"), "waiting"}, [] {
    setenv("PARALLAX_CPU_CLOCK", GetParam().choice, 1);
    if (GetParam().perfRefused) refusePerfEvents();
  });
  ASSERT_EQ(1u, traced.processes.size());
  const TracedProcess& process = traced.processes[0];
  EXPECT_EQ(GetParam().expected, process.process.cpuClock);
  uint64_t mostLostNs = 0, cpuNs = 0;  // on a busy machine it can lose the processor before too
  for (const TracedEvent& event : process.threads.at(1).events) {
    if (event.kind != Kind::kCpu) continue;
    mostLostNs = std::max(mostLostNs, event.payload[1]);
    cpuNs = event.payload[0];
  }
  EXPECT_GT(mostLostNs, 20000000u);  // while it waited for the lock
  EXPECT_LT(cpuNs, 20000000u);
}

INSTANTIATE_TEST_SUITE_P(
    All, AgentCpuClocks,
    testing::Values(ClockChoice{"mark", true, format::CpuClock::kSwitchMark},
                    ClockChoice{"perf", false, format::CpuClock::kPerfPage},
                    ClockChoice{"perf", true, format::CpuClock::kThreadClock},
                    ClockChoice{"thread", false, format::CpuClock::kThreadClock}));

TEST_F(AgentProcesses, ATraceDirectoryThatVanishesHurtsNobody) {
  const std::string directory = scratch_ / "gone";
  const Words command{guest("locks"), "counting", "3", "100"};
  const Outcome outcome = run(command, [&] {
    setenv("LD_PRELOAD", agent().c_str(), 1);
    setenv("PARALLAX_TRACE", directory.c_str(), 1);
  });
  EXPECT_EQ(0, outcome.status);
  EXPECT_EQ("300\n", outcome.output);
  EXPECT_EQ("", outcome.errors);
}

TEST_F(AgentProcesses, WithoutATraceTheAgentDoesNothing) {
  const Outcome outcome = run({guest("locks"), "kinds"}, [&] {
    setenv("LD_PRELOAD", agent().c_str(), 1);
    unsetenv("PARALLAX_TRACE");
  });
  EXPECT_EQ(run({guest("locks"), "kinds"}).output, outcome.output);
  EXPECT_EQ(0, outcome.status);
}

}  // namespace
}  // namespace parallax::tests
