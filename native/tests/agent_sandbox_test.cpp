// Programs that forbid themselves, and so the agent, system calls and the time stamp counter: they live
// on as without the agent, and the trace tells what it has no more.
#include <gtest/gtest.h>
#include <sys/syscall.h>

#include <tuple>

#include "tests/guest_runner.h"
#include "tests/guest_trace.h"

namespace parallax::tests {
namespace {

using format::Kind;

bool hasNote(const TracedProcess& process, const std::string& text) {
  for (const std::string& note : process.notes) {
    if (note.find(text) != std::string::npos) return true;
  }
  return false;
}

Trace record(const Words& arguments, const std::string& hz = "100", const std::string& output = "ok\n") {
  Words command{guest("sandbox")};
  command.insert(command.end(), arguments.begin(), arguments.end());
  TemporaryDirectory scratch;
  const Outcome outcome =
      run(recorded(scratch / "trace", command, {"--quiet", "--sample-hz", hz}));
  EXPECT_EQ(0, outcome.status);
  EXPECT_EQ(output, outcome.output);
  const bool isIncomplete =
      outcome.errors.find("forbidden system calls that the agent needs") != std::string::npos;
  EXPECT_TRUE(outcome.errors.empty() || isIncomplete) << outcome.errors;
  return loadTrace(scratch / "trace");
}

class SandboxGuests : public testing::TestWithParam<std::tuple<const char*, const char*>> {};

TEST_P(SandboxGuests, LiveAsWithoutTheAgent) {
  const auto [scenario, hz] = GetParam();
  const Outcome plain = run({guest("sandbox"), scenario});
  ASSERT_EQ(0, plain.status) << plain.errors;
  const Trace trace = record({scenario}, hz, plain.output);
  ASSERT_FALSE(trace.processes.empty());
  EXPECT_GE(trace.processes[0].count(Kind::kAcquire), 100u);
}

INSTANTIATE_TEST_SUITE_P(
    All, SandboxGuests,
    testing::Combine(testing::Values("tsc", "strict", "strictBySeccomp", "plain", "atOnce", "least",
                                     "noHandlers", "trap", "refused", "oneThread", "exec", "fork",
                                     "vfork"),
                     testing::Values("100", "3000")),
    [](const auto& info) {
      return std::string(std::get<0>(info.param)) + "At" + std::get<1>(info.param);
    });

// Each system call of the agent alone, forbidden to the thread or to all.
TEST(Sandbox, AnySystemCallOfTheAgentMayKill) {
  for (const long number :
       {SYS_openat, SYS_close, SYS_fstat, SYS_fallocate, SYS_ftruncate, SYS_pwrite64, SYS_munmap,
        SYS_madvise, SYS_mprotect, SYS_perf_event_open, SYS_timer_create, SYS_timer_settime,
        SYS_timer_delete, SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_rt_sigtimedwait,
        SYS_clock_gettime, SYS_getrusage, SYS_getpid, SYS_gettid, SYS_getppid, SYS_process_vm_readv,
        SYS_membarrier, SYS_fcntl, SYS_readlinkat, SYS_uname, SYS_prctl, SYS_prlimit64,
        SYS_sched_yield, SYS_nanosleep, SYS_sigaltstack}) {
    for (const char* how : {"deny", "denyAll"}) {
      SCOPED_TRACE(std::string(how) + " " + std::to_string(number));
      const Trace trace = record({how, std::to_string(number)});
      ASSERT_EQ(1u, trace.processes.size());
      EXPECT_EQ(400u, trace.processes[0].count(Kind::kAcquire));
      ASSERT_EQ(1u, trace.processes[0].ends.size());
    }
  }
}

TEST(Sandbox, TimesGoOnWithoutTheTimeStampCounter) {
  const Trace trace = record({"tsc"});
  ASSERT_EQ(1u, trace.processes.size());
  const TracedProcess& process = trace.processes[0];
  EXPECT_TRUE(hasNote(process, "The program has forbidden the time stamp counter"));
  EXPECT_EQ(800u, process.count(Kind::kAcquire));
  EXPECT_GT(process.threads.at(0).count(Kind::kSample), 0u);
  ASSERT_EQ(1u, process.ends.size());
  const auto& end = process.ends[0];
  const double seconds = static_cast<double>(end.ticks - process.process.startTicks) /
                         static_cast<double>(process.process.tickHz);
  const double truly = static_cast<double>(end.monotonicNs - process.process.monotonicNs) / 1e9;
  EXPECT_NEAR(truly, seconds, 0.001 + truly / 1000);
}

TEST(Sandbox, StrictModeEndsTheRecordInOrder) {
  for (const char* scenario : {"strict", "strictBySeccomp"}) {
    const Trace trace = record({scenario});
    ASSERT_EQ(1u, trace.processes.size());
    const TracedProcess& process = trace.processes[0];
    EXPECT_TRUE(hasNote(process, "strict mode"));
    EXPECT_EQ(200u, process.count(Kind::kAcquire)) << "those before, and all of them";
    EXPECT_EQ(1u, process.count(Kind::kThreadEnd));
    ASSERT_EQ(1u, process.ends.size());
    EXPECT_EQ(format::EndReason::kSandbox, process.ends[0].reason);
  }
}

// No file can be opened any more: what has been provided before is used.
TEST(Sandbox, AThreadGoesOnWithoutOpeningFiles) {
  const Trace trace = record({"plain"});
  ASSERT_EQ(1u, trace.processes.size());
  const TracedProcess& process = trace.processes[0];
  EXPECT_EQ(400u, process.threads.at(0).count(Kind::kAcquire));
  EXPECT_EQ(0u, process.threads.at(0).lost);
  EXPECT_GT(process.threads.at(0).count(Kind::kSample), 3u) << "its timer goes on";
  EXPECT_TRUE(hasNote(process, "each thread has space for 8 MiB"));
  EXPECT_TRUE(hasNote(process, "new threads and processes are not recorded"));
  EXPECT_TRUE(hasNote(process, "new threads have no samples"));
  EXPECT_TRUE(hasNote(process, "waits count as CPU time"));
  EXPECT_FALSE(hasNote(process, "there are no samples"));
}

TEST(Sandbox, TwoSystemCallsAreEnough) {
  const Trace trace = record({"least"});
  ASSERT_EQ(1u, trace.processes.size());
  EXPECT_EQ(200u, trace.processes[0].threads.at(0).count(Kind::kAcquire));
  EXPECT_EQ(1u, trace.processes[0].ends.size());
}

TEST(Sandbox, EventsBeyondTheSpaceAreToldAsLost) {
  const Trace trace = record({"events", "2000000"});
  ASSERT_EQ(1u, trace.processes.size());
  const TracedProcess& process = trace.processes[0];
  EXPECT_GT(process.count(Kind::kAcquire), 100000u);
  EXPECT_LT(process.count(Kind::kAcquire), 2000000u);
  EXPECT_EQ(format::LossCause::kForbidden, process.losses.cause);
  EXPECT_GE(process.count(Kind::kAcquire) + process.losses.events, 2000000u);
  ASSERT_EQ(1u, process.ends.size());
}

TEST(Sandbox, NoSampleComesWhereNoHandlerCanReturn) {
  const Trace trace = record({"noHandlers"});
  ASSERT_EQ(1u, trace.processes.size());
  const TracedProcess& process = trace.processes[0];
  EXPECT_TRUE(hasNote(process, "there are no samples"));
  EXPECT_EQ(400u, process.threads.at(0).count(Kind::kAcquire));
}

TEST(Sandbox, OtherThreadsKeepWhatTheyHave) {
  const Trace trace = record({"oneThread"});
  ASSERT_EQ(1u, trace.processes.size());
  const TracedProcess& process = trace.processes[0];
  ASSERT_EQ(4u, process.threads.size());  // the restricted one's own thread has no file
  EXPECT_EQ(200u, process.threads.at(0).count(Kind::kAcquire));
  EXPECT_EQ(200u, process.threads.at(1).count(Kind::kAcquire));
  EXPECT_EQ(200u, process.threads.at(3).count(Kind::kAcquire));
  EXPECT_GT(process.threads.at(0).count(Kind::kSample), 3u);
  EXPECT_GT(process.threads.at(3).count(Kind::kSample), 0u);
}

// The executed program knows the filters that it cannot see.
TEST(Sandbox, AnExecutedProgramIsRecordedUnderItsFilters) {
  const Trace trace = record({"exec"});
  ASSERT_EQ(2u, trace.processes.size());
  for (const TracedProcess& process : trace.processes) {
    EXPECT_EQ(200u, process.count(Kind::kAcquire));
    const bool isSecond = process.command.find("exec") == std::string::npos;
    EXPECT_EQ(isSecond ? "none" : "timer", process.settings.at("sample-source"));
    EXPECT_EQ(isSecond, hasNote(process, "There are no samples: "));
  }
}

TEST(Sandbox, AChildOnSharedMemoryRestrictsItselfOnly) {
  const Trace trace = record({"vfork"}, "100", "ok\nok\n");
  ASSERT_EQ(2u, trace.processes.size());
  size_t sampled = 0;
  for (const TracedProcess& process : trace.processes) {
    EXPECT_GE(process.count(Kind::kAcquire), 200u);
    sampled += process.count(Kind::kSample) > 0;
  }
  EXPECT_EQ(1u, sampled);
}

}  // namespace
}  // namespace parallax::tests
