// Pauses of recording: what is kept, what is not, and that each trace stays whole.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "tests/guest_runner.h"
#include "tests/guest_trace.h"

namespace parallax::tests {
namespace {

using format::Kind;

constexpr char kNotRecorded[] = "[not recorded]";

double ms(const TracedProcess& process, uint64_t ticks) {
  return static_cast<double>(ticks) * 1e3 / static_cast<double>(process.process.tickHz);
}

// Of a call that loadTrace has found to be paired.
double lengthMs(const TracedProcess& process, const std::vector<TracedEvent>& call) {
  return ms(process, call.back().ticks - call.front().ticks);
}

size_t countIn(const std::vector<TracedEvent>& events, Kind kind) {
  size_t count = 0;
  for (const TracedEvent& event : events) count += event.kind == kind ? 1 : 0;
  return count;
}

TEST(AgentPauses, TheProgramPausesAllOfItsThreads) {
  TemporaryDirectory scratch;
  const Outcome outcome = run(recorded(scratch / "trace", {guest("pauses"), "own"}, {"--sample-hz", "1000"}));
  ASSERT_EQ("done\n", outcome.output) << outcome.errors;
  const Trace trace = loadTrace(scratch / "trace");
  ASSERT_EQ(1u, trace.processes.size());
  const TracedProcess& process = trace.processes[0];
  ASSERT_EQ(4u, process.threads.size());
  const size_t acquired[] = {110, 3, 5, 0};
  std::vector<double> pauses;
  for (const auto& [number, thread] : process.threads) {
    EXPECT_EQ(acquired[number], thread.count(Kind::kAcquire)) << "thread " << number;
    EXPECT_EQ(acquired[number], thread.count(Kind::kRelease)) << "thread " << number;
    EXPECT_EQ(1u, thread.count(Kind::kThreadBegin));
    EXPECT_EQ(1u, thread.count(Kind::kThreadEnd));
    const auto calls = process.calls(thread, kNotRecorded);
    ASSERT_EQ(1u, calls.size()) << "thread " << number;
    EXPECT_EQ(0u, countIn(calls[0], Kind::kSample)) << "thread " << number;
    pauses.push_back(lengthMs(process, calls[0]));
  }
  EXPECT_GT(pauses[0], 55);
  EXPECT_NEAR(pauses[0], pauses[1], 0.01);  // who waits learns of it afterwards, and knows when it was
  EXPECT_LT(pauses[3], pauses[0]);

  // The main thread's has what is matched or nests, and no loss of the processor.
  const TracedThread& main = process.threads.at(0);
  const auto pause = process.calls(main, kNotRecorded)[0];
  EXPECT_EQ(2u, countIn(pause, Kind::kThreadCreate));
  EXPECT_EQ(1u, countIn(pause, Kind::kThreadJoin));
  EXPECT_EQ(1u, main.count(Kind::kPhaseBegin));
  EXPECT_EQ(1u, main.count(Kind::kPhaseEnd));
  EXPECT_GT(main.count(Kind::kSample), 0u);
}

TEST(AgentPauses, AWaitIsCutByThePause) {
  TemporaryDirectory scratch;
  const Outcome outcome = run(recorded(scratch / "trace", {guest("pauses"), "own"}));
  ASSERT_EQ("done\n", outcome.output) << outcome.errors;
  const Trace trace = loadTrace(scratch / "trace");
  const TracedProcess& process = trace.processes.at(0);
  const auto over = process.calls(process.threads.at(1), "sem_wait");
  ASSERT_EQ(2u, over.size());
  EXPECT_EQ(0u, countIn(over[0], Kind::kWake));
  EXPECT_EQ(1u, countIn(over[1], Kind::kWake));
  const auto pause = process.calls(process.threads.at(1), kNotRecorded).at(0);
  EXPECT_EQ(over[0].back().ticks, pause.front().ticks);
  EXPECT_EQ(pause.back().ticks, over[1].front().ticks);
  // What the thread lost is told in each part: none of it has CPU time.
  for (const auto* part : {&over[0], &pause, &over[1]}) {
    double lostMs = 0;
    for (const TracedEvent& event : process.threads.at(1).events) {
      const bool within = event.ticks > part->front().ticks && event.ticks <= part->back().ticks;
      if (event.kind == Kind::kCpu && within) lostMs += static_cast<double>(event.payload[1]) / 1e6;
    }
    EXPECT_NEAR(lengthMs(process, *part), lostMs, 2);
  }
  // One that began in the pause has the rest only, and says that its call path is not recorded.
  const auto within = process.calls(process.threads.at(2), "sem_wait");
  ASSERT_EQ(1u, within.size());
  EXPECT_EQ(1u, countIn(within[0], Kind::kWake));
  const auto path = static_cast<uint32_t>(within[0][0].operand);
  EXPECT_EQ(kNotRecorded, process.leafOf(process.paths.at(path).parent));
}

TEST(AgentPauses, TheHostPausesAllProcesses) {
  TemporaryDirectory scratch;
  const Outcome outcome = run(recorded(scratch / "trace", {guest("pauses"), "host"}, {"--control"}));
  ASSERT_EQ("0 changes\ndone\n", outcome.output) << outcome.errors;
  const Trace trace = loadTrace(scratch / "trace");
  ASSERT_EQ(3u, trace.processes.size());
  std::multiset<size_t> acquired;
  for (const TracedProcess& process : trace.processes) {
    EXPECT_EQ("running", process.settings.at("control"));
    acquired.insert(process.count(Kind::kAcquire));
    EXPECT_EQ(1u, process.calls(process.threads.at(0), kNotRecorded).size());
  }
  EXPECT_EQ((std::multiset<size_t>{2, 6, 22}), acquired);
  EXPECT_EQ("running", trace.manifest.at("control"));
}

TEST(AgentPauses, RecordingCanBeginPaused) {
  TemporaryDirectory scratch;
  const Outcome outcome = run(recorded(scratch / "trace", {guest("pauses"), "host"}, {"--control=paused"}));
  ASSERT_EQ("1 changes\ndone\n", outcome.output) << outcome.errors;
  const Trace trace = loadTrace(scratch / "trace");
  ASSERT_EQ(3u, trace.processes.size());
  for (const TracedProcess& process : trace.processes) {
    if (process.count(Kind::kProcessCreate) == 0) continue;
    EXPECT_EQ(1u, process.count(Kind::kAcquire));  // the first one was in the pause
    EXPECT_EQ(2u, process.calls(process.threads.at(0), kNotRecorded).size());
  }
}

TEST(AgentPauses, WithoutTheOptionThereIsNoSwitch) {
  TemporaryDirectory scratch;
  const Outcome outcome = run(recorded(scratch / "trace", {guest("pauses"), "own"}));
  ASSERT_EQ(0, outcome.status);
  const Outcome wrong = run(recorded(scratch / "wrong", {guest("pauses"), "own"}, {"--control=on"}));
  EXPECT_EQ(2, wrong.status);
  EXPECT_NE(std::string::npos, wrong.errors.find("running or paused")) << wrong.errors;
  const Outcome plain = run({guest("pauses"), "own"});
  EXPECT_EQ("done\n", plain.output);
}

}  // namespace
}  // namespace parallax::tests
