// However a program ends, its trace opens and its ending is its own.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <fstream>
#include <random>
#include <string>

#include "tests/guest_runner.h"
#include "tests/guest_trace.h"

namespace parallax::tests {
namespace {

using format::Kind;

struct Ending {
  const char* name;
  int status;
  bool inOrder;        // a ProcessEnd is recorded
  size_t locks;        // at least so many acquisitions
};

std::ostream& operator<<(std::ostream& out, const Ending& ending) { return out << ending.name; }

class AgentEndings : public testing::TestWithParam<Ending> {};

TEST_P(AgentEndings, KeepsStatusOutputAndEvents) {
  const Ending& ending = GetParam();
  const Words command{guest("endings"), ending.name};
  TemporaryDirectory scratch;
  const Outcome plain = run(command);
  EXPECT_EQ(ending.status, plain.status);
  const Outcome outcome = run(recorded(scratch / "trace", command, {"--quiet"}));
  EXPECT_EQ(plain.status, outcome.status);
  EXPECT_EQ(plain.output, outcome.output);
  EXPECT_EQ(plain.errors, outcome.errors);

  const Trace trace = loadTrace(scratch / "trace");
  EXPECT_EQ(std::to_string(ending.status), trace.manifest.at("exit-status"));
  ASSERT_EQ(1u, trace.processes.size());
  // Who waited for it knows its end, whatever it told itself.
  const int signal = ending.status > 128 ? ending.status - 128 : 0;
  const std::vector<Words> ends = outcomes(scratch / "trace", "end");
  ASSERT_EQ(1u, ends.size());
  EXPECT_EQ(std::to_string(trace.processes[0].process.pid), ends[0].at(1));
  EXPECT_EQ(signal != 0 ? signal : ending.status << 8, std::stoi(ends[0].at(2)) & 0xff7f);
  EXPECT_GT(std::stoull(ends[0].at(3)), trace.processes[0].process.monotonicNs);
  const TracedProcess& process = trace.processes[0];
  ASSERT_EQ(ending.inOrder ? 1u : 0u, process.ends.size());
  if (ending.inOrder) {
    EXPECT_EQ(format::EndReason::kExit, process.ends[0].reason);
    EXPECT_EQ(ending.status, process.ends[0].status);
  }
  if (!ending.inOrder && losesAtKill()) return;
  EXPECT_GE(process.count(Kind::kAcquire), ending.locks);
  EXPECT_GE(process.threads.at(0).count(Kind::kRelease), 10u);
}

// Exit handlers and destructors of static objects take ten more locks; when the main thread has
// ended before, they run in a thread that has ended, too.
INSTANTIATE_TEST_SUITE_P(
    AgentEndings, AgentEndings,
    testing::Values(Ending{"return", 3, true, 20}, Ending{"exit", 5, true, 20},
                    Ending{"_exit", 6, true, 10}, Ending{"_Exit", 7, true, 10},
                    Ending{"quick_exit", 8, true, 10}, Ending{"abort", 134, false, 10},
                    Ending{"segv", 139, false, 10}, Ending{"kill", 137, false, 10},
                    Ending{"throw", 134, false, 10}, Ending{"throw-in-thread", 134, false, 10},
                    Ending{"catch", 9, true, 20}, Ending{"jump", 4, true, 30},
                    Ending{"exit-in-thread", 23, true, 30},
                    Ending{"main-ends-first", 0, true, 20},
                    Ending{"threads-run-on", 11, true, 20},
                    Ending{"exit_group", 12, false, 10},
                    Ending{"thread-unborn", 13, true, 10}),
    [](const auto& test) {
      std::string name;
      for (const char* c = test.param.name; *c != '\0'; c++) name += isalnum(*c) != 0 ? *c : '_';
      return name;
    });

// Waits until the one program under the agent has used a processor for 50 ms, and returns its process id.
pid_t awaitGuest(const std::string& directory) {
  format::TraceFiles files;
  while (format::findTraceFiles(directory, &files) != "" || files.processes.empty()) usleep(1000);
  const auto pid = static_cast<pid_t>(files.processes[0].pid);
  clockid_t clock;
  timespec used{0, 0};
  while (clock_getcpuclockid(pid, &clock) == 0 && clock_gettime(clock, &used) == 0 && used.tv_sec == 0 &&
         used.tv_nsec < 50'000'000) {
    usleep(1000);
  }
  return pid;
}

TEST(AgentKill, AtAnyTimeLeavesWholeEvents) {
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  for (int round = 0; round < 6; round++) {
    TemporaryDirectory scratch;
    const std::string directory = scratch / "trace";
    const pid_t recorder = start(recorded(directory, {guest("busy"), "3"}, {"--quiet"}));
    ASSERT_GT(recorder, 0);
    const pid_t pid = awaitGuest(directory);
    usleep(random() % 100000);
    kill(pid, SIGKILL);  // the recorder then ends by itself
    int status = 0;
    waitpid(recorder, &status, 0);
    EXPECT_EQ(137, WEXITSTATUS(status));

    const Trace trace = loadTrace(directory);
    EXPECT_EQ("137", trace.manifest.at("exit-status"));
    ASSERT_EQ(1u, trace.processes.size());
    const TracedProcess& process = trace.processes[0];
    EXPECT_TRUE(process.ends.empty());
    for (const auto& [number, thread] : process.threads) {
      EXPECT_TRUE(thread.hasFile);
      EXPECT_EQ(0u, thread.count(Kind::kThreadEnd));
      // At most the one lock that was held when it came.
      const size_t acquired = thread.count(Kind::kAcquire);
      const size_t released = thread.count(Kind::kRelease);
      EXPECT_LE(acquired - released, 1u) << "thread " << number;
    }
  }
}

TEST(AgentKill, OfTheRecorderLeavesALiveTrace) {
  TemporaryDirectory scratch;
  const std::string directory = scratch / "trace";
  const pid_t recorder = start(recorded(directory, {guest("busy"), "2"}, {"--quiet"}));
  const pid_t pid = awaitGuest(directory);
  kill(recorder, SIGKILL);
  waitpid(recorder, nullptr, 0);
  kill(pid, SIGKILL);
  // Who collects it is not for the test to say.
  std::string state = "R";
  while (state != "Z" && state != "X") {
    usleep(1000);
    std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
    if (!(stat >> state >> state >> state)) break;
  }
  const Trace trace = loadTrace(directory);
  EXPECT_EQ(0u, trace.manifest.count("ended"));
  ASSERT_EQ(1u, trace.processes.size());
  EXPECT_GT(trace.processes[0].count(Kind::kAcquire), 100u);
}

TEST(AgentKill, TerminationIsForwarded) {
  TemporaryDirectory scratch;
  const pid_t recorder = start(recorded(scratch / "trace", {guest("busy"), "1"}, {"--quiet"}));
  awaitGuest(scratch / "trace");
  kill(recorder, SIGTERM);
  int status = 0;
  waitpid(recorder, &status, 0);
  EXPECT_EQ(128 + SIGTERM, WEXITSTATUS(status));
  EXPECT_EQ("143", loadTrace(scratch / "trace").manifest.at("exit-status"));
}

// ---- threads and processes that do little

format::ProcessFiles filesOf(const std::string& directory, const Words& command) {
  EXPECT_EQ(0, run(recorded(directory, command)).status);
  format::TraceFiles files;
  EXPECT_EQ("", format::findTraceFiles(directory, &files));
  EXPECT_EQ(1u, files.processes.size());
  return files.processes.empty() ? format::ProcessFiles{} : files.processes[0];
}

TEST(AgentShortLives, ThreadsOfFewEventsHaveNoFile) {
  if (!hasFirstBlocks()) GTEST_SKIP() << "this transport has no first blocks";
  TemporaryDirectory scratch;
  const auto process = filesOf(scratch / "trace", {guest("threads"), "many", "64"});
  ASSERT_EQ(65u, process.threads.size());
  for (const format::ThreadFile& thread : process.threads) {
    EXPECT_GT(thread.firstBytes, 0u) << thread.thread;
    if (thread.thread != 0) {
      EXPECT_EQ("", thread.path);
    }
  }
}

TEST(AgentShortLives, ThreadsOfMoreGoOnInAFile) {
  if (!hasFirstBlocks()) GTEST_SKIP() << "this transport has no first blocks";
  TemporaryDirectory scratch;
  const auto process = filesOf(scratch / "trace", {guest("locks"), "barriers", "4", "25"});
  ASSERT_EQ(5u, process.threads.size());
  for (const format::ThreadFile& thread : process.threads) {
    if (thread.thread == 0) continue;
    EXPECT_NE("", thread.path);
    format::EventFile events;
    ASSERT_EQ("", events.open(thread));
    ASSERT_EQ(2u, events.blockCount());
    for (size_t i = 0; i < 2; i++) {
      EXPECT_EQ(format::BlockState::kClosed, events.block(i).state);
      EXPECT_EQ(i, events.block(i).header->number);
    }
    EXPECT_LE(thread.firstBytes / 8 - 8 - events.block(0).used, 3u) << "but for a part of an event";
  }
}

TEST(AgentShortLives, AProcessThatIsKilledBeforeItDidAnythingIsThere) {
  if (!hasFirstBlocks()) GTEST_SKIP() << "this transport has no first blocks";
  TemporaryDirectory scratch;
  const std::string directory = scratch / "trace";
  const pid_t recorder = start(recorded(directory, {"sleep", "100"}, {"--quiet"}));
  format::TraceFiles files;
  do {
    usleep(10000);
  } while (format::findTraceFiles(directory, &files) != "" || files.processes.empty() ||
           files.processes[0].threads.empty());
  kill(static_cast<pid_t>(files.processes[0].pid), SIGKILL);
  waitpid(recorder, nullptr, 0);
  const Trace trace = loadTrace(directory);
  ASSERT_EQ(1u, trace.processes.size());
  EXPECT_TRUE(trace.processes[0].ends.empty());
  EXPECT_EQ(1u, trace.processes[0].count(Kind::kThreadBegin));
}

// What a process costs that does nothing, as far as it does not depend on the load of the machine: each
// page is a fault, and each file some more. (It was 135 faults and tens of millions of instructions.)
TEST(AgentShortLives, TakeFewPages) {
  TemporaryDirectory scratch;
  const std::string directory = scratch / "trace";
  mkdir(directory.c_str(), 0755);
  const auto faults = [&](bool traced) {
    rusage before{}, after{};
    getrusage(RUSAGE_CHILDREN, &before);
    run({"true"}, [&] {
      if (!traced) return;
      setenv("LD_PRELOAD", agent().c_str(), 1);
      setenv("PARALLAX_TRACE", directory.c_str(), 1);
    });
    getrusage(RUSAGE_CHILDREN, &after);
    return after.ru_minflt - before.ru_minflt;
  };
  faults(false);
  const long plain = faults(false);
  const long recorded = faults(true);
  RecordProperty("faults", static_cast<int>(recorded - plain));
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  EXPECT_LT(recorded - plain, 115);
#endif
  EXPECT_GT(recorded, plain);
}

}  // namespace
}  // namespace parallax::tests
