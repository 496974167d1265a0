// What Signals and Wakes of the kernel's objects tell: who names which.
#include <gtest/gtest.h>

#include <map>
#include <utility>

#include "tests/guest_runner.h"
#include "tests/guest_trace.h"

namespace parallax::tests {
namespace {

using format::Kind;
using format::SyncKind;

class AgentKernelObjects : public testing::Test {
 protected:
  void record(const char* scenario, size_t processes) {
    const Words command{guest("kernel-objects"), scenario};
    const Outcome plain = run(command);
    const Outcome outcome = run(recorded(scratch_ / "trace", command, {"--quiet"}));
    EXPECT_EQ(0, plain.status) << plain.errors;
    EXPECT_EQ(plain.status, outcome.status) << outcome.errors;
    EXPECT_EQ(plain.output, outcome.output);
    trace_ = loadTrace(scratch_ / "trace");
    ASSERT_EQ(processes, trace_.processes.size());
    for (const TracedProcess& process : trace_.processes) {
      EXPECT_EQ(process.count(Kind::kEnter), process.count(Kind::kLeave));
    }
  }
  const TracedProcess& parent() const { return trace_.processes[parentIndex()]; }
  const TracedProcess& child() const { return trace_.processes[1 - parentIndex()]; }
  size_t parentIndex() const {
    return trace_.processes.size() == 1 || trace_.processes[1].process.parentPid == trace_.processes[0].process.pid
               ? 0 : 1;
  }
  // The numbers that events of a kind tell of objects of a kind.
  static std::vector<uint64_t> numbers(const TracedProcess& process, Kind kind, SyncKind of) {
    std::vector<uint64_t> all;
    for (const TracedEvent& event : process.threads.at(0).events) {
      if (event.kind == kind && process.objects.at(static_cast<uint32_t>(event.operand)).kind == of) {
        all.push_back(event.payload[0]);
      }
    }
    return all;
  }
  const Trace& trace() const { return trace_; }
  static uint64_t keyOf(const TracedProcess& process, SyncKind kind) {
    for (const auto& [id, object] : process.objects) {
      if (object.kind == kind) return object.key;
    }
    return 0;
  }

 private:
  TemporaryDirectory scratch_;
  Trace trace_;
};

using Numbers = std::vector<uint64_t>;

TEST_F(AgentKernelObjects, AReadOfAnEventfdNamesTheFirstWriteSinceTheLast) {
  record("events", 1);
  EXPECT_EQ((Numbers{1, 2, 3, 4, 5, 6}), numbers(parent(), Kind::kSignal, SyncKind::kEventfd));
  // Not 5, which another eventfd had, although the kernel gives both the same number.
  EXPECT_EQ((Numbers{1, 4, 6}), numbers(parent(), Kind::kWake, SyncKind::kEventfd));
}

TEST_F(AgentKernelObjects, ATokenOfAnEventfdIsThatOfItsWrite) {
  record("tokens", 2);
  EXPECT_EQ((Numbers{1, 2, 3}), numbers(parent(), Kind::kSignal, SyncKind::kEventfd));
  // Those at first nobody wrote; after a write of 2, the last write is named.
  EXPECT_EQ((Numbers{0, 0, 1, 3, 3}), numbers(parent(), Kind::kWake, SyncKind::kEventfd));
  EXPECT_EQ((Numbers{2}), numbers(child(), Kind::kWake, SyncKind::kEventfd));
  EXPECT_NE(0u, keyOf(parent(), SyncKind::kEventfd));
  EXPECT_EQ(keyOf(parent(), SyncKind::kEventfd), keyOf(child(), SyncKind::kEventfd));
}

TEST_F(AgentKernelObjects, MessagesOfAQueueAreMatchedByType) {
  record("types", 1);
  EXPECT_EQ((Numbers{1, 1, 2}), numbers(parent(), Kind::kSignal, SyncKind::kMessageQueue));
  EXPECT_EQ((Numbers{1, 1, 2}), numbers(parent(), Kind::kWake, SyncKind::kMessageQueue));
  EXPECT_EQ(2u, parent().objectsOf(SyncKind::kMessageQueue));
  EXPECT_TRUE(numbers(parent(), Kind::kSignal, SyncKind::kQueueRoom).empty());  // nobody waited for it
}

TEST_F(AgentKernelObjects, WhoIsCancelledHasNotSentAndWaitsNoMore) {
  record("cancelled", 1);
  EXPECT_EQ((Numbers{1, 2, 3}), numbers(parent(), Kind::kSignal, SyncKind::kMessageQueue));
  EXPECT_EQ((Numbers{1, 2, 3}), numbers(parent(), Kind::kWake, SyncKind::kMessageQueue));
  EXPECT_TRUE(numbers(parent(), Kind::kSignal, SyncKind::kQueueRoom).empty());
  EXPECT_TRUE(numbers(parent(), Kind::kSignal, SyncKind::kFileLock).empty());
}

TEST_F(AgentKernelObjects, MessagesOfAQueueAreMatchedByPriority) {
  record("priorities", 1);
  EXPECT_EQ((Numbers{1, 1, 2}), numbers(parent(), Kind::kSignal, SyncKind::kMessageQueue));
  EXPECT_EQ((Numbers{1, 1, 2}), numbers(parent(), Kind::kWake, SyncKind::kMessageQueue));
}

TEST_F(AgentKernelObjects, ATokenOfASemaphoreIsThatOfItsPost) {
  record("semaphore", 2);
  EXPECT_EQ((Numbers{1, 2}), numbers(parent(), Kind::kSignal, SyncKind::kSystemVSemaphore));
  EXPECT_EQ(2u, numbers(parent(), Kind::kAcquire, SyncKind::kSystemVSemaphore).size());
  EXPECT_TRUE(numbers(parent(), Kind::kWake, SyncKind::kSystemVSemaphore).empty());  // it never waited
  EXPECT_EQ((Numbers{2}), numbers(child(), Kind::kWake, SyncKind::kSystemVSemaphore));
  EXPECT_EQ(1u, child().calls(child().threads.at(0), "semop").size());
  EXPECT_TRUE(parent().calls(parent().threads.at(0), "semop").empty());
}

TEST_F(AgentKernelObjects, AReleaseOfALockIsToldWhileSomebodyWaits) {
  record("lock", 2);
  EXPECT_EQ((Numbers{1}), numbers(parent(), Kind::kSignal, SyncKind::kFileLock));
  EXPECT_EQ((Numbers{1}), numbers(child(), Kind::kWake, SyncKind::kFileLock));
  EXPECT_EQ(keyOf(parent(), SyncKind::kFileLock), keyOf(child(), SyncKind::kFileLock));
}

// Also where a thread loses its processor between a call and the count of it.
TEST_F(AgentKernelObjects, WhatIsTakenWasGivenBefore) {
  record("contention", 25);
  std::map<std::pair<uint64_t, uint64_t>, uint64_t> given;  // by key and number
  for (const TracedProcess& process : trace().processes) {
    uint64_t before = 0;
    for (const TracedEvent& event : process.threads.at(0).events) {
      EXPECT_GE(event.ticks, before);
      before = event.ticks;
      if (event.kind != Kind::kSignal) continue;
      const uint64_t key = process.objects.at(static_cast<uint32_t>(event.operand)).key;
      EXPECT_TRUE(given.emplace(std::pair(key, event.payload[0]), event.ticks).second) << event.payload[0];
    }
  }
  size_t taken = 0;
  for (const TracedProcess& process : trace().processes) {
    for (const TracedEvent& event : process.threads.at(0).events) {
      if (event.kind != Kind::kWake || event.payload[0] == 0) continue;
      const auto signal = given.find({process.objects.at(static_cast<uint32_t>(event.operand)).key, event.payload[0]});
      ASSERT_NE(given.end(), signal) << event.payload[0];
      EXPECT_LE(signal->second, event.ticks);
      taken++;
    }
  }
  EXPECT_GE(taken, 3u * 600);
}

}  // namespace
}  // namespace parallax::tests
