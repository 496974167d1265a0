// The agent's interpreter of seccomp filters against the kernel's, and the rules it keeps.
#include <gtest/gtest.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <random>
#include <vector>

#include "base/process_status.h"
#include "base/seccomp_filter.h"
#include "base/sys.h"

namespace parallax {
namespace {

using Filter = std::vector<sock_filter>;

sock_filter step(uint16_t code, uint32_t k, uint8_t yes = 0, uint8_t no = 0) {
  return {code, yes, no, k};
}

uint32_t run(const Filter& filter, long number, const long (&arguments)[6] = {}) {
  return runSeccompFilter(filter.data(), filter.size(), seccompDataOf(number, arguments, 0));
}

bool install(const Filter& filter) {
  sock_fprog program{static_cast<unsigned short>(filter.size()),
                     const_cast<sock_filter*>(filter.data())};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

// What the kernel gives for a call that does nothing else, under a filter that never kills: the errno.
constexpr long kProbe = 1000;
long answerOfKernel(const Filter& filter, const long (&a)[6], bool* installed) {
  int channel[2];
  EXPECT_EQ(0, pipe(channel));
  const pid_t pid = fork();
  if (pid == 0) {
    long answer[2] = {0, 0};
    if (install(filter)) {
      answer[0] = 1;
      answer[1] = sys::callForProgram(kProbe, a[0], a[1], a[2], a[3], a[4], a[5]);
    }
    _exit(write(channel[1], answer, sizeof answer) == sizeof answer ? 0 : 1);
  }
  close(channel[1]);
  long answer[2] = {0, 0};
  EXPECT_EQ(static_cast<ssize_t>(sizeof answer), read(channel[0], answer, sizeof answer));
  close(channel[0]);
  waitpid(pid, nullptr, 0);
  *installed = answer[0] == 1;
  return answer[1];
}

// Steps that seccomp allows, any of them at any place.
sock_filter anyStep(std::mt19937& random, size_t left) {
  const auto below = [&](uint32_t limit) { return std::uniform_int_distribution<uint32_t>(0, limit - 1)(random); };
  constexpr uint16_t kAlu[] = {BPF_ADD, BPF_SUB, BPF_MUL, BPF_DIV, BPF_AND, BPF_OR, BPF_XOR, BPF_LSH, BPF_RSH};
  constexpr uint16_t kJumps[] = {BPF_JEQ, BPF_JGT, BPF_JGE, BPF_JSET};
  switch (below(12)) {
    case 0: return step(BPF_LD | BPF_W | BPF_ABS, 4 * below(16));
    case 1: return step(BPF_LD | BPF_W | BPF_LEN, 0);
    case 2: return step(BPF_LDX | BPF_W | BPF_LEN, 0);
    case 3: return step(below(2) != 0 ? BPF_LD | BPF_IMM : BPF_LDX | BPF_W | BPF_IMM, random());
    case 4: return step(below(2) != 0 ? BPF_ST : BPF_STX, below(3));
    case 5: return step(below(2) != 0 ? BPF_LD | BPF_MEM : BPF_LDX | BPF_W | BPF_MEM, below(3));
    case 6: return step(below(2) != 0 ? BPF_MISC | BPF_TAX : BPF_MISC | BPF_TXA, 0);
    case 7: return step(BPF_ALU | BPF_NEG, 0);
    case 8: return step(static_cast<uint16_t>(BPF_ALU | kAlu[below(9)] | BPF_K), 1 + below(31));
    case 9: return step(static_cast<uint16_t>(BPF_ALU | kAlu[below(7)] | BPF_X), 0);
    case 10:
      if (left > 2) return step(BPF_JMP | BPF_JA, below(2));
      [[fallthrough]];
    default: {
      if (left < 3) return step(BPF_ALU | BPF_ADD | BPF_K, 1);
      const uint16_t source = below(2) != 0 ? BPF_K : BPF_X;
      return step(static_cast<uint16_t>(BPF_JMP | kJumps[below(4)] | source), below(4),
                  static_cast<uint8_t>(below(2)), static_cast<uint8_t>(below(2)));
    }
  }
}

// Random filters behind a guard for the one call that is asked about; their value becomes an errno.
TEST(SeccompFilter, AgreesWithTheKernel) {
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  int compared = 0;
  for (int round = 0; round < 300; round++) {
    Filter filter{step(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
                  step(BPF_JMP | BPF_JEQ | BPF_K, kProbe, 1, 0),
                  step(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
    for (uint32_t word = 0; word < 3; word++) {  // memory must be written before it is read
      filter.push_back(step(BPF_LD | BPF_IMM, random()));
      filter.push_back(step(BPF_ST, word));
    }
    const size_t count = 5 + random() % 40;
    for (size_t i = 0; i < count; i++) filter.push_back(anyStep(random, count - i));
    filter.push_back(step(BPF_ALU | BPF_AND | BPF_K, 0x7ff));
    filter.push_back(step(BPF_ALU | BPF_ADD | BPF_K, 1));
    filter.push_back(step(BPF_ALU | BPF_OR | BPF_K, SECCOMP_RET_ERRNO));
    filter.push_back(step(BPF_RET | BPF_A, 0));
    long arguments[6];
    for (long& argument : arguments) argument = static_cast<long>(random() % 7);
    // It reads the address of the call, too, which differs: not compared then.
    bool readsAddress = false;
    for (const sock_filter& s : filter) {
      readsAddress = readsAddress || (s.code == (BPF_LD | BPF_W | BPF_ABS) && (s.k == 8 || s.k == 12));
    }
    if (readsAddress) continue;
    const uint32_t value = run(filter, kProbe, arguments);
    if ((value & SECCOMP_RET_ACTION_FULL) != SECCOMP_RET_ERRNO) continue;  // divided by zero: killed
    bool installed = false;
    const long answer = answerOfKernel(filter, arguments, &installed);
    ASSERT_TRUE(installed) << "round " << round;
    ASSERT_EQ(-static_cast<long>(value & SECCOMP_RET_DATA), answer) << "round " << round;
    compared++;
  }
  EXPECT_GT(compared, 50);
}

TEST(SeccompFilter, TheStrongestValueHolds) {
  EXPECT_EQ(SECCOMP_RET_KILL_PROCESS,
            strongerSeccompValue(SECCOMP_RET_KILL_THREAD, SECCOMP_RET_KILL_PROCESS));
  EXPECT_EQ(SECCOMP_RET_KILL_PROCESS,
            strongerSeccompValue(SECCOMP_RET_KILL_PROCESS, SECCOMP_RET_ALLOW));
  EXPECT_EQ(SECCOMP_RET_TRAP, strongerSeccompValue(SECCOMP_RET_ERRNO | 5, SECCOMP_RET_TRAP));
  EXPECT_EQ(SECCOMP_RET_ERRNO | 5u, strongerSeccompValue(SECCOMP_RET_ERRNO | 5, SECCOMP_RET_ERRNO | 6));
  EXPECT_EQ(SECCOMP_RET_ERRNO | 5u, strongerSeccompValue(SECCOMP_RET_ALLOW, SECCOMP_RET_ERRNO | 5));
}

TEST(SeccompFilter, WhatTheKernelWouldNotInstallKills) {
  EXPECT_EQ(SECCOMP_RET_KILL_PROCESS, run({}, 1));
  EXPECT_EQ(SECCOMP_RET_KILL_PROCESS, run({step(BPF_LD | BPF_W | BPF_ABS, 64)}, 1));
  EXPECT_EQ(SECCOMP_RET_KILL_PROCESS, run({step(BPF_LD | BPF_W | BPF_ABS, 2)}, 1));
  EXPECT_EQ(SECCOMP_RET_KILL_PROCESS, run({step(BPF_JMP | BPF_JA, 7), step(BPF_RET, 0)}, 1));
  EXPECT_EQ(SECCOMP_RET_KILL_THREAD, run({step(BPF_ALU | BPF_DIV | BPF_X, 0), step(BPF_RET, 7)}, 1));
}

// A filter that gives `value` for one system call.
Filter filterFor(long number, uint32_t value) {
  return {step(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
          step(BPF_JMP | BPF_JEQ | BPF_K, static_cast<uint32_t>(number), 0, 1), step(BPF_RET, value),
          step(BPF_RET, SECCOMP_RET_ALLOW)};
}

void hold(Filter filter) {
  const sock_fprog program{static_cast<unsigned short>(filter.size()), filter.data()};
  const sandbox::Rules* rules = sandbox::rulesWith(&program);
  ASSERT_NE(nullptr, rules);
  sandbox::hold(rules, false);
}

// The rules of the test's thread are as before.
class SandboxRules : public testing::Test {
 protected:
  ~SandboxRules() override { sandbox::restore(former_); }

 private:
  const sandbox::Held former_ = sandbox::held();
};

TEST_F(SandboxRules, CallsThatAreForbiddenAreNotMade) {
  EXPECT_GT(sys::getpid(), 0);
  hold(filterFor(SYS_getpid, SECCOMP_RET_KILL_PROCESS));
  EXPECT_EQ(-ENOSYS, sys::getpid());
  EXPECT_GT(sys::gettid(), 0);
  hold(filterFor(SYS_gettid, SECCOMP_RET_ERRNO | EPERM));
  EXPECT_EQ(-EPERM, sys::gettid());
  EXPECT_EQ(-ENOSYS, sys::getpid()) << "the outer filter still holds";
  EXPECT_EQ(0u, sys::clockNs(-1)) << "a clock that cannot be read";
  for (const uint32_t action : {SECCOMP_RET_KILL_THREAD, SECCOMP_RET_TRAP, SECCOMP_RET_TRACE,
                                SECCOMP_RET_USER_NOTIF, SECCOMP_RET_ERRNO}) {
    hold(filterFor(SYS_getppid, action));
    EXPECT_EQ(-ENOSYS, sys::getppid());
  }
}

TEST_F(SandboxRules, MemoryThatIsNotThereIsNoFilter) {
  EXPECT_EQ(nullptr, sandbox::rulesWith(nullptr));
  const sock_fprog wild{3, reinterpret_cast<sock_filter*>(8)};
  EXPECT_EQ(nullptr, sandbox::rulesWith(&wild));
  const sock_fprog empty{0, nullptr};
  EXPECT_EQ(nullptr, sandbox::rulesWith(&empty));
}

std::string toldIn(char* const* environment) {
  for (; *environment != nullptr; environment++) {
    const std::string variable = *environment;
    if (variable.rfind("PARALLAX_SECCOMP=", 0) == 0) return variable;
  }
  return "";
}

TEST_F(SandboxRules, AnExecutedProgramHasThem) {
  char trace[] = "PARALLAX_TRACE=/nowhere", other[] = "OTHER=1", old[] = "PARALLAX_SECCOMP=7";
  char* recorded[] = {trace, old, other, nullptr};
  char* plain[] = {other, nullptr};
  EXPECT_EQ(recorded, sandbox::environmentFor(recorded)) << "nothing is forbidden";
  hold(filterFor(SYS_getpid, SECCOMP_RET_KILL_PROCESS));
  hold(filterFor(SYS_gettid, SECCOMP_RET_ERRNO | EPERM));
  EXPECT_EQ(plain, sandbox::environmentFor(plain)) << "without the agent";
  char* const* told = sandbox::environmentFor(recorded);
  ASSERT_NE(recorded, told);
  const std::string variable = toldIn(told);
  EXPECT_EQ("PARALLAX_SECCOMP=?:", variable.substr(0, 19));
  EXPECT_EQ(19u + 2 * 4 * 16 + 1, variable.size());
  sandbox::freeEnvironment(recorded, told);

  // As the program would find it.
  sandbox::restore({});
  ASSERT_EQ(0, setenv("PARALLAX_SECCOMP", variable.substr(17).c_str(), 1));
  sandbox::inheritFromEnvironment(readProcessStatus().filters);
  EXPECT_EQ(-ENOSYS, sys::getpid());
  EXPECT_EQ(-EPERM, sys::gettid());
  EXPECT_GT(sys::getppid(), -1);
  EXPECT_FALSE(sandbox::isUnknown());

  // Filters that nobody has told of.
  sandbox::restore({});
  ASSERT_EQ(0, setenv("PARALLAX_SECCOMP", "7", 1));
  const bool counted = readProcessStatus().filters >= 0;
  sandbox::inheritFromEnvironment(readProcessStatus().filters);
  EXPECT_EQ(counted, sandbox::isUnknown());
  sandbox::restore({});
  ASSERT_EQ(0, setenv("PARALLAX_SECCOMP", "?:0123", 1));
  sandbox::inheritFromEnvironment(readProcessStatus().filters);
  EXPECT_TRUE(sandbox::isUnknown());
  unsetenv("PARALLAX_SECCOMP");
}

}  // namespace
}  // namespace parallax
