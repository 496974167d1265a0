// Attaching to programs that run, and detaching from them.
#include <gtest/gtest.h>

#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <mutex>
#include <set>
#include <thread>

#include "tests/guest_trace.h"
#include "tests/running_program.h"
#include "tools/attach/lock_wait.h"
#include "tools/attach/trace_users.h"
#include "tools/attach/visit.h"

namespace parallax::tests {
namespace {

using format::Kind;

TEST(Attach, ACallInAThreadLeavesItAsItWas) {
  Running program({guest("attached"), "203", "60000"});
  ASSERT_TRUE(program.hasThreads(204));
  int calls = 0;
  for (; calls < 100; calls++) {
    attach::Visit visit(program.pid());
    uint64_t result = 0;
    const std::string problem = visit.run([&] {
      const uint64_t text = visit.place("0123456789abcdef", 17);
      return visit.call("strtoull", visit.functionOf("strtoull"), {text, 0, 16}, &result);
    });
    ASSERT_EQ("", problem);
    ASSERT_EQ(0x123456789abcdefu, result);
  }
  program.askToEnd();
  EXPECT_EQ(kRight, program.end());
}

// Where a thread holds a lock of the allocator, dlopen would wait for it for ever.
TEST(Attach, NoThreadIsTakenInTheAllocatorOrTheDynamicLinker) {
  Running program({guest("attached-locks"), "60"});
  ASSERT_TRUE(program.hasThreads(6));
  for (int i = 0; i < 40; i++) {
    attach::Visit visit(program.pid());
    uint64_t handle = 0, ignored = 0;
    const std::string problem = visit.run([&] {
      const uint64_t name = visit.place("libutil.so.1", 13);
      const std::string opened = visit.call("dlopen", visit.functionOf("dlopen"), {name, 2}, &handle);
      return opened.empty() && handle != 0 ? visit.call("dlclose", visit.functionOf("dlclose"), {handle}, &ignored) : opened;
    });
    ASSERT_EQ("", problem);
    ASSERT_NE(0u, handle);
  }
  program.askToEnd();
  EXPECT_EQ("all go on\n", program.end());
}

// It is taken out of a wait for a lock, and not out of a call that takes long with the lock.
TEST(Attach, NoThreadIsTakenOutOfACallWithALock) {
  Running program({guest("attached-slow")});
  ASSERT_TRUE(program.says("runs"));
  attach::Visit visit(program.pid());
  EXPECT_EQ("", visit.run([] { return std::string(); }));
  program.askToEnd();
  EXPECT_EQ("runs\nbegun 2, returned 1, lock free\n", program.end());
}

// A thread that did nothing since the attachment begins with a mutex of the allocator.
TEST(Attach, AThreadThatBeginsInTheAllocatorDoesNotAllocate) {
  TemporaryDirectory scratch;
  Running program({guest("attached-slow"), "quick"});
  ASSERT_TRUE(program.says("runs"));
  const Outcome outcome = run(attached(program.name(), scratch / "trace", "0.1s"));
  EXPECT_EQ("", outcome.errors);
  program.askToEnd();
  EXPECT_EQ("runs\nbegun 2, returned 2, in itself 0\n", program.end());
}

TEST(Attach, LocksOfTheAllocatorAreKnown) {
  attach::Target target(getpid());
  static std::mutex other[60];
  EXPECT_FALSE(attach::isArena(target, reinterpret_cast<uint64_t>(&other[0])));
  std::thread([&] {
    void* const block = malloc(1000);
    constexpr uint64_t kOfOneArena = ~((uint64_t{64} << 20) - 1);  // a thread but the first has one of its own
    uint64_t arena = 0;
    ASSERT_TRUE(target.read(reinterpret_cast<uint64_t>(block) & kOfOneArena, &arena));
    EXPECT_TRUE(attach::isArena(target, arena));
    free(block);
  }).join();
}

TEST(Attach, LeftoversOfCallsOnTheStackAreNoCallers) {
  Running program({guest("attached"), "0", "60000"});
  usleep(50000);
  attach::Visit visit(program.pid());
  uint64_t result = 0;
  EXPECT_EQ("", visit.run([&] { return visit.call("getppid", visit.functionOf("getppid"), {}, &result); }));
  EXPECT_EQ(static_cast<uint64_t>(getpid()), result);
  program.askToEnd();
  EXPECT_EQ(kRight, program.end());
}

TEST(Attach, ThreadsThatExistAreRecorded) {
  TemporaryDirectory scratch;
  Running program({guest("attached"), "28", "60000"});
  ASSERT_TRUE(program.hasThreads(29));
  const Outcome outcome = run(attached(program.name(), scratch / "trace", "0.7s"));
  EXPECT_EQ("", outcome.errors);
  EXPECT_EQ(0, outcome.status);
  program.askToEnd();
  EXPECT_EQ(kRight, program.end());
  const Trace trace = loadTrace(scratch / "trace");
  ASSERT_EQ(1u, trace.processes.size());
  const TracedProcess& process = trace.processes[0];
  // The main one sleeps, and others may have to wait for a processor.
  EXPECT_GE(process.threads.size(), 20u);
  EXPECT_LE(process.threads.size(), 29u);
  EXPECT_GT(process.count(Kind::kSample), 0u);
  EXPECT_GT(process.count(Kind::kAcquire), 100u);
  EXPECT_GT(process.count(Kind::kStreamSend), 100u);
  EXPECT_EQ(process.settings.at("attached"), "yes");
  ASSERT_EQ(1u, process.ends.size());
  EXPECT_EQ(format::EndReason::kDetached, process.ends[0].reason);
  std::set<std::string> routines;
  for (const auto& [path, record] : process.paths) routines.insert(process.leafOf(path));
  for (const char* name : {"pthread_cond_wait", "pthread_mutex_lock", "epoll_wait", "read", "sem_timedwait"}) {
    EXPECT_EQ(1u, routines.count(name)) << name;
  }
}

TEST(Attach, AProcessIsRecordedAgainAndAgain) {
  TemporaryDirectory scratch;
  Running program({guest("attached"), "28", "60000"});
  ASSERT_TRUE(program.hasThreads(29));
  constexpr int kRounds = 5;
  for (int i = 0; i < kRounds; i++) {
    const std::string directory = scratch / ("trace" + std::to_string(i));
    const Outcome outcome = run(attached(program.name(), directory, "0.3s"));
    ASSERT_EQ("", outcome.errors);
    ASSERT_EQ(0, outcome.status);
    const Trace trace = loadTrace(directory);
    ASSERT_EQ(1u, trace.processes.size());
    EXPECT_GE(trace.processes[0].threads.size(), 10u) << i;
    EXPECT_GT(trace.processes[0].count(Kind::kAcquire), 20u) << i;
    EXPECT_GT(trace.processes[0].count(Kind::kStreamSend), 20u) << i;
    EXPECT_EQ(1u, trace.processes[0].ends.size()) << i;
  }
  program.askToEnd();
  EXPECT_EQ(kRight, program.end());
}

// The ranks of a program, for instance.
TEST(Attach, SeveralProcessesGetOneTrace) {
  TemporaryDirectory scratch;
  Running first({guest("attached"), "7", "60000"}), second({guest("attached"), "14", "60000"});
  ASSERT_TRUE(first.hasThreads(8));
  ASSERT_TRUE(second.hasThreads(15));
  const Outcome outcome = run({recorder(), "--attach", first.name() + "," + second.name(), "--for", "0.5s", "-o",
                               scratch / "trace", "--no-calibration"});
  EXPECT_EQ(0, outcome.status);
  EXPECT_NE(std::string::npos, outcome.errors.find("recording processes " + first.name() + " (")) << outcome.errors;
  for (Running* each : {&first, &second}) {
    each->askToEnd();
    EXPECT_EQ(kRight, each->end());
  }
  const Trace trace = loadTrace(scratch / "trace");
  ASSERT_EQ(2u, trace.processes.size());
  for (const TracedProcess& process : trace.processes) {
    EXPECT_GE(process.threads.size(), 4u);
    EXPECT_GT(process.count(Kind::kAcquire), 20u);
    ASSERT_EQ(1u, process.ends.size());
    EXPECT_EQ(format::EndReason::kDetached, process.ends[0].reason);
  }
}

// One that cannot be recorded keeps the others from it.
TEST(Attach, SeveralProcessesAreRecordedTogetherOrNotAtAll) {
  TemporaryDirectory scratch;
  Running program({guest("attached"), "7", "60000"}), fixed({guest("static"), "wait"});
  ASSERT_TRUE(program.hasThreads(8));
  const Outcome outcome =
      run({recorder(), "--attach", program.name() + "," + fixed.name(), "-o", scratch / "trace", "--no-calibration"});
  EXPECT_EQ(1, outcome.status);
  EXPECT_NE(std::string::npos, outcome.errors.find("statically linked")) << outcome.errors;
  EXPECT_FALSE(std::filesystem::exists(scratch / "trace"));
  program.askToEnd();
  EXPECT_EQ(kRight, program.end());
}

// Some are just about to begin a block in a file that they may not open any more.
TEST(Attach, ThreadsThatBeginBlocksAtTheDetachLoseNothing) {
  TemporaryDirectory scratch;
  Running program({guest("space"), "rounds", "16", "60000", "3000"});
  ASSERT_TRUE(program.hasThreads(17));
  for (int i = 0; i < 4; i++) {
    const Outcome outcome = run(attached(program.name(), scratch / "trace", "0.1s"));
    EXPECT_EQ("", outcome.errors);
    EXPECT_EQ(0, outcome.status);
    std::filesystem::remove_all(scratch / "trace");
  }
}

TEST(Attach, DetachEndsTheRecorder) {
  TemporaryDirectory scratch;
  Running program({guest("attached"), "7", "60000"});
  ASSERT_TRUE(program.hasThreads(8));
  Running recording({recorder(), "--attach", program.name(), "-o", scratch / "trace", "--no-calibration", "--quiet"});
  Outcome outcome;
  for (int i = 0; i < 100; i++) {
    usleep(20000);
    outcome = run({recorder(), "--detach", program.name()});
    if (outcome.status == 0) break;
  }
  EXPECT_EQ(0, outcome.status) << outcome.errors;
  EXPECT_EQ("", recording.end());
  program.askToEnd();
  EXPECT_EQ(kRight, program.end());
  EXPECT_EQ(1u, loadTrace(scratch / "trace").processes.size());
}

TEST(Attach, ARecorderThatIsKilledLeavesTheProgram) {
  TemporaryDirectory scratch;
  Running program({guest("attached"), "7", "60000"});
  ASSERT_TRUE(program.hasThreads(8));
  {
    Running recording({recorder(), "--attach", program.name(), "-o", scratch / "trace", "--no-calibration", "--quiet"});
    for (int i = 0; i < 500 && !records(program, scratch / "trace"); i++) usleep(10000);
    usleep(200000);
    EXPECT_TRUE(records(program, scratch / "trace"));
  }
  for (int i = 0; i < 500 && records(program, scratch / "trace"); i++) usleep(10000);
  EXPECT_FALSE(records(program, scratch / "trace"));
  program.askToEnd();
  EXPECT_EQ(kRight, program.end());
  const Trace trace = loadTrace(scratch / "trace");
  ASSERT_EQ(1u, trace.processes.size());
  ASSERT_EQ(1u, trace.processes[0].ends.size());
  EXPECT_EQ(format::EndReason::kDetached, trace.processes[0].ends[0].reason);
}

TEST(Attach, ARecorderThatIsKilledAtAnyMomentLeavesTheProgram) {
  TemporaryDirectory scratch;
  Running program({guest("attached"), "7", "60000"});
  ASSERT_TRUE(program.hasThreads(8));
  for (int i = 0; i < 12; i++) {
    const std::string trace = scratch / ("trace" + std::to_string(i));
    {
      Running recording({recorder(), "--attach", program.name(), "-o", trace, "--no-calibration", "--quiet"});
      usleep(10000 + static_cast<useconds_t>(i) * 8000);
    }
    usleep(50000);
    for (int wait = 0; wait < 500 && records(program, trace); wait++) usleep(10000);
    ASSERT_FALSE(records(program, trace)) << i;
  }
  program.askToEnd();
  EXPECT_EQ(kRight, program.end());
}

TEST(Attach, TheEndOfTheProgramEndsTheRecorder) {
  TemporaryDirectory scratch;
  Running program({guest("attached"), "7", "1200"});
  ASSERT_TRUE(program.hasThreads(8));
  const Outcome outcome =
      run({recorder(), "--attach", program.name(), "-o", scratch / "trace", "--no-calibration", "--quiet"});
  EXPECT_EQ(0, outcome.status);
  EXPECT_EQ("", outcome.errors);
  program.askToEnd();
  EXPECT_EQ(kRight, program.end());
  const Trace trace = loadTrace(scratch / "trace");
  ASSERT_EQ(1u, trace.processes.size());
  ASSERT_EQ(1u, trace.processes[0].ends.size());
  EXPECT_EQ(format::EndReason::kExit, trace.processes[0].ends[0].reason);
}

size_t recordedProcesses(const std::string& trace) {
  size_t count = 0;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(trace, error)) count += entry.path().extension() == ".def" ? 1 : 0;
  return count;
}

TEST(Attach, ChildrenAreRecordedUntilTheRecorderEnds) {
  TemporaryDirectory scratch;
  const std::string trace = scratch / "trace";
  Running program({guest("attached-forks")});
  ASSERT_TRUE(program.says("runs"));
  {
    Running recording({recorder(), "--attach", program.name(), "-o", trace, "--no-calibration", "--quiet"});
    for (int i = 0; i < 500 && recordedProcesses(trace) == 0; i++) usleep(10000);
    usleep(100000);
    kill(program.pid(), SIGUSR1);
    for (int i = 0; i < 500 && recordedProcesses(trace) < 3; i++) usleep(10000);
    EXPECT_EQ(3u, recordedProcesses(trace));
    EXPECT_EQ(3u, attach::usersOf(trace).size());
    EXPECT_EQ(0, run({recorder(), "--detach", program.name()}).status);
    EXPECT_EQ("", recording.end());
  }
  EXPECT_EQ(0u, attach::usersOf(trace).size());
  const Trace loaded = loadTrace(trace);
  ASSERT_EQ(3u, loaded.processes.size());
  for (const TracedProcess& process : loaded.processes) {
    ASSERT_EQ(1u, process.ends.size());
    EXPECT_EQ(format::EndReason::kDetached, process.ends[0].reason);
    EXPECT_GT(process.count(Kind::kStreamSend), 0u);
  }
  // One of them alone, afterwards.
  const std::string child = std::to_string(program.child());
  const Outcome again = run(attached(child, scratch / "again", "0.2s"));
  EXPECT_EQ("", again.errors);
  EXPECT_EQ(1u, loadTrace(scratch / "again").processes.size());
  program.askToEnd();
  EXPECT_EQ("runs\n3 right\n", program.end());
}

// A script's tools are recorded where somebody names one.
TEST(Attach, AToolOfAScript) {
  TemporaryDirectory scratch;
  Running shell({"/bin/sh", "-c", "sleep 60; true"});
  const std::string tool = std::to_string(shell.child());
  usleep(50000);
  const Outcome outcome = run(attached(tool, scratch / "trace", "0.1s"));
  EXPECT_EQ("", outcome.errors);
  EXPECT_EQ(0, outcome.status);
  EXPECT_EQ(1u, loadTrace(scratch / "trace").processes.size());
  kill(std::stoi(tool), SIGKILL);
}

TEST(Attach, ATraceBelongsToTheUserOfTheProcess) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can attach to another user's process";
  constexpr uint32_t kNobody = 65534;
  TemporaryDirectory scratch;
  std::filesystem::permissions(scratch.path(), std::filesystem::perms::others_exec, std::filesystem::perm_options::add);
  const std::string number = std::to_string(kNobody);
  Running program({"setpriv", "--reuid=" + number, "--regid=" + number, "--clear-groups", guest("attached"), "7", "60000"});
  ASSERT_TRUE(program.hasThreads(8));
  const Outcome outcome = run(attached(program.name(), scratch / "trace", "0.3s", {"--quiet", "--external", "echo 'parallax-series 1'"}));
  EXPECT_EQ(0, outcome.status) << outcome.errors;
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(scratch / "trace")) {
    struct stat status {};
    ASSERT_EQ(0, stat(entry.path().c_str(), &status));
    EXPECT_EQ(kNobody, status.st_uid) << entry.path();
    EXPECT_EQ(kNobody, status.st_gid) << entry.path();
    names.insert(entry.path().filename());
  }
  for (const char* name : {"manifest", "symbols"}) EXPECT_EQ(1u, names.count(name)) << name;
  program.askToEnd();
  EXPECT_EQ(kRight, program.end());
}

}  // namespace
}  // namespace parallax::tests
