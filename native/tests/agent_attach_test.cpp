// Attaching to programs that run, and detaching from them.
#include <gtest/gtest.h>

#include <signal.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "tests/guest_runner.h"
#include "tests/guest_trace.h"
#include "tools/attach/problem.h"
#include "tools/attach/visit.h"

namespace parallax::tests {
namespace {

using format::Kind;

const std::string kRight = "sums 0, counts 0, interrupted 0, bytes 0, errno 0\n";

// A program that runs beside the test; what it prints is known when it has ended.
class Running {
 public:
  explicit Running(const Words& command) : output_(scratch_ / "output") {
    pid_ = fork();
    if (pid_ == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (freopen(output_.c_str(), "w", stdout) == nullptr || dup2(1, 2) != 2) _exit(126);
      std::vector<char*> arguments;
      for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
      arguments.push_back(nullptr);
      execv(arguments[0], arguments.data());
      _exit(127);
    }
    std::error_code error;
    const auto own = std::filesystem::read_symlink("/proc/self/exe", error);
    const std::string executable = "/proc/" + name() + "/exe";
    for (int i = 0; i < 500 && std::filesystem::read_symlink(executable, error) == own; i++) usleep(10000);
  }
  ~Running() {
    if (pid_ <= 0) return;
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  int pid() const { return pid_; }
  std::string name() const { return std::to_string(pid_); }
  // Waits until it has so many threads.
  bool hasThreads(size_t count) const {
    for (int i = 0; i < 1000; i++) {
      if (attach::Target(pid_).threads().size() >= count) return true;
      usleep(10000);
    }
    return false;
  }
  // Waits until it has printed this.
  bool says(const std::string& text) const {
    for (int i = 0; i < 3000; i++) {
      if (outputSoFar().find(text) != std::string::npos) return true;
      usleep(10000);
    }
    return false;
  }
  void askToEnd() const { kill(pid_, SIGTERM); }
  // Waits for its end: what it has printed, and its status if that is not 0.
  std::string end() {
    const int status = endOf(pid_);
    pid_ = -1;
    return outputSoFar() + (status != 0 ? "status " + std::to_string(status) : "");
  }

 private:
  std::string outputSoFar() const {
    std::ifstream file(output_);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
  }

  TemporaryDirectory scratch_;
  std::string output_;
  pid_t pid_;
};

Words attached(const Running& program, const std::string& trace, const std::string& time) {
  return {recorder(), "--attach", program.name(), "--for", time, "-o", trace, "--no-calibration", "--quiet"};
}

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
  const Outcome outcome = run(attached(program, scratch / "trace", "0.7s"));
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
    const Outcome outcome = run(attached(program, directory, "0.3s"));
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

// The agent keeps the directory of the trace open while it records.
bool records(const Running& program, const std::string& trace) {
  std::error_code error;
  const std::filesystem::path wanted = std::filesystem::canonical(trace, error);
  for (const auto& entry : std::filesystem::directory_iterator("/proc/" + program.name() + "/fd", error)) {
    if (std::filesystem::read_symlink(entry.path(), error) == wanted) return true;
  }
  return false;
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

// ---- what cannot be attached to

std::string refusalOf(const std::string& pid) {
  TemporaryDirectory scratch;
  const Outcome outcome = run({recorder(), "--attach", pid, "--for", "1s", "-o", scratch / "trace"});
  EXPECT_EQ(1, outcome.status);
  return outcome.errors;
}

void expectSays(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text;
  EXPECT_EQ(0u, text.find("parallax: cannot attach: ")) << text;
}

TEST(Attach, RefusesWhatCannotBeRecorded) {
  expectSays(refusalOf("4194303"), "there is no process 4194303");
  Running shell({"/bin/sh", "-c", "sleep 5; true"});
  usleep(50000);
  expectSays(refusalOf(shell.name()), "is a shell or launcher");
  Running fixed({guest("static"), "wait"});
  usleep(50000);
  expectSays(refusalOf(fixed.name()), "statically linked");
  expectSays(refusalOf("2"), "belongs to the kernel");
}

// ---- which can be

// The line of a process in the list for programs, as fields.
Words listed(const std::string& list, const std::string& pid) {
  std::istringstream lines(list);
  for (std::string line; std::getline(lines, line);) {
    if (line.compare(0, pid.size() + 1, pid + "\t") != 0) continue;
    Words fields;
    for (size_t at = 0; at != std::string::npos;) {
      const size_t tab = line.find('\t', at);
      fields.push_back(line.substr(at, tab - at));
      at = tab == std::string::npos ? tab : tab + 1;
    }
    return fields;
  }
  return Words(9);
}

TEST(Attach, TheListTellsWhatCanBeRecordedAndWhatNot) {
  TemporaryDirectory scratch;
  Running rank({"/usr/bin/env", "PMIX_RANK=3", guest("attached"), "7", "60000"});
  ASSERT_TRUE(rank.hasThreads(8));
  Running fixed({guest("static"), "wait"});
  Running recording({recorder(), "--attach", rank.name(), "-o", scratch / "trace", "--no-calibration", "--quiet"});
  std::string during;  // at first, the recorder traces the program
  for (int i = 0; i < 200 && during.find("is being recorded already") == std::string::npos; i++) {
    usleep(20000);
    during = listed(run({recorder(), "--list=tsv"}).output, rank.name())[7];
  }
  recording.askToEnd();
  EXPECT_EQ("", recording.end());
  const Outcome after = run({recorder(), "--list=tsv"});
  EXPECT_EQ(0, after.status);
  EXPECT_EQ(0u, after.output.find("pid\tparent\tuser\tthreads\tage-ms\tpart\tname\tproblem\tcommand\n"));
  const Words line = listed(after.output, rank.name());
  EXPECT_EQ(std::to_string(getpid()), line[1]);
  EXPECT_EQ("8", line[3]);
  EXPECT_LT(atoi(line[4].c_str()), 60000);
  EXPECT_EQ("rank 3", line[5]);
  EXPECT_EQ("", line[7]);
  EXPECT_NE(std::string::npos, line[8].find(guest("attached") + " 7 60000")) << line[8];
  EXPECT_NE(std::string::npos, during.find("is being recorded already")) << during;
  EXPECT_NE(std::string::npos, listed(after.output, fixed.name())[7].find("statically linked"));
  EXPECT_EQ(Words(9), listed(after.output, "2"));  // of the kernel
  const std::string table = run({recorder(), "--attach"}).output;
  EXPECT_NE(std::string::npos, table.find(rank.name() + "  ")) << table;
  EXPECT_EQ(std::string::npos, table.find("statically linked")) << table;
  rank.askToEnd();
  EXPECT_EQ(kRight, rank.end());
}

TEST(Attach, ANameStandsForTheOneProcessThatHasIt) {
  TemporaryDirectory scratch;
  const std::string name = "plx" + std::to_string(getpid()), program = scratch / name;
  std::filesystem::copy_file(guest("attached"), program);
  const auto attach = [&](const std::string& trace) {
    return run({recorder(), "--attach", name, "--for", "0.2s", "-o", scratch / trace, "--no-calibration", "--quiet"});
  };
  EXPECT_NE(std::string::npos, attach("none").errors.find("no process is called " + name));
  Running first({program, "7", "60000"});
  ASSERT_TRUE(first.hasThreads(8));
  EXPECT_EQ("", attach("one").errors);
  EXPECT_EQ(1u, loadTrace(scratch / "one").processes.size());
  Running second({program, "7", "60000"});
  ASSERT_TRUE(second.hasThreads(8));
  const Outcome several = attach("several");
  EXPECT_EQ(1, several.status);
  EXPECT_NE(std::string::npos, several.errors.find("2 processes are called " + name)) << several.errors;
  EXPECT_NE(std::string::npos, several.errors.find("--attach " + std::to_string(std::min(first.pid(), second.pid())) + ","));
  EXPECT_FALSE(std::filesystem::exists(scratch / "several"));
}

TEST(Attach, RefusesAProcessThatHasEnded) {
  const pid_t pid = fork();
  if (pid == 0) _exit(0);
  usleep(50000);
  expectSays(refusalOf(std::to_string(pid)), "has ended");
  waitpid(pid, nullptr, 0);
}

TEST(Attach, RefusesAStoppedOrTracedProcess) {
  Running program({guest("attached"), "7", "60000"});
  ASSERT_TRUE(program.hasThreads(8));
  kill(program.pid(), SIGSTOP);
  usleep(50000);
  expectSays(refusalOf(program.name()), "is stopped; let it go on: kill -CONT");
  kill(program.pid(), SIGCONT);
  ASSERT_EQ(0, ptrace(PTRACE_SEIZE, program.pid(), 0, 0));
  expectSays(refusalOf(program.name()), "is traced by process");
  ASSERT_EQ(0, ptrace(PTRACE_INTERRUPT, program.pid(), 0, 0));
  waitpid(program.pid(), nullptr, __WALL);
  ptrace(PTRACE_DETACH, program.pid(), 0, 0);
  program.askToEnd();
  EXPECT_NE(std::string::npos, program.end().find("sums 0, counts 0"));
}

TEST(Attach, DetachRefusesWhatIsNotRecorded) {
  Running program({guest("attached"), "7", "60000"});
  ASSERT_TRUE(program.hasThreads(8));
  const Outcome outcome = run({recorder(), "--detach", program.name()});
  EXPECT_EQ(1, outcome.status);
  EXPECT_NE(outcome.errors.find("it is not recorded"), std::string::npos) << outcome.errors;
  program.askToEnd();
  EXPECT_EQ(kRight, program.end());
}

TEST(Attach, RefusesAThread) {
  Running program({guest("attached"), "7", "60000"});
  ASSERT_TRUE(program.hasThreads(8));
  const std::vector<pid_t> threads = attach::Target(program.pid()).threads();
  expectSays(refusalOf(std::to_string(threads.back())), "is a thread of process " + program.name());
  program.askToEnd();
  EXPECT_EQ(kRight, program.end());
}

TEST(Attach, RefusesAProgramUnderRecord) {
  TemporaryDirectory scratch;
  Running program(recorded(scratch / "first", {guest("attached"), "7", "60000"}, {"--quiet"}));
  std::string child;
  for (int i = 0; i < 100 && child.empty(); i++) {
    usleep(20000);
    std::ifstream(("/proc/" + program.name() + "/task/" + program.name() + "/children")) >> child;
  }
  ASSERT_NE("", child);
  std::string message;
  for (int i = 0; i < 300 && message.find("recorded already") == std::string::npos; i++) {  // once it has loaded the agent
    usleep(20000);
    message = refusalOf(child);
  }
  expectSays(message, "is being recorded already");
  program.askToEnd();
  EXPECT_EQ(kRight, program.end());
}

TEST(Attach, RefusesOptionsThatNeedAStart) {
  const auto refused = [](const Words& options) {
    Words words{recorder(), "--attach", "1"};
    words.insert(words.end(), options.begin(), options.end());
    const Outcome outcome = run(words);
    EXPECT_EQ(2, outcome.status) << outcome.errors;
    return outcome.errors;
  };
  EXPECT_NE(std::string::npos, refused({"--", "program"}).find("take no program"));
  EXPECT_NE(std::string::npos, refused({"--transport", "shared"}).find("needs --transport mapped"));
  EXPECT_NE(std::string::npos, refused({"--end-all"}).find("need a program that is started"));
  EXPECT_NE(std::string::npos, refused({"--detach", "1"}).find("do not go together"));
  EXPECT_NE(std::string::npos, run({recorder(), "--for", "1s", "--", "true"}).errors.find("--for needs --attach"));
}

}  // namespace
}  // namespace parallax::tests
