// Uses locks in ways whose events are known. The first argument names the scenario.
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <new>
#include <thread>
#include <vector>

#include "tests/guests/asleep.h"

namespace {

using parallax::tests::awaitAsleep;

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
long counter = 0;

void spin(int rounds) {
  for (volatile int i = 0; i < rounds; i = i + 1) {
  }
}

void* countUp(void* rounds) {
  for (long i = 0; i < reinterpret_cast<long>(rounds); i++) {
    pthread_mutex_lock(&mutex);
    counter++;
    spin(50);
    pthread_mutex_unlock(&mutex);
  }
  return nullptr;
}

// Arguments: threads, locks by each.
int counting(int threads, long rounds) {
  std::vector<pthread_t> handles(static_cast<size_t>(threads));
  for (auto& h : handles) {
    if (pthread_create(&h, nullptr, countUp, reinterpret_cast<void*>(rounds)) != 0) return 1;
  }
  for (auto& h : handles) pthread_join(h, nullptr);
  printf("%ld\n", counter);
  return 0;
}

std::atomic<int> taker{0};  // thread number
void* takeLater(void*) {
  taker = gettid();
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  return nullptr;
}

// One acquisition waits 50 ms for its holder.
int waiting() {
  pthread_t other;
  pthread_mutex_lock(&mutex);
  pthread_create(&other, nullptr, takeLater, nullptr);
  while (taker == 0) usleep(1000);
  awaitAsleep(getpid(), taker);
  usleep(50000);
  pthread_mutex_unlock(&mutex);
  pthread_join(other, nullptr);
  return 0;
}

pthread_mutex_t ofType(int type, bool robust = false) {
  pthread_mutex_t made;
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, type);
  if (robust) pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&made, &attributes);
  pthread_mutexattr_destroy(&attributes);
  return made;
}

void* dieHolding(void* held) {
  pthread_mutex_lock(static_cast<pthread_mutex_t*>(held));
  return nullptr;
}

// Prints what each kind of mutex answers.
int kinds() {
  pthread_mutex_t recursive = ofType(PTHREAD_MUTEX_RECURSIVE);
  for (int i = 0; i < 3; i++) printf("recursive lock %d\n", pthread_mutex_lock(&recursive));
  printf("recursive try %d\n", pthread_mutex_trylock(&recursive));
  for (int i = 0; i < 5; i++) printf("recursive unlock %d\n", pthread_mutex_unlock(&recursive));

  pthread_mutex_t checking = ofType(PTHREAD_MUTEX_ERRORCHECK);
  printf("checking unlock of a free one %d\n", pthread_mutex_unlock(&checking));
  printf("checking lock %d\n", pthread_mutex_lock(&checking));
  printf("checking lock again %d\n", pthread_mutex_lock(&checking));
  printf("checking unlock %d\n", pthread_mutex_unlock(&checking));

  static pthread_mutex_t robust = ofType(PTHREAD_MUTEX_NORMAL, true);
  pthread_t dying;
  pthread_create(&dying, nullptr, dieHolding, &robust);
  pthread_join(dying, nullptr);
  printf("robust lock %d\n", pthread_mutex_lock(&robust));
  printf("robust consistent %d\n", pthread_mutex_consistent(&robust));
  printf("robust unlock %d\n", pthread_mutex_unlock(&robust));

  printf("normal lock %d\n", pthread_mutex_lock(&mutex));
  printf("normal try %d\n", pthread_mutex_trylock(&mutex));
  timespec soon;
  clock_gettime(CLOCK_REALTIME, &soon);
  soon.tv_nsec += 20000000;
  if (soon.tv_nsec >= 1000000000) {
    soon.tv_sec++;
    soon.tv_nsec -= 1000000000;
  }
  errno = 77;
  printf("normal timed %d\n", pthread_mutex_timedlock(&mutex, &soon));
  printf("errno %d\n", errno);
  printf("normal unlock %d\n", pthread_mutex_unlock(&mutex));
  // The mutex is free: libc looks at the clock first, and not at the deadline.
  const timespec wrong{0, -1};
  printf("clock refused %d\n", pthread_mutex_clocklock(&mutex, CLOCK_PROCESS_CPUTIME_ID, &soon));
  printf("clock lock %d\n", pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &wrong));
  printf("clock unlock %d\n", pthread_mutex_unlock(&mutex));
  printf("destroy %d\n", pthread_mutex_destroy(&mutex));
  printf("init %d\n", pthread_mutex_init(&mutex, nullptr));
  printf("lock %d\n", pthread_mutex_lock(&mutex));
  printf("unlock %d\n", pthread_mutex_unlock(&mutex));
  return 0;
}

// A queue of the standard library: `items` handed over from one producer to two consumers.
int queue(int items) {
  std::mutex lock;
  std::condition_variable changed;
  int ready = 0, taken = 0;
  bool over = false;
  auto consume = [&] {
    std::unique_lock<std::mutex> hold(lock);
    for (;;) {
      changed.wait(hold, [&] { return ready > 0 || over; });
      if (ready == 0) return;
      ready--;
      taken++;
    }
  };
  std::thread first(consume), second(consume);
  for (int i = 0; i < items; i++) {
    const std::lock_guard<std::mutex> hold(lock);
    ready++;
    changed.notify_one();
  }
  {
    const std::lock_guard<std::mutex> hold(lock);
    over = true;
    changed.notify_all();
  }
  first.join();
  second.join();
  printf("%d\n", taken);
  return 0;
}

// Waits for a condition that nobody signals, and then for one that is signalled once.
int timeout() {
  std::mutex lock;
  std::condition_variable changed;
  std::unique_lock<std::mutex> hold(lock);
  const bool early =
      changed.wait_for(hold, std::chrono::milliseconds(30)) == std::cv_status::no_timeout;
  bool done = false;
  std::thread other([&] {
    const std::lock_guard<std::mutex> inner(lock);
    done = true;
    changed.notify_one();
  });
  while (!done) changed.wait(hold);
  hold.unlock();
  other.join();
  printf("%s\n", early ? "woken" : "timed out");
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

pthread_cond_t told = PTHREAD_COND_INITIALIZER;
int waitingThreads = 0;
bool isTold = false;

void* waitUntilTold(void*) {
  pthread_mutex_lock(&mutex);
  waitingThreads++;
  while (!isTold) pthread_cond_wait(&told, &mutex);
  pthread_mutex_unlock(&mutex);
  return nullptr;
}

// Waits that give up, a mutex that inherits priority, and a broadcast that wakes three threads.
int plainC() {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT);
  pthread_mutex_t inheriting;
  printf("init %d", pthread_mutex_init(&inheriting, &attributes));
  printf(" lock %d", pthread_mutex_lock(&inheriting));
  printf(" unlock %d\n", pthread_mutex_unlock(&inheriting));

  pthread_mutex_lock(&mutex);
  timespec soon = in(CLOCK_MONOTONIC, 20);
  printf("clocklock %d", pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &soon));
  soon = in(CLOCK_REALTIME, 20);
  printf(" timedwait %d", pthread_cond_timedwait(&told, &mutex, &soon));
  soon = in(CLOCK_MONOTONIC, 20);
  printf(" clockwait %d\n", pthread_cond_clockwait(&told, &mutex, CLOCK_MONOTONIC, &soon));
  pthread_mutex_unlock(&mutex);

  pthread_t threads[3];
  for (auto& thread : threads) pthread_create(&thread, nullptr, waitUntilTold, nullptr);
  for (int seen = 0; seen < 3;) {
    usleep(1000);
    pthread_mutex_lock(&mutex);
    seen = waitingThreads;
    if (seen == 3) {
      isTold = true;
      pthread_cond_broadcast(&told);
    }
    pthread_mutex_unlock(&mutex);
  }
  for (auto& thread : threads) pthread_join(thread, nullptr);
  return 0;
}

// A thread is woken, and the condition destroyed, before it has the mutex again. Its memory may be a
// mutex then.
int destroyed(bool reused) {
  pthread_t thread;
  pthread_create(&thread, nullptr, waitUntilTold, nullptr);
  for (bool waits = false; !waits;) {
    usleep(1000);
    pthread_mutex_lock(&mutex);
    waits = waitingThreads == 1;
    if (waits) {
      isTold = true;
      printf("broadcast %d", pthread_cond_broadcast(&told));
      printf(" destroy %d\n", pthread_cond_destroy(&told));
    }
    if (waits && reused) {
      auto* other = new (&told) pthread_mutex_t PTHREAD_MUTEX_INITIALIZER;
      pthread_mutex_lock(other);
      pthread_mutex_unlock(other);
    }
    pthread_mutex_unlock(&mutex);
  }
  pthread_join(thread, nullptr);
  return 0;
}

pthread_barrier_t barrier;

void* meet(void* rounds) {
  long serial = 0;
  for (long i = 0; i < reinterpret_cast<long>(rounds); i++) {
    if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) serial++;
  }
  return reinterpret_cast<void*>(serial);
}

int barriers(int threads, long rounds) {
  std::vector<pthread_t> handles(static_cast<size_t>(threads));
  pthread_barrier_init(&barrier, nullptr, static_cast<unsigned>(threads));
  for (auto& h : handles) pthread_create(&h, nullptr, meet, reinterpret_cast<void*>(rounds));
  long serial = 0;
  for (auto& h : handles) {
    void* result;
    pthread_join(h, &result);
    serial += reinterpret_cast<long>(result);
  }
  printf("%ld\n", serial);
  return pthread_barrier_destroy(&barrier);
}

pthread_cond_t never = PTHREAD_COND_INITIALIZER;

void unlockIt(void*) {
  counter++;
  pthread_mutex_unlock(&mutex);
}

void* waitForever(void*) {
  pthread_mutex_lock(&mutex);
  taker = gettid();
  pthread_cleanup_push(unlockIt, nullptr);
  for (;;) pthread_cond_wait(&never, &mutex);
  pthread_cleanup_pop(0);
  return nullptr;
}

// A thread is cancelled in a wait; its handler gives the mutex, which others then take.
int cancelled() {
  pthread_t waiter;
  pthread_create(&waiter, nullptr, waitForever, nullptr);
  while (taker == 0) usleep(1000);
  awaitAsleep(getpid(), taker);
  pthread_cancel(waiter);
  void* result;
  pthread_join(waiter, &result);
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  printf("%s %ld\n", result == PTHREAD_CANCELED ? "cancelled" : "ended", counter);
  return 0;
}

pthread_once_t once = PTHREAD_ONCE_INIT;
std::atomic<pid_t> waiterId{0};
pthread_t onceWaiter;
void* takeOver(void*);

// The first thread throws when another one waits for it, which then runs the routine in its place.
void throwFirst() {
  if (waiterId == 0) {
    pthread_create(&onceWaiter, nullptr, takeOver, nullptr);
    while (waiterId == 0) usleep(1000);
    awaitAsleep(getpid(), waiterId);
    throw 1;
  }
  pthread_mutex_lock(&mutex);
  const long runs = ++counter;
  pthread_mutex_unlock(&mutex);
  if (runs == 1) throw 2;
}

std::atomic<int> caught{0};  // a bit for each number; the threads catch them in any order

void callOnce() {
  try {
    pthread_once(&once, throwFirst);
  } catch (int number) {
    caught |= 1 << number;
  }
}

void* takeOver(void*) {
  waiterId = gettid();
  callOnce();
  callOnce();
  pthread_exit(&once);
}

// The routine of pthread_once throws in the first thread, and then in the one that has waited.
int thrownOnce() {
  callOnce();
  void* result;
  pthread_join(onceWaiter, &result);
  printf("%d %ld %d\n", caught.load(), counter, result == &once);
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  const char* scenario = count > 1 ? arguments[1] : "";
  auto number = [&](int i, int otherwise) { return count > i ? atoi(arguments[i]) : otherwise; };
  if (strcmp(scenario, "counting") == 0) return counting(number(2, 4), number(3, 1000));
  if (strcmp(scenario, "waiting") == 0) return waiting();
  if (strcmp(scenario, "kinds") == 0) return kinds();
  if (strcmp(scenario, "queue") == 0) return queue(number(2, 100));
  if (strcmp(scenario, "c") == 0) return plainC();
  if (strcmp(scenario, "destroyed") == 0) return destroyed(false);
  if (strcmp(scenario, "reused") == 0) return destroyed(true);
  if (strcmp(scenario, "timeout") == 0) return timeout();
  if (strcmp(scenario, "barriers") == 0) return barriers(number(2, 4), number(3, 10));
  if (strcmp(scenario, "cancelled") == 0) return cancelled();
  if (strcmp(scenario, "once") == 0) return thrownOnce();
  return 99;
}
