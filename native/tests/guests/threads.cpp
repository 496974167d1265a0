// Creates and ends threads in every way. The first argument names the scenario.
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <future>
#include <thread>
#include <vector>

#include "tests/guests/asleep.h"

namespace {

std::atomic<int> ended{0};

void* returnArgument(void* argument) {
  ended++;
  return argument;
}

int many(int threads) {
  std::vector<pthread_t> handles(static_cast<size_t>(threads));
  for (size_t i = 0; i < handles.size(); i++) {
    pthread_create(&handles[i], nullptr, returnArgument, reinterpret_cast<void*>(i));
  }
  size_t sum = 0;
  for (auto& h : handles) {
    void* result;
    pthread_join(h, &result);
    sum += reinterpret_cast<size_t>(result);
  }
  printf("%zu\n", sum);
  return 0;
}

// Threads one after the other, which get the same pthread_t again and again.
int oneByOne(int threads) {
  for (int i = 0; i < threads; i++) {
    pthread_t handle;
    pthread_create(&handle, nullptr, returnArgument, nullptr);
    if (i % 4 == 3) {
      pthread_detach(handle);
      while (ended.load() != i + 1) sched_yield();
    } else {
      pthread_join(handle, nullptr);
    }
  }
  parallax::tests::awaitAlone();
  printf("%d\n", ended.load());
  return 0;
}

void* exitByCall(void* argument) { pthread_exit(argument); }

void* spinUntilCancelled(void*) {
  for (;;) pthread_testcancel();
  return nullptr;
}

struct Announcing {
  ~Announcing() {
    puts("thread_local destroyed");
    fflush(stdout);
  }
  int value = 0;
};
thread_local Announcing announcing;

void* touchThreadLocal(void*) {
  announcing.value = 1;
  return nullptr;
}

int endings() {
  pthread_t handle;
  void* result;
  pthread_create(&handle, nullptr, exitByCall, reinterpret_cast<void*>(5));
  pthread_join(handle, &result);
  printf("pthread_exit %ld\n", reinterpret_cast<long>(result));
  pthread_create(&handle, nullptr, spinUntilCancelled, nullptr);
  pthread_cancel(handle);
  pthread_join(handle, &result);
  printf("cancelled %d\n", result == PTHREAD_CANCELED);
  pthread_create(&handle, nullptr, touchThreadLocal, nullptr);
  pthread_join(handle, nullptr);
  pthread_attr_t detached;
  pthread_attr_init(&detached);
  pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
  pthread_create(&handle, &detached, returnArgument, nullptr);
  while (ended.load() == 0) sched_yield();
  printf("join of a joined one %s\n", pthread_join(pthread_self(), nullptr) != 0 ? "fails" : "?");
  auto later = std::async(std::launch::async, [] { return 42; });
  printf("async %d\n", later.get());
  return 0;
}

timespec in(clockid_t clock, long ms) {
  timespec time;
  clock_gettime(clock, &time);
  time.tv_nsec += ms * 1000000;
  time.tv_sec += time.tv_nsec / 1000000000;
  time.tv_nsec %= 1000000000;
  return time;
}

void* restUntilTold(void* told) {
  while (!static_cast<std::atomic<bool>*>(told)->load()) usleep(1000);
  return told;
}

// Joins that give up, and then do not.
int joins() {
  std::atomic<bool> told[4] = {};
  pthread_t threads[4];
  for (int i = 0; i < 4; i++) pthread_create(&threads[i], nullptr, restUntilTold, &told[i]);
  timespec soon = in(CLOCK_REALTIME, 100);
  printf("try %d", pthread_tryjoin_np(threads[0], nullptr));
  printf(" timed %d", pthread_timedjoin_np(threads[1], nullptr, &soon));
  soon = in(CLOCK_MONOTONIC, 100);
  printf(" clock %d\n", pthread_clockjoin_np(threads[2], nullptr, CLOCK_MONOTONIC, &soon));
  for (auto& t : told) t = true;
  int result;
  while ((result = pthread_tryjoin_np(threads[0], nullptr)) != 0) usleep(1000);
  soon = in(CLOCK_REALTIME, 60000);
  printf("try %d timed %d", result, pthread_timedjoin_np(threads[1], nullptr, &soon));
  soon = in(CLOCK_MONOTONIC, 60000);
  printf(" clock %d", pthread_clockjoin_np(threads[2], nullptr, CLOCK_MONOTONIC, &soon));
  printf(" plain %d\n", pthread_join(threads[3], nullptr));
  return 0;
}

pthread_mutex_t lastMutex = PTHREAD_MUTEX_INITIALIZER;

// The destructor of a key, made after the agent's, takes a lock.
void takeLock(void*) {
  pthread_mutex_lock(&lastMutex);
  pthread_mutex_unlock(&lastMutex);
}

int destructors() {
  static pthread_key_t key;
  pthread_key_create(&key, takeLock);
  std::thread([] { pthread_setspecific(key, &key); }).join();
  puts("done");
  return 0;
}

// Names given by the thread itself, by another one, by the kernel's call, to the first thread, and
// inherited from it.
int names() {
  pthread_t handles[5];
  static std::atomic<bool> over{false};
  auto wait = [](void*) -> void* {
    while (!over) usleep(1000);
    return nullptr;
  };
  pthread_create(&handles[0], nullptr, [](void*) -> void* {
    pthread_setname_np(pthread_self(), "first");
    pthread_setname_np(pthread_self(), "itself");
    return nullptr;
  }, nullptr);
  pthread_create(&handles[1], nullptr, wait, nullptr);
  pthread_create(&handles[2], nullptr, [](void*) -> void* {
    prctl(PR_SET_NAME, "a name of the kernel");
    return nullptr;
  }, nullptr);
  pthread_create(&handles[3], nullptr, [](void*) -> void* {
    syscall(SYS_prctl, PR_SET_NAME, "unseen");
    return nullptr;
  }, nullptr);
  usleep(20000);
  const int result = pthread_setname_np(handles[1], "another");
  printf("%d %d\n", result, pthread_setname_np(handles[1], "much longer than it may be"));
  prctl(PR_SET_NAME, "leader");
  pthread_create(&handles[4], nullptr, wait, nullptr);
  over = true;
  for (const pthread_t handle : handles) {
    pthread_join(handle, nullptr);
  }
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  const char* scenario = count > 1 ? arguments[1] : "";
  const int number = count > 2 ? atoi(arguments[2]) : 4;
  if (strcmp(scenario, "many") == 0) return many(number);
  if (strcmp(scenario, "one-by-one") == 0) return oneByOne(number);
  if (strcmp(scenario, "endings") == 0) return endings();
  if (strcmp(scenario, "joins") == 0) return joins();
  if (strcmp(scenario, "destructors") == 0) return destructors();
  if (strcmp(scenario, "names") == 0) return names();
  return 99;
}
