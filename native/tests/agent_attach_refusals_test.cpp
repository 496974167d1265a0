// What cannot be attached to: a message that names the cause and the next step, and a program that goes on untouched.
#include <gtest/gtest.h>

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "tests/running_program.h"
#include "tools/attach/problem.h"
#include "tools/attach/target.h"

namespace parallax::tests {
namespace {

const std::string kNobody = "65534";

// Before the words of a command: it runs as this user.
const Words kAsNobody{"setpriv", "--reuid=" + kNobody, "--regid=" + kNobody, "--clear-groups"};

Words joined(Words first, const Words& then) {
  first.insert(first.end(), then.begin(), then.end());
  return first;
}

// `before` are words before the recorder's.
std::string refusalOf(const std::string& pid, const Words& before = {}) {
  TemporaryDirectory scratch;
  chmod(scratch.path().c_str(), 0777);
  const Outcome outcome = run(joined(before, attached(pid, scratch / "trace", "1s", {})));
  EXPECT_EQ(1, outcome.status);
  EXPECT_FALSE(std::filesystem::exists(scratch / "trace"));
  return outcome.errors;
}

void expectSays(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text;
  EXPECT_EQ(0u, text.find("parallax: cannot attach: ")) << text;
}

void expectUntouched(Running& program, const std::string& output = kRight) {
  program.askToEnd();
  EXPECT_EQ(output, program.end());
}

TEST(AttachRefusals, WhatCannotBeRecorded) {
  expectSays(refusalOf("4194303"), "there is no process 4194303");
  Running shell({"/bin/sh", "-c", "sleep 5; true"});
  usleep(50000);
  expectSays(refusalOf(shell.name()), "is a shell or launcher");
  Running fixed({guest("static"), "wait"});
  usleep(50000);
  expectSays(refusalOf(fixed.name()), "statically linked");
  expectSays(refusalOf("2"), "belongs to the kernel");
}

TEST(AttachRefusals, AProcessThatHasEnded) {
  const pid_t pid = fork();
  if (pid == 0) _exit(0);
  usleep(50000);
  expectSays(refusalOf(std::to_string(pid)), "has ended");
  waitpid(pid, nullptr, 0);
}

TEST(AttachRefusals, AStoppedOrTracedProcess) {
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

TEST(AttachRefusals, DetachFromWhatIsNotRecorded) {
  Running program({guest("attached"), "7", "60000"});
  ASSERT_TRUE(program.hasThreads(8));
  const Outcome outcome = run({recorder(), "--detach", program.name()});
  EXPECT_EQ(1, outcome.status);
  EXPECT_NE(outcome.errors.find("it is not recorded"), std::string::npos) << outcome.errors;
  program.askToEnd();
  EXPECT_EQ(kRight, program.end());
}

TEST(AttachRefusals, AThread) {
  Running program({guest("attached"), "7", "60000"});
  ASSERT_TRUE(program.hasThreads(8));
  const std::vector<pid_t> threads = attach::Target(program.pid()).threads();
  expectSays(refusalOf(std::to_string(threads.back())), "is a thread of process " + program.name());
  program.askToEnd();
  EXPECT_EQ(kRight, program.end());
}

TEST(AttachRefusals, AProgramUnderRecord) {
  TemporaryDirectory scratch;
  Running program(recorded(scratch / "first", {guest("attached"), "7", "60000"}, {"--quiet"}));
  const std::string child = std::to_string(program.child());
  ASSERT_NE("0", child);
  std::string message;
  for (int i = 0; i < 300 && message.find("recorded already") == std::string::npos; i++) {  // once it has loaded the agent
    usleep(20000);
    message = refusalOf(child);
  }
  expectSays(message, "is being recorded already");
  program.askToEnd();
  EXPECT_EQ(kRight, program.end());
}

TEST(AttachRefusals, OptionsThatNeedAStart) {
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

TEST(AttachRefusals, AnotherUsersProcess) {
  if (geteuid() != 0) {
    expectSays(refusalOf("1"), "process 1 (");
    expectSays(refusalOf("1"), "belongs to the user root; run parallax as this user, or as root");
    return;
  }
  Running program({guest("attached"), "7", "60000"});
  ASSERT_TRUE(program.hasThreads(8));
  expectSays(refusalOf(program.name(), kAsNobody), "belongs to the user root; run parallax as this user, or as root");
  expectUntouched(program);
}

TEST(AttachRefusals, ADirectoryThatTheUserOfTheProcessCannotUse) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can attach to another user's process";
  TemporaryDirectory scratch;  // root's alone
  Running program(joined(kAsNobody, {guest("attached"), "7", "60000"}));
  ASSERT_TRUE(program.hasThreads(8));
  const Outcome outcome = run(attached(program.name(), scratch / "trace", "1s"));
  EXPECT_EQ(1, outcome.status);
  expectSays(outcome.errors, "the user of the process cannot use ");
  EXPECT_FALSE(std::filesystem::exists(scratch / "trace"));
  expectUntouched(program);
}

// A program that says that it runs, and ends well at SIGTERM.
std::string compiled(const TemporaryDirectory& scratch, const Words& compiler) {
  std::ofstream(scratch / "program.c") << R"(
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>
static volatile sig_atomic_t ends;
static void end(int number) { (void)number; ends = 1; }
int main(void) {
  signal(SIGTERM, end);
#ifdef KEPT_OUT
  prctl(PR_SET_DUMPABLE, 0);
#endif
  puts("runs");
  fflush(stdout);
  while (!ends) usleep(1000);
  puts("ends");
  return 0;
}
)";
  return run(joined(compiler, {"-o", scratch / "program", scratch / "program.c"})).status == 0 ? scratch / "program" : "";
}

// A program that keeps out others of its user, as the kernel does for one that has gained rights.
class KeptOut {
 public:
  KeptOut() : path_(compiled(scratch_, {"cc", "-DKEPT_OUT"})) { chmod(scratch_.path().c_str(), 0755); }
  Words command() const { return joined(before(), {path_}); }
  Words before() const { return geteuid() == 0 ? kAsNobody : Words{}; }

 private:
  TemporaryDirectory scratch_;
  std::string path_;
};

TEST(AttachRefusals, WhatTheKernelForbids) {
  const KeptOut file;
  Running program(file.command());
  ASSERT_TRUE(program.says("runs"));
  expectSays(refusalOf(program.name(), file.before()), "the kernel does not let you trace process " + program.name());
  expectUntouched(program, "runs\nends\n");
}

// The message of each level; this kernel may have no Yama.
TEST(AttachRefusals, YamaIsNamed) {
  if (geteuid() != 0 || run({"unshare", "--mount", "mount", "-t", "tmpfs", "none", "/proc/sys/kernel"}).status != 0) {
    GTEST_SKIP() << "no right to mount";
  }
  const KeptOut file;
  Running program(file.command());
  ASSERT_TRUE(program.says("runs"));
  const auto refusalAt = [&](const std::string& level) {
    const std::string mounted = "mount -t tmpfs none /proc/sys/kernel && mkdir /proc/sys/kernel/yama && echo " + level +
                                " > /proc/sys/kernel/yama/ptrace_scope && exec \"$@\"";
    return refusalOf(program.name(), joined({"unshare", "--mount", "sh", "-c", mounted, "sh"}, file.before()));
  };
  expectSays(refusalAt("1"), "(kernel.yama.ptrace_scope = 1); run: sudo sysctl kernel.yama.ptrace_scope=0, or run parallax as root");
  expectSays(refusalAt("3"), "(kernel.yama.ptrace_scope = 3, until the next start of the machine); start it under parallax record");
  expectUntouched(program, "runs\nends\n");
}

// Root needs no namespace of users for these.
Words unshared(const Words& options) {
  return joined(joined({"unshare"}, geteuid() == 0 ? Words{} : Words{"--user", "--map-root-user"}), options);
}

TEST(AttachRefusals, AnotherNamespaceOfProcesses) {
  const Words apart = unshared({"--pid", "--fork", "--kill-child"});
  if (run(joined(apart, {"true"})).status != 0) GTEST_SKIP() << "no right to make namespaces";
  Running outer(joined(apart, {guest("attached"), "7", "60000"}));
  const int program = outer.child();
  ASSERT_NE(0, program);
  for (int i = 0; i < 500 && attach::Target(program).threads().size() < 8; i++) usleep(10000);
  expectSays(refusalOf(std::to_string(program)), "runs in another PID namespace, as containers have; run parallax inside of it");
  kill(program, SIGTERM);
  EXPECT_EQ(kRight, outer.end());
}

TEST(AttachRefusals, OtherFileSystems) {
  if (run(unshared({"--mount", "mount", "-t", "tmpfs", "none", PARALLAX_BUILD_DIRECTORY})).status != 0) {
    GTEST_SKIP() << "no right to mount";
  }
  TemporaryDirectory scratch;
  std::filesystem::copy_file(guest("attached"), scratch / "program");
  Running program(unshared({"--mount", "sh", "-c", "mount -t tmpfs none " PARALLAX_BUILD_DIRECTORY " && exec " +
                            (scratch / "program") + " 7 60000"}));
  ASSERT_TRUE(program.hasThreads(8));
  expectSays(refusalOf(program.name()), "it has other file systems, as containers have; make this directory visible to it");
  expectUntouched(program);
}

TEST(AttachRefusals, Musl) {
  TemporaryDirectory scratch;
  const std::string path = compiled(scratch, {"musl-gcc"});
  if (path.empty()) GTEST_SKIP() << "musl-gcc is not installed";
  Running program({path});
  ASSERT_TRUE(program.says("runs"));
  expectSays(refusalOf(program.name()), "uses musl and not glibc");
  expectUntouched(program, "runs\nends\n");
}

// Needs no libraries of 32 bits: it waits for a signal, and leaves the rest to the kernel.
TEST(AttachRefusals, ThirtyTwoBits) {
  TemporaryDirectory scratch;
  std::ofstream(scratch / "wait.c") << "void _start(void) { for (;;) __asm__ volatile(\"int $0x80\" : : \"a\"(29)); }\n";
  ASSERT_EQ(0, run({"cc", "-m32", "-static", "-nostdlib", "-ffreestanding", "-fno-pie", "-no-pie", "-fcf-protection=none", "-O1", "-o", scratch / "wait",
                    scratch / "wait.c"}).status);
  Running program({scratch / "wait"});
  usleep(50000);
  if (kill(program.pid(), 0) != 0 || attach::factsOf(program.pid()).state == 'Z') {
    GTEST_SKIP() << "the kernel runs no programs of 32 bits";
  }
  expectSays(refusalOf(program.name()), "is a program of 32 bits; only x86_64 programs can be recorded");
  EXPECT_EQ('S', attach::factsOf(program.pid()).state);
  program.askToEnd();
  EXPECT_EQ("status 143", program.end());
}

TEST(AttachRefusals, ASandboxOfItsOwn) {
  Running program({guest("attached"), "7", "60000"}, [] {
    sock_filter allow[] = {BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
    const sock_fprog filter{1, allow};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0) _exit(125);
  });
  ASSERT_TRUE(program.hasThreads(8));
  expectSays(refusalOf(program.name()), "has forbidden itself system calls (seccomp)");
  expectUntouched(program);
}

// Few processors and C libraries have it.
TEST(AttachRefusals, AShadowStack) {
  Running program({guest("attached"), "7", "60000"});
  ASSERT_TRUE(program.hasThreads(8));
  attach::ProcessFacts facts = attach::factsOf(program.pid());
  EXPECT_EQ("", attach::findProblem(program.pid(), facts, agent()));
  facts.hasShadowStack = true;
  const std::string problem = attach::findProblem(program.pid(), facts, agent());
  EXPECT_NE(std::string::npos, problem.find("uses a shadow stack, on which no call from outside can return")) << problem;
  expectUntouched(program);
}

}  // namespace
}  // namespace parallax::tests
