// The transport `shared`: what is in memory, and what the next run makes of it if all of a run were killed.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/sched.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/agent_transports.h"
#include "tests/agent_writers.h"
#include "transport/trace_space.h"

namespace parallax::tests {
namespace {

using format::Kind;

TEST(AgentSharedTransport, TooLittleMemoryIsToldBeforeTheProgram) {
  const TemporaryDirectory scratch;
  const Outcome outcome = run(recorded(scratch / "t", {"echo", "runs"}, {"--transport", "shared"}), [] {
    const rlimit limit{2 << 20, 2 << 20};
    setrlimit(RLIMIT_FSIZE, &limit);
  });
  EXPECT_EQ(1, outcome.status);
  EXPECT_EQ("", outcome.output);
  EXPECT_NE(std::string::npos, outcome.errors.find("parallax: cannot use --transport shared: a quarter of"))
      << outcome.errors;
}

// A process of this number, which is free; -1 where one may not choose it.
pid_t startWithNumber(pid_t number) {
  clone_args arguments{};
  arguments.exit_signal = SIGCHLD;
  arguments.set_tid = reinterpret_cast<uint64_t>(&number);
  arguments.set_tid_size = 1;
  const auto pid = static_cast<pid_t>(syscall(SYS_clone3, &arguments, sizeof arguments));
  while (pid == 0) pause();
  return pid;
}

// Has the rings of a process, which has ended, look as if they were those of another one.
void renumber(pid_t recorder, pid_t from, pid_t to) {
  for (const std::string& path : ringFilesOf(recorder)) {
    const int fd = open(path.c_str(), O_RDWR | O_CLOEXEC);
    for (uint32_t i = 0; i < event_rings::kMostRings; i++) {
      const auto place = static_cast<off_t>(event_rings::ringOffset(i) + offsetof(event_rings::Ring, owner));
      uint64_t owner = 0;
      const bool isRead = pread(fd, &owner, sizeof owner, place) == sizeof owner;
      if (!isRead || event_rings::pidOf(owner) != static_cast<uint32_t>(from)) continue;
      const auto pid = static_cast<uint32_t>(to);
      owner = event_rings::ownerWord(pid, event_rings::ownerOf(owner), event_rings::sinceMsOf(owner));
      EXPECT_EQ(static_cast<ssize_t>(sizeof owner), pwrite(fd, &owner, sizeof owner, place));
    }
    close(fd);
  }
}

constexpr rlim_t kLimitBytes = 100 << 20;

void limitMemory() {
  const rlimit limit{kLimitBytes, kLimitBytes};
  setrlimit(RLIMIT_AS, &limit);
}

TEST(AgentSharedTransport, ALimitOfMemoryLeavesFewerRings) {
  struct statfs system {};
  ASSERT_EQ(0, statfs("/dev/shm", &system));
  const uint64_t possible = std::min<uint64_t>(availableBytes(system) / 4, event_rings::kMostRings * event_rings::kRingBytes);
  if (possible <= kLimitBytes) GTEST_SKIP() << "the memory for files leaves no more rings than the limit";
  const TemporaryDirectory scratch;
  const Words command{guest("space"), "events", "2", "15000"};
  const Outcome outcome = run(recorded(scratch / "t", command, {"--transport", "shared", "--quiet"}), limitMemory);
  EXPECT_EQ(7, outcome.status);
  EXPECT_EQ("", outcome.errors);
  const Trace trace = loadTrace(scratch / "t");
  ASSERT_EQ(1u, trace.processes.size());
  EXPECT_EQ(30000u, trace.processes[0].count(Kind::kAcquire));
}

class AgentSharedDefinitions : public testing::Test {
 protected:
  void expectRescue(bool usesNumber);
  void expectSizeAndVersion(bool outlivesWriter);
  // A process that has the number which the program had, as far as can be.
  static pid_t startOther(pid_t recorder, pid_t program) {
    pid_t other = startWithNumber(program);
    if (other < 0) {
      other = start({"sleep", "60"});
      renumber(recorder, program, other);
    }
    return other;
  }
  // Without samples, which would make a process of a child that is about to execute a program.
  pid_t startCommand(const Words& command) {
    return start(recorded(directory_, command, {"--transport", "shared", "--sample-hz", "0", "--quiet"}));
  }
  size_t filesInTheTrace(const char* extension) const {
    size_t count = 0;
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator(directory_, none)) {
      count += entry.path().extension() == extension ? 1 : 0;
    }
    return count;
  }
  size_t definitionsInTheTrace() const { return filesInTheTrace(".def"); }
  // Definitions in memory of processes that are recorded by now.
  static size_t definitionsInMemory(pid_t recorder) {
    size_t count = 0;
    for (const auto& entry : entriesOf(recorder)) {
      if (!entry.is_directory()) continue;
      for (const auto& file : std::filesystem::directory_iterator(entry)) {
        count += file.path().extension() == ".def" && file.file_size() > 0 ? 1 : 0;
      }
    }
    return count;
  }

  const TemporaryDirectory scratch_;
  const std::string directory_ = scratch_ / "trace";
};

TEST_F(AgentSharedDefinitions, AreInMemoryWhileTheProcessRuns) {
  const pid_t recorder = startCommand({"perl", "-e", "$| = 1; system 'true'; sleep 60"});
  const auto isMoved = [&] { return definitionsInTheTrace() > 0 && definitionsInMemory(recorder) == 1; };
  for (int i = 0; i < 20000 && !isMoved(); i++) usleep(1000);  // of the process that has ended
  EXPECT_LT(0u, definitionsInTheTrace());
  EXPECT_EQ(1u, definitionsInMemory(recorder));
  kill(recorder, SIGTERM);
  EXPECT_EQ(128 + SIGTERM, endOf(recorder));
  EXPECT_EQ(2u, definitionsInTheTrace());
  EXPECT_EQ(2u, loadTrace(directory_).processes.size());
}

// So that a kill of all processes at once, or of the machine, takes little.
TEST_F(AgentSharedDefinitions, AreCopiedNowAndThen) {
  const pid_t recorder = startCommand({"perl", "-e", "system 'true'; sleep 60"});
  for (int i = 0; i < 20000 && definitionsInTheTrace() < 2; i++) usleep(1000);
  EXPECT_EQ(2u, definitionsInTheTrace());
  EXPECT_EQ(2u, loadTrace(directory_).processes.size());
  kill(recorder, SIGTERM);
  EXPECT_EQ(128 + SIGTERM, endOf(recorder));
}

// Each of its events looks for space.
TEST_F(AgentSharedDefinitions, OfAChildWithoutSpaceAreOneFile) {
  const std::string program = "open F, '>', '" + (scratch_ / "lock") + "'; if (!fork) { for (1..500) { flock F, 2; flock F, 8 } exit 0 } "
      "wait; exit $? >> 8";
  const Outcome outcome = run(recorded(directory_, {"perl", "-e", program}, {"--transport", "shared", "--max-size", "1M", "--quiet"}));
  EXPECT_EQ(0, outcome.status);
  EXPECT_GE(3u, definitionsInTheTrace());
}

// The disk may be slow, and have many that wait for it: only the writer uses it.
TEST(AgentSharedTransport, ThreadsDoNotWaitForTheDiskBeforeTheyWrite) {
  const TemporaryDirectory scratch;
  const std::string directory = scratch / "trace";
  const auto countFiles = [&](const char* extension) {
    std::error_code none;
    const std::filesystem::directory_iterator files(directory, none);
    return std::count_if(begin(files), end(files), [&](const auto& entry) { return entry.path().extension() == extension; });
  };
  constexpr size_t kLocks = 3000;  // more than a first block has, and less than a ring
  const pid_t recorder = start(recorded(directory, {guest("space"), "events", "2", std::to_string(kLocks), "300000"},
                                        {"--transport", "shared", "--quiet"}));
  const pid_t writer = awaitWriter(recorder);
  const pid_t program = awaitChild(recorder, "guest-space");
  ASSERT_GT(program, 0);
  kill(recorder, SIGSTOP);
  kill(writer, SIGSTOP);
  awaitEnd(program);
  EXPECT_EQ(0, countFiles(".evt"));
  kill(recorder, SIGCONT);
  kill(writer, SIGCONT);
  EXPECT_EQ(7, endOf(recorder));
  EXPECT_EQ(2, countFiles(".evt"));
  const Trace trace = loadTrace(directory);
  ASSERT_EQ(1u, trace.processes.size());
  EXPECT_EQ(format::LossCause::kNone, trace.processes[0].losses.cause);
  EXPECT_EQ(2 * kLocks, trace.processes[0].count(Kind::kAcquire));
}

// Nobody of the run is left to write them. Another process may have the number of the program by then.
TEST_F(AgentSharedDefinitions, OfARunThatWasKilledAreWrittenByTheNextOne) { expectRescue(false); }
TEST_F(AgentSharedDefinitions, OfAProcessWhoseNumberIsUsedAgainAreWritten) { expectRescue(true); }

void AgentSharedDefinitions::expectRescue(bool usesNumber) {
  const pid_t recorder = startCommand({guest("busy"), "1"});
  const pid_t writer = awaitWriter(recorder);
  for (int i = 0; i < 20000 && definitionsInMemory(recorder) == 0; i++) usleep(1000);
  format::TraceFiles files;
  while (format::findTraceFiles(directory_, &files) != "" || files.processes.empty()) usleep(1000);
  usleep(100000);
  const auto program = static_cast<pid_t>(files.processes[0].pid);
  kill(recorder, SIGKILL);
  kill(writer, SIGKILL);
  kill(program, SIGKILL);
  EXPECT_EQ(128 + SIGKILL, endOf(recorder));
  while (kill(program, 0) == 0 || kill(writer, 0) == 0) usleep(1000);
  const pid_t other = usesNumber ? startOther(recorder, program) : -1;
  const Words options{"--transport", "shared", "--quiet"};
  const std::vector<std::string> rings = ringFilesOf(recorder);
  EXPECT_GE(1u, rings.size());  // none: a run of another test has written them
  const rlim_t size = rings.empty() ? kLimitBytes : std::filesystem::file_size(rings[0]);
  run(recorded(scratch_ / "limited", {"true"}, options), [size] {  // it has no memory for what is left
    const rlimit limit{size, size};
    setrlimit(RLIMIT_AS, &limit);
  });
  EXPECT_EQ(0, run(recorded(scratch_ / "next", {"true"}, options)).status);
  for (int i = 0; i < 1000 && filesOf(recorder) > 0; i++) usleep(10000);  // a run of another test may be writing them
  if (other > 0) {
    EXPECT_EQ(0, kill(other, 0));
    kill(other, SIGKILL);
    endOf(other);
  }
  EXPECT_EQ(0u, filesOf(recorder));
  const Trace trace = loadTrace(directory_);
  ASSERT_EQ(1u, trace.processes.size());
  EXPECT_GT(trace.processes[0].count(Kind::kAcquire), 10000u);
}

// Of another version, the next run leaves it there and says so; of its own, it keeps to the size that the trace may have.
TEST_F(AgentSharedDefinitions, OfARunThatWasKilledKeepToItsSizeAndVersion) { expectSizeAndVersion(false); }
// Its threads wrote by themselves at the end, and most had no space.
TEST_F(AgentSharedDefinitions, OfAProgramThatOutlivedItsWriterKeepToItsSizeAndVersion) { expectSizeAndVersion(true); }

void AgentSharedDefinitions::expectSizeAndVersion(bool outlivesWriter) {
  constexpr uint64_t kMostBytes = 1 << 20;
  constexpr uint32_t kThreads = 8;  // their rings have twice as much
  const pid_t recorder = start(recorded(directory_, {guest("space"), "rounds", std::to_string(kThreads), "60000"},
                                        {"--transport", "shared", "--max-size", "1M", "--sample-hz", "0", "--quiet"}));
  const pid_t writer = awaitWriter(recorder);
  const pid_t program = awaitChild(recorder, "guest-space");
  ASSERT_GT(program, 0);
  kill(recorder, SIGSTOP);
  kill(writer, SIGSTOP);
  const std::vector<std::string> rings = ringFilesOf(recorder);
  ASSERT_EQ(1u, rings.size());
  const int fd = open(rings[0].c_str(), O_RDWR | O_CLOEXEC);
  // Set before others look for what was left.
  constexpr auto kVersionAt = static_cast<off_t>(offsetof(event_rings::Control, version));
  const uint32_t other = event_rings::kVersion + 1, own = event_rings::kVersion;
  const auto closed = [fd] {
    uint64_t count = 0, each = 0;
    for (uint32_t i = 0; i < kThreads; i++) {
      const auto at = static_cast<off_t>(event_rings::ringOffset(i) + offsetof(event_rings::Ring, closed));
      count += pread(fd, &each, sizeof each, at) == sizeof each ? each : 0;
    }
    return count;
  };
  for (int i = 0; i < 20000 && closed() < kThreads * event_rings::kBlocks; i++) usleep(1000);
  EXPECT_EQ(static_cast<ssize_t>(sizeof other), pwrite(fd, &other, sizeof other, kVersionAt));
  if (outlivesWriter) {
    kill(writer, SIGKILL);
    for (int i = 0; i < 20000 && filesInTheTrace(".evt") < kThreads; i++) usleep(1000);
    usleep(50000);
  }
  // The recorder last: its end would continue a stopped writer.
  for (const pid_t pid : {program, writer, recorder}) kill(pid, SIGKILL);
  EXPECT_EQ(128 + SIGKILL, endOf(recorder));
  for (const pid_t pid : {writer, program}) awaitEnd(pid);
  const std::string told = "are left in " + rings[0];
  Outcome refused;
  for (int i = 0; i < 20 && refused.errors.find(told) == std::string::npos; i++) {  // a run of another test may be looking at them
    refused = run(recorded(scratch_ / ("next" + std::to_string(i)), {"true"}, {"--transport", "shared"}));
  }
  EXPECT_EQ(0, refused.status);
  EXPECT_NE(std::string::npos, refused.errors.find(told)) << refused.errors;
  EXPECT_EQ(2u, filesOf(recorder));
  EXPECT_EQ(static_cast<ssize_t>(sizeof own), pwrite(fd, &own, sizeof own, kVersionAt));
  close(fd);
  EXPECT_EQ(0, run(recorded(scratch_ / "last", {"true"}, {"--transport", "shared", "--quiet"})).status);
  for (int i = 0; i < 1000 && filesOf(recorder) > 0; i++) usleep(10000);  // a run of another test may be writing them
  EXPECT_EQ(0u, filesOf(recorder));
  uint64_t bytes = 0;
  for (const auto& entry : std::filesystem::directory_iterator(directory_)) bytes += entry.file_size();
  EXPECT_LE(bytes, kMostBytes + (64u << 10));
  EXPECT_GT(bytes, kMostBytes / 2);
  const Trace trace = loadTrace(directory_);
  ASSERT_EQ(1u, trace.processes.size());
  EXPECT_EQ(format::LossCause::kTraceTooLarge, trace.processes[0].losses.cause);
  EXPECT_GT(trace.processes[0].losses.events, 1000u);
}

// The numbers of its processes mean nothing here, or are those of others.
TEST_F(AgentSharedDefinitions, OfARunInAnotherPidNamespaceAreLeftThereWhileItLives) {
  if (run({"unshare", "--pid", "--fork", "--mount-proc", "true"}).status != 0) {
    GTEST_SKIP() << "no right to a pid namespace (unshare -p)";
  }
  const Words options{"--transport", "shared", "--sample-hz", "0", "--quiet"};
  Words command{"unshare", "--pid", "--fork", "--kill-child", "--mount-proc", "sh", "-c",
                "echo 30000 > /proc/sys/kernel/ns_last_pid; \"$@\" & wait; sleep 60", "sh"};
  const Words recording = recorded(directory_, {guest("busy"), "1"}, options);
  command.insert(command.end(), recording.begin(), recording.end());
  const pid_t outside = start(command);
  const pid_t first = awaitChild(outside, "sh"), recorder = awaitChild(first, "parallax-record");
  ASSERT_GT(recorder, 0);
  std::string line;
  for (std::ifstream status("/proc/" + std::to_string(recorder) + "/status"); line.compare(0, 6, "NSpid:") != 0;) {
    ASSERT_TRUE(std::getline(status, line));
  }
  const pid_t inside = atoi(line.substr(line.find_last_of('\t')).c_str());
  const pid_t writer = awaitWriter(recorder), program = awaitChild(recorder, "guest-busy");
  for (int i = 0; i < 20000 && definitionsInMemory(inside) == 0; i++) usleep(1000);
  usleep(100000);
  for (const pid_t pid : {recorder, writer}) kill(pid, SIGKILL);
  for (const pid_t pid : {recorder, writer}) awaitEnd(pid);
  EXPECT_EQ(0, run(recorded(scratch_ / "next", {"true"}, options)).status);
  EXPECT_EQ(1u, ringFilesOf(inside).size());
  kill(outside, SIGKILL);
  endOf(outside);
  for (const pid_t pid : {first, program}) awaitEnd(pid);
  EXPECT_EQ(0, run(recorded(scratch_ / "last", {"true"}, options)).status);
  EXPECT_EQ(0u, filesOf(inside));
  const Trace trace = loadTrace(directory_);
  ASSERT_EQ(1u, trace.processes.size());
  EXPECT_GT(trace.processes[0].count(Kind::kAcquire), 10000u);
}

// It waits for a server, which no signal ends.
TEST_F(AgentSharedDefinitions, AreLeftByCtrlCToAWriterThatHangs) {
  const pid_t recorder = startCommand({"sleep", "0.3"});
  const pid_t writer = awaitWriter(recorder);
  if (ptrace(PTRACE_SEIZE, writer, nullptr, nullptr) != 0) {
    endOf(recorder);
    GTEST_SKIP() << "no right to stop a process (ptrace)";
  }
  ASSERT_EQ(0, ptrace(PTRACE_INTERRUPT, writer, nullptr, nullptr));
  ASSERT_EQ(writer, waitpid(writer, nullptr, __WALL));
  while (childNamed(recorder, "sleep") < 0) usleep(1000);
  while (childNamed(recorder, "sleep") > 0) usleep(1000);
  usleep(100000);
  EXPECT_TRUE(runs(recorder));
  kill(recorder, SIGINT);
  for (int i = 0; i < 5000 && runs(recorder); i++) usleep(1000);
  EXPECT_FALSE(runs(recorder));
  ptrace(PTRACE_DETACH, writer, nullptr, nullptr);
  EXPECT_EQ(0, endOf(recorder));
  awaitEnd(writer);
  EXPECT_EQ(0u, filesOf(recorder));
}

// Of a process that the command leaves running, with the writer and after its end.
TEST_F(AgentSharedDefinitions, AreCompleteWhenAProcessEndsAfterTheCommand) {
  for (const bool isWriterKilled : {false, true}) {
    SCOPED_TRACE(isWriterKilled);
    const std::string go = scratch_ / (isWriterKilled ? "killed" : "lives");
    const std::string began = go + "-began", end = go + "-end";
    const std::string program = "sub await { select undef, undef, undef, .01 until -e $_[0] } if (fork) { await '" + end +
        "'; exit 0 } system 'true'; open F, '>', '" + began + "'; await '" + go + "'; system 'true'; exec 'true'";
    const pid_t recorder = startCommand({"perl", "-e", program});
    const pid_t writer = awaitWriter(recorder);
    for (int i = 0; i < 20000 && !std::filesystem::exists(began); i++) usleep(1000);
    if (isWriterKilled) kill(writer, SIGKILL);
    std::ofstream(end) << "end";
    EXPECT_EQ(0, endOf(recorder));
    EXPECT_EQ(3u, loadTrace(directory_).processes.size());
    std::ofstream(go) << "go";
    for (int i = 0; i < 20000 && filesOf(recorder) > 0; i++) usleep(1000);
    EXPECT_EQ(0u, filesOf(recorder));
    const Trace trace = loadTrace(directory_);
    EXPECT_EQ(5u, trace.processes.size());
    for (const TracedProcess& process : trace.processes) EXPECT_EQ(1u, process.ends.size());
    ASSERT_EQ(0, rename(directory_.c_str(), (directory_ + "-before").c_str()));
    std::filesystem::remove_all(directory_ + "-before");
  }
}

}  // namespace
}  // namespace parallax::tests
