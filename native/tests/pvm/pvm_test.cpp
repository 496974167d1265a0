// The PVM adapter with a real virtual machine.
#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <set>
#include <tuple>

#include "tests/guest_runner.h"
#include "tests/guest_trace.h"
#include "tests/pvm/pvm_daemon.h"

namespace parallax::tests {
namespace {

using format::Kind;

constexpr int kWorkers = 3, kTasks = 7;

class Pvm : public testing::Test {
 protected:
  static void SetUpTestSuite() { daemon_ = new PvmDaemon; }
  static void TearDownTestSuite() { delete daemon_; }

  static Words farm() {
    return {PARALLAX_PROGRAMS_DIR "/pvm_farm", std::to_string(kWorkers), std::to_string(kTasks),
            "2"};
  }

  static PvmDaemon* daemon_;
};
PvmDaemon* Pvm::daemon_ = nullptr;

// Workers write their ends after the master has exited: the daemon started them.
Trace whenAllHaveEnded(const std::string& directory) {
  for (int i = 0; i < 100; i++) {
    Trace trace = loadTrace(directory);
    size_t ended = 0;
    for (const TracedProcess& process : trace.processes) ended += process.ends.size();
    if (trace.processes.size() == kWorkers + 1 && ended == kWorkers + 1) return trace;
    usleep(50000);
  }
  return loadTrace(directory);
}

uint32_t taskOf(const TracedProcess& process) {
  return process.pvm.empty() ? 0 : process.pvm[0].task;
}

TEST_F(Pvm, EveryMessageIsSentAndReceivedOnceWithItsBytes) {
  TemporaryDirectory scratch;
  const Outcome plain = run(farm());
  ASSERT_EQ(0, plain.status) << plain.errors;
  const Outcome traced = run(recorded(scratch / "t", farm(), {"--quiet"}));
  EXPECT_EQ(0, traced.status);
  EXPECT_EQ(plain.output, traced.output);
  EXPECT_EQ(plain.errors, traced.errors);
  const Trace trace = whenAllHaveEnded(scratch / "t");
  ASSERT_EQ(size_t(kWorkers + 1), trace.processes.size());

  // By global id of the context, sender, receiver and tag: bytes in order.
  using Channel = std::tuple<uint64_t, uint32_t, uint32_t, uint32_t>;
  std::map<Channel, std::vector<uint64_t>> sent, received;
  std::map<uint32_t, int> sentByTag;
  std::set<uint64_t> contexts;
  for (const TracedProcess& process : trace.processes) {
    for (const TracedEvent& event : process.threads.at(0).events) {
      if (event.kind != Kind::kSend && event.kind != Kind::kReceive) continue;
      ASSERT_TRUE(process.communicators.count(uint32_t(event.operand)));
      const format::CommunicatorRecord& context =
          process.communicators.at(uint32_t(event.operand));
      EXPECT_EQ(format::kPvmTasks, context.flags);
      EXPECT_EQ(taskOf(process), context.ownRank);
      contexts.insert(context.globalId);
      const uint32_t peer = format::peerOf(event.payload[0]), tag = format::tagOf(event.payload[0]);
      if (event.kind == Kind::kSend) {
        sent[{context.globalId, taskOf(process), peer, tag}].push_back(event.payload[1]);
        sentByTag[tag]++;
      } else {
        received[{context.globalId, peer, taskOf(process), tag}].push_back(event.payload[1]);
      }
    }
  }
  EXPECT_EQ(sent, received);
  const std::map<uint32_t, int> planted{{1, kWorkers}, {2, kTasks},   {3, kTasks},   {4, kWorkers},
                                        {5, kWorkers}, {6, kWorkers}, {7, kWorkers}, {8, kWorkers}};
  EXPECT_EQ(planted, sentByTag);
  EXPECT_EQ(3u, contexts.size());  // that of the start, of groups, and of the program
  for (const auto& [channel, sizes] : sent) {
    const uint32_t tag = std::get<3>(channel);
    const uint64_t bytes = tag == 1 ? 4 * (kWorkers + 1) : tag == 2 ? 800 : tag == 3 ? 80
                           : tag == 5 || tag == 7 ? 8 : 4;
    for (const uint64_t size : sizes) EXPECT_EQ(bytes, size) << "tag " << tag;
  }
}

TEST_F(Pvm, TasksAreCreatedByTheirParentAndMeetAtTheSameBarriers) {
  TemporaryDirectory scratch;
  ASSERT_EQ(0, run(recorded(scratch / "t", farm())).status);
  const Trace trace = whenAllHaveEnded(scratch / "t");
  ASSERT_EQ(size_t(kWorkers + 1), trace.processes.size());
  std::set<uint64_t> created, workers, machines, groups;
  uint32_t master = 0;
  for (const TracedProcess& process : trace.processes) {
    ASSERT_EQ(1u, process.pvm.size());
    machines.insert(process.pvm[0].machine);
    if (process.pvm[0].parentTask == 0) master = process.pvm[0].task;
    std::vector<uint64_t> generations;
    for (const TracedEvent& event : process.threads.at(0).events) {
      if (event.kind == Kind::kProcessCreate) {
        EXPECT_EQ(uint64_t(format::Creation::kPvmSpawn), event.payload[1]);
        created.insert(event.payload[0]);
      } else if (event.kind == Kind::kBarrier) {
        groups.insert(process.objects.at(uint32_t(event.operand)).key);
        generations.push_back(event.payload[0]);
        EXPECT_EQ(uint64_t(kWorkers + 1), event.payload[1]);
      }
    }
    EXPECT_EQ((std::vector<uint64_t>{1, 2, 3, 4, 5, 6}), generations);
  }
  for (const TracedProcess& process : trace.processes) {
    if (process.pvm[0].task == master) continue;
    EXPECT_EQ(master, process.pvm[0].parentTask);
    workers.insert(process.pvm[0].task);
  }
  EXPECT_EQ(workers, created);
  EXPECT_EQ(1u, machines.size());
  EXPECT_EQ(1u, groups.size());
  EXPECT_EQ(0u, groups.count(0));
}

TEST_F(Pvm, ManyRunsEnd) {
  for (int i = 0; i < 20; i++) {
    TemporaryDirectory scratch;
    const Outcome outcome = run(recorded(scratch / "t", farm(), {"--quiet"}));
    ASSERT_EQ(0, outcome.status) << outcome.errors;
    ASSERT_EQ("sum " + std::to_string(kTasks * (kTasks - 1) / 2 + kWorkers + 1) + "\n",
              outcome.output);
  }
}

}  // namespace

// What the program prints, and how it fails, where there is no virtual machine.
TEST(PvmMissing, TheProgramFailsAsWithoutTheAgent) {
  TemporaryDirectory scratch;
  const auto nowhere = [&] {
    setenv("PVM_TMP", scratch.path().c_str(), 1);
    setenv("PVM_VMID", "parallax-none", 1);
    setenv("PVM_ROOT", scratch.path().c_str(), 1);
    unsetenv("PVM_ALLOW_ROOT");
  };
  const Words command{PARALLAX_PROGRAMS_DIR "/pvm_farm", "1", "1", "1"};
  const Outcome plain = run(command, nowhere);
  const Outcome traced = run(recorded(scratch / "t", command, {"--quiet"}), nowhere);
  EXPECT_NE(0, plain.status);
  EXPECT_EQ(plain.status, traced.status);
  EXPECT_EQ(plain.output, traced.output);
}

}  // namespace parallax::tests
