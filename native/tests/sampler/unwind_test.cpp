// The unwinder inside a process: against the C++ runtime's unwinder, with and without what it
// keeps of the last walk, and with states that make no sense.
#include <gtest/gtest.h>

#include <alloca.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>
#include <unwind.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "core/agent.h"
#include "sampler/unwind_table.h"
#include "sampler/unwinder.h"
#include "workload.h"

void (*workload_here)(void) = nullptr;

namespace parallax {
namespace {

constexpr size_t kMost = Unwinder::kMaxFrames;

Unwinder& unwinderOfThread() {
  static thread_local Unwinder* unwinder = nullptr;
  if (unwinder == nullptr) {
    refreshModules();
    unwinder = Unwinder::create();
    unwinder->attach(stackOfThread());
  }
  return *unwinder;
}

// The state of the caller.
#define CAPTURE(start)                                                     \
  asm volatile("lea 0(%%rip), %0\n\tmov %%rsp, %1\n\tmov %%rbp, %2\n\tmov %%rbx, %3" \
               : "=&r"((start).pc), "=&r"((start).rsp), "=&r"((start).rbp), "=&r"((start).rbx))

struct Backtrace {
  uint64_t pcs[kMost];
  size_t count = 0;
};

_Unwind_Reason_Code onFrame(_Unwind_Context* context, void* opaque) {
  auto& trace = *static_cast<Backtrace*>(opaque);
  const uint64_t pc = _Unwind_GetIP(context);
  if (pc != 0 && trace.count < kMost) trace.pcs[trace.count++] = pc;
  return trace.count == kMost ? _URC_END_OF_STACK : _URC_NO_REASON;
}

// ------------------------------------------------------- at planted points

long pointsCompared = 0;

__attribute__((noinline)) void compareHere() {
  static Backtrace expected;
  expected.count = 0;
  WalkStart start;
  _Unwind_Backtrace(onFrame, &expected);
  CAPTURE(start);
  uint64_t pcs[kMost];
  WalkEnd end;
  const size_t count = unwinderOfThread().walk(start, true, pcs, kMost, &end);
  ++pointsCompared;
  // The first frame is this one, at two instructions.
  ASSERT_EQ(count, expected.count);
  EXPECT_EQ(end, WalkEnd::kRoot);
  for (size_t i = 1; i < count; ++i) ASSERT_EQ(pcs[i], expected.pcs[i]) << "frame " << i;
}

TEST(SamplerUnwinder, AgreesWithTheRuntimeAtPlantedPoints) {
  workload_here = compareHere;
  stack_t alternate{};
  std::vector<char> memory(65536 + 32768);
  alternate.ss_sp = memory.data();
  alternate.ss_size = memory.size();
  stack_t former;
  sigaltstack(&alternate, &former);
  for (const Piece* pieces : {workload_o0, workload_o2, workload_o2fp, workload_noplt,
                              workload_realign, workload_cxx_o0, workload_cxx_o2}) {
    for (const Piece* piece = pieces; piece->name != nullptr; ++piece) {
      // On another stack the walk needs to be told of it, as the handler is by its context.
      if (strcmp(piece->name, "signalFrameElsewhere") == 0) continue;
      SCOPED_TRACE(piece->name);
      piece->run();
    }
  }
  sigaltstack(&former, nullptr);
  workload_here = nullptr;
  EXPECT_GT(pointsCompared, 300);
}

// -------------------------------------------------- at interrupted instructions

struct Interruptions {
  bool compare = true;
  long walks = 0;
  long compared = 0;
  long differ = 0;
  long notToTheRoot = 0;
  uint64_t firstPc = 0;
  Backtrace expected;
  uint64_t pcs[kMost];
} interruptions;

void onInterrupt(int, siginfo_t*, void* opaque) {
  auto& in = interruptions;
  const auto* context = static_cast<const ucontext_t*>(opaque);
  const greg_t* gregs = context->uc_mcontext.gregs;
  WalkStart start;
  start.pc = static_cast<uint64_t>(gregs[REG_RIP]);
  start.rsp = static_cast<uint64_t>(gregs[REG_RSP]);
  start.rbp = static_cast<uint64_t>(gregs[REG_RBP]);
  start.rbx = static_cast<uint64_t>(gregs[REG_RBX]);
  start.registers = gregs;
  WalkEnd end;
  const size_t count = unwinderOfThread().walk(start, true, in.pcs, kMost, &end);
  ++in.walks;
  if (!in.compare) return;
  in.expected.count = 0;
  _Unwind_Backtrace(onFrame, &in.expected);
  // The runtime begins in this handler: its frames end with the interrupted one.
  const uint64_t* begin = in.expected.pcs;
  const uint64_t* last = begin + in.expected.count;
  const uint64_t* from = std::find(begin, last, start.pc);
  if (from == last) return;  // the runtime could not cross the signal frame
  ++in.compared;
  if (end != WalkEnd::kRoot) ++in.notToTheRoot;
  if (static_cast<size_t>(last - from) != count || !std::equal(from, last, in.pcs)) {
    if (in.differ++ == 0) in.firstPc = start.pc;
  }
}

// Interrupts this thread at `hz` of its CPU time. Returns -1 where perf events are denied.
int interruptAt(uint64_t hz, int signal) {
  perf_event_attr attributes{};
  attributes.type = PERF_TYPE_SOFTWARE;
  attributes.size = sizeof attributes;
  attributes.config = PERF_COUNT_SW_TASK_CLOCK;
  attributes.sample_period = 1000000000 / hz;
  attributes.wakeup_events = 1;
  attributes.exclude_kernel = 1;
  const int fd = static_cast<int>(syscall(SYS_perf_event_open, &attributes, 0, -1, -1, 0));
  if (fd < 0) return fd;
  f_owner_ex owner{F_OWNER_TID, static_cast<pid_t>(syscall(SYS_gettid))};
  fcntl(fd, F_SETSIG, signal);
  fcntl(fd, F_SETOWN_EX, &owner);
  fcntl(fd, F_SETFL, O_ASYNC | O_NONBLOCK);
  return fd;
}

TEST(SamplerUnwinder, AgreesWithTheRuntimeAtInterruptedInstructions) {
  unwinderOfThread();
  const int number = SIGRTMAX - 3;
  struct sigaction action{};
  action.sa_sigaction = onInterrupt;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  sigaction(number, &action, nullptr);
  onInterrupt(0, nullptr, [] {
    static ucontext_t context;
    getcontext(&context);
    return &context;
  }());  // lets the runtime allocate what it needs once
  interruptions = {};
  const int fd = interruptAt(10000, number);
  if (fd < 0) GTEST_SKIP() << "perf events are denied here";
  constexpr long kEnough = 300;
  const auto begin = std::chrono::steady_clock::now();
  const auto passed = [&] { return std::chrono::steady_clock::now() - begin; };
  // On a busy machine, this program gets a part of the time.
  while (passed() < std::chrono::milliseconds(1500) ||
         (interruptions.compared <= kEnough && passed() < std::chrono::seconds(30))) {
    for (const Piece* pieces : {workload_o0, workload_o2, workload_o2fp, workload_noplt,
                                workload_realign, workload_cxx_o0, workload_cxx_o2}) {
      for (const Piece* piece = pieces; piece->name != nullptr; ++piece) {
        if (strncmp(piece->name, "signal", 6) == 0) continue;
        // Where the stack is that of the thrower no more and of the handler of exceptions not
        // yet, and where call frame information is wrong (oracle_test.cpp), the runtime itself
        // would fault: only the tables' walk is made.
        interruptions.compare = strcmp(piece->name, "exceptions") != 0 &&
                                strcmp(piece->name, "realignedStack") != 0;
        piece->run();
      }
    }
  }
  ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
  close(fd);
  printf("%ld interrupted stacks, %ld compared, %ld differ, %ld not to the root\n",
         interruptions.walks, interruptions.compared, interruptions.differ,
         interruptions.notToTheRoot);
  EXPECT_GT(interruptions.compared, kEnough);
  EXPECT_EQ(interruptions.differ, 0) << "first at " << std::hex << interruptions.firstPc;
  EXPECT_LE(interruptions.notToTheRoot, interruptions.compared / 1000);
}

// -------------------------------------------------------- the last walk, kept

// A random walk over calls: each frame may have a variable size and calls one of the others from
// one of several places, so that stacks resemble each other in every way.
class RandomCalls {
 public:
  explicit RandomCalls(uint32_t seed) : random_(seed) {
    fresh_ = Unwinder::create();
  }

  void run(int visits) {
    visitsLeft_ = visits;
    while (visitsLeft_ > 0) first(0);
  }
  long compared() const { return compared_; }

 private:
  __attribute__((noinline)) void visit() {
    --visitsLeft_;
    WalkStart start;
    CAPTURE(start);
    fresh_->attach(stackOfThread());  // forgets
    const uint32_t expected = fresh_->path(start, true);
    const uint32_t found = unwinderOfThread().path(start, true);
    ++compared_;
    ASSERT_EQ(found, expected);
    ASSERT_NE(found, 0u);
  }
  __attribute__((noinline)) void first(int depth) {
    if (stop(depth)) return visit();
    switch (random_() % 3) {
      case 0: second(depth + 1); break;
      case 1: first(depth + 1); break;
      default: second(depth + 1); third(depth + 1);
    }
    sink_ = depth;
  }
  __attribute__((noinline, optimize("no-omit-frame-pointer"))) void second(int depth) {
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
  __attribute__((noinline)) void third(int depth) {
    const int times = static_cast<int>(random_() % 3);
    for (int i = 0; i < times; ++i) {
      visit();
      if (!stop(depth)) first(depth + 1);
    }
    sink_ = depth;
  }
  bool stop(int depth) { return depth > 25 || visitsLeft_ <= 0 || random_() % 8 == 0; }

  std::mt19937 random_;
  Unwinder* fresh_;
  int visitsLeft_ = 0;
  long compared_ = 0;
  volatile int sink_ = 0;
};

TEST(SamplerUnwinder, KeptWalksGiveThePathsOfFreshOnes) {
  const uint32_t seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  const uint64_t before = unwinderOfThread().counts().reused;
  RandomCalls calls(seed);
  calls.run(20000);
  EXPECT_GE(calls.compared(), 20000);
  EXPECT_GT(unwinderOfThread().counts().reused - before, 10000u);
}

// The same stack pointer, instructions and innermost return addresses, but another caller.
__attribute__((noinline)) uint32_t pathHere() {
  WalkStart start;
  CAPTURE(start);
  return unwinderOfThread().path(start, true);
}
__attribute__((noinline)) uint32_t middle() {
  const uint32_t path = pathHere();
  asm volatile("" ::: "memory");
  return path;
}
__attribute__((noinline)) uint32_t outer(int from) {
  uint32_t path = 0;
  if (from == 0) {
    path = middle();
    asm volatile("nop" ::: "memory");
  } else {
    path = middle();
    asm volatile("nop; nop" ::: "memory");
  }
  return path;
}

TEST(SamplerUnwinder, CallersFarOutAreToldApart) {
  uint32_t paths[2] = {};
  for (int round = 0; round < 4; ++round) {
    for (int from = 0; from < 2; ++from) {
      const uint32_t path = outer(from);
      if (round == 0) paths[from] = path;
      EXPECT_EQ(path, paths[from]);
    }
  }
  EXPECT_NE(paths[0], paths[1]);
}

// ------------------------------------------------------------------ limits

__attribute__((noinline)) long deep(int left, WalkEnd* end, size_t* count) {
  volatile long keep = left;
  if (left == 0) {
    WalkStart start;
    CAPTURE(start);
    static uint64_t pcs[kMost];
    *count = unwinderOfThread().walk(start, true, pcs, kMost, end);
    unwinderOfThread().path(start, true);
    return keep;
  }
  return deep(left - 1, end, count) + keep;
}

TEST(SamplerUnwinder, DeepRecursionIsTruncated) {
  WalkEnd end;
  size_t count;
  const uint64_t before = unwinderOfThread().counts().truncated;
  deep(10000, &end, &count);
  EXPECT_EQ(end, WalkEnd::kTruncated);
  EXPECT_EQ(count, kMost);
  EXPECT_EQ(unwinderOfThread().counts().truncated, before + 1);
  deep(100, &end, &count);
  EXPECT_EQ(end, WalkEnd::kRoot);
}

TEST(SamplerUnwinder, NonsenseDoesNotFault) {
  const uint32_t seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  Unwinder& unwinder = unwinderOfThread();
  WalkStart here;
  CAPTURE(here);
  const AddressRange stack = stackOfThread();
  const uint64_t code = here.pc;
  uint64_t pcs[kMost];
  for (int i = 0; i < 200000; ++i) {
    WalkStart start = here;
    const auto change = [&](uint64_t value) {
      switch (random() % 6) {
        case 0: return random();
        case 1: return value + random() % 4096 - 2048;
        case 2: return stack.high - random() % 64;
        case 3: return uint64_t{0} - random() % 64;
        case 4: return here.rsp + random() % 4096;
        default: return value;
      }
    };
    start.pc = random() % 3 == 0 ? change(code) : code + random() % 2000000 - 1000000;
    start.rsp = change(here.rsp);
    start.rbp = change(here.rbp);
    start.rbx = change(here.rbx);
    WalkEnd end;
    unwinder.walk(start, random() % 2 == 0, pcs, kMost, &end);
  }
}

TEST(SamplerUnwinder, FollowsAFiberWhoseStackItDoesNotKnow) {
  static ucontext_t fiber, back;
  static size_t count;
  static WalkEnd end;
  static uint64_t pcs[kMost];
  std::vector<char> memory(65536);
  getcontext(&fiber);
  fiber.uc_stack.ss_sp = memory.data();
  fiber.uc_stack.ss_size = memory.size();
  fiber.uc_link = &back;
  makecontext(&fiber, [] {
    WalkStart start;
    CAPTURE(start);
    count = unwinderOfThread().walk(start, true, pcs, kMost, &end);
  }, 0);
  swapcontext(&back, &fiber);
  EXPECT_GE(count, 2u);
}

TEST(SamplerUnwinder, ReachesTheStartOfAThread) {
  WalkEnd end = WalkEnd::kFailed;
  size_t count = 0;
  std::thread([&] {
    deep(20, &end, &count);
  }).join();
  EXPECT_EQ(end, WalkEnd::kRoot);
  EXPECT_GT(count, 21u);
}

}  // namespace
}  // namespace parallax
