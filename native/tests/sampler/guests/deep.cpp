// Intercepted calls at the end of deep stacks that are left in every way. Prints what came of it, and
// on the standard error how many return addresses it saw replaced.
#include <execinfo.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <stdexcept>
#include <thread>
#include <vector>

#define NOINLINE __attribute__((noinline, noclone))

namespace {

pthread_barrier_t barrier;  // of one thread: nobody waits
volatile long sink;
volatile long replaced;

long opaque(long value) {
  asm volatile("" : "+r"(value));
  return value;
}

// ---- planted numbers of calls
NOINLINE void inner() {
  pthread_barrier_wait(&barrier);
  sink = sink + 1;
}
NOINLINE long middle() {
  for (int i = 0; i < opaque(3); ++i) inner();
  return opaque(1);
}
NOINLINE long outer() {
  long sum = 0;
  for (int i = 0; i < opaque(5); ++i) sum += middle();
  return opaque(sum);
}

// ---- deep stacks
enum Ending { kReturn, kThrow, kJump, kExit, kWait, kFork, kVfork, kSwitch };
jmp_buf place;

struct Cleanup {
  ~Cleanup() { inner(); }
};

ucontext_t outside, fiber;
sigjmp_buf overflown;

NOINLINE long execute() {
  const pid_t child = vfork();
  if (child == 0) {
    execl("/bin/true", "true", static_cast<char*>(nullptr));
    _exit(9);
  }
  int status = -1;
  waitpid(child, &status, 0);
  return status;
}

NOINLINE long deep(int depth, Ending ending) {
  auto* frame = static_cast<void* volatile*>(__builtin_frame_address(0));
  void* const caller = frame[1];
  if (depth % 7 == 3) {
    Cleanup cleanup;  // called also when an exception passes
    if (depth == 3 && ending == kThrow) throw std::runtime_error("planted");
    sink = sink + 1;
  }
  if (depth > 0) {
    Cleanup cleanup;
    const long sum = opaque(deep(depth - 1, ending)) + depth;
    if (frame[1] != caller) replaced = replaced + 1;
    return sum;
  }
  inner();
  if (ending == kJump) longjmp(place, 1);
  if (ending == kExit) pthread_exit(reinterpret_cast<void*>(7));
  while (ending == kWait) pause();
  if (ending == kFork) return fork();
  if (ending == kVfork) return execute();
  if (ending == kSwitch) swapcontext(&fiber, &outside);
  return 0;
}

long thrown(int depth) {
  try {
    return deep(depth, kThrow);
  } catch (const std::runtime_error& e) {
    return static_cast<long>(strlen(e.what()));
  }
}

// Without an end but that of the stack.
NOINLINE long endless(long depth) {
  volatile char space[512];
  if (depth == opaque(0)) return 0;
  space[0] = static_cast<char>(depth);
  if (depth % 256 == 0) inner();
  return opaque(endless(depth + 1)) + space[0];
}

void onOverflow(int) { siglongjmp(overflown, 1); }

void overflow() {
  std::vector<char> memory(64 << 10);
  stack_t alternate{}, former{};
  alternate.ss_sp = memory.data();
  alternate.ss_size = memory.size();
  sigaltstack(&alternate, &former);
  struct sigaction action{};
  action.sa_handler = onOverflow;
  action.sa_flags = SA_ONSTACK;
  sigaction(SIGSEGV, &action, nullptr);
  for (volatile int i = 0; i < 3; i = i + 1) {
    if (sigsetjmp(overflown, 1) == 0) {
      sink = endless(1);
    } else {
      printf("overflown %ld\n", deep(50, kReturn));
    }
  }
  signal(SIGSEGV, SIG_DFL);
  sigaltstack(&former, nullptr);
}

// Two stacks that are left in the middle in turns, the last time by an exception within one.
void inFiber() {
  for (int i = 0; i < 5; ++i) sink = deep(80 + i, kSwitch);
  printf("thrown in a fiber %ld\n", thrown(60));
}

NOINLINE long switching(int depth) {
  if (depth > 0) return opaque(switching(depth - 1)) + 1;
  inner();
  swapcontext(&outside, &fiber);
  inner();
  return 0;
}

void fibers() {
  std::vector<char> memory(1 << 20);
  getcontext(&fiber);
  fiber.uc_stack.ss_sp = memory.data();
  fiber.uc_stack.ss_size = memory.size();
  fiber.uc_link = &outside;
  makecontext(&fiber, inFiber, 0);
  long sum = 0;
  for (int i = 0; i < 6; ++i) sum += switching(70 + i);
  printf("switched %ld\n", sum);
}

// The exception cannot leave.
NOINLINE long forbidding(int depth) noexcept { return opaque(deep(depth, kThrow)); }

void terminated() {
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    rlimit none{};
    setrlimit(RLIMIT_CORE, &none);
    std::set_terminate([] {
      inner();
      void* frames[512];
      _exit(backtrace(frames, 512) > 4 ? 5 : 6);
    });
    sink = forbidding(60);
    _exit(7);
  }
  int status = 0;
  waitpid(child, &status, 0);
  printf("terminated %d\n", WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status));
}

// Through frames of the C library, which calls back.
int compare(const void* a, const void* b) {
  sink = deep(40, kReturn);
  return *static_cast<const int*>(a) - *static_cast<const int*>(b);
}

void sorted() {
  int values[] = {5, 3, 9, 1, 7, 2, 8};
  qsort(values, 7, sizeof values[0], compare);
  printf("sorted");
  for (const int value : values) printf(" %d", value);
  printf("\n");
}

volatile long jumped;
// In a frame that is marked, again and again.
NOINLINE long jumpWithin(int depth) {
  if (depth > 0) return opaque(jumpWithin(depth - 1)) + 1;
  for (volatile int i = 0; i < 20; i = i + 1) {
    if (setjmp(place) == 0) deep(50 + i, kJump);
    inner();
  }
  return 0;
}
NOINLINE void jump(int depth) {
  if (setjmp(place) == 0) {
    deep(depth, kJump);
  } else {
    jumped = jumped + 1;
  }
}

void* deepThread(void* ending) {
  sink = deep(200, *static_cast<Ending*>(ending));
  return nullptr;
}

}  // namespace

int main(int argc, char** argv) {
  pthread_barrier_init(&barrier, nullptr, 1);
  if (argc > 1) {  // only the planted numbers
    for (int i = 0; i < 7; ++i) sink = sink + outer();
    return 0;
  }
  long sum = 0;
  for (int i = 0; i < 50; ++i) sum += deep(900, kReturn);
  printf("returned %ld\n", sum);
  sum = 0;
  for (int i = 0; i < 200; ++i) sum += thrown(40 + i);
  printf("thrown %ld\n", sum);
  for (int i = 0; i < 2000; ++i) jump(60);
  printf("jumped %ld\n", jumped);
  for (int i = 0; i < 20; ++i) {
    Ending ending = i % 2 == 0 ? kExit : kWait;
    pthread_t thread;
    pthread_create(&thread, nullptr, deepThread, &ending);
    if (ending == kWait) {
      usleep(2000);
      pthread_cancel(thread);
    }
    void* result = nullptr;
    pthread_join(thread, &result);
    printf("thread %ld\n", reinterpret_cast<long>(result));
  }
  printf("jumped within %ld\n", jumpWithin(100));
  printf("executed %ld\n", deep(300, kVfork));
  fibers();
  sorted();
  overflow();
  terminated();
  fflush(stdout);
  const long returned = deep(500, kFork);
  const long depths = 500 * 501 / 2;
  if (returned == depths) {
    printf("child %ld\n", deep(500, kReturn));
    return 3;
  }
  int status = 0;
  wait(&status);
  fprintf(stderr, "replaced %ld\n", replaced);
  printf("parent, child left %d\n", WEXITSTATUS(status));
  return 0;
}
