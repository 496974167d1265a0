// Changes of code while threads run it: results, counts, threads in the middle, and walks of the stack.
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <thread>

#include "sampler/sampler.h"
#include "sampler/trap_masks.h"
#include "sampler/unwind_table.h"
#include "sampler/unwinder.h"
#include "tests/perturb/patch_fixture.h"

namespace parallax::perturb {
namespace {

using PatchThreads = PatchTest;

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

TEST_F(PatchThreads, ChangeAndBackWhileThreadsRunTheCode) {
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

TEST_F(PatchThreads, CountExactlyWhileOtherChangesComeAndGo) {
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

// A signal can interrupt a thread anywhere in a trampoline, and its handler may run the same code.
std::atomic<long> handled{0}, wrongInHandler{0};
void onAlarm(int) {
  for (const Planted& planted : kPlanted) {
    const long result = planted.call(2, 5);
    if (result != 11 && result != 106) wrongInHandler.fetch_add(1);
  }
  handled.fetch_add(1);
}

TEST_F(PatchThreads, ChangeAndBackWhileSignalsInterruptTheCode) {
  std::vector<PreparedPatch> patches;
  for (const Planted& planted : kPlanted) patches.push_back(prepared(planted.name));
  signal(SIGUSR1, onAlarm);
  Callers callers(4, 0, 100);
  std::atomic<bool> stop{false};
  std::thread sender([&] {
    while (!stop) {
      kill(getpid(), SIGUSR1);
      usleep(50);
    }
  });
  for (int round = 0; round < roundsOf(40); round++) {
    std::vector<uint32_t> ids;
    for (const PreparedPatch& patch : patches) ids.push_back(done(changeArgument(patch, setTo(1, 100))));
    for (const uint32_t id : ids) undone(id);
  }
  stop = true;
  sender.join();
  EXPECT_EQ(0, callers.join());
  EXPECT_EQ(0, wrongInHandler);
  EXPECT_GT(handled, 0);
  signal(SIGUSR1, SIG_IGN);
}

TEST_F(PatchThreads, AreLookedAtForOnesThatBlockTraps) {
  EXPECT_EQ(nullptr, sampler::whoBlocksTraps());
  std::atomic<int> state{0};
  std::thread blocking([&] {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, nullptr);
    state = 1;
    while (state != 2) sched_yield();
  });
  while (state != 1) sched_yield();
  EXPECT_STREQ("a thread of the program blocks SIGTRAP", sampler::whoBlocksTraps());
  state = 2;
  blocking.join();
  struct sigaction action{}, former{};
  action.sa_handler = reinterpret_cast<void (*)(int)>(reinterpret_cast<void*>(patched_nothing));
  sigfillset(&action.sa_mask);
  ASSERT_EQ(0, sigaction(SIGUSR2, &action, &former));
  EXPECT_STREQ("a signal handler of the program blocks SIGTRAP while it runs", sampler::whoBlocksTraps());
  ASSERT_EQ(0, sigaction(SIGUSR2, &former, nullptr));
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

TEST_F(PatchThreads, MoveAThreadThatIsBetweenTheFirstInstructions) {
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

// The same at returns, and in front of them.
TEST_F(PatchThreads, MoveAThreadThatIsAboutToReturn) {
  const struct sigaction action = stepAction();
  sampler::exchangeProgramAction(SIGTRAP, &action);
  int middles = 0;
  for (const Planted& planted : kPlanted) {
    const PreparedPatch patch = prepared(planted.name);
    const uint64_t base = found(planted.name).begin - patch.function.begin;
    for (uint32_t p = 1; p < patch.placeCount; p++) {
      const PreparedPlace& place = patch.places[p];
      for (uint32_t i = 0; i < place.startCount; i++) {
        for (const bool back : {false, true}) {
          waitAt = base + place.offset + place.starts[i].at;
          reached = -1;
          goOn = false;
          calls = 0;
          long result = 0;
          std::thread stepping([&] {
            atStep = waitInTheMiddle;
            result = stepThrough(planted.call, 2, 5);
            atStep = nullptr;
            if (waitAt != 0) reached = 2;  // by another return
          });
          while (reached == -1) sched_yield();
          const bool waits = reached == 1;
          const uint32_t id = done(insertCallAfter(patch, callOf(countCall)));
          if (back) undone(id);
          goOn = true;
          stepping.join();
          EXPECT_EQ(11, result) << planted.name << " " << p << " " << i;
          // An instruction behind the jump is still there, and the thread returns by it.
          const bool isMoved = waits && !back && place.starts[i].at < 5;
          EXPECT_EQ(isMoved ? 1 : 0, calls) << planted.name << " " << p << " " << i;
          if (!back) undone(id);
          middles += waits && i > 0;
        }
      }
    }
  }
  EXPECT_GT(middles, 10);
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

TEST_F(PatchThreads, KeepTheStackReadable) {
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
    const uint32_t call = done(insertCallAfter(patch, callOf(countCall)));
    steps = lost = 0;
    atStep = walkFromHere;
    const long result = stepThrough(planted.call, 2, 5);
    atStep = nullptr;
    EXPECT_EQ(106, result);
    EXPECT_GT(steps, 30) << planted.name;
    EXPECT_EQ(0, lost) << planted.name << " of " << steps;
    undone(id);
    undone(call);
  }
}

TEST_F(PatchThreads, HoldInAForkedChild) {
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

}  // namespace
}  // namespace parallax::perturb
