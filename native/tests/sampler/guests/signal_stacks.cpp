// Stacks on which handlers run: of sizes that hold little more than a signal, or none.
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <thread>

#include "scenarios.h"

namespace {

bool isOnAlternateStack() {
  stack_t present{};
  sigaltstack(nullptr, &present);
  return (present.ss_flags & SS_ONSTACK) != 0;
}
void workOnAlternateStack(int number) {
  ++counts[number];
  CHECK(isOnAlternateStack());
  burn(0.02);
}

// So much memory, with nothing before it or after it.
char* guarded(size_t bytes) {
  constexpr size_t kAround = 1 << 20;
  auto* memory = static_cast<char*>(mmap(nullptr, bytes + 2 * kAround, PROT_NONE,
                                         MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  CHECK(mprotect(memory + kAround, bytes, PROT_READ | PROT_WRITE) == 0);
  return memory + kAround;
}
stack_t stackOf(size_t bytes) {
  constexpr size_t kPage = 4096;
  const size_t whole = (bytes + kPage - 1) / kPage * kPage;
  stack_t stack{};
  stack.ss_sp = guarded(whole) + (whole - bytes);
  stack.ss_size = bytes;
  return stack;
}
bool isPresent(const stack_t& wanted) {
  stack_t present{};
  CHECK(sigaltstack(nullptr, &present) == 0);
  return present.ss_sp == wanted.ss_sp && present.ss_size == wanted.ss_size &&
         present.ss_flags == wanted.ss_flags;
}
constexpr stack_t kNoStack{nullptr, SS_DISABLE, 0};

void alternateStacks() {
  handle(SIGUSR1, workOnAlternateStack, SA_ONSTACK | SA_RESTART);
  constexpr size_t kPage = 4096, kTraditional = 8192;  // SIGSTKSZ before glibc 2.34
  const size_t least = static_cast<size_t>(sysconf(_SC_MINSIGSTKSZ));
  const size_t size = least > kTraditional / 2 ? 2 * kTraditional : kTraditional;
  const auto work = [size] {
    auto* memory = static_cast<char*>(mmap(nullptr, size + 2 * kPage, PROT_NONE,
                                           MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    CHECK(mprotect(memory + kPage, size, PROT_READ | PROT_WRITE) == 0);
    for (int i = 0; i < 10; ++i) {
      stack_t stack{};
      stack.ss_sp = memory + kPage;
      stack.ss_size = size;
      CHECK(sigaltstack(&stack, nullptr) == 0);
      burn(0.01);
      pthread_kill(pthread_self(), SIGUSR1);
      stack.ss_flags = SS_DISABLE;
      CHECK(sigaltstack(&stack, nullptr) == 0);
      burn(0.002);
    }
    CHECK(!isOnAlternateStack());
  };
  std::thread other(work);
  work();
  other.join();
  CHECK(counts[SIGUSR1] == 20);
}

// A child of a thread with a small stack, which is sampled on an alternate one: it keeps that when
// other threads of the child end.
void* forkOnSmallStack(void*) {
  std::atomic<bool> started{false};
  std::thread younger([&] {
    burn(0.02);
    started = true;
    burn(0.1);
  });
  while (!started) sched_yield();
  const pid_t child = fork();
  if (child == 0) {
    burn(0.1);
    for (int i = 0; i < 3; ++i) std::thread([] { burn(0.05); }).join();
    burn(0.2);
    exit(0);
  }
  younger.join();
  expectEnd(child, 0);
  return nullptr;
}
void childOfSmallStack() {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 100 << 10);
  pthread_t thread;
  CHECK(pthread_create(&thread, &attributes, forkOnSmallStack, nullptr) == 0);
  pthread_join(thread, nullptr);
}

// Children whose first event is a sample on an alternate stack that leaves little more room than a
// signal needs.
void childrenOnAlternateStacks() {
  for (const size_t size : {2048, 3072, 4096, 8192}) {
    const stack_t stack = stackOf(size);
    CHECK(sigaltstack(&stack, nullptr) == 0);
    const pid_t child = fork();
    if (child == 0) {
      burn(0.05);
      CHECK(isPresent(stack));
      exit(0);
    }
    expectEnd(child, 0);
    burn(0.05);
    CHECK(sigaltstack(&kNoStack, nullptr) == 0);
  }
}

// Alternate stacks that the kernel accepts, and that hold no signal. No signal of the program's
// comes there.
void uselessAlternateStacks() {
  const stack_t large = stackOf(1 << 16);
  const auto work = [&] {
    for (const size_t size : {2048, 3072}) {
      const stack_t small = stackOf(size);
      stack_t former{};
      CHECK(sigaltstack(&small, &former) == 0 && former.ss_flags == SS_DISABLE);
      CHECK(isPresent(small));
      burn(0.03);
      stack_t wrong = small;
      wrong.ss_size = 1024;
      CHECK(sigaltstack(&wrong, nullptr) < 0 && errno == ENOMEM);
      wrong.ss_flags = 77;
      CHECK(sigaltstack(&wrong, nullptr) < 0 && errno == EINVAL);
      CHECK(isPresent(small));
      CHECK(sigaltstack(&large, &former) == 0 && former.ss_sp == small.ss_sp);
      CHECK(former.ss_size == size && isPresent(large));
      CHECK(sigaltstack(&small, &former) == 0 && former.ss_sp == large.ss_sp);
      CHECK(isPresent(small));
      CHECK(sigaltstack(&kNoStack, &former) == 0 && former.ss_sp == small.ss_sp);
      CHECK(sigaltstack(nullptr, &former) == 0 && former.ss_flags == SS_DISABLE);
      burn(0.01);
    }
  };
  std::thread other(work);
  work();
  other.join();
}

// Handlers that do what handlers of crashes do, on a stack of the traditional size; also as the
// first thing of a child.
int callsFile = -1, callsPipe[2];
pthread_mutex_t callsMutex = PTHREAD_MUTEX_INITIALIZER;
void callMuch(int number) {
  ++counts[number];
  const int maps = open("/proc/self/maps", O_RDONLY);
  char text[64];
  CHECK(read(maps, text, sizeof text) == sizeof text && close(maps) == 0);
  CHECK(write(callsFile, text, sizeof text) == sizeof text);
  CHECK(write(callsPipe[1], "x", 1) == 1 && read(callsPipe[0], text, 1) == 1);
  CHECK(pthread_mutex_lock(&callsMutex) == 0 && pthread_mutex_unlock(&callsMutex) == 0);
}
void writeOne(int number) {
  ++counts[number];
  CHECK(write(callsPipe[1], "x", 1) == 1);
}
void callsOnAlternateStack() {
  const stack_t stack = stackOf(8192);
  CHECK(sigaltstack(&stack, nullptr) == 0);
  CHECK(pipe(callsPipe) == 0);
  callsFile = fileno(tmpfile());
  for (void (*handler)(int) : {callMuch, writeOne}) {
    handle(SIGUSR1, handler, SA_ONSTACK);
    const pid_t child = fork();
    if (child == 0) {
      raise(SIGUSR1);
      _exit(counts[SIGUSR1]);
    }
    expectEnd(child, 1);
  }
  handle(SIGUSR1, callMuch, SA_ONSTACK);
  raise(SIGUSR1);
  CHECK(counts[SIGUSR1] == 1);
}

}  // namespace

const Scenario stackScenarios[] = {
    {"alternateStacks", alternateStacks},
    {"childrenOnAlternateStacks", childrenOnAlternateStacks},
    {"uselessAlternateStacks", uselessAlternateStacks},
    {"callsOnAlternateStack", callsOnAlternateStack},
    {"childOfSmallStack", childOfSmallStack},
    {},
};
