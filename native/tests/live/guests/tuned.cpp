// A program that is tuned: tuned WAY DIRECTORY. The directory has the gates (gates.h).
#include <dlfcn.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include <parallax/parallax.h>

#include "gates.h"

// Exported, so that actions can name them.
#pragma GCC visibility push(default)
extern "C" {
int plantedNumber = 7;
double plantedDouble = 1.5;
extern const int plantedConstant;
const int plantedConstant = 3;
volatile int inHandler = 0;
volatile int calls = 0;
static jmp_buf jumpTarget;
static void* unseenTarget[5];
static ucontext_t threadContext, coroutine;
// Which action calls. Below 0: at a moment at which it must not.
int plantedCall(int step) { return inHandler != 0 ? -1 : calls += step; }
// Twice its argument.
__attribute__((noinline, noclone)) long plantedWork(long unit) {
  asm volatile("" : "+r"(unit));
  return 2 * unit;
}
// Never return: to where jumps() stands.
void plantedJump() { longjmp(jumpTarget, 1); }
void plantedLeave() {
  calls = calls + 1;
  if (gettid() == getpid()) longjmp(jumpTarget, 1);
}
void plantedUnseenJump() {
  calls = calls + 1;
  __builtin_longjmp(unseenTarget, 1);
}
void plantedSwitch() {
  calls = calls + 1;
  setcontext(&threadContext);
}
double plantedSum(long a, double b, const char* text, double c) {
  return static_cast<double>(a) + b + static_cast<double>(strlen(text)) + c;
}
}
#pragma GCC visibility pop

namespace {

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void lockOnce() {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
}

void locks(int threads, int times) {
  await("go");
  std::vector<std::thread> all;
  for (int t = 0; t < threads; t++) {
    all.emplace_back([=] {
      for (int i = 0; i < times; i++) lockOnce();
    });
  }
  for (auto& thread : all) thread.join();
  tell("done", "");
}

void variables() {
  static long unit = 64;
  static double share = 0.5;
  parallax_tunable_i64("work_unit", &unit, 1, 4096);
  parallax_tunable_f64("share", &share, 0, 1);
  tell("ready", "");
  while (!isOpen("end")) {
    parallax_tuning_point();
    usleep(500);
  }
  tell("result", ("unit " + std::to_string(unit) + " share " + std::to_string(share) + " number " + std::to_string(plantedNumber) +
                  " double " + std::to_string(plantedDouble) + " calls " + std::to_string(calls) + "\n").c_str());
}

// What is called at a tuning point, or before plantedWork, may jump out of it.
void jumps() {
  tell("ready", "");
  bool isTold = false;
  while (!isOpen("end")) {
    usleep(500);
    if (setjmp(jumpTarget) == 0) {
      parallax_tuning_point();
      plantedWork(3);
    }
    if (calls >= 3 && !isTold) {
      isTold = true;
      tell("calledThrice", "");
    }
  }
}

// From further in on the stack, which is written over before.
__attribute__((noinline)) void workDeeper() {
  volatile char room[8192];
  for (size_t i = 0; i < sizeof room; i++) room[i] = 0;
  plantedWork(3);
}

// What is inserted before its function leaves without a call of libc.
void jumpsUnseen() {
  tell("ready", "");
  for (volatile int i = 0; !isOpen("end"); i = i + 1) {
    parallax_tuning_point();
    usleep(500);
    if (__builtin_setjmp(unseenTarget) == 0) {
      if (i % 2 == 0) plantedWork(3);
      if (i % 2 == 1) workDeeper();
    } else if (calls == 6) {
      tell("calledOften", "");
    }
  }
}

// What is inserted leaves the stack of a coroutine, which is gone when the next call is inserted, further down.
void work() { plantedWork(3); }
void switches() {
  constexpr size_t kBytes = 256 << 10;
  tell("ready", "");
  while (!isOpen("end")) {
    parallax_tuning_point();
    usleep(500);
    auto* stacks = static_cast<char*>(mmap(nullptr, 2 * kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    for (const size_t begin : {kBytes, size_t{0}}) {
      getcontext(&coroutine);
      coroutine.uc_stack.ss_sp = stacks + begin;
      coroutine.uc_stack.ss_size = kBytes;
      coroutine.uc_link = &threadContext;
      makecontext(&coroutine, work, 0);
      swapcontext(&threadContext, &coroutine);
      munmap(stacks + begin, kBytes);
    }
    if (calls >= 6) tell("calledOften", "");
  }
}

// Its variable is tuned, then it is unloaded and comes again.
void plugin(const char* path) {
  void* library = dlopen(path, RTLD_NOW);
  auto* number = static_cast<volatile int*>(dlsym(library, "pluginNumber"));
  const volatile int* const before = number;
  *number = 5;
  tell("ready", "");
  for (; !isOpen("reload"); usleep(500)) parallax_tuning_point();
  dlclose(library);
  library = dlopen(path, RTLD_NOW);
  number = static_cast<volatile int*>(dlsym(library, "pluginNumber"));
  tell("reloaded", number == before ? "same" : "other");
  for (; !isOpen("end"); usleep(500)) parallax_tuning_point();
  tell("result", std::to_string(*number).c_str());
}

// Tells each new result of plantedWork(3), which other threads call all the time.
void code() {
  std::atomic<bool> stop{false};
  std::atomic<int> wrong{0};
  std::vector<std::thread> all;
  for (int t = 0; t < 4; t++) {
    all.emplace_back([&] {
      while (!stop) {
        const long result = plantedWork(3);
        if (result != 6 && result != 20) wrong++;
      }
    });
  }
  tell("ready", "");
  int told = 0;
  for (long last = 6; !isOpen("end"); usleep(500)) {
    parallax_tuning_point();
    const long now = plantedWork(3);
    if (now != last) tell(("value" + std::to_string(++told)).c_str(), std::to_string(now).c_str());
    last = now;
  }
  stop = true;
  for (auto& thread : all) thread.join();
  tell("result", ("wrong " + std::to_string(wrong) + "\n").c_str());
}

void onSignal(int) {
  inHandler = 1;
  lockOnce();
  inHandler = 0;
}

// First the handler alone locks, then the program.
void handlers(bool onOwnStack) {
  static char stack[65536];
  if (onOwnStack) {
    stack_t own = {};
    own.ss_sp = stack;
    own.ss_size = sizeof stack;
    sigaltstack(&own, nullptr);
  }
  struct sigaction action = {};
  action.sa_handler = onSignal;
  action.sa_flags = onOwnStack ? SA_ONSTACK : 0;
  sigaction(SIGUSR1, &action, nullptr);
  tell("ready", "");
  await("go");
  for (int i = 0; i < 200; i++) raise(SIGUSR1);
  tell("handled", "");
  await("next");
  lockOnce();
  tell("done", "");
}

void forks(const char* self) {
  await("go");
  for (int i = 0; i < 10; i++) lockOnce();
  const pid_t child = fork();
  if (child == 0) {
    tell("child", std::to_string(getpid()).c_str());
    await("childGo");
    for (int i = 0; i < 20; i++) lockOnce();
    tell("childDone", "");
    await("childEnd");
    execl(self, self, "executed", gatesDirectory, nullptr);
    _exit(9);
  }
  int status = 0;
  waitpid(child, &status, 0);
  tell("done", std::to_string(status).c_str());
}

void executed() {
  tell("executed", "");
  await("executedGo");
  for (int i = 0; i < 30; i++) lockOnce();
  tell("executedDone", "");
  await("executedEnd");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  gatesDirectory = argv[2];
  const std::string way = argv[1];
  if (way == "locks") locks(16, 5000);
  if (way == "variables") variables();
  if (way == "code") code();
  if (way == "jumps") jumps();
  if (way == "unseen") jumpsUnseen();
  if (way == "switches") switches();
  if (way == "plugin") plugin(argv[3]);
  if (way == "handlers") handlers(false);
  if (way == "stacks") handlers(true);
  if (way == "forks") forks(argv[0]);
  if (way == "executed") executed();
}
