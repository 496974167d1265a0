// Signals from process to process: who takes one names the sending that it got.
#include <gtest/gtest.h>

#include <csignal>

#include "tests/guest_runner.h"
#include "tests/guest_trace.h"

namespace parallax::tests {
namespace {

using format::Kind;
using format::SyncKind;

std::vector<TracedEvent> eventsOf(const TracedProcess& process, Kind kind) {
  std::vector<TracedEvent> all;
  for (const TracedEvent& event : process.threads.at(0).events) {
    if (event.kind == kind) all.push_back(event);
  }
  return all;
}

TEST(AgentSignals, WhoTakesASignalNamesItsSending) {
  TemporaryDirectory scratch;
  const Outcome plain = run({guest("process-signals")});
  const Outcome outcome = run(recorded(scratch / "trace", {guest("process-signals")}, {"--quiet"}));
  EXPECT_EQ(plain.status, outcome.status);
  EXPECT_EQ(plain.output, outcome.output);
  const Trace traced = loadTrace(scratch / "trace");
  ASSERT_EQ(2u, traced.processes.size());
  const bool firstIsChild =
      traced.processes[0].process.parentPid == traced.processes[1].process.pid;
  const TracedProcess& child = traced.processes[firstIsChild ? 0 : 1];
  const TracedProcess& parent = traced.processes[firstIsChild ? 1 : 0];

  const auto sent = eventsOf(parent, Kind::kSignal);
  std::vector<TracedEvent> taken, ofTimers;
  for (const TracedEvent& wake : eventsOf(child, Kind::kWake)) {
    (child.objects.at(wake.operand).kind == SyncKind::kTimer ? ofTimers : taken).push_back(wake);
  }
  ASSERT_EQ(1u, ofTimers.size());  // the alarm, which nobody sent
  EXPECT_EQ(0u, ofTimers[0].payload[0]);
  ASSERT_EQ(6u, sent.size());
  for (size_t i = 0; i < 6; i++) EXPECT_EQ(i + 1, sent[i].payload[0]);
  ASSERT_EQ(5u, taken.size());
  const size_t sendings[] = {1, 2, 3, 4, 6};  // the fifth found the fourth pending
  for (size_t i = 0; i < 5; i++) {
    EXPECT_EQ(sendings[i], taken[i].payload[0]);
    EXPECT_GE(taken[i].ticks, sent[sendings[i] - 1].ticks);
    const format::SyncObjectRecord& there = parent.objects.at(sent[i].operand);
    const format::SyncObjectRecord& here = child.objects.at(taken[i].operand);
    EXPECT_EQ(SyncKind::kSignal, there.kind);
    EXPECT_EQ(SyncKind::kSignal, here.kind);
    EXPECT_NE(0u, there.key);
    EXPECT_EQ(there.key, here.key);
    EXPECT_EQ(uint64_t{child.process.pid} << 8 | SIGUSR1, here.address);
  }
  EXPECT_EQ(5u, parent.calls(parent.threads.at(0), "kill").size());  // not those of signal 0
  EXPECT_EQ(1u, parent.calls(parent.threads.at(0), "sigqueue").size());
  // Each is taken in a read, after a wait that the sending ended.
  EXPECT_LE(5u, child.calls(child.threads.at(0), "epoll_wait").size());
}

// As the postmaster of PostgreSQL does: what a handler does while the thread waits is recorded, and
// so are the processes that it makes.
void expectSamplesOfTheHandler(const char* scenario) {
  TemporaryDirectory scratch;
  const Outcome outcome =
      run(recorded(scratch / "trace", {guest("process-signals"), scenario}, {"--quiet", "--sample-hz", "100"}));
  EXPECT_EQ(0, outcome.status) << outcome.errors;
  size_t samples = 0;
  for (const TracedProcess& process : loadTrace(scratch / "trace").processes) {
    EXPECT_EQ(process.count(Kind::kEnter), process.count(Kind::kLeave));
    samples += process.count(Kind::kSample);
  }
  EXPECT_GE(samples, 10u);  // the handler works until a timer like that of the sampler has ticked 25 times
}

TEST(AgentSignals, WorkOfAHandlerDuringAWaitHasSamples) { expectSamplesOfTheHandler("in-pause"); }

// The wait continues the polling before it, which has a call of its own: both end before the handler.
TEST(AgentSignals, WorkOfAHandlerDuringPollingHasSamples) { expectSamplesOfTheHandler("in-polled-pause"); }

TEST(AgentSignals, AHandlerEndsTheWaitThatItInterrupts) {
  TemporaryDirectory scratch;
  const Words command{guest("process-signals"), "in-handler"};
  const Outcome plain = run(command);
  const Outcome outcome = run(recorded(scratch / "trace", command, {"--quiet"}));
  EXPECT_EQ(plain.status, outcome.status);
  EXPECT_EQ(plain.output, outcome.output);
  const Trace traced = loadTrace(scratch / "trace");
  const TracedProcess* parent = nullptr;
  const TracedProcess* first = nullptr;
  const TracedProcess* second = nullptr;
  for (const TracedProcess& process : traced.processes) {
    ASSERT_FALSE(process.ends.empty());
    if (process.ends[0].status == 0) parent = &process;
    if (process.ends[0].status == 8) first = &process;
    if (process.ends[0].status == 9) second = &process;
    EXPECT_EQ(process.count(Kind::kEnter), process.count(Kind::kLeave));
  }
  ASSERT_NE(nullptr, parent);
  ASSERT_NE(nullptr, first);
  ASSERT_NE(nullptr, second);
  const auto ends = eventsOf(*parent, Kind::kProcessWait);
  ASSERT_EQ(2u, ends.size());
  EXPECT_EQ(8u << 8, ends[0].payload[2]);
  EXPECT_EQ(9u << 8, ends[1].payload[2]);
  EXPECT_EQ(second->process.pid, ends[1].payload[0]);
  EXPECT_EQ(2u, parent->calls(parent->threads.at(0), "fork").size());
  EXPECT_EQ(5u, second->calls(second->threads.at(0), "read").size());
  // The wait began before the first child ended, which waits for that, and lasts until then; it ends
  // before what the handler saw.
  const auto polls = parent->calls(parent->threads.at(0), "poll");
  ASSERT_LE(1u, polls.size());
  EXPECT_LE(polls[0].back().ticks, ends[0].ticks);
  EXPECT_LE(polls[0][0].ticks, first->ends[0].ticks);
  EXPECT_GE(polls[0].back().ticks, first->ends[0].ticks);
}

}  // namespace
}  // namespace parallax::tests
