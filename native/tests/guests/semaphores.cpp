// Uses read-write locks, spin locks, semaphores and C11 threads in ways whose events are known.
// The first argument names the scenario.
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <thread>
#include <vector>

#include "tests/guests/asleep.h"

namespace {

using parallax::tests::awaitAsleep;

timespec in(long milliseconds, clockid_t clock = CLOCK_REALTIME) {
  timespec at;
  clock_gettime(clock, &at);
  at.tv_nsec += milliseconds * 1000000;
  at.tv_sec += at.tv_nsec / 1000000000;
  at.tv_nsec %= 1000000000;
  return at;
}

// Readers share the lock while a writer waits for both; then readers wait for the writer. Who
// holds it goes on for 50 ms when the others wait for it.
int readersAndWriter() {
  static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
  static std::atomic<int> holding{0}, given{0}, coming[3] = {};  // thread numbers
  auto wait = [](const std::atomic<int>& thread) {
    while (thread == 0) usleep(1000);
    awaitAsleep(getpid(), thread);
  };
  std::thread first([&] {
    pthread_rwlock_rdlock(&lock);
    holding++;
    wait(coming[0]);
    usleep(50000);
    pthread_rwlock_unlock(&lock);  // release 1
    given++;
  });
  std::thread second([&] {
    pthread_rwlock_rdlock(&lock);
    holding++;
    while (given < 1) usleep(1000);
    usleep(50000);
    pthread_rwlock_unlock(&lock);  // release 2
  });
  while (holding < 2) usleep(1000);
  std::thread writer([&] {
    coming[0] = gettid();
    pthread_rwlock_wrlock(&lock);
    holding++;
    wait(coming[1]);
    wait(coming[2]);
    usleep(50000);
    pthread_rwlock_unlock(&lock);  // release 3
  });
  while (holding < 3) usleep(1000);
  auto readLate = [](int own) {
    coming[own] = gettid();
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_unlock(&lock);  // releases 4 and 5
  };
  std::thread third(readLate, 1), fourth(readLate, 2);
  for (std::thread* t : {&first, &second, &writer, &third, &fourth}) t->join();
  puts("done");
  return 0;
}

// What each routine of a read-write lock answers.
int readWriteAnswers() {
  pthread_rwlock_t lock;
  printf("init %d\n", pthread_rwlock_init(&lock, nullptr));
  printf("read %d %d\n", pthread_rwlock_rdlock(&lock), pthread_rwlock_tryrdlock(&lock));
  printf("try to write %d\n", pthread_rwlock_trywrlock(&lock));
  timespec soon = in(10), soonMonotonic = in(10, CLOCK_MONOTONIC), wrong{0, -1};
  errno = 77;
  printf("write in time %d\n", pthread_rwlock_timedwrlock(&lock, &soon));
  printf("write by clock %d\n", pthread_rwlock_clockwrlock(&lock, CLOCK_MONOTONIC, &soonMonotonic));
  printf("wrong time %d\n", pthread_rwlock_timedrdlock(&lock, &wrong));
  printf("wrong clock %d\n", pthread_rwlock_clockrdlock(&lock, CLOCK_PROCESS_CPUTIME_ID, &soon));
  printf("read in time %d\n", pthread_rwlock_timedrdlock(&lock, &soon));
  for (int i = 0; i < 3; i++) printf("unlock %d\n", pthread_rwlock_unlock(&lock));
  printf("write %d\n", pthread_rwlock_wrlock(&lock));
  printf("again %d, try to read %d\n", pthread_rwlock_wrlock(&lock),
         pthread_rwlock_tryrdlock(&lock));
  printf("unlock %d destroy %d errno %d\n", pthread_rwlock_unlock(&lock),
         pthread_rwlock_destroy(&lock), errno);
  return 0;
}

// Arguments: threads, locks by each.
int spinning(int threads, int rounds) {
  static pthread_spinlock_t locks[2];  // side by side
  static long counts[2];
  for (auto& lock : locks) pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
  std::vector<std::thread> all;
  for (int t = 0; t < threads; t++) {
    all.emplace_back([=] {
      for (int i = 0; i < rounds; i++) {
        const int which = i & 1;
        if (i % 8 != 0 || pthread_spin_trylock(&locks[which]) != 0) {
          pthread_spin_lock(&locks[which]);
        }
        counts[which]++;
        pthread_spin_unlock(&locks[which]);
      }
    });
  }
  for (auto& thread : all) thread.join();
  printf("%ld %ld\n", counts[0], counts[1]);
  return 0;
}

// One thread posts 3 tokens, each when the other one waits for it, to a semaphore that has 2; the other takes 5.
int producing() {
  static sem_t semaphore;
  sem_init(&semaphore, 0, 2);
  std::thread producer([] {
    for (int i = 0; i < 3; i++) {
      awaitAsleep(getpid(), getpid());
      sem_post(&semaphore);
    }
  });
  for (int i = 0; i < 5; i++) sem_wait(&semaphore);
  producer.join();
  int left = -1;
  sem_getvalue(&semaphore, &left);
  printf("%d\n", left);
  return sem_destroy(&semaphore);
}

sem_t interrupted;
void post(int) { sem_post(&interrupted); }

void ignore(int) {}

// Sends a signal to this thread when it waits. Its handler ends the wait.
class Interruption {
 public:
  Interruption() {
    struct sigaction action{};
    action.sa_handler = ignore;
    sigaction(SIGUSR2, &action, nullptr);
    sender_ = std::thread([thread = pthread_self(), tid = gettid()] {
      awaitAsleep(getpid(), tid);
      pthread_kill(thread, SIGUSR2);
    });
  }
  ~Interruption() { sender_.join(); }

 private:
  std::thread sender_;
};

std::atomic<int> cancelled{0};  // thread number
void* waitUntilCancelled(void* semaphore) {
  cancelled = gettid();
  for (;;) sem_wait(static_cast<sem_t*>(semaphore));
  return nullptr;
}

// What each routine of a semaphore answers.
int semaphoreAnswers() {
  sem_t semaphore;
  printf("init %d\n", sem_init(&semaphore, 0, 1));
  errno = 77;
  printf("wait %d", sem_wait(&semaphore));
  printf(" errno %d\n", errno);
  printf("try %d", sem_trywait(&semaphore));
  printf(" errno %d\n", errno);
  timespec soon = in(10), soonMonotonic = in(10, CLOCK_MONOTONIC), wrong{0, 1000000000};
  printf("in time %d", sem_timedwait(&semaphore, &soon));
  printf(" errno %d\n", errno);
  printf("by clock %d", sem_clockwait(&semaphore, CLOCK_MONOTONIC, &soonMonotonic));
  printf(" errno %d\n", errno);
  sem_post(&semaphore);
  printf("wrong time %d", sem_timedwait(&semaphore, &wrong));
  printf(" errno %d\n", errno);
  sem_wait(&semaphore);

  // A handler posts while the thread waits.
  sem_init(&interrupted, 0, 0);
  struct sigaction action{};
  action.sa_handler = post;
  action.sa_flags = SA_RESTART;
  sigaction(SIGUSR1, &action, nullptr);
  std::thread waker([thread = pthread_self()] {
    awaitAsleep(getpid(), getpid());
    pthread_kill(thread, SIGUSR1);
  });
  errno = 77;
  printf("by signal %d", sem_wait(&interrupted));
  printf(" errno %d\n", errno);
  waker.join();
  {
    const Interruption interruption;
    printf("interrupted %d", sem_wait(&interrupted));
    printf(" errno %d\n", errno);
  }

  // A cancelled thread ends in its wait, also when there are tokens.
  pthread_t thread;
  void* result;
  pthread_create(&thread, nullptr, waitUntilCancelled, &semaphore);
  while (cancelled == 0) usleep(1000);
  awaitAsleep(getpid(), cancelled);
  pthread_cancel(thread);
  pthread_join(thread, &result);
  printf("cancelled %d\n", result == PTHREAD_CANCELED);
  for (int i = 0; i < 1000; i++) sem_post(&semaphore);
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, nullptr);
  pthread_create(&thread, nullptr, [](void* s) -> void* {
    pthread_cancel(pthread_self());
    sem_wait(static_cast<sem_t*>(s));
    return nullptr;
  }, &semaphore);
  pthread_join(thread, &result);
  int left = 0;
  sem_getvalue(&semaphore, &left);
  printf("cancelled at once %d, left %d\n", result == PTHREAD_CANCELED, left);
  return 0;
}

// A semaphore of two processes: the child posts 3 times, each when the parent waits.
int betweenProcesses(sem_t* semaphore) {
  const pid_t pid = fork();
  if (pid == 0) {
    for (int i = 0; i < 3; i++) {
      awaitAsleep(getppid(), getppid());
      sem_post(semaphore);
    }
    _exit(0);
  }
  for (int i = 0; i < 3; i++) sem_wait(semaphore);
  waitpid(pid, nullptr, 0);
  puts("taken");
  return 0;
}

int shared() {
  auto* semaphore = static_cast<sem_t*>(mmap(nullptr, 4096, PROT_READ | PROT_WRITE,
                                             MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  sem_init(semaphore + 3, 1, 0);
  return betweenProcesses(semaphore + 3);
}

// Time limits for a semaphore and a condition in memory that processes can share.
int sharedLimits() {
  struct Shared {
    sem_t semaphore;
    pthread_mutex_t mutex;
    pthread_cond_t condition;
  };
  auto* memory = static_cast<Shared*>(
      mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  sem_init(&memory->semaphore, 1, 0);
  pthread_mutexattr_t mutex;
  pthread_mutexattr_init(&mutex);
  pthread_mutexattr_setpshared(&mutex, PTHREAD_PROCESS_SHARED);
  pthread_mutex_init(&memory->mutex, &mutex);
  pthread_condattr_t condition;
  pthread_condattr_init(&condition);
  pthread_condattr_setpshared(&condition, PTHREAD_PROCESS_SHARED);
  pthread_cond_init(&memory->condition, &condition);
  timespec soon = in(10);
  printf("semaphore %d", sem_timedwait(&memory->semaphore, &soon));
  printf(" errno %d\n", errno);
  soon = in(10);
  pthread_mutex_lock(&memory->mutex);
  printf("condition %d\n", pthread_cond_timedwait(&memory->condition, &memory->mutex, &soon));
  return pthread_mutex_unlock(&memory->mutex);
}

// Children, each of which has a semaphore of its own that its parent has not used.
int children(int count) {
  const size_t bytes = static_cast<size_t>(count) * sizeof(sem_t);
  auto* semaphores = static_cast<sem_t*>(
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  int failed = 0;
  for (int i = 0; i < count; i++) {
    const pid_t pid = fork();
    if (pid == 0) {
      sem_init(semaphores + i, 1, 0);
      sem_post(semaphores + i);
      _exit(sem_wait(semaphores + i));
    }
    int status = 0;
    waitpid(pid, &status, 0);
    failed += status != 0;
  }
  printf("%d failed\n", failed);
  return 0;
}

// The child executes this program again, and maps the semaphore at an address of its own.
int named(const char* self, const char* child) {
  char name[64];
  if (child != nullptr) {
    sem_t* semaphore = sem_open(child, 0);
    if (semaphore == SEM_FAILED) return 1;
    for (int i = 0; i < 3; i++) {
      awaitAsleep(getppid(), getppid());
      sem_post(semaphore);
    }
    return 0;
  }
  snprintf(name, sizeof name, "/parallax-test-%d", getpid());
  sem_t* semaphore = sem_open(name, O_CREAT | O_EXCL, 0600, 1);
  if (semaphore == SEM_FAILED) return 1;
  const pid_t pid = fork();
  if (pid == 0) {
    execl(self, self, "named", name, static_cast<char*>(nullptr));
    _exit(127);
  }
  for (int i = 0; i < 4; i++) sem_wait(semaphore);
  int status = 0;
  waitpid(pid, &status, 0);
  sem_close(semaphore);
  sem_unlink(name);
  printf("child %d\n", status);
  return 0;
}

// Two processes meet at a barrier, and one hands over to the other by a condition.
struct Meeting {
  pthread_barrier_t barrier;
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  pthread_rwlock_t lock;
  int ready;
};

int meeting(int rounds) {
  auto* meeting = static_cast<Meeting*>(mmap(nullptr, sizeof(Meeting), PROT_READ | PROT_WRITE,
                                             MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  pthread_barrierattr_t barrier;
  pthread_barrierattr_init(&barrier);
  pthread_barrierattr_setpshared(&barrier, PTHREAD_PROCESS_SHARED);
  pthread_barrier_init(&meeting->barrier, &barrier, 2);
  pthread_mutexattr_t mutex;
  pthread_mutexattr_init(&mutex);
  pthread_mutexattr_setpshared(&mutex, PTHREAD_PROCESS_SHARED);
  pthread_mutex_init(&meeting->mutex, &mutex);
  pthread_condattr_t condition;
  pthread_condattr_init(&condition);
  pthread_condattr_setpshared(&condition, PTHREAD_PROCESS_SHARED);
  pthread_cond_init(&meeting->changed, &condition);
  pthread_rwlockattr_t lock;
  pthread_rwlockattr_init(&lock);
  pthread_rwlockattr_setpshared(&lock, PTHREAD_PROCESS_SHARED);
  pthread_rwlock_init(&meeting->lock, &lock);
  const pid_t pid = fork();
  for (int i = 0; i < rounds; i++) pthread_barrier_wait(&meeting->barrier);
  pthread_mutex_lock(&meeting->mutex);
  if (pid == 0) {
    while (meeting->ready == 0) pthread_cond_wait(&meeting->changed, &meeting->mutex);
  } else {
    pthread_mutex_unlock(&meeting->mutex);
    awaitAsleep(pid, pid);
    pthread_mutex_lock(&meeting->mutex);
    meeting->ready = 1;
    pthread_cond_signal(&meeting->changed);
  }
  pthread_mutex_unlock(&meeting->mutex);
  // The child waits for the parent, who writes for 30 ms.
  if (pid != 0) pthread_rwlock_wrlock(&meeting->lock);
  pthread_barrier_wait(&meeting->barrier);
  if (pid == 0) {
    pthread_rwlock_rdlock(&meeting->lock);
  } else {
    awaitAsleep(pid, pid);
    usleep(30000);
  }
  pthread_rwlock_unlock(&meeting->lock);
  if (pid == 0) _exit(0);
  waitpid(pid, nullptr, 0);
  puts("met");
  return 0;
}

mtx_t mutex;
cnd_t changed;
int turns = 0;

int takeTurns(void* argument) {
  const int own = *static_cast<int*>(argument);
  mtx_lock(&mutex);
  for (int i = 0; i < 10; i++) {
    while (turns % 2 != own) cnd_wait(&changed, &mutex);
    turns++;
    cnd_signal(&changed);
  }
  mtx_unlock(&mutex);
  return 40 + own;
}

int c11() {
  printf("init %d %d\n", mtx_init(&mutex, mtx_timed), cnd_init(&changed));
  thrd_t threads[2];
  int numbers[2] = {0, 1}, results[2];
  for (int i = 0; i < 2; i++) printf("%d ", thrd_create(&threads[i], takeTurns, &numbers[i]));
  for (int i = 0; i < 2; i++) printf("%d ", thrd_join(threads[i], &results[i]));
  printf("%d %d, %d turns\n", results[0], results[1], turns);
  printf("try %d %d\n", mtx_trylock(&mutex), mtx_trylock(&mutex) == thrd_busy);
  timespec soon = in(10);
  printf("in time %d\n", mtx_timedlock(&mutex, &soon) == thrd_timedout);
  soon = in(10);
  printf("condition %d\n", cnd_timedwait(&changed, &mutex, &soon) == thrd_timedout);
  printf("unlock %d broadcast %d\n", mtx_unlock(&mutex), cnd_broadcast(&changed));
  mtx_destroy(&mutex);
  cnd_destroy(&changed);
  return 0;
}

}  // namespace

long futex(void* word, int operation, unsigned value, const timespec* time = nullptr) {
  return syscall(SYS_futex, word, operation, value, time, nullptr, 0);
}

// Words of memory: wakes that nobody waits for, waits that nobody ends, one that a handler ends, one that a thread ends, and one
// in memory shared with a child that the parent ends.
int futexes() {
  static std::atomic<unsigned> word{0};
  for (int i = 0; i < 1000; i++) futex(&word, FUTEX_WAKE_PRIVATE, 1);
  const timespec soon{0, 20000000};
  const auto tell = [](long result) { printf("%ld %s\n", result, result < 0 ? strerror(errno) : ""); };
  tell(futex(&word, FUTEX_WAIT_PRIVATE, 1));         // another value: EAGAIN
  tell(futex(&word, FUTEX_WAIT_PRIVATE, 0, &soon));  // ETIMEDOUT
  {
    const Interruption interruption;
    tell(futex(&word, FUTEX_WAIT_PRIVATE, 0));  // EINTR
  }
  tell(futex(nullptr, FUTEX_WAKE_PRIVATE, 1));       // EFAULT
  static std::atomic<int> waiting{0};
  std::thread waiter([] {
    waiting = gettid();
    while (word == 0) futex(&word, FUTEX_WAIT_PRIVATE, 0);
  });
  while (waiting == 0) usleep(1000);
  awaitAsleep(getpid(), waiting);
  word = 1;
  tell(futex(&word, FUTEX_WAKE_PRIVATE, 1));
  waiter.join();
  auto* common = static_cast<std::atomic<unsigned>*>(
      mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    while (*common == 0) futex(common, FUTEX_WAIT, 0);
    _exit(0);
  }
  awaitAsleep(child, child);
  *common = 1;
  tell(futex(common, FUTEX_WAKE, 1));
  int status = 0;
  waitpid(child, &status, 0);
  return status;
}

int main(int count, char** arguments) {
  const char* scenario = count > 1 ? arguments[1] : "";
  auto number = [&](int i, int otherwise) { return count > i ? atoi(arguments[i]) : otherwise; };
  if (strcmp(scenario, "readers-writer") == 0) return readersAndWriter();
  if (strcmp(scenario, "rwlock-answers") == 0) return readWriteAnswers();
  if (strcmp(scenario, "spin") == 0) return spinning(number(2, 4), number(3, 1000));
  if (strcmp(scenario, "produce") == 0) return producing();
  if (strcmp(scenario, "semaphore-answers") == 0) return semaphoreAnswers();
  if (strcmp(scenario, "shared") == 0) return shared();
  if (strcmp(scenario, "shared-limits") == 0) return sharedLimits();
  if (strcmp(scenario, "children") == 0) return children(number(2, 100));
  if (strcmp(scenario, "named") == 0) return named(arguments[0], count > 2 ? arguments[2] : nullptr);
  if (strcmp(scenario, "meeting") == 0) return meeting(number(2, 10));
  if (strcmp(scenario, "futexes") == 0) return futexes();
  if (strcmp(scenario, "c11") == 0) return c11();
  return 99;
}
