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
  ScratchDirectory scratch;
  const Outcome outcome = run(recorded(scratch / "trace", command, {"--quiet", "--sample-hz", hz}));
  EXPECT_EQ(0, outcome.status);
  EXPECT_EQ("ok\n", outcome.output);
  EXPECT_EQ("", outcome.errors);
  const Trace trace = loadTrace(scratch / "trace");
  size_t samples = 0;
  for (const TracedProcess& process : trace.processes) samples += process.count(Kind::kSample);
  EXPECT_GT(samples, 0u);
}

INSTANTIATE_TEST_SUITE_P(
    All, SignalGuests,
    testing::Combine(testing::Values("profilingTimers", "posixTimers", "allRealTime", "ownTraps",
                                     "signalDescriptor", "waits", "masksOfWaits",
                                     "alternateStacks", "executions", "allDescriptorsClosed",
                                     "highDescriptors", "fewDescriptors", "threads"),
                     testing::Values("100", "10000")),
    [](const auto& info) {
      return std::string(std::get<0>(info.param)) + "At" + std::get<1>(info.param);
    });

// Each thread of each kind, also of a forked child, is sampled.
TEST(SignalGuests, ThreadsOfEveryKindAreSampled) {
  ScratchDirectory scratch;
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

}  // namespace
}  // namespace parallax::tests
