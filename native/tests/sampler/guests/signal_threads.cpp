// Threads of every kind: of each interface, of libc itself, and one that libc does not know of.
#include <aio.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <mqueue.h>
#include <netdb.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <string>
#include <thread>

#include "scenarios.h"

namespace {

std::atomic<int> done{0};
void* burnDetached(void*) {
  burn(0.3);
  ++done;
  return nullptr;
}
int burnC11(void*) {
  burn(0.3);
  return 5;
}

void manyKindsOfThreads() {
  std::thread cxx([] { burn(0.3); });
  thrd_t c11;
  CHECK(thrd_create(&c11, burnC11, nullptr) == thrd_success);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_t detached;
  CHECK(pthread_create(&detached, &attributes, burnDetached, nullptr) == 0);
  const pid_t child = fork();
  if (child == 0) {
    std::thread inChild([] { burn(0.3); });
    burn(0.3);
    inChild.join();
    exit(0);
  }
  expectEnd(child, 0);
  cxx.join();
  int result = 0;
  CHECK(thrd_join(c11, &result) == thrd_success && result == 5);
  while (done == 0) usleep(1000);
  burn(0.3);
}

// libc gives new credentials to all threads by a signal of its own.
void credentials() {
  std::atomic<bool> stop{false};
  std::thread others[2];
  for (std::thread& other : others) {
    other = std::thread([&] {
      while (!stop) burn(0.005);
    });
  }
  for (int i = 0; i < 25; ++i) {
    CHECK(setgid(getgid()) == 0);
    CHECK(setresuid(-1, geteuid(), -1) == 0);
    burn(0.003);
  }
  stop = true;
  for (std::thread& other : others) other.join();
}

// A thread that libc does not know of, with the thread-local variables of its creator.
pthread_mutex_t sharedMutex = PTHREAD_MUTEX_INITIALIZER;
void workWithMutex(int rounds) {
  for (int i = 0; i < rounds; ++i) {
    pthread_mutex_lock(&sharedMutex);
    sink = sink + 1;
    pthread_mutex_unlock(&sharedMutex);
    double x = 1;
    for (int j = 0; j < 1000; ++j) x = x * 1.0000001 + 0.1;
    sink = x;
  }
}
int runCloned(void*) {
  workWithMutex(20000);
  ++done;
  syscall(SYS_exit, 0);
  return 0;
}
void clonedThread() {
  // With one thread that it knows of, libc takes and leaves mutexes without atomic operations.
  std::thread([] { pause(); }).detach();
  burn(0.1);
  constexpr size_t kStackBytes = 1 << 20;
  auto* stack = static_cast<char*>(mmap(nullptr, kStackBytes, PROT_READ | PROT_WRITE,
                                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  const int flags =
      CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM;
  CHECK(clone(runCloned, stack + kStackBytes, flags, nullptr) > 0);
  workWithMutex(20000);
  while (done == 0) sched_yield();
}

// What makes libc create its first thread past pthread_create. It gives new credentials to that one,
// too.
void workBesideThreadOfLibc() {
  burn(0.15);
  CHECK(setgid(getgid()) == 0);
}
sigevent callingFunction() {
  sigevent event{};
  event.sigev_notify = SIGEV_THREAD;
  event.sigev_notify_function = [](sigval) { ++done; };
  return event;
}
void timerThread() {
  sigevent event = callingFunction();
  timer_t timer;
  CHECK(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0);
  workBesideThreadOfLibc();
  const itimerspec once{{0, 0}, {0, 1}};
  CHECK(timer_settime(timer, 0, &once, nullptr) == 0);
  while (done == 0) sched_yield();
}
// Past the symbols that a sampler may have in libc's place; many events come after it.
void unseenThread() {
  void* libc = dlopen("libc.so.6", RTLD_NOW | RTLD_NOLOAD);
  CHECK(libc != nullptr);
  auto* create = reinterpret_cast<int (*)(clockid_t, sigevent*, timer_t*)>(
      dlsym(libc, "timer_create"));
  CHECK(create != nullptr);
  sigevent event = callingFunction();
  timer_t timer;
  CHECK(create(CLOCK_MONOTONIC, &event, &timer) == 0);
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  for (int i = 0; i < 20000; ++i) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
  }
  workBesideThreadOfLibc();
}
void messageThread() {
  const std::string name = "/parallax-" + std::to_string(getpid());
  const mqd_t queue = mq_open(name.c_str(), O_RDWR | O_CREAT, 0600, nullptr);
  mq_unlink(name.c_str());
  CHECK(queue >= 0);
  const sigevent event = callingFunction();
  CHECK(mq_notify(queue, &event) == 0);
  workBesideThreadOfLibc();
  CHECK(mq_send(queue, "x", 1, 0) == 0);
  while (done == 0) sched_yield();
}
void asynchronousRead() {
  char byte = 0;
  aiocb block{};
  block.aio_fildes = open("/proc/self/exe", O_RDONLY);
  block.aio_buf = &byte;
  block.aio_nbytes = 1;
  CHECK(aio_read(&block) == 0);
  workBesideThreadOfLibc();
  while (aio_error(&block) == EINPROGRESS) sched_yield();
  CHECK(aio_return(&block) == 1 && byte == 0x7f);
}
void asynchronousLookup() {
  addrinfo wanted{};
  wanted.ai_flags = AI_NUMERICHOST;
  gaicb lookup{};
  lookup.ar_name = "127.0.0.1";
  lookup.ar_request = &wanted;
  gaicb* list[] = {&lookup};
  CHECK(getaddrinfo_a(GAI_NOWAIT, list, 1, nullptr) == 0);
  workBesideThreadOfLibc();
  while (gai_error(&lookup) == EAI_INPROGRESS) sched_yield();
  CHECK(gai_error(&lookup) == 0 && lookup.ar_result != nullptr);
}

}  // namespace

const Scenario threadScenarios[] = {
    {"threads", manyKindsOfThreads},
    {"credentials", credentials},
    {"clonedThread", clonedThread},
    {"timerThread", timerThread},
    {"messageThread", messageThread},
    {"unseenThread", unseenThread},
    {"asynchronousRead", asynchronousRead},
    {"asynchronousLookup", asynchronousLookup},
    {},
};
