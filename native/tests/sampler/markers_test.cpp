// Markers on the stack: every walk gives what it would without them, and the program goes on as
// if they were not there, however frames are left.
#include <gtest/gtest.h>

#include <alloca.h>
#include <dlfcn.h>
#include <execinfo.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>
#include <unwind.h>

#include <cstring>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "agent/agent.h"
#include "sampler/unwind_table.h"
#include "sampler/unwinder.h"
#include "workload.h"

void (*workload_here)(void) = nullptr;

namespace parallax {
namespace {

constexpr size_t kMost = Unwinder::kMaxFrames;

#define NOINLINE __attribute__((noinline, noclone))
#define CAPTURE(start)                                                                 \
  asm volatile("lea 0(%%rip), %0\n\tmov %%rsp, %1\n\tmov %%rbp, %2\n\tmov %%rbx, %3" \
               : "=&r"((start).pc), "=&r"((start).rsp), "=&r"((start).rbp), "=&r"((start).rbx))

volatile long sink;

// What a recursion returns, lest the compiler make a loop of it.
long opaque(long value) {
  asm volatile("" : "+r"(value));
  return value;
}

// Of this thread: one that marks, and one that looks at each frame every time.
struct Unwinders {
  Unwinder* marking;
  Unwinder* plain;
};

Unwinders& unwinders() {
  static thread_local Unwinders both{};
  if (both.marking == nullptr) {
    refreshModules();
    both.marking = Unwinder::create();
    both.marking->attach(stackOfThread());
    both.plain = Unwinder::create();
    both.plain->attach(stackOfThread());
    both.plain->setEconomy(Economy::kNone);
  }
  return both;
}

uint64_t markersPut() { return unwinders().marking->counts().marked; }

long walksCompared = 0;

// An intercepted call: both must find the same path.
NOINLINE void callHere() {
  WalkStart start;
  CAPTURE(start);
  const Unwinders& both = unwinders();
  const uint32_t before = both.plain->path(start, true);
  const uint32_t found = both.marking->pathOfCall(start);
  const uint32_t after = both.plain->path(start, true);
  ++walksCompared;
  ASSERT_NE(found, 0u);
  ASSERT_EQ(found, before);
  ASSERT_EQ(found, after);
}

struct Trace {
  std::vector<uint64_t> pcs;
};

// Without the frames of stubs; the frame after one of them shows the call, not what follows it.
void addFrame(Trace* trace, uint64_t pc) {
  static thread_local bool afterMarker;
  if (isMarker(pc)) {
    afterMarker = true;
    return;
  }
  trace->pcs.push_back(afterMarker ? pc + 1 : pc);
  afterMarker = false;
}

_Unwind_Reason_Code onFrame(_Unwind_Context* context, void* trace) {
  if (_Unwind_GetIP(context) != 0) addFrame(static_cast<Trace*>(trace), _Unwind_GetIP(context));
  return _URC_NO_REASON;
}

// The runtime's unwinder, glibc's backtrace and the tables must agree.
NOINLINE void compareUnwinders() {
  Trace runtime, glibc;
  static void* addresses[4 * kMost];
  static uint64_t pcs[kMost];
  WalkStart start;
  WalkEnd end;
  _Unwind_Backtrace(onFrame, &runtime);
  const int count = backtrace(addresses, 4 * kMost);
  CAPTURE(start);
  const size_t walked = unwinders().plain->walk(start, true, pcs, kMost, &end);
  for (int i = 0; i < count; ++i) addFrame(&glibc, reinterpret_cast<uint64_t>(addresses[i]));
  ASSERT_EQ(end, WalkEnd::kRoot);
  ASSERT_EQ(runtime.pcs.size(), walked);
  for (size_t i = 1; i < walked; ++i) ASSERT_EQ(runtime.pcs[i], pcs[i]) << "frame " << i;
  // glibc has its own last frame in some versions.
  ASSERT_GE(glibc.pcs.size(), walked);
  for (size_t i = 1; i < walked; ++i) ASSERT_EQ(glibc.pcs[i], pcs[i]) << "frame " << i;
}

// Calls `inner` at `depth`, with an intercepted call there and on the way back.
template <class Inner>
NOINLINE long descend(int depth, Inner&& inner) {
  if (depth <= 0) {
    callHere();
    inner();
    return 1;
  }
  volatile char* space = static_cast<char*>(alloca(static_cast<size_t>(8 + depth % 5 * 16)));
  space[0] = static_cast<char>(depth);
  long result = depth % 2 == 0 ? descend(depth - 1, inner) + 1 : descend(depth - 1, inner) + 2;
  if (depth % 37 == 0) callHere();
  sink = space[0];
  return result;
}

class Markers : public testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    if (!markersAllowed() && (unwinders(), !markersAllowed())) {
      GTEST_SKIP() << "markers are not used in this process (sanitizers, or PARALLAX_MARKERS=0)";
    }
    unwinders().marking->attach(stackOfThread());
    unwinders().marking->setMarkAll(GetParam());
  }
};

INSTANTIATE_TEST_SUITE_P(Some, Markers, testing::Values(false));
INSTANTIATE_TEST_SUITE_P(All, Markers, testing::Values(true));

// ------------------------------------------------------------- paths and unwinders

TEST_P(Markers, EveryUnwinderPassesThem) {
  for (const int depth : {5, 40, 200, 900}) {
    descend(depth, [] {
      const uint64_t before = markersPut();
      callHere();
      compareUnwinders();
      EXPECT_EQ(markersPut(), before) << "more markers for an unchanged stack";
    });
  }
  EXPECT_GT(markersPut(), 15u);
}

TEST_P(Markers, UnchangedDeepStacksAreNotWalkedAgain) {
  descend(900, [] {
    const WalkCounts before = unwinders().marking->counts();
    for (int i = 0; i < 100; ++i) callHere();
    const WalkCounts after = unwinders().marking->counts();
    EXPECT_EQ(after.reused - before.reused, 100u);
    EXPECT_LT(after.frames - before.frames, 400u);
  });
}

class RandomCalls {
 public:
  explicit RandomCalls(uint32_t seed) : random_(seed) {}
  void run(int visits) {
    visitsLeft_ = visits;
    while (visitsLeft_ > 0) descend(static_cast<int>(random_() % 60), [this] { first(0); });
  }

 private:
  void visit() {
    --visitsLeft_;
    callHere();
  }
  NOINLINE void first(int depth) {
    if (stop(depth)) return visit();
    switch (random_() % 3) {
      case 0: second(depth + 1); break;
      case 1: first(depth + 1); break;
      default: second(depth + 1); third(depth + 1);
    }
    sink = depth;
  }
  NOINLINE __attribute__((optimize("no-omit-frame-pointer"))) void second(int depth) {
    volatile char* space = static_cast<char*>(alloca(16 + random_() % 3 * 32));
    space[0] = 1;
    if (stop(depth)) return visit();
    if (random_() % 2 == 0) {
      third(depth + 1);
    } else {
      first(depth + 1);
    }
    space[1] = 2;
  }
  NOINLINE void third(int depth) {
    const int times = static_cast<int>(random_() % 3);
    for (int i = 0; i < times; ++i) {
      visit();
      if (!stop(depth)) first(depth + 1);
    }
    if (depth > 5 && random_() % 16 == 0) throw depth;
    sink = depth;
  }
  bool stop(int depth) { return depth > 80 || visitsLeft_ <= 0 || random_() % 24 == 0; }

  std::mt19937 random_;
  int visitsLeft_ = 0;
};

TEST_P(Markers, RandomStacksGiveThePathsOfPlainWalks) {
  const uint32_t seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  RandomCalls calls(seed);
  const long before = walksCompared;
  for (int i = 0; i < 2000 && !HasFatalFailure(); ++i) {
    try {
      calls.run(20);
    } catch (int) {
      callHere();
    }
  }
  EXPECT_GT(walksCompared - before, 10000);
  EXPECT_GT(markersPut(), 1000u);
}

TEST_P(Markers, WorkloadsRunAsWithoutThem) {
  workload_here = callHere;
  const long before = walksCompared;
  for (int round = 0; round < 5; ++round) {
    for (const Piece* pieces : {workload_o0, workload_o2, workload_o2fp, workload_noplt,
                                workload_realign, workload_cxx_o0, workload_cxx_o2}) {
      for (const Piece* piece = pieces; piece->name != nullptr; ++piece) {
        SCOPED_TRACE(piece->name);
        if (strcmp(piece->name, "signalFrameElsewhere") == 0) continue;
        descend(round * 20, [piece] { piece->run(); });
      }
    }
  }
  workload_here = nullptr;
  EXPECT_GT(walksCompared - before, 2000);
}

// -------------------------------------------------------------- frames that do not return

struct Cleanup {
  ~Cleanup() {
    callHere();
    sink = sink + 1;
  }
};

// Handlers stand in every tenth frame; a frame below one of them is never marked.
NOINLINE long thrower(int depth, int what);

NOINLINE long catcher(int depth, int what) {
  try {
    return opaque(thrower(depth - 1, what)) + depth;
  } catch (const std::runtime_error& e) {
    callHere();
    if (depth % 20 == 0) throw;
    if (depth % 70 == 10) throw std::runtime_error(e.what());
    if (depth < 60) throw;
    return depth;
  }
}

NOINLINE long thrower(int depth, int what) {
  Cleanup cleanup;
  if (depth == 0) {
    callHere();
    if (what == 0) throw std::runtime_error("planted");
    if (what > 0) throw what;
    return 0;
  }
  if (depth % 10 == 0) return catcher(depth, what);
  return opaque(thrower(depth - 1, what)) + depth;
}

TEST_P(Markers, ExceptionsPassAndGiveThemBack) {
  const int rounds = GetParam() ? 30 : 300;
  for (int i = 0; i < rounds; ++i) {
    int caught = 0;
    try {
      sink = thrower(95, 0);
      caught = 1;
    } catch (const std::runtime_error&) {
      caught = 100;
    }
    try {
      sink = thrower(95, 7);
    } catch (int what) {
      caught += what;
    }
    callHere();
    ASSERT_EQ(caught, 8);
  }
  EXPECT_GT(markersPut(), 1000u);
  // There are fewer than were passed.
  EXPECT_LT(unwinders().marking->counts().unmarked, markersPut() / 100);
}

jmp_buf place;

NOINLINE long jumper(int depth) {
  if (depth == 0) {
    callHere();
    if (sink != -1) longjmp(place, 1);
    return 0;
  }
  return opaque(jumper(depth - 1)) + depth;
}

NOINLINE int jumpOnce() {
  if (setjmp(place) == 0) sink = jumper(100);
  callHere();
  return 1;
}

// Each jump loses markers; without any left, the walks go on.
TEST_P(Markers, JumpsUseThemUpAtMost) {
  std::thread([] {
    unwinders().marking->setMarkAll(GetParam());
    int jumps = 0;
    for (int i = 0; i < 3000; ++i) jumps += jumpOnce();
    EXPECT_EQ(jumps, 3000);
    EXPECT_GT(unwinders().marking->counts().unmarked, 0u);
    descend(300, [] { compareUnwinders(); });
  }).join();
}

NOINLINE long waiter(int depth, bool exits) {
  Cleanup cleanup;
  if (depth == 0) {
    callHere();
    if (exits) pthread_exit(reinterpret_cast<void*>(5));
    while (sink != -1) pause();
    return 0;
  }
  return opaque(waiter(depth - 1, exits)) + depth;
}

TEST_P(Markers, ThreadsThatExitOrAreCancelled) {
  for (int i = 0; i < 100; ++i) {
    pthread_t thread;
    const bool exits = i % 2 == 0;
    static bool markAll;
    markAll = GetParam();
    pthread_create(&thread, nullptr, [](void* exits) -> void* {
      // As the agent does: the next thread takes what this one leaves.
      static Unwinders shared{};
      if (shared.marking == nullptr) {
        shared = unwinders();
      } else {
        unwinders() = shared;
        shared.marking->attach(stackOfThread());
        shared.plain->attach(stackOfThread());
      }
      shared.marking->setMarkAll(markAll);
      sink = waiter(150, exits != nullptr);
      return nullptr;
    }, exits ? &place : nullptr);
    if (!exits) {
      usleep(200);
      pthread_cancel(thread);
    }
    void* result = nullptr;
    pthread_join(thread, &result);
    ASSERT_EQ(result, exits ? reinterpret_cast<void*>(5) : PTHREAD_CANCELED);
  }
}

// ------------------------------------------------------------------ other stacks

TEST_P(Markers, ForkedChildrenReturnThroughThem) {
  for (int depth : {50, 500}) {
    pid_t pid = -1;
    const long value = descend(depth, [&] {
      pid = fork();
      callHere();
      if (pid == 0) compareUnwinders();
    });
    if (pid == 0) {
      const long again = descend(depth, compareUnwinders);
      _exit(again == value && !HasFailure() ? 42 : 1);
    }
    int status = 0;
    waitpid(pid, &status, 0);
    ASSERT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 42) << status;
    callHere();
  }
}

ucontext_t mainContext, fiberContext;

TEST_P(Markers, FibersRunWhileTheyStand) {
  std::vector<char> memory(1 << 20);
  getcontext(&fiberContext);
  fiberContext.uc_stack.ss_sp = memory.data();
  fiberContext.uc_stack.ss_size = memory.size();
  fiberContext.uc_link = &mainContext;
  makecontext(&fiberContext, [] {
    for (int i = 0; i < 5; ++i) {
      const uint64_t before = markersPut();
      descend(100 + i, [before] {
        EXPECT_EQ(markersPut(), before);
        swapcontext(&fiberContext, &mainContext);
      });
    }
  }, 0);
  for (int i = 0; i < 5; ++i) {
    descend(100 - i, [] {
      swapcontext(&mainContext, &fiberContext);
      callHere();
    });
  }
  swapcontext(&mainContext, &fiberContext);
}

// Coroutines that share one place for their stack, from which the one that does not run is copied
// away. The unwinder takes that place for the thread's stack.
class CopiedStacks {
 public:
  static constexpr size_t kBytes = 256 << 10;

  void run() {
    place_ = static_cast<char*>(mmap(nullptr, kBytes, PROT_READ | PROT_WRITE,
                                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    AddressRange stack;
    stack.low = reinterpret_cast<uint64_t>(place_);
    stack.high = stack.low + kBytes;
    unwinders().marking->attach(stack);
    unwinders().plain->attach(stack);
    current_ = this;
    for (int i = 0; i < kCoroutines; ++i) {
      getcontext(&contexts_[i]);
      contexts_[i].uc_stack.ss_sp = place_;
      contexts_[i].uc_stack.ss_size = kBytes;
      contexts_[i].uc_link = &scheduler_;
      running_ = i;
      makecontext(&contexts_[i], [] { current_->body(); }, 0);
      copies_[i].assign(place_, place_ + kBytes);
    }
    for (int turn = 0; turn < 600; ++turn) {
      running_ = static_cast<int>(random_() % kCoroutines);
      if (done_[running_]) continue;
      memcpy(place_, copies_[running_].data(), kBytes);
      swapcontext(&scheduler_, &contexts_[running_]);
      copies_[running_].assign(place_, place_ + kBytes);
    }
    munmap(place_, kBytes);
    unwinders().marking->attach(stackOfThread());
    unwinders().plain->attach(stackOfThread());
  }
  long switches() const { return switches_; }

 private:
  static constexpr int kCoroutines = 3;
  void body() {
    for (int i = 0; i < 10; ++i) {
      descend(60 + running_ * 7 + i, [this] {
        for (int j = 0; j < 5; ++j) {
          yield();
          callHere();
          descend(30, [this] { yield(); });
        }
      });
    }
    done_[running_] = true;
    swapcontext(&contexts_[running_], &scheduler_);
  }
  void yield() {
    ++switches_;
    swapcontext(&contexts_[running_], &scheduler_);
  }

  static inline CopiedStacks* current_;
  char* place_ = nullptr;
  int running_ = 0;
  long switches_ = 0;
  bool done_[kCoroutines] = {};
  std::mt19937 random_{1};
  ucontext_t scheduler_, contexts_[kCoroutines];
  std::vector<char> copies_[kCoroutines];
};

TEST_P(Markers, StacksThatAreCopiedAwayAndBack) {
  const uint64_t before = markersPut();
  auto copied = std::make_unique<CopiedStacks>();
  copied->run();
  EXPECT_GT(copied->switches(), 200);
  (void)before;
  callHere();
}

// ---------------------------------------------------------------------- signals

uint64_t markedBefore, markedInHandler;

void onSignal(int) {
  markedBefore = markersPut();
  descend(100, [] {});
  markedInHandler = markersPut() - markedBefore;
}

TEST_P(Markers, SignalHandlersOnTheSameStack) {
  struct sigaction action{}, former;
  action.sa_handler = onSignal;
  sigaction(SIGUSR2, &action, &former);
  for (int i = 0; i < 20; ++i) descend(200, [] { raise(SIGUSR2); });
  EXPECT_GT(markedInHandler, 0u);
  sigaction(SIGUSR2, &former, nullptr);
}

// Interrupts each instruction, those of stubs, too.
struct Steps {
  long stops, inStubs, differ;
} steps;

void onTrap(int, siginfo_t*, void* opaque) {
  const auto* gregs = static_cast<ucontext_t*>(opaque)->uc_mcontext.gregs;
  WalkStart start;
  start.pc = static_cast<uint64_t>(gregs[REG_RIP]);
  start.rsp = static_cast<uint64_t>(gregs[REG_RSP]);
  start.rbp = static_cast<uint64_t>(gregs[REG_RBP]);
  start.rbx = static_cast<uint64_t>(gregs[REG_RBX]);
  start.registers = gregs;
  ++steps.stops;
  const Unwinders& both = unwinders();
  const uint32_t found = both.marking->path(start, true);
  if (found != both.plain->path(start, true)) ++steps.differ;
  if (!isMarker(start.pc)) return;
  ++steps.inStubs;
  // The caller's frame, as the unwinder of the runtime finds it.
  Trace runtime;
  _Unwind_Backtrace(onFrame, &runtime);
  uint64_t pcs[kMost];
  WalkEnd end;
  const size_t count = both.plain->walk(start, true, pcs, kMost, &end);
  if (end != WalkEnd::kRoot || runtime.pcs.size() < count ||
      memcmp(&runtime.pcs[runtime.pcs.size() - count], pcs, count * sizeof(uint64_t)) != 0) {
    ++steps.differ;
  }
}

void setTrap(bool on) {
  if (on) {
    asm volatile("pushfq; orq $0x100, (%%rsp); popfq" ::: "cc", "memory");
  } else {
    asm volatile("pushfq; andq $~0x100, (%%rsp); popfq" ::: "cc", "memory");
  }
}

NOINLINE long climb(int depth) {
  if (depth == 0) {
    callHere();
    setTrap(true);
    return 1;
  }
  return opaque(climb(depth - 1)) + depth;
}

TEST_P(Markers, EveryInstructionOfAReturn) {
  struct sigaction action{}, former;
  action.sa_sigaction = onTrap;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGTRAP, &action, &former);
  steps = {};
  sink = climb(120);
  setTrap(false);
  sigaction(SIGTRAP, &former, nullptr);
  EXPECT_GT(steps.stops, 300);
  EXPECT_GE(steps.inStubs, 6);
  EXPECT_EQ(steps.differ, 0);
}

TEST_P(Markers, HandlersOnTheAlternateStackPutNone) {
  stack_t alternate{}, formerStack;
  std::vector<char> memory(256 << 10);
  alternate.ss_sp = memory.data();
  alternate.ss_size = memory.size();
  sigaltstack(&alternate, &formerStack);
  struct sigaction action{}, former;
  action.sa_handler = [](int) {
    markedBefore = markersPut();
    WalkStart start;
    CAPTURE(start);
    sink = unwinders().marking->pathOfCall(start);
    markedInHandler = markersPut() - markedBefore;
  };
  action.sa_flags = SA_ONSTACK;
  sigaction(SIGUSR2, &action, &former);
  markedInHandler = 99;
  descend(200, [] { raise(SIGUSR2); });
  EXPECT_EQ(markedInHandler, 0u);
  sigaction(SIGUSR2, &former, nullptr);
  sigaltstack(&formerStack, nullptr);
}

// ----------------------------------------------------------------- modules, depth, limits

TEST_P(Markers, ModulesComeAndGoWhileTheyStand) {
  descend(200, [] {
    void* module = dlopen(PARALLAX_SAMPLER_PLUGIN, RTLD_NOW);
    ASSERT_NE(module, nullptr) << dlerror();
    refreshModules();
    callHere();
    descend(50, compareUnwinders);
    dlclose(module);
    refreshModules();
    const uint64_t before = unwinders().marking->counts().frames;
    callHere();
    EXPECT_LT(unwinders().marking->counts().frames - before, 100u) << "markers stand";
    compareUnwinders();
  });
}

// The same code at another address, and other code where it was.
TEST_P(Markers, ModulesComeBackElsewhere) {
  using Call = int(int, void (*)());
  const uint64_t before = markersPut();
  for (int round = 0; round < 4; ++round) {
    void* module = dlopen(PARALLAX_SAMPLER_PLUGIN, RTLD_NOW);
    ASSERT_NE(module, nullptr) << dlerror();
    refreshModules();
    auto* call = reinterpret_cast<Call*>(dlsym(module, "pluginCall"));
    ASSERT_NE(call, nullptr);
    for (const int depth : {3, 40, 41}) {
      EXPECT_EQ(call(depth, [] {
                  callHere();
                  compareUnwinders();
                }), depth);
    }
    Dl_info info;
    ASSERT_NE(dladdr(reinterpret_cast<void*>(call), &info), 0);
    void* const base = info.dli_fbase;
    dlclose(module);
    // Here it cannot come back to.
    EXPECT_EQ(mmap(base, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0),
              base);
    refreshModules();
    callHere();
    compareUnwinders();
  }
  EXPECT_GT(markersPut(), before);
}

TEST_P(Markers, DeepRecursion) {
  EXPECT_GT(descend(10000, [] { callHere(); }), 10000);
  callHere();
}

}  // namespace
}  // namespace parallax
