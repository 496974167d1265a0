// Programs whose functions are instrumented. Each prints nothing but what its case says.
//
//   functions calls N      main calls middle N times, that calls leaf twice
//   functions exceptions N middle throws from two levels further down, N times; main catches
//   functions longjmp N    the same by longjmp
//   functions escapes N    a timer's handler jumps out of what it interrupts, N times; then middle once.
//                          Prints how many calls of beLeft have begun, and of leaf in them have ended, at least
//   functions recursion N  a function calls itself N levels deep, once
//   functions signals N    a handler, on an alternate stack, of N raised signals
//   functions threads N    4 threads with N calls of leaf each, one of which ends by pthread_exit
//   functions narrow N     a thread with a stack of N KB, and in it a handler on one of N KB, call
//                          functions with names of 900 characters
//   functions fork N       a child made below middle calls leaf N times
//   functions alloca N     functions whose stack pointer moves
//   functions inlined N    bodies that are inlined, also into themselves
//   functions exit N       exit() below middle
//   functions plugins FILE calls 5 times a function of this library, then one of FILE2, where the first
//                          one was; prints `same`, or that it was not
//   functions plugin FILE  what a library has that is opened twice
//   functions loading FILE a thread enters a function for the first time while another is in the constructor
//                          of a library, and there sets the group of all threads; prints `done`
//   functions cleared N    clears its environment before main; then middle N times, and a barrier of one
//   functions cost N       prints the ns of a call of leaf, the least of many rounds
#include <alloca.h>
#include <dlfcn.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <functional>
#include <initializer_list>

#define NOINLINE __attribute__((noinline))

namespace planted {

volatile int sink;

NOINLINE void leaf(int i) { sink = i; }

// Ends in a call, which optimises to a jump.
NOINLINE void middle(int i) {
  leaf(i);
  leaf(i + 1);
}

NOINLINE void thrower(int i) {
  leaf(i);
  if (sink >= 0) throw i;
  sink = 1;
}
NOINLINE void between(int i) {
  thrower(i);
  sink = 2;
}

jmp_buf place;
NOINLINE void jumper(int i) {
  leaf(i);
  longjmp(place, 1);
}
NOINLINE void aboveJumper(int i) {
  jumper(i);
  sink = 3;
}

sigjmp_buf outside;
NOINLINE void escape(int) { siglongjmp(outside, 1); }
volatile long left, leavesOfLeft;  // at least: the jump may come before it is counted
NOINLINE void beLeft(int i) {
  for (left = left + 1;; i++) {
    leaf(i);
    leavesOfLeft = leavesOfLeft + 1;
  }
}

NOINLINE int recursion(int depth) {
  if (depth > 1) sink = recursion(depth - 1) + 1;
  return depth;
}

// The stack pointer at its end is not that at its beginning.
NOINLINE void withAlloca(int i) {
  char* memory = static_cast<char*>(alloca(static_cast<size_t>(i % 7 + 1) * 16));
  memory[0] = static_cast<char>(i);
  leaf(memory[0]);
}

inline int small(int i) { return i * 3 + sink; }
inline __attribute__((always_inline)) int wrapper(int i) {
  const int first = small(i);
  return first + small(i + 1);
}
NOINLINE void inlining(int i) {
  sink = wrapper(i);
  leaf(i);
}

template <class T>
struct Box {
  NOINLINE T twice(T value) const { return value + value; }
};

NOINLINE void handler(int) { leaf(0); }

#define TEN(a) a##a##a##a##a##a##a##a##a##a
#define HUNDRED(a) TEN(a)
NOINLINE void HUNDRED(TEN(inThread_))(int i) { leaf(i); }
NOINLINE void HUNDRED(TEN(inHandler))(int i) { leaf(i); }

// Memory of so many bytes, with 1 MB before it that cannot be written.
__attribute__((no_instrument_function)) char* guarded(size_t bytes) {
  constexpr size_t kBefore = 1 << 20;
  auto* memory = static_cast<char*>(
      mmap(nullptr, kBefore + bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  mprotect(memory + kBefore, bytes, PROT_READ | PROT_WRITE);
  return memory + kBefore;
}
__attribute__((no_instrument_function)) void* narrow(void* stack) {
  HUNDRED(TEN(inThread_))(1);
  sigaltstack(static_cast<stack_t*>(stack), nullptr);
  raise(SIGUSR1);
  return nullptr;
}

std::atomic<int> enteringThread{0};
std::atomic<bool> loading{false}, entered{false};
NOINLINE void enteredWhileLoading(int i) { sink = i; }
__attribute__((no_instrument_function)) void* enterWhileLoading(void*) {
  enteringThread = gettid();
  while (!loading) {
  }
  enteredWhileLoading(1);
  entered = true;
  return nullptr;
}
__attribute__((no_instrument_function)) bool isAsleep(int tid) {
  char path[64], text[512] = "";
  snprintf(path, sizeof path, "/proc/self/task/%d/stat", tid);
  FILE* file = fopen(path, "r");
  if (file == nullptr) return false;
  const size_t size = fread(text, 1, sizeof text - 1, file);
  fclose(file);
  text[size] = '\0';
  const char* name = strrchr(text, ')');
  return name != nullptr && name[1] != '\0' && name[2] == 'S';
}
// The other thread is in its function, or waits for the dynamic linker.
__attribute__((no_instrument_function)) void duringLoad() {
  while (enteringThread == 0) sched_yield();
  loading = true;
  while (!entered && !isAsleep(enteringThread)) sched_yield();
  if (setgid(getgid()) == 0) puts("done");
}

}  // namespace planted

using namespace planted;

static const char* what;
__attribute__((constructor, no_instrument_function)) static void clear(int argc, char** argv) {
  if (argc > 1 && strcmp(argv[1], "cleared") == 0) clearenv();
}
__attribute__((no_instrument_function)) static bool is(const char* name) {
  return strcmp(what, name) == 0;
}

static int cases(int n, const char* file) {
  if (is("calls")) {
    for (int i = 0; i < n; i++) middle(i);
    sink = Box<int>().twice(3);
  } else if (is("exceptions")) {
    for (int i = 0; i < n; i++) {
      try {
        between(i);
      } catch (int) {
        sink = 0;
      }
      middle(i);
    }
  } else if (is("longjmp")) {
    for (volatile int i = 0; i < n; i = i + 1) {
      if (setjmp(place) == 0) aboveJumper(i);
      middle(i);
    }
  } else if (is("escapes")) {
    signal(SIGALRM, escape);
    volatile int jumps = n;
    sigsetjmp(outside, 1);
    if (jumps > 0) {
      jumps = jumps - 1;
      const itimerval soon{{0, 0}, {0, 200}};
      setitimer(ITIMER_REAL, &soon, nullptr);
      beLeft(0);
    }
    printf("%ld %ld\n", left, leavesOfLeft);
    middle(1);
  } else if (is("recursion")) {
    recursion(n);
    middle(1);
  } else if (is("alloca")) {
    for (int i = 0; i < n; i++) withAlloca(i);
  } else if (is("inlined")) {
    for (int i = 0; i < n; i++) inlining(i);
  } else if (is("signals")) {
    stack_t stack{};
    stack.ss_sp = malloc(65536);
    stack.ss_size = 65536;
    sigaltstack(&stack, nullptr);
    struct sigaction action {};
    action.sa_handler = handler;
    action.sa_flags = SA_ONSTACK;
    sigaction(SIGUSR1, &action, nullptr);
    for (int i = 0; i < n; i++) {
      raise(SIGUSR1);
      middle(i);
    }
  } else if (is("threads")) {
    pthread_t threads[4];
    struct Work {
      int calls;
      bool exits;
    } work[4];
    for (int t = 0; t < 4; t++) {
      work[t] = {n, t == 3};
      pthread_create(&threads[t], nullptr, [](void* argument) -> void* {
        auto* w = static_cast<Work*>(argument);
        for (int i = 0; i < w->calls; i++) leaf(i);
        if (w->exits) pthread_exit(nullptr);
        return nullptr;
      }, &work[t]);
    }
    for (pthread_t thread : threads) pthread_join(thread, nullptr);
  } else if (is("narrow")) {
    const size_t bytes = static_cast<size_t>(n) << 10;
    stack_t stack{};
    stack.ss_sp = guarded(bytes);
    stack.ss_size = bytes;
    struct sigaction action {};
    action.sa_handler = HUNDRED(TEN(inHandler));
    action.sa_flags = SA_ONSTACK;
    sigaction(SIGUSR1, &action, nullptr);
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstack(&attributes, guarded(bytes), bytes);
    pthread_t thread;
    pthread_create(&thread, &attributes, narrow, &stack);
    pthread_join(thread, nullptr);
  } else if (is("fork")) {
    if (fork() == 0) {
      for (int i = 0; i < n; i++) leaf(i);
      return 0;
    }
    wait(nullptr);
  } else if (is("exit")) {
    middle(1);
    exit(n);
  } else if (is("plugin")) {
    for (int i = 0; i < 2; i++) {
      void* library = dlopen(file, RTLD_NOW);
      if (library == nullptr) return 1;
      reinterpret_cast<void (*)()>(dlsym(library, "plugged"))();
      dlclose(library);
    }
  } else if (is("plugins")) {
    void* first = nullptr;
    for (const char* name : {"plugged", "plucked"}) {
      char path[4096];
      snprintf(path, sizeof path, "%s%s", file, first == nullptr ? "" : "2");
      void* library = dlopen(path, RTLD_NOW);
      if (library == nullptr) return 1;
      void* function = dlsym(library, name);
      for (int i = 0; i < 5; i++) reinterpret_cast<void (*)()>(function)();
      dlclose(library);
      if (first != nullptr) puts(function == first ? "same" : "not the same");
      first = function;
    }
  } else if (is("loading")) {
    alarm(120);
    char address[32];
    snprintf(address, sizeof address, "%p", reinterpret_cast<void*>(duringLoad));
    setenv("DURING_LOAD", address, 1);
    pthread_t thread;
    pthread_create(&thread, nullptr, enterWhileLoading, nullptr);
    if (dlopen(file, RTLD_NOW) == nullptr) return 1;
    pthread_join(thread, nullptr);
  } else if (is("cleared")) {
    pthread_barrier_t barrier;
    pthread_barrier_init(&barrier, nullptr, 1);
    for (int i = 0; i < n; i++) {
      middle(i);
      pthread_barrier_wait(&barrier);
    }
  } else if (is("cost")) {
    double least = 1e18;
    for (int round = 0; round < 50; round++) {
      timespec begin, end;
      clock_gettime(CLOCK_MONOTONIC, &begin);
      for (int i = 0; i < n; i++) leaf(i);
      clock_gettime(CLOCK_MONOTONIC, &end);
      const double ns = static_cast<double>(end.tv_sec - begin.tv_sec) * 1e9 +
                        static_cast<double>(end.tv_nsec - begin.tv_nsec);
      if (ns < least) least = ns;
    }
    printf("%.1f\n", least / n);
  }
  return 0;
}

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  what = argv[1];
  return cases(atoi(argv[2]), argv[2]);
}
