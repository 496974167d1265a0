// Programs that use signals, timers, stacks and descriptors themselves do as without the agent.
#include <gtest/gtest.h>

#include <tuple>

#include "tests/guest_runner.h"
#include "tests/guest_trace.h"

namespace parallax::tests {
namespace {

using format::Kind;

class SignalGuests : public testing::TestWithParam<std::tuple<const char*, const char*>> {};

TEST_P(SignalGuests, DoAsWithoutTheAgent) {
  const auto [scenario, hz] = GetParam();
  const Words command{guest("signals"), scenario};
  const Outcome plain = run(command);
  ASSERT_EQ("ok\n", plain.output) << plain.status;
  TemporaryDirectory scratch;
  const Outcome outcome = run(recorded(scratch / "trace", command, {"--quiet", "--sample-hz", hz}));
  EXPECT_EQ(0, outcome.status);
  EXPECT_EQ("ok\n", outcome.output);
  const bool isTold = std::string(scenario) == "fewDescriptors" &&
                      outcome.errors.find("no descriptor left for the agent") != std::string::npos;
  EXPECT_TRUE(outcome.errors.empty() || isTold) << outcome.errors;
  const Trace trace = loadTrace(scratch / "trace");
  size_t samples = 0;
  for (const TracedProcess& process : trace.processes) samples += process.count(Kind::kSample);
  EXPECT_GT(samples, 0u);
}

INSTANTIATE_TEST_SUITE_P(
    All, SignalGuests,
    testing::Combine(testing::Values("profilingTimers", "posixTimers", "allRealTime", "ownTraps", "actionFlags",
                                     "signalDescriptor", "waits", "queuedSignals",
                                     "awaitedTimers", "credentials", "masksOfWaits",
                                     "alternateStacks", "executions", "allDescriptorsClosed",
                                     "highDescriptors", "fewDescriptors", "threads",
                                     "childrenOnAlternateStacks", "uselessAlternateStacks",
                                     "childOfSmallStack",
                                     "clonedThread"),
                     testing::Values("100", "10000")),
    [](const auto& info) {
      return std::string(std::get<0>(info.param)) + "At" + std::get<1>(info.param);
    });
// Where there are perf events, SIGTRAP is theirs.
INSTANTIATE_TEST_SUITE_P(OfTimers, SignalGuests,
                         testing::Combine(testing::Values("queuedTrap"), testing::Values("100")));

// Each thread of each kind, also of a forked child, is sampled.
TEST(SignalGuests, ThreadsOfEveryKindAreSampled) {
  TemporaryDirectory scratch;
  const Outcome outcome = run(recorded(scratch / "trace", {guest("signals"), "threads"},
                                       {"--quiet", "--sample-hz", "100"}));
  ASSERT_EQ("ok\n", outcome.output);
  const Trace trace = loadTrace(scratch / "trace");
  ASSERT_EQ(2u, trace.processes.size());
  for (const TracedProcess& process : trace.processes) {
    size_t sampled = 0;
    for (const auto& [number, thread] : process.threads) {
      // Thirty, on a machine that is not so busy that ticks miss them.
      if (thread.count(Kind::kSample) >= 10) ++sampled;
    }
    const bool isChild = process.process.parentPid == trace.processes[0].process.pid ||
                         process.process.parentPid == trace.processes[1].process.pid;
    EXPECT_EQ(isChild ? 2u : 4u, sampled);
  }
}

// With its first thread libc takes the signal of the timers, also where it creates that for itself.
TEST(SignalGuests, ThreadsOfLibcEndNoSamples) {
  for (const char* scenario :
       {"timerThread", "messageThread", "asynchronousRead", "asynchronousLookup", "unseenThread"}) {
    const Words command{guest("signals"), scenario};
    ASSERT_EQ("ok\n", run(command).output) << scenario;
    TemporaryDirectory scratch;
    const Outcome outcome =
        run(recorded(scratch / "trace", command, {"--quiet", "--sample-hz", "100"}));
    EXPECT_EQ("ok\n", outcome.output) << scenario;
    const Trace trace = loadTrace(scratch / "trace");
    ASSERT_EQ(1u, trace.processes.size());
    // Fifteen, on a machine that is not so busy that ticks miss them.
    EXPECT_GE(trace.processes[0].threads.at(0).count(Kind::kSample), 5u) << scenario;
  }
}

// Without samples, which take part of such a stack themselves.
TEST(SignalGuests, CallsInHandlersOnSmallStacksAreRecorded) {
  TemporaryDirectory scratch;
  const Outcome outcome = run(recorded(scratch / "trace", {guest("signals"), "callsOnAlternateStack"},
                                       {"--quiet", "--sample-hz", "0"}));
  ASSERT_EQ("ok\n", outcome.output) << outcome.status;
  const Trace trace = loadTrace(scratch / "trace");
  ASSERT_EQ(3u, trace.processes.size());
  size_t opened = 0, written = 0;
  for (const TracedProcess& process : trace.processes) {
    for (const auto& [number, path] : process.files) opened += path.find("/maps") != path.npos;
    written += process.count(Kind::kStreamSend) > 0;
  }
  EXPECT_EQ(2u, opened);
  EXPECT_EQ(3u, written);
}

// What a tracer sees of a program that is sampled.
Trace traced(const Words& tracer, const std::string& hz, Outcome* outcome) {
  TemporaryDirectory scratch;
  Words command = tracer;
  command.insert(command.end(), {guest("signals"), "work"});
  *outcome = run(recorded(scratch / "trace", command, {"--quiet", "--sample-hz", hz}));
  return loadTrace(scratch / "trace");
}

// A debugger stops at signals: there are none.
TEST(Tracers, DebuggersDoNotStopAtSamples) {
  if (run({"sh", "-c", "command -v gdb"}).status != 0) GTEST_SKIP() << "gdb is not installed";
  for (const char* hz : {"100", "10000"}) {
    Outcome outcome;
    const Trace trace = traced({"gdb", "-batch", "-ex", "run", "--args"}, hz, &outcome);
    EXPECT_NE(std::string::npos, outcome.output.find("ok\n")) << outcome.output << outcome.errors;
    EXPECT_EQ(std::string::npos, outcome.output.find("received signal")) << outcome.output;
    const TracedProcess* process = trace.ofExecutable("guest-signals");
    ASSERT_NE(nullptr, process);
    EXPECT_EQ("none", process->settings.at("sample-source"));
    ASSERT_FALSE(process->notes.empty());
    EXPECT_NE(std::string::npos, process->notes[0].find("debugger")) << process->notes[0];
  }
}

TEST(Tracers, StraceLetsSamplesPass) {
  if (run({"sh", "-c", "command -v strace"}).status != 0) GTEST_SKIP() << "strace is not installed";
  for (const char* hz : {"100", "10000"}) {
    Outcome outcome;
    const Trace trace = traced({"strace", "-f", "-qq", "-e", "trace=none"}, hz, &outcome);
    EXPECT_EQ("ok\n", outcome.output) << outcome.errors;
    EXPECT_EQ(0, outcome.status);
    const TracedProcess* process = trace.ofExecutable("guest-signals");
    ASSERT_NE(nullptr, process);
    EXPECT_GT(process->count(Kind::kSample), 20u);
  }
}

}  // namespace
}  // namespace parallax::tests
