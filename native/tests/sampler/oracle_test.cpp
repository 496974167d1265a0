// Truth for the unwinder, instruction by instruction: a child is single-stepped through code
// that is hard to walk, and at each stop the walk by tables must be that of elfutils' unwinder,
// which reads the same stack by itself through ptrace.
//
// The child is a fork, so that the tables of the parent are good for it, and runs on a stack
// that both share, so that the parent's unwinder can walk it.
#include <gtest/gtest.h>

#include <elfutils/libdwfl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "sampler/unwind_table.h"
#include "sampler/unwinder.h"
#include "workload.h"

void (*workload_here)(void) = nullptr;

namespace parallax {
namespace {

constexpr size_t kStackBytes = 512 << 10;
constexpr size_t kAlternateBytes = 64 << 10;
constexpr long kMostSteps = 3000000;
// An instruction in a loop is compared this often; on different paths it has different callers.
constexpr int kComparisonsPerInstruction = 3;

struct Frames {
  std::vector<uint64_t> pcs;
  bool complete = false;
};

class Oracle {
 public:
  explicit Oracle(pid_t pid) : pid_(pid) {
    static char* debugInfoPath = nullptr;
    static const Dwfl_Callbacks callbacks = {dwfl_linux_proc_find_elf,
                                             dwfl_standard_find_debuginfo,
                                             dwfl_offline_section_address, &debugInfoPath};
    dwfl_ = dwfl_begin(&callbacks);
    dwfl_linux_proc_report(dwfl_, pid);
    dwfl_report_end(dwfl_, nullptr, nullptr);
    ok_ = dwfl_linux_proc_attach(dwfl_, pid, true) == 0;
  }
  ~Oracle() { dwfl_end(dwfl_); }
  bool ok() const { return ok_; }

  Frames walk() {
    Frames frames;
    frames.complete = dwfl_getthread_frames(dwfl_, pid_, onFrame, &frames) == 0;
    return frames;
  }

 private:
  static int onFrame(Dwfl_Frame* frame, void* opaque) {
    Dwarf_Addr pc;
    if (dwfl_frame_pc(frame, &pc, nullptr)) static_cast<Frames*>(opaque)->pcs.push_back(pc);
    return DWARF_CB_OK;
  }
  pid_t pid_;
  Dwfl* dwfl_;
  bool ok_;
};

struct alignas(64) Shared {
  char stack[kStackBytes];
  char alternate[kAlternateBytes];
};

AddressRange rangeOf(const char* begin, size_t size) {
  const auto low = reinterpret_cast<uint64_t>(begin);
  return {low, low + size};
}

// Calls `run` on another stack, where the call frame information says that nobody called it,
// and exits.
extern "C" [[noreturn]] void runOnStack(void (*run)(void), char* top);
extern "C" const char runOnStackEnd[];
asm(R"(
  .pushsection .text
  .type runOnStack, @function
runOnStack:
  .cfi_startproc
  .cfi_undefined rip
  mov %rsi, %rsp
  call *%rdi
  xor %edi, %edi
  call _exit@PLT
  hlt
  .cfi_endproc
runOnStackEnd:
  .size runOnStack, .-runOnStack
  .popsection
)");

// Runs in the child: stops, runs the piece on the shared stack, and exits.
[[noreturn]] void runPiece(const Piece& piece, Shared* shared) {
  stack_t alternate{};
  alternate.ss_sp = shared->alternate;
  alternate.ss_size = sizeof shared->alternate;
  sigaltstack(&alternate, nullptr);
  ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
  raise(SIGSTOP);
  runOnStack(piece.run, shared->stack + sizeof shared->stack);
}

WalkStart startOf(const user_regs_struct& regs, greg_t* gregs) {
  gregs[REG_R8] = static_cast<greg_t>(regs.r8);
  gregs[REG_R9] = static_cast<greg_t>(regs.r9);
  gregs[REG_R10] = static_cast<greg_t>(regs.r10);
  gregs[REG_R11] = static_cast<greg_t>(regs.r11);
  gregs[REG_R12] = static_cast<greg_t>(regs.r12);
  gregs[REG_R13] = static_cast<greg_t>(regs.r13);
  gregs[REG_R14] = static_cast<greg_t>(regs.r14);
  gregs[REG_R15] = static_cast<greg_t>(regs.r15);
  gregs[REG_RDI] = static_cast<greg_t>(regs.rdi);
  gregs[REG_RSI] = static_cast<greg_t>(regs.rsi);
  gregs[REG_RBP] = static_cast<greg_t>(regs.rbp);
  gregs[REG_RBX] = static_cast<greg_t>(regs.rbx);
  gregs[REG_RDX] = static_cast<greg_t>(regs.rdx);
  gregs[REG_RAX] = static_cast<greg_t>(regs.rax);
  gregs[REG_RCX] = static_cast<greg_t>(regs.rcx);
  gregs[REG_RSP] = static_cast<greg_t>(regs.rsp);
  gregs[REG_RIP] = static_cast<greg_t>(regs.rip);
  WalkStart start;
  start.pc = regs.rip;
  start.rsp = regs.rsp;
  start.rbp = regs.rbp;
  start.rbx = regs.rbx;
  start.registers = gregs;
  return start;
}

std::string text(const std::vector<uint64_t>& pcs) {
  std::string line;
  char number[32];
  for (const uint64_t pc : pcs) {
    snprintf(number, sizeof number, " %llx", static_cast<unsigned long long>(pc));
    line += number;
  }
  return line;
}

struct Outcome {
  long steps = 0;
  long agreed = 0;
  long oracleFailed = 0;
  // Elfutils ends in the dynamic linker's trampoline for lazy binding, whose CFA is kept in rbx.
  long oracleShort = 0;
  // The call frame information is wrong: elfutils does not end where the piece was started, and
  // the tables' walk agrees as far as there is known code. Seen of gcc in the last instructions
  // of realigned frames at -O0 and of libgcc while it goes to a handler of exceptions.
  long wrongInformation = 0;
  size_t deepest = 0;
};

size_t commonFrames(const std::vector<uint64_t>& a, const std::vector<uint64_t>& b) {
  return static_cast<size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first -
                             a.begin());
}

// Whether the frames of `a` from `first` on are the outermost ones of `b`.
bool endsAlike(const std::vector<uint64_t>& a, size_t first, const std::vector<uint64_t>& b) {
  const size_t count = a.size() - first;
  return count <= b.size() &&
         std::equal(a.begin() + static_cast<long>(first), a.end(),
                    b.end() - static_cast<long>(count));
}

bool endsInRunOnStack(const std::vector<uint64_t>& pcs) {
  return !pcs.empty() && pcs.back() >= reinterpret_cast<uint64_t>(&runOnStack) &&
         pcs.back() < reinterpret_cast<uint64_t>(runOnStackEnd);
}

// Counts the comparison; returns whether it is a disagreement. `agreed` is the last stack on
// which both agreed.
bool disagree(const std::vector<uint64_t>& found, WalkEnd end,
              const std::vector<uint64_t>& expected, std::vector<uint64_t>* agreed,
              Outcome* outcome) {
  if (found.size() > outcome->deepest) outcome->deepest = found.size();
  if (found == expected && end == WalkEnd::kRoot) {
    ++outcome->agreed;
    *agreed = found;
    return false;
  }
  const size_t common = commonFrames(found, expected);
  if (common == expected.size() && end == WalkEnd::kRoot && endsInRunOnStack(found) &&
      endsAlike(found, common, *agreed)) {
    ++outcome->oracleShort;
    return false;
  }
  if (common == found.size() && end == WalkEnd::kFailed && !endsInRunOnStack(expected)) {
    ++outcome->wrongInformation;
    return false;
  }
  return true;
}

// Whether ptrace is allowed at all.
bool canTrace() {
  const pid_t pid = fork();
  if (pid == 0) _exit(ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) == 0 ? 0 : 1);
  int status = 0;
  waitpid(pid, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

void stepThrough(const Piece& piece, Outcome* outcome) {
  auto* shared = static_cast<Shared*>(mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE,
                                           MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  ASSERT_NE(shared, MAP_FAILED);
  const AddressRange stack = rangeOf(shared->stack, sizeof shared->stack);
  const AddressRange alternate = rangeOf(shared->alternate, sizeof shared->alternate);
  refreshModules();
  Unwinder* unwinder = Unwinder::create();
  ASSERT_NE(unwinder, nullptr);
  unwinder->attach(stack);

  const pid_t pid = fork();
  if (pid == 0) runPiece(piece, shared);
  int status = 0;
  ASSERT_EQ(waitpid(pid, &status, 0), pid);
  ASSERT_TRUE(WIFSTOPPED(status));
  ptrace(PTRACE_SETOPTIONS, pid, nullptr, PTRACE_O_EXITKILL);
  Oracle oracle(pid);
  ASSERT_TRUE(oracle.ok()) << dwfl_errmsg(-1);

  std::map<uint64_t, int> seen;
  int deliver = 0;
  std::vector<uint64_t> agreed;
  for (; outcome->steps < kMostSteps; ++outcome->steps) {
    ASSERT_EQ(ptrace(PTRACE_SINGLESTEP, pid, nullptr, deliver), 0);
    ASSERT_EQ(waitpid(pid, &status, 0), pid);
    if (!WIFSTOPPED(status)) break;
    deliver = WSTOPSIG(status) == SIGTRAP ? 0 : WSTOPSIG(status);
    user_regs_struct regs;
    ASSERT_EQ(ptrace(PTRACE_GETREGS, pid, nullptr, &regs), 0);
    if (!stack.contains(regs.rsp) && !alternate.contains(regs.rsp)) continue;
    if (++seen[regs.rip] > kComparisonsPerInstruction) continue;
    greg_t gregs[NGREG];
    WalkStart start = startOf(regs, gregs);
    start.alternateStack = alternate;
    const Frames expected = oracle.walk();
    if (!expected.complete) {
      ++outcome->oracleFailed;
      continue;
    }
    uint64_t pcs[Unwinder::kMaxFrames];
    WalkEnd end;
    const size_t count = unwinder->walk(start, true, pcs, Unwinder::kMaxFrames, &end);
    const std::vector<uint64_t> found(pcs, pcs + count);
    if (disagree(found, end, expected.pcs, &agreed, outcome)) {
      ADD_FAILURE() << piece.name << " step " << outcome->steps << ", end "
                    << static_cast<int>(end) << "\n  tables:" << text(found)
                    << "\n  elfutils:" << text(expected.pcs);
      kill(pid, SIGKILL);
      waitpid(pid, &status, 0);
      return;
    }
  }
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << piece.name << " " << status;
  munmap(shared, sizeof(Shared));
}

class SamplerOracle : public testing::TestWithParam<std::pair<const char*, const Piece*>> {};

TEST_P(SamplerOracle, EveryInstruction) {
  if (!canTrace()) GTEST_SKIP() << "ptrace is not allowed here";
  for (const Piece* piece = GetParam().second; piece->name != nullptr; ++piece) {
    SCOPED_TRACE(piece->name);
    Outcome outcome;
    stepThrough(*piece, &outcome);
    printf("%-8s %-21s %7ld instructions, %6ld stacks agree (up to %zu deep), oracle short %ld, "
           "failed %ld, wrong information %ld\n",
           GetParam().first, piece->name, outcome.steps, outcome.agreed, outcome.deepest,
           outcome.oracleShort, outcome.oracleFailed, outcome.wrongInformation);
    EXPECT_GT(outcome.agreed, 50);
    EXPECT_LE(outcome.wrongInformation, 6);
    EXPECT_LE(outcome.oracleFailed, outcome.agreed / 100);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Flavours, SamplerOracle,
    testing::Values(std::make_pair("O0", workload_o0), std::make_pair("O2", workload_o2),
                    std::make_pair("O2fp", workload_o2fp),
                    std::make_pair("noplt", workload_noplt),
                    std::make_pair("realign", workload_realign),
                    std::make_pair("cxxO0", workload_cxx_o0),
                    std::make_pair("cxxO2", workload_cxx_o2)),
    [](const auto& info) { return info.param.first; });

}  // namespace
}  // namespace parallax
