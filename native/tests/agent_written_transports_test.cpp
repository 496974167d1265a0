// Transports in which another process writes the events: what a kill of it, or of all, leaves.
#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <limits>
#include <random>
#include <string>

#include "tests/agent_transports.h"
#include "tests/agent_writers.h"

namespace parallax::tests {
namespace {

using format::Kind;

class AgentWrittenTransport : public AgentTransports {
 protected:
  static int rounds() {
    const char* rounds = getenv("PARALLAX_TEST_KILLS");
    return rounds != nullptr ? atoi(rounds) : 3;
  }
  pid_t startGuest(const Words& command) { return start(recorded(directory_, command, options())); }
  // The first process under the agent, or the first that has executed such a program, once it has begun.
  pid_t guestOf(const std::string& program = "") const {
    for (int i = 0; i < 20000; i++, usleep(500)) {
      format::TraceFiles files;
      if (format::findTraceFiles(directory_, &files) != "") continue;
      for (const auto& process : files.processes) {
        std::string name;
        std::getline(std::ifstream("/proc/" + std::to_string(process.pid) + "/comm"), name);
        if (name.find(program) != std::string::npos) return static_cast<pid_t>(process.pid);
      }
    }
    ADD_FAILURE() << "no process";
    return std::numeric_limits<pid_t>::max();
  }
};

bool hasNote(const TracedProcess& process, const std::string& text) {
  return std::any_of(process.notes.begin(), process.notes.end(),
                     [&](const std::string& note) { return note.find(text) != std::string::npos; });
}

// What it leaves is written by the recorder, and later events by the program itself.
TEST_P(AgentWrittenTransport, AKillOfTheWriterLosesNoEvent) {
  constexpr size_t kLocks = 60000;
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  bool wasKilled = false;
  for (int round = rounds(); round > 0; round--) {
    const pid_t recorder = startGuest({guest("space"), "events", "2", std::to_string(kLocks)});
    const pid_t writer = awaitWriter(recorder);
    usleep(random() % 30000);
    wasKilled = kill(writer, SIGKILL) == 0 || wasKilled;
    EXPECT_EQ(7, endOf(recorder));
    const Trace trace = loadTrace(directory_);
    ASSERT_EQ(1u, trace.processes.size());
    EXPECT_EQ(format::LossCause::kNone, trace.processes[0].losses.cause);
    EXPECT_EQ(2 * kLocks, trace.processes[0].count(Kind::kAcquire));
    EXPECT_EQ(2 * kLocks, trace.processes[0].count(Kind::kRelease));
    ASSERT_EQ(0, rename(directory_.c_str(), (directory_ + std::to_string(round)).c_str()));
  }
  EXPECT_TRUE(wasKilled);
}

TEST_P(AgentWrittenTransport, AWriterThatEndsIsToldInTheTrace) {
  const pid_t recorder = startGuest({guest("busy"), "2"});
  const pid_t pid = awaitGuest();
  ASSERT_EQ(0, kill(awaitWriter(recorder), SIGKILL));
  awaitCpuNs(pid, 250'000'000);  // more blocks than rings hold
  kill(pid, SIGKILL);
  EXPECT_EQ(137, endOf(recorder));
  const Trace trace = loadTrace(directory_);
  ASSERT_EQ(1u, trace.processes.size());
  EXPECT_TRUE(hasNote(trace.processes[0], "The writer of the transport has ended"));
}

// Of the recorder: what it opens must not get their numbers, which the writer gives to /dev/null.
TEST_P(AgentWrittenTransport, NeedsNoStandardDescriptors) {
  const Outcome outcome = run(recorded(directory_, {guest("space"), "events", "1", "15000"}, options()), [] {
    for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) close(fd);
  });
  EXPECT_EQ(7, outcome.status);
  const Trace trace = loadTrace(directory_);
  ASSERT_EQ(1u, trace.processes.size());
  EXPECT_EQ(15000u, trace.processes[0].count(Kind::kAcquire));
}

TEST_P(AgentWrittenTransport, LeavesNoFilesInMemory) {
  const pid_t recorder = startGuest({"perl", "-e", "sleep 1; if (fork) { wait } exec 'true'"});
  awaitWriter(recorder);
  EXPECT_LT(0u, filesOf(recorder));
  EXPECT_EQ(0, endOf(recorder));
  for (int i = 0; i < 2000 && filesOf(recorder) > 0; i++) usleep(1000);  // the writer may end after the recorder
  EXPECT_EQ(0u, filesOf(recorder));
}

TEST_P(AgentWrittenTransport, ManyThreadsHaveAllTheirEvents) {
  constexpr size_t kThreads = 200, kLocks = 5000;
  const Trace trace = record({guest("space"), "events", std::to_string(kThreads), std::to_string(kLocks)}, 7);
  ASSERT_EQ(1u, trace.processes.size());
  EXPECT_EQ(kThreads * kLocks, trace.processes[0].count(Kind::kAcquire));
  EXPECT_EQ(format::LossCause::kNone, trace.processes[0].losses.cause);
}

// The writer finds no file any more.
TEST_P(AgentWrittenTransport, AFileThatDisappearsIsALoss) {
  const pid_t recorder = startGuest({guest("busy"), "1"});
  const pid_t pid = awaitGuest();
  for (const auto& entry : std::filesystem::directory_iterator(directory_)) {
    if (entry.path().extension() == ".evt") std::filesystem::remove(entry.path());
  }
  awaitCpuNs(pid, 150'000'000);  // until the next block
  kill(pid, SIGKILL);
  EXPECT_EQ(137, endOf(recorder));
  const Trace trace = loadTrace(directory_);
  ASSERT_EQ(1u, trace.processes.size());
  EXPECT_EQ(format::LossCause::kOther, trace.processes[0].losses.cause);
  EXPECT_GT(trace.processes[0].losses.events, 0u);
}

TEST_P(AgentWrittenTransport, ADirectoryThatDisappearsLeavesTheProgramAlone) {
  const pid_t recorder = startGuest({guest("space"), "events", "2", "300000"});
  std::error_code none;
  const auto hasEvents = [&] {
    for (const auto& entry : std::filesystem::directory_iterator(directory_, none)) {
      if (entry.path().extension() == ".evt") return true;
    }
    return false;
  };
  while (!hasEvents()) usleep(200);
  while (std::filesystem::exists(directory_)) std::filesystem::remove_all(directory_, none);  // files come meanwhile
  EXPECT_EQ(7, endOf(recorder));
}

TEST_P(AgentWrittenTransport, TheWholeTimeOfAWriterThatIsStoppedIsWaitedOrLost) {
  for (const char* choice : {"wait", "drop"}) {
    const std::string trace = directory_ + choice;
    Words with = options();
    with.insert(with.end(), {"--when-full", choice});
    const pid_t recorder = start(recorded(trace, {guest("space"), "events", "2", "100000"}, with));
    const pid_t writer = awaitWriter(recorder);
    kill(writer, SIGSTOP);
    usleep(300000);
    kill(writer, SIGCONT);
    EXPECT_EQ(7, endOf(recorder));
    const Trace found = loadTrace(trace);
    EXPECT_EQ(choice, found.manifest.at("when-full"));
    ASSERT_EQ(1u, found.processes.size());
    const TracedProcess& process = found.processes[0];
    const size_t events = process.count(Kind::kAcquire) + process.count(Kind::kRelease);
    if (choice == std::string("wait")) {
      EXPECT_EQ(format::LossCause::kNone, process.losses.cause);
      EXPECT_EQ(400000u, events);
    } else {
      EXPECT_EQ(format::LossCause::kBehind, process.losses.cause);
      EXPECT_LT(events, 400000u);
      EXPECT_GE(events + process.losses.events, 400000u);
    }
  }
}

// The recorder lets it go on.
TEST_P(AgentWrittenTransport, AWriterThatIsStoppedHoldsNobodyUp) {
  const pid_t recorder = startGuest({guest("space"), "events", "2", "60000"});
  ASSERT_EQ(0, kill(awaitWriter(recorder), SIGSTOP));
  EXPECT_EQ(7, endOf(recorder));
  const Trace trace = loadTrace(directory_);
  ASSERT_EQ(1u, trace.processes.size());
  EXPECT_EQ(format::LossCause::kNone, trace.processes[0].losses.cause);
  EXPECT_EQ(120000u, trace.processes[0].count(Kind::kAcquire));
}

// Nor where the recorder cannot: threads wait only for a time, which is made short here.
TEST_P(AgentWrittenTransport, AWriterThatDoesNothingIsGivenUp) {
  const pid_t recorder = startGuest({guest("space"), "events", "2", "60000", "3000"});
  const pid_t writer = awaitWriter(recorder);
  shortenPatience(recorder, 200);
  const pid_t pid = guestOf();
  kill(recorder, SIGSTOP);
  kill(writer, SIGSTOP);
  awaitEnd(pid);
  kill(recorder, SIGCONT);
  EXPECT_EQ(7, endOf(recorder));
  const Trace trace = loadTrace(directory_);
  ASSERT_EQ(1u, trace.processes.size());
  EXPECT_EQ(format::LossCause::kNone, trace.processes[0].losses.cause);
  EXPECT_EQ(120000u, trace.processes[0].count(Kind::kAcquire));
  EXPECT_TRUE(hasNote(trace.processes[0], "did nothing for too long"));
}

// What the first writer has left in the rings is written by the threads, and by the writer that the recorder may start.
TEST_P(AgentWrittenTransport, AProgramThatOutlivesWriterAndRecorderLosesNoEvent) {
  constexpr size_t kLocks = 40000;
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  for (int round = std::max(1, rounds() - 2); round > 0; round--) {
    const std::string command = guest("space") + " events 2 " + std::to_string(kLocks) + " 15000 & sleep 0.2";
    const pid_t recorder = startGuest({"sh", "-c", command});
    const pid_t writer = awaitWriter(recorder);
    const pid_t pid = guestOf("space");
    usleep(random() % 150000);
    kill(writer, SIGKILL);
    EXPECT_EQ(0, endOf(recorder));
    awaitEnd(pid);
    for (int i = 0; i < 5000 && filesOf(recorder) > 0; i++) usleep(1000);  // a second writer may still move definitions
    const Trace trace = loadTrace(directory_);
    const TracedProcess* process = trace.ofExecutable("guest-space");
    ASSERT_NE(nullptr, process);
    EXPECT_EQ(format::LossCause::kNone, process->losses.cause);
    EXPECT_EQ(2 * kLocks, process->count(Kind::kAcquire));
    EXPECT_EQ(2 * kLocks, process->count(Kind::kRelease));
    ASSERT_EQ(0, rename(directory_.c_str(), (directory_ + std::to_string(round)).c_str()));
  }
}

// The length of the turns of a process, or 0 where the kernel has no such choice.
uint64_t turnNsOf(pid_t pid) {
  struct {
    uint32_t size, policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t runtimeNs, deadlineNs, periodNs;
  } attributes{};
  return syscall(SYS_sched_getattr, pid, &attributes, sizeof attributes, 0) == 0 ? attributes.runtimeNs : 0;
}

TEST_P(AgentWrittenTransport, TheTurnsOfTheWriterAreShort) {
  const uint64_t usualNs = turnNsOf(0);
  const int policy = sched_getscheduler(0);
  const bool isUsual = policy == SCHED_OTHER || policy == SCHED_BATCH;
  if (usualNs == 0 || !isUsual) GTEST_SKIP() << "turns have no length that can be chosen (Linux 6.12, no other scheduling class)";
  const pid_t recorder = start(recorded(directory_, {"sleep", "20"}, options()));
  const pid_t writer = awaitWriter(recorder);
  for (int i = 0; i < 2000 && turnNsOf(writer) == usualNs; i++) usleep(5000);
  EXPECT_LT(turnNsOf(writer), usualNs);
  kill(recorder, SIGTERM);
  endOf(recorder);
}

// Writes fail for a time: what comes later is read.
TEST_P(AgentWrittenTransport, BlocksThatCannotBeWrittenHideNoOthers) {
  constexpr size_t kLocks = 100000;
  const pid_t recorder = startGuest({guest("space"), "events", "1", std::to_string(kLocks), "7000"});
  const pid_t writer = awaitWriter(recorder);
  guestOf();
  usleep(100000);
  rlimit before{};
  const rlimit low{4096, RLIM_INFINITY};
  ASSERT_EQ(0, prlimit(writer, RLIMIT_FSIZE, &low, &before));
  usleep(50000);
  ASSERT_EQ(0, prlimit(writer, RLIMIT_FSIZE, &before, nullptr));
  EXPECT_EQ(7, endOf(recorder));
  const Trace trace = loadTrace(directory_);
  ASSERT_EQ(1u, trace.processes.size());
  const TracedProcess& process = trace.processes[0];
  const TracedThread& thread = process.threads.at(1);
  EXPECT_EQ(format::LossCause::kFileTooLarge, process.losses.cause);
  const size_t events = thread.count(Kind::kAcquire) + thread.count(Kind::kRelease);
  EXPECT_GT(process.losses.events, 0u);
  EXPECT_LT(events, 2 * kLocks);
  EXPECT_GE(events + process.losses.events, 2 * kLocks);
  EXPECT_GT(events, kLocks / 2);
  EXPECT_EQ(1u, thread.count(Kind::kThreadEnd));
  if (GetParam() != std::string("collector")) {  // its threads learn of it, and use the place again
    EXPECT_GT(thread.missingBlocks, 0u);
  }
}

INSTANTIATE_TEST_SUITE_P(AgentWrittenTransport, AgentWrittenTransport, testing::Values("shared", "writer", "collector"), nameOf);

}  // namespace
}  // namespace parallax::tests
