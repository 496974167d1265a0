// Intercepted calls at the end of deep stacks that are left in every way. Prints what came of it, and
// on the standard error how many return addresses it saw replaced.
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <thread>

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
enum Ending { kReturn, kThrow, kJump, kExit, kWait, kFork };
jmp_buf place;

struct Cleanup {
  ~Cleanup() { inner(); }
};

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
  return 0;
}

long thrown(int depth) {
  try {
    return deep(depth, kThrow);
  } catch (const std::runtime_error& e) {
    return static_cast<long>(strlen(e.what()));
  }
}

volatile long jumped;
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
