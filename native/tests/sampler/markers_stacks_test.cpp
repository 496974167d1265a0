// Markers on stacks other than that of a thread which goes on alone: of children, fibers and
// handlers of signals.
#include <gtest/gtest.h>

#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>
#include <unwind.h>

#include <cstring>
#include <memory>
#include <random>
#include <vector>

#include "markers_fixture.h"

namespace parallax::tests {
namespace {

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
  Backtrace runtime;
  _Unwind_Backtrace(onFrame, &runtime);
  uint64_t pcs[kMostFrames];
  WalkEnd end;
  const size_t count = both.plain->walk(start, true, pcs, kMostFrames, &end);
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
    sink = unwinders().marking->pathOfCall({start.pc, start.rsp, start.rbp, true});
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

}  // namespace
}  // namespace parallax::tests
