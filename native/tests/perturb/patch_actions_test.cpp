// Changes of code in a running process: results, counts, threads in the middle, and back to the same bytes.
#include "perturb/patch_actions.h"

#include <gtest/gtest.h>

#include <dlfcn.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "perturb/code_place.h"
#include "perturb/patch.h"
#include "sampler/sampler.h"
#include "sampler/unwind_table.h"
#include "sampler/unwinder.h"
#include "tests/perturb/patched.h"
#include "tests/temporary_directory.h"
#include "tools/points/points_prepare.h"

namespace parallax::perturb {
namespace {

using Function = long(long, long);

struct Planted {
  const char* name;
  Function* call;
  bool jumps;  // else a trap
};
// All are 3 a + b.
const std::vector<Planted> kPlanted = {
    {"patched_frame", patched_frame, true},       {"patched_pushes", patched_pushes, true},
    {"patched_two", patched_two, true},           {"patched_relative", patched_relative, true},
    {"patched_marked", patched_marked, true},     {"patched_jump", patched_jump, true},
    {"patched_call", patched_call, true},         {"patched_inner", patched_inner, false},
    {"patched_compiled", patched_compiled, true}, {"patched_behind", patched_behind, true},
    {"patched_returns", patched_returns, true},   {"patched_throws", patched_throws, true}};

std::string libraryOf(const void* code) {
  Dl_info info;
  return dladdr(code, &info) != 0 ? info.dli_fname : "";
}
std::string library() { return libraryOf(reinterpret_cast<void*>(patched_frame)); }

points::PatchPreparer& preparer() {
  static points::PatchPreparer one;
  return one;
}

PreparedPatch prepared(const std::string& name, const std::string& module = library()) {
  PreparedPatch patch;
  EXPECT_EQ("", preparer().prepare(module, name, &patch));
  return patch;
}

Replacement found(const std::string& name) {
  PreparedFunction function;
  EXPECT_EQ("", preparer().find(library(), name, &function));
  return findFunction(function);
}

std::string bytesAt(const void* code, size_t count = 64) { return {static_cast<const char*>(code), count}; }
template <class R, class... A>
std::string bytesOf(R (*f)(A...)) {
  return bytesAt(reinterpret_cast<const void*>(f));
}

ArgumentChange setTo(uint8_t argument, long value) {
  ArgumentChange change;
  change.argument = argument;
  change.value = static_cast<uint64_t>(value);
  return change;
}

uint32_t done(const PatchAnswer& answer) {
  EXPECT_EQ(nullptr, answer.problem) << answer.problem;
  EXPECT_NE(0u, answer.id);
  return answer.id;
}
void undone(uint32_t id) {
  const char* problem = undoPatch(id);
  EXPECT_EQ(nullptr, problem) << problem;
}

const CodePlace* placeOf(const PreparedPatch& patch) {
  const Replacement function = findFunction(patch.function);
  const uint64_t address = function.begin + patch.places[0].offset - patch.function.begin;
  for (uint32_t i = 0; i < codePlaceCount(); i++) {
    if (codePlaceAt(i)->address.load() == address) return codePlaceAt(i);
  }
  return nullptr;
}

// What inserted calls do.
std::atomic<long> calls{0};
long lastWords[6];
extern "C" void countCall() { calls.fetch_add(1, std::memory_order_relaxed); }
extern "C" void takeWords(long a, long b, long c, long d, long e, long f) {
  const long words[] = {a, b, c, d, e, f};
  memcpy(lastWords, words, sizeof words);
  countCall();
}
// Leaves nothing as it was that a function may change.
extern "C" void destroyRegisters() {
  countCall();
  errno = EXDEV;
  asm volatile(
      "pxor %%xmm0, %%xmm0\n\tpxor %%xmm7, %%xmm7\n\tpxor %%xmm15, %%xmm15\n\tfninit\n\t"
      "xor %%eax, %%eax\n\txor %%ecx, %%ecx\n\txor %%edx, %%edx\n\txor %%esi, %%esi\n\txor %%edi, %%edi\n\t"
      "xor %%r8d, %%r8d\n\txor %%r9d, %%r9d\n\txor %%r10d, %%r10d\n\txor %%r11d, %%r11d"
      ::: "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "xmm0", "xmm7", "xmm15", "memory", "cc");
}
InsertedCall callOf(void (*f)()) {
  InsertedCall call;
  call.function = reinterpret_cast<uint64_t>(f);
  return call;
}

class PatchActions : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    const char* problem = startPatching();
    ASSERT_EQ(nullptr, problem) << problem;
  }
  void SetUp() override { calls = 0; }
  void TearDown() override { EXPECT_EQ(nullptr, undoPatches()); }
};

// ------------------------------------------------------------------ results

TEST_F(PatchActions, ChangeAnArgumentAndBack) {
  for (const Planted& planted : kPlanted) {
    SCOPED_TRACE(planted.name);
    const std::string before = bytesOf(planted.call);
    const PreparedPatch patch = prepared(planted.name);
    EXPECT_EQ(planted.jumps, patch.places[0].canJump != 0);
    for (int round = 0; round < 3; round++) {
      const uint32_t id = done(changeArgument(patch, setTo(1, 100 + round)));
      EXPECT_NE(before, bytesOf(planted.call));
      EXPECT_EQ(6 + 100 + round, planted.call(2, 5));
      undone(id);
      EXPECT_EQ(before, bytesOf(planted.call));
      EXPECT_EQ(11, planted.call(2, 5));
    }
    EXPECT_STREQ("there is no such change, or the module of the function is gone", undoPatch(4711));
  }
}

TEST_F(PatchActions, LeadByAJumpWhereTheFirstBytesAreFree) {
  for (const Planted& planted : kPlanted) {
    const PreparedPatch patch = prepared(planted.name);
    const uint32_t id = done(changeArgument(patch, setTo(1, 1)));
    const CodePlace* place = placeOf(patch);
    ASSERT_NE(nullptr, place);
    const auto* code = reinterpret_cast<const uint8_t*>(place->address.load());
    EXPECT_EQ(planted.jumps ? 0xe9 : 0xcc, code[0]) << planted.name;
    for (uint32_t i = 1; planted.jumps && i < place->startCount; i++) {
      if (place->starts[i].at >= 5) continue;
      EXPECT_EQ(0xcc, code[place->starts[i].at]) << planted.name;
    }
    undone(id);
  }
}

TEST_F(PatchActions, KeepLimitsAndConditions) {
  const PreparedPatch patch = prepared("patched_frame");
  ArgumentChange change = setTo(0, 10);
  change.change = Change::kAtLeast;
  uint32_t id = done(changeArgument(patch, change));
  EXPECT_EQ(30, patched_frame(-3, 0));
  EXPECT_EQ(36, patched_frame(12, 0));
  undone(id);
  change.change = Change::kAtMost;
  id = done(changeArgument(patch, change));
  EXPECT_EQ(-9, patched_frame(-3, 0));
  EXPECT_EQ(30, patched_frame(12, 0));
  undone(id);
  change.type = ValueType::kU64;
  id = done(changeArgument(patch, change));
  EXPECT_EQ(30, patched_frame(-3, 0));
  undone(id);
  const struct {
    Comparison comparison;
    bool below, same, above;
  } kCases[] = {{Comparison::kEqual, false, true, false},      {Comparison::kNotEqual, true, false, true},
                {Comparison::kLess, true, false, false},       {Comparison::kLessOrEqual, true, true, false},
                {Comparison::kGreater, false, false, true},    {Comparison::kGreaterOrEqual, false, true, true}};
  for (const auto& each : kCases) {
    change = setTo(0, 100);
    change.comparison = each.comparison;
    change.conditionArgument = 1;
    change.conditionValue = 7;
    id = done(changeArgument(patch, change));
    EXPECT_EQ(each.below ? 306 : 9, patched_frame(1, 6));
    EXPECT_EQ(each.same ? 307 : 10, patched_frame(1, 7));
    EXPECT_EQ(each.above ? 308 : 11, patched_frame(1, 8));
    undone(id);
  }
}

TEST_F(PatchActions, ConditionsSeeWhatTheCallerPassed) {
  const PreparedPatch patch = prepared("patched_frame");
  const uint32_t first = done(changeArgument(patch, setTo(1, 50)));
  ArgumentChange change = setTo(0, 9);
  change.comparison = Comparison::kEqual;
  change.conditionArgument = 1;
  change.conditionValue = 5;
  const uint32_t second = done(changeArgument(patch, change));
  EXPECT_EQ(77, patched_frame(1, 5));
  EXPECT_EQ(53, patched_frame(1, 50));
  undone(first);
  EXPECT_EQ(32, patched_frame(1, 5));
  undone(second);
  EXPECT_EQ(8, patched_frame(1, 5));
}

TEST_F(PatchActions, KnowTheSizeOfAnArgument) {
  ArgumentChange change = setTo(0, -5);
  change.type = ValueType::kI32;
  change.change = Change::kAtLeast;
  done(changeArgument(prepared("patched_int"), change));
  auto* wide = reinterpret_cast<int (*)(long, long)>(reinterpret_cast<void*>(patched_int));
  EXPECT_EQ(-5, wide(0x1fffffff0, 100));  // -16
  EXPECT_EQ(-3, wide(0x1fffffffd, 100));
}

TEST_F(PatchActions, InsertCallsBefore) {
  const PreparedPatch patch = prepared("patched_frame");
  InsertedCall call;
  call.function = reinterpret_cast<uint64_t>(takeWords);
  for (uint64_t i = 0; i < 6; i++) call.arguments[i] = 10 + i;
  const uint32_t id = done(insertCallBefore(patch, call));
  done(insertCallBefore(patch, callOf(countCall)));
  EXPECT_EQ(11, patched_frame(2, 5));
  EXPECT_EQ(2, calls);
  for (long i = 0; i < 6; i++) EXPECT_EQ(10 + i, lastWords[i]);
  undone(id);
  EXPECT_EQ(11, patched_frame(2, 5));
  EXPECT_EQ(3, calls);
}

TEST_F(PatchActions, InsertCallsBehindEachReturn) {
  for (const char* name : {"patched_returns", "patched_frame", "patched_inner"}) {
    SCOPED_TRACE(name);
    calls = 0;
    auto* f = reinterpret_cast<Function*>(found(name).begin);
    const std::string before = bytesOf(f);
    const PreparedPatch patch = prepared(name);
    const uint32_t id = done(insertCallAfter(patch, callOf(destroyRegisters)));
    errno = 7;
    EXPECT_EQ(11, f(2, 5));
    EXPECT_EQ(6, f(2, 0));
    EXPECT_EQ(7, errno);
    EXPECT_EQ(2, calls);
    undone(id);
    EXPECT_EQ(before, bytesOf(f));
  }
  const PreparedPatch tail = prepared("patched_tail");
  EXPECT_NE(nullptr, strstr(tail.noReturnsBecause, "tail call")) << tail.noReturnsBecause;
  EXPECT_EQ(0u, insertCallAfter(tail, callOf(countCall)).id);
}

TEST_F(PatchActions, LeaveAllRegistersAsTheyAre) {
  EXPECT_EQ(0, patched_state(0, 0));
  done(insertCallBefore(prepared("patched_vector"), callOf(destroyRegisters)));
  errno = 7;
  EXPECT_EQ(0, patched_state(0, 0));
  EXPECT_EQ(7, errno);
  EXPECT_EQ(1, calls);
}

extern "C" void callPatchedFrame() {
  countCall();
  EXPECT_EQ(11, patched_frame(2, 5));
}

TEST_F(PatchActions, InsertNoCallInAnInsertedCall) {
  done(insertCallBefore(prepared("patched_frame"), callOf(callPatchedFrame)));
  EXPECT_EQ(11, patched_frame(2, 5));
  EXPECT_EQ(1, calls);
}

TEST_F(PatchActions, ReplaceAFunction) {
  for (const Planted& planted : kPlanted) {
    const PreparedPatch patch = prepared(planted.name);
    const uint32_t id = done(replaceFunction(patch, found("patched_other")));
    EXPECT_EQ(-7, planted.call(2, 5)) << planted.name;
    EXPECT_EQ(0u, replaceFunction(patch, found("patched_other")).id);
    undone(id);
    EXPECT_EQ(11, planted.call(2, 5)) << planted.name;
  }
}

TEST_F(PatchActions, GiveTheOriginalToItsReplacement) {
  const uint32_t id = done(replaceFunction(prepared("patched_frame"), found("patched_wrapper")));
  EXPECT_EQ(1000011, patched_frame(2, 5));
  undone(id);
  EXPECT_EQ(11, patched_frame(2, 5));
}

TEST_F(PatchActions, LetExceptionsPass) {
  done(changeArgument(prepared("patched_throws"), setTo(0, 2000)));
  done(insertCallBefore(prepared("patched_throws"), callOf(countCall)));
  for (int i = 0; i < 100; i++) EXPECT_THROW(patched_throws(1, 2), std::runtime_error);
  EXPECT_EQ(100, calls);
}

// ------------------------------------------------------------------ threads

// Threads that call all planted functions until they are told to stop, or so often.
class Callers {
 public:
  Callers(int threads, long rounds, long otherB) {
    for (int i = 0; i < threads; i++) {
      threads_.emplace_back([=] {
        for (long a = 0; rounds == 0 ? !stop_.load(std::memory_order_relaxed) : a < rounds; a++) {
          for (const Planted& planted : kPlanted) {
            const long result = planted.call(a % 1000, 5);
            const long plain = 3 * (a % 1000) + 5, changed = 3 * (a % 1000) + otherB;
            if (result != plain && result != changed) wrong_.fetch_add(1);
          }
          visits_.fetch_add(1, std::memory_order_relaxed);
        }
      });
    }
  }
  // How many results were wrong.
  long join() {
    stop_ = true;
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
    return wrong_;
  }
  long visits() const { return visits_; }

 private:
  std::atomic<bool> stop_{false};
  std::atomic<long> wrong_{0}, visits_{0};
  std::vector<std::thread> threads_;
};

// How often, for the long form of a test: PARALLAX_PATCH_ROUNDS=3000.
int roundsOf(int usual) {
  const char* wanted = getenv("PARALLAX_PATCH_ROUNDS");
  return wanted != nullptr ? atoi(wanted) : usual;
}

TEST_F(PatchActions, ChangeAndBackWhileThreadsRunTheCode) {
  std::vector<std::string> before;
  std::vector<PreparedPatch> patches;
  for (const Planted& planted : kPlanted) {
    before.push_back(bytesOf(planted.call));
    patches.push_back(prepared(planted.name));
  }
  Callers callers(8, 0, 100);
  const int rounds = roundsOf(120);
  for (int round = 0; round < rounds; round++) {
    std::vector<uint32_t> ids;
    for (const PreparedPatch& patch : patches) ids.push_back(done(changeArgument(patch, setTo(1, 100))));
    for (const uint32_t id : ids) undone(id);
  }
  EXPECT_EQ(0, callers.join());
  EXPECT_GT(callers.visits(), 0);
  for (size_t i = 0; i < kPlanted.size(); i++) EXPECT_EQ(before[i], bytesOf(kPlanted[i].call)) << kPlanted[i].name;
}

TEST_F(PatchActions, CountExactlyWhileOtherChangesComeAndGo) {
  constexpr long kThreads = 6, kRounds = 300;
  std::vector<PreparedPatch> patches;
  for (const Planted& planted : kPlanted) patches.push_back(prepared(planted.name));
  for (const PreparedPatch& patch : patches) done(insertCallBefore(patch, callOf(countCall)));
  Callers callers(kThreads, kRounds, 100);
  while (callers.visits() < kThreads * kRounds) {
    for (const PreparedPatch& patch : patches) undone(done(changeArgument(patch, setTo(1, 100))));
  }
  EXPECT_EQ(0, callers.join());
  EXPECT_EQ(kThreads * kRounds * static_cast<long>(kPlanted.size()), calls);
}

// ------------------------------------------------------- threads in the middle

// Runs a call of a function instruction by instruction, and calls `atStep` at each in a signal handler.
thread_local void (*volatile atStep)(ucontext_t*) = nullptr;  // handlers read what follows

void onStep(int, siginfo_t*, void* context) {
  void (*const f)(ucontext_t*) = atStep;
  if (f != nullptr) f(static_cast<ucontext_t*>(context));
}

__attribute__((noinline)) long stepThrough(Function* f, long a, long b) {
  long result = 0;
  asm volatile(
      "lea -128(%%rsp), %%rsp\n\t"
      "pushfq\n\torq $0x100, (%%rsp)\n\tpopfq\n\t"
      "call *%3\n\t"
      "pushfq\n\tandq $~0x100, (%%rsp)\n\tpopfq\n\t"
      "lea 128(%%rsp), %%rsp\n\t"
      : "=a"(result), "+D"(a), "+S"(b)
      : "r"(f)
      : "rcx", "rdx", "r8", "r9", "r10", "r11", "memory", "cc");
  return result;
}

struct sigaction stepAction() {
  struct sigaction action{};
  action.sa_sigaction = onStep;
  action.sa_flags = SA_SIGINFO;
  return action;
}

// What the other thread does when the stepping one has come to an instruction, and that it is done.
std::atomic<int> reached{-1};
std::atomic<bool> goOn{false};
volatile uint64_t waitAt = 0;

void waitInTheMiddle(ucontext_t* context) {
  if (static_cast<uint64_t>(context->uc_mcontext.gregs[REG_RIP]) != waitAt) return;
  waitAt = 0;
  reached = 1;
  while (!goOn) sched_yield();
}

TEST_F(PatchActions, MoveAThreadThatIsBetweenTheFirstInstructions) {
  const struct sigaction action = stepAction();
  sampler::exchangeProgramAction(SIGTRAP, &action);
  int middles = 0;
  for (const Planted& planted : kPlanted) {
    const PreparedPatch patch = prepared(planted.name);
    const PreparedPlace& place = patch.places[0];
    const uint64_t begin = found(planted.name).begin + place.offset - patch.function.begin;
    for (uint32_t i = 0; i < place.startCount; i++) {
      for (const bool back : {false, true}) {
        waitAt = begin + place.starts[i].at;
        reached = -1;
        goOn = false;
        long result = 0;
        std::thread stepping([&] {
          atStep = waitInTheMiddle;
          result = stepThrough(planted.call, 2, 5);
          atStep = nullptr;
          reached = 2;
        });
        while (reached < 0) sched_yield();
        EXPECT_EQ(1, reached) << planted.name << " " << i;
        const uint32_t id = done(changeArgument(patch, setTo(1, 100)));
        if (back) undone(id);
        goOn = true;
        stepping.join();
        // At the first one it has not entered yet.
        EXPECT_EQ(i == 0 && !back ? 106 : 11, result) << planted.name << " " << i;
        if (!back) undone(id);
        middles += i > 0;
      }
    }
  }
  EXPECT_GT(middles, 20);
}

// The walk of the stack at each instruction: the caller of the function is always found.
Unwinder* walker = nullptr;
volatile uint64_t callerBegin, callerEnd, functionBegin, functionEnd;
volatile int steps, lost;

void walkFromHere(ucontext_t* context) {
  const auto& registers = context->uc_mcontext.gregs;
  WalkStart start;
  start.pc = static_cast<uint64_t>(registers[REG_RIP]);
  start.rsp = static_cast<uint64_t>(registers[REG_RSP]);
  start.rbp = static_cast<uint64_t>(registers[REG_RBP]);
  start.rbx = static_cast<uint64_t>(registers[REG_RBX]);
  start.registers = registers;
  if (start.pc >= callerBegin && start.pc < callerEnd) return;
  uint64_t pcs[64];
  WalkEnd end;
  const size_t count = walker->walk(start, true, pcs, 64, &end);
  steps = steps + 1;
  bool inFunction = false, inCaller = false;
  for (size_t i = 0; i < count; i++) {
    inFunction = inFunction || (pcs[i] >= functionBegin && pcs[i] <= functionEnd);
    // Directly behind the function.
    if (pcs[i] >= callerBegin && pcs[i] < callerEnd) inCaller = i > 0 && pcs[i - 1] >= functionBegin && pcs[i - 1] <= functionEnd;
  }
  if (!inFunction || !inCaller) lost = lost + 1;
}

TEST_F(PatchActions, KeepTheStackReadable) {
  refreshModules();
  walker = Unwinder::create();
  ASSERT_NE(nullptr, walker);
  walker->attach(stackOfThread());
  const struct sigaction action = stepAction();
  sampler::exchangeProgramAction(SIGTRAP, &action);
  callerBegin = reinterpret_cast<uint64_t>(stepThrough);
  callerEnd = callerBegin + 256;
  for (const Planted& planted : kPlanted) {
    if (planted.call == patched_call) continue;  // what it calls has no call frame information
    const PreparedPatch patch = prepared(planted.name);
    const Replacement function = found(planted.name);
    functionBegin = function.begin;
    functionEnd = function.end;
    const uint32_t id = done(changeArgument(patch, setTo(1, 100)));
    steps = lost = 0;
    atStep = walkFromHere;
    const long result = stepThrough(planted.call, 2, 5);
    atStep = nullptr;
    EXPECT_EQ(106, result);
    EXPECT_GT(steps, 30) << planted.name;
    EXPECT_EQ(0, lost) << planted.name << " of " << steps;
    undone(id);
  }
}

// ------------------------------------------------------------ other modules

TEST_F(PatchActions, InLibc) {
  const std::string libc = libraryOf(reinterpret_cast<void*>(qsort));
  long numbers[] = {3, 1, 2};
  const auto compare = [](const void* a, const void* b) {
    return static_cast<int>(*static_cast<const long*>(a) - *static_cast<const long*>(b));
  };
  const std::string before = bytesAt(reinterpret_cast<void*>(qsort));
  const uint32_t id = done(changeArgument(prepared("qsort", libc), setTo(1, 2)));  // only two of them
  qsort(numbers, 3, sizeof *numbers, compare);
  EXPECT_EQ(1, numbers[0]);
  EXPECT_EQ(3, numbers[1]);
  EXPECT_EQ(2, numbers[2]);
  undone(id);
  qsort(numbers, 3, sizeof *numbers, compare);
  EXPECT_EQ(2, numbers[1]);
  EXPECT_EQ(before, bytesAt(reinterpret_cast<void*>(qsort)));
  PreparedPatch patch;
  EXPECT_EQ("munmap of libc may run while signals are blocked, and cannot be changed",
            preparer().prepare(libc, "munmap", &patch));
  EXPECT_NE(std::string::npos, preparer().prepare(libc, "strlen", &patch).find("indirect function"));
}

TEST_F(PatchActions, InPvm) {
  void* handle = dlopen("libpvm3.so.3", RTLD_NOW);
  if (handle == nullptr) GTEST_SKIP() << "PVM is not installed";
  auto* setOption = reinterpret_cast<int (*)(int, int)>(dlsym(handle, "pvm_setopt"));
  auto* getOption = reinterpret_cast<int (*)(int)>(dlsym(handle, "pvm_getopt"));
  ASSERT_NE(nullptr, setOption);
  constexpr int kAutoErr = 3;
  setOption(kAutoErr, 0);
  const uint32_t id =
      done(changeArgument(prepared("pvm_setopt", libraryOf(reinterpret_cast<void*>(setOption))), setTo(1, 2)));
  EXPECT_EQ(0, setOption(kAutoErr, 1));
  EXPECT_EQ(2, getOption(kAutoErr));
  undone(id);
  setOption(kAutoErr, 1);
  EXPECT_EQ(1, getOption(kAutoErr));
  dlclose(handle);
}

void inMpi(const char* name) {
  void* handle = dlopen(name, RTLD_NOW);
  if (handle == nullptr) GTEST_SKIP() << name << " is not installed";
  auto* version = reinterpret_cast<int (*)(int*, int*)>(dlsym(handle, "MPI_Get_version"));
  ASSERT_NE(nullptr, version);
  const std::string library = libraryOf(reinterpret_cast<void*>(version));
  int first = 0, second = -1, other = -1;
  const std::string before = bytesOf(version);
  const PreparedPatch patch = prepared("MPI_Get_version", library);
  const uint32_t counting = done(insertCallBefore(patch, callOf(countCall)));
  const uint32_t changing = done(changeArgument(patch, setTo(1, reinterpret_cast<long>(&other))));
  for (int i = 0; i < 10; i++) EXPECT_EQ(0, version(&first, &second));
  EXPECT_GE(first, 3);
  EXPECT_EQ(-1, second);
  EXPECT_GE(other, 0);
  EXPECT_EQ(10, calls);
  undone(counting);
  undone(changing);
  EXPECT_EQ(before, bytesOf(version));
  for (const char* routine : {"MPI_Send", "MPI_Recv", "MPI_Isend", "MPI_Allreduce", "MPI_Bcast", "MPI_Wait"}) {
    const std::string whole = bytesAt(dlsym(handle, routine));
    const PreparedPatch each = prepared(routine, library);
    EXPECT_NE(0, each.places[0].canJump) << routine;
    undone(done(changeArgument(each, setTo(1, 1))));
    EXPECT_EQ(whole, bytesAt(dlsym(handle, routine))) << routine;
  }
}

TEST_F(PatchActions, InOpenMpi) { inMpi("libmpi.so.40"); }
// Reading MPICH's library takes three seconds.
TEST_F(PatchActions, DISABLED_InMpich) { inMpi("libmpich.so.12"); }

TEST_F(PatchActions, ForgetAModuleThatIsGone) {
  const TemporaryDirectory directory;
  const std::string copy = directory / "copy.so";
  std::ofstream(copy, std::ios::binary) << std::ifstream(PATCHED_PLUGIN, std::ios::binary).rdbuf();
  for (int round = 0; round < 3; round++) {
    void* handle = dlopen(copy.c_str(), RTLD_NOW);
    ASSERT_NE(nullptr, handle) << dlerror();
    patchedModulesChanged();
    auto* f = reinterpret_cast<Function*>(dlsym(handle, "patched_two"));
    EXPECT_EQ(11, f(2, 5));
    const uint32_t id = done(changeArgument(prepared("patched_two", copy), setTo(1, 100)));
    EXPECT_EQ(106, f(2, 5));
    dlclose(handle);
    patchedModulesChanged();
    EXPECT_NE(nullptr, undoPatch(id));
  }
  EXPECT_STREQ("the module of the function is not loaded in this process",
               changeArgument(prepared("patched_two", copy), setTo(1, 100)).problem);
}

TEST_F(PatchActions, HoldInAForkedChild) {
  const PreparedPatch patch = prepared("patched_frame");
  const std::string before = bytesOf(patched_frame);
  const uint32_t id = done(changeArgument(patch, setTo(1, 100)));
  const pid_t child = fork();
  if (child == 0) {
    const bool held = patched_frame(2, 5) == 106 && undoPatch(id) == nullptr && patched_frame(2, 5) == 11 &&
                      bytesOf(patched_frame) == before;
    _exit(held ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(0, status);
  EXPECT_EQ(106, patched_frame(2, 5));
}

// ----------------------------------------------------------------- refusals

TEST_F(PatchActions, AreRefusedWithAReason) {
  PreparedPatch patch;
  EXPECT_EQ("the first instruction of patched_loop is also the start of a loop, and nothing tells a call from a "
            "further round", preparer().prepare(library(), "patched_loop", &patch));
  EXPECT_NE(std::string::npos, preparer().prepare(library(), "patched_frames", &patch).find("did you mean"));
  EXPECT_NE("", preparer().prepare("/nonexistent", "f", &patch));
  EXPECT_NE("", preparer().prepare(library(), "0x1", &patch));
  // Also one byte takes a change.
  undone(done(insertCallBefore(prepared("patched_nothing"), callOf(countCall))));
  undone(done(insertCallBefore(prepared("patched_tiny"), callOf(countCall))));

  patch = prepared("patched_vector");
  EXPECT_NE(nullptr, changeArgument(patch, setTo(6, 1)).problem);
  EXPECT_NE(nullptr, replaceFunction(patch, {}).problem);
  PreparedPatch other = patch;
  other.places[0].original[1] ^= 1;
  other.places[0].offset += 4;
  EXPECT_NE(nullptr, strstr(changeArgument(other, setTo(0, 1)).problem, "differ from those in the file"));
  other = patch;
  other.function.buildId[0] = other.function.buildId[0] == 'a' ? 'b' : 'a';
  EXPECT_STREQ("the module of the function is not loaded in this process", changeArgument(other, setTo(0, 1)).problem);
  for (uint32_t i = 0; i < kMostCalls; i++) done(insertCallBefore(patch, callOf(countCall)));
  EXPECT_NE(nullptr, insertCallBefore(patch, callOf(countCall)).problem);
  patched_vector(1, 1);
  EXPECT_EQ(static_cast<long>(kMostCalls), calls);
}

TEST_F(PatchActions, ReadOnlySoundFiles) {
  const TemporaryDirectory directory;
  const std::string path = directory / "patch";
  const PreparedPatch patch = prepared("patched_frame");
  const auto write = [&](const PreparedPatch& what, size_t size = sizeof(PreparedPatch)) {
    std::ofstream(path, std::ios::binary).write(reinterpret_cast<const char*>(&what), static_cast<long>(size));
  };
  PreparedPatch read;
  EXPECT_NE(nullptr, readPatch(path.c_str(), &read));
  write(patch, 1000);
  EXPECT_NE(nullptr, readPatch(path.c_str(), &read));
  write(patch);
  EXPECT_EQ(nullptr, readPatch(path.c_str(), &read));
  EXPECT_EQ(0, memcmp(&patch, &read, sizeof patch));
  ASSERT_EQ(0, chmod(path.c_str(), 0666));
  EXPECT_NE(nullptr, readPatch(path.c_str(), &read));
  ASSERT_EQ(0, chmod(path.c_str(), 0600));
  // Whatever a byte is, it is refused or within its bounds.
  srand(1);
  for (int i = 0; i < 2000; i++) {
    PreparedPatch damaged = patch;
    auto* bytes = reinterpret_cast<unsigned char*>(&damaged);
    const size_t at = static_cast<size_t>(rand()) % (offsetof(PreparedPatch, places) + 2 * sizeof(PreparedPlace));
    bytes[at] = static_cast<unsigned char>(rand());
    if (checkPatch(damaged) != nullptr) continue;
    for (uint32_t k = 0; k < damaged.placeCount; k++) {
      const PreparedPlace& place = damaged.places[k];
      ASSERT_LE(place.originalBytes, kMostPreparedBytes);
      ASSERT_LE(place.codeBytes, kMostPreparedCode);
      for (uint32_t n = 0; n < place.fixCount; n++) ASSERT_LE(place.fixes[n].at + 4, place.codeBytes);
    }
  }
}

// ------------------------------------------------------------------- memory

TEST(PatchMemory, IsWhereAJumpHasTheWantedBytes) {
  const auto start = reinterpret_cast<uint64_t>(patched_frame) & ~uint64_t{4095};
  for (const uint32_t mask : {0u, 0xffu, 0xff00u, 0xff0000u, 0xff000000u, 0xff0000ffu, 0xffff00u, 0xffffffffu}) {
    const uint32_t pattern = 0xcccccccc & mask;
    for (uint64_t from = start + 1; from < start + 100; from += 33) {
      const uint64_t at = mapForJump(start, start + 8192, 24, 200, from, mask, pattern);
      if (at == 0 && mask == 0xffffffff) continue;  // there is one such place only
      ASSERT_NE(0u, at) << std::hex << mask;
      const auto distance = static_cast<int64_t>(at - (from + 5));
      EXPECT_EQ(distance, static_cast<int32_t>(distance));
      EXPECT_EQ(pattern, static_cast<uint32_t>(distance) & mask);
      memset(reinterpret_cast<void*>(at - 24), 1, 224);
      munmap(reinterpret_cast<void*>((at - 24) & ~uint64_t{4095}), 8192);
    }
  }
}

}  // namespace
}  // namespace parallax::perturb
