// A thread that waits for another by asking again and again, and the same by calls that wait.
//
//   polling_waits WAY [ROUNDS]        default 3 rounds
//
// In each round `waiter` waits until the other one has done late_work (20 ms of CPU time). WAY is what it calls:
//
//   polls                                                        the same with a call that waits
//   trylock, mtx: of a mutex                                     lock
//   rdlock, wrlock: of a read-write lock; spin: of a spin lock
//   omp: omp_test_lock                                           omp_set
//   trywait, trywait_yield, trywait_sleep, trywait_timed: of a
//       semaphore, alone, with sched_yield, usleep(10), sleeps
//       of 1 ms between them                                     wait
//   poll, ppoll, select, epoll: with timeout 0; poll_timed:
//       with 1 ms                                                poll_wait
//   read, recv: without data, of a socket that does not wait     read_wait
//   waitpid: WNOHANG                                             waitpid_wait
//   tryjoin                                                      join
//   spin_lock: of a mutex, 1000 times, then pthread_mutex_lock
//
// Planted answer: `waiter` waits for all of late_work. Prints the seconds that its calls took, as `waits=SECONDS`,
// and the CPU time that they consumed, as `cpu=SECONDS`.
//
//   yield       calls sched_yield until a word of memory changes: polling whose cause is not known
//   give_up     calls sem_trywait for 20 ms and then gives up, once a round: the same
//   overlap     does own_work (1 ms) between calls of sem_trywait: it hardly waits
//   tick_poll, tick_select, tick_epoll   wait for a socket for 20 ms in vain, and read a file: it waits for a timer
//   tick_timer  reads a timerfd of 20 ms, and then the file: the same

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <omp.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#include "work.h"

static double seconds(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}
static double now(void) { return seconds(CLOCK_MONOTONIC); }
static double cpuTime(void) { return seconds(CLOCK_THREAD_CPUTIME_ID); }

static PROCEDURE void late_work(void) { work(20); }
static PROCEDURE void own_work(void) { work(1); }

static const char* way;
static int rounds = 3;
static double waits, cpu;
static pthread_barrier_t begin, end;

static int is(const char* name) { return strcmp(way, name) == 0; }

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static mtx_t mtx;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spinlock;
static omp_lock_t omp_lock;
static sem_t tokens;
static int ends[2];
static int epoll;
static volatile int flag;

static int usesMutex(void) { return is("trylock") || is("lock") || is("spin_lock"); }
static int usesRwlock(void) { return is("rdlock") || is("wrlock"); }
static int usesOmp(void) { return is("omp") || is("omp_set"); }
static int usesSocket(void) {
  return strncmp(way, "tick_", 5) == 0 || strstr(way, "poll") != NULL || is("select") || is("epoll") || strstr(way, "read") || is("recv");
}

// ---- what the worker holds while it works, or gives afterwards

static void hold(void) {
  if (usesMutex()) pthread_mutex_lock(&mutex);
  if (is("mtx")) mtx_lock(&mtx);
  if (usesRwlock()) pthread_rwlock_wrlock(&rwlock);
  if (is("spin")) pthread_spin_lock(&spinlock);
  if (usesOmp()) omp_set_lock(&omp_lock);
}

static void give(void) {
  if (usesMutex()) pthread_mutex_unlock(&mutex);
  else if (is("mtx")) mtx_unlock(&mtx);
  else if (usesRwlock()) pthread_rwlock_unlock(&rwlock);
  else if (is("spin")) pthread_spin_unlock(&spinlock);
  else if (usesOmp()) omp_unset_lock(&omp_lock);
  else if (usesSocket()) { if (write(ends[1], "x", 1) != 1) exit(3); }
  else if (is("yield")) flag = 1;
  else if (!is("give_up")) sem_post(&tokens);
}

// ---- what the waiter calls

static void take(void) {
  char byte;
  while (read(ends[0], &byte, 1) != 1) {}
}

static void waitByPoll(void) {
  struct pollfd fd = {ends[0], POLLIN, 0};
  const struct timespec none = {0, 0};
  struct timeval no_time = {0, 0};
  struct epoll_event event;
  fd_set set;
  int ready = 0;
  while (ready == 0) {
    if (is("poll")) ready = poll(&fd, 1, 0);
    if (is("poll_timed")) ready = poll(&fd, 1, 1);
    if (is("poll_wait")) ready = poll(&fd, 1, -1);
    if (is("ppoll")) ready = ppoll(&fd, 1, &none, NULL);
    if (is("epoll")) ready = epoll_wait(epoll, &event, 1, 0);
    if (is("select")) {
      FD_ZERO(&set);
      FD_SET(ends[0], &set);
      ready = select(ends[0] + 1, &set, NULL, NULL, &no_time);
    }
  }
  take();
}

static void waitForToken(void) {
  const struct timespec millisecond = {0, 1000000};
  while (sem_trywait(&tokens) != 0) {
    if (is("trywait_yield")) sched_yield();
    if (is("trywait_sleep")) usleep(10);
    if (is("trywait_timed")) nanosleep(&millisecond, NULL);
    if (is("overlap")) own_work();
  }
}

static void spinThenLock(void) {
  for (int i = 0; i < 1000; i++) {
    if (pthread_mutex_trylock(&mutex) == 0) return;
  }
  pthread_mutex_lock(&mutex);
}

static void waitOnce(void) {
  char byte;
  if (is("trylock")) while (pthread_mutex_trylock(&mutex) != 0) {}
  if (is("lock")) pthread_mutex_lock(&mutex);
  if (is("spin_lock")) spinThenLock();
  if (usesMutex()) pthread_mutex_unlock(&mutex);
  if (is("mtx")) {
    while (mtx_trylock(&mtx) != thrd_success) {}
    mtx_unlock(&mtx);
  }
  if (is("rdlock")) while (pthread_rwlock_tryrdlock(&rwlock) != 0) {}
  if (is("wrlock")) while (pthread_rwlock_trywrlock(&rwlock) != 0) {}
  if (usesRwlock()) pthread_rwlock_unlock(&rwlock);
  if (is("spin")) {
    while (pthread_spin_trylock(&spinlock) != 0) {}
    pthread_spin_unlock(&spinlock);
  }
  if (is("omp")) while (!omp_test_lock(&omp_lock)) {}
  if (is("omp_set")) omp_set_lock(&omp_lock);
  if (usesOmp()) omp_unset_lock(&omp_lock);
  if (is("wait")) sem_wait(&tokens);
  if (strncmp(way, "trywait", 7) == 0 || is("overlap")) waitForToken();
  if (is("recv")) while (recv(ends[0], &byte, 1, MSG_DONTWAIT) != 1) {}
  if (is("read") || is("read_wait")) take();
  if (usesSocket() && !is("read") && !is("read_wait") && !is("recv")) waitByPoll();
  if (is("yield")) {
    while (!flag) sched_yield();
    flag = 0;
  }
  if (is("give_up")) {
    const double until = now() + 0.02;
    while (sem_trywait(&tokens) != 0 && now() < until) {}
  }
}

static PROCEDURE void waiter(void) {
  const double before = now(), cpu_before = cpuTime();
  waitOnce();
  waits += now() - before;
  cpu += cpuTime() - cpu_before;
}

static void* worker(void* unused) {
  for (int i = 0; i < rounds; i++) {
    hold();
    pthread_barrier_wait(&begin);
    late_work();
    give();
    pthread_barrier_wait(&end);
  }
  return unused;
}

// ---- another process, or another thread, that ends

static PROCEDURE void waitForChild(pid_t child) {
  const double before = now();
  while (waitpid(child, NULL, is("waitpid") ? WNOHANG : 0) == 0) {}
  waits += now() - before;
}

static PROCEDURE void waitForThread(pthread_t thread) {
  const double before = now();
  if (is("join")) pthread_join(thread, NULL);
  else while (pthread_tryjoin_np(thread, NULL) != 0) {}
  waits += now() - before;
}

static void* worksOnce(void* unused) {
  late_work();
  return unused;
}

static void waitForEnds(void) {
  for (int i = 0; i < rounds; i++) {
    if (strstr(way, "join") != NULL) {
      pthread_t thread;
      if (pthread_create(&thread, NULL, worksOnce, NULL) != 0) exit(3);
      waitForThread(thread);
      continue;
    }
    const pid_t child = fork();
    if (child == 0) {
      late_work();
      exit(0);
    }
    waitForChild(child);
  }
}

// ---- a server that does something regularly, such as to look at a file

static void readFile(void) {
  char text[64];
  const int file = open("/proc/self/stat", O_RDONLY);
  if (file < 0 || read(file, text, sizeof text) <= 0) exit(3);
  close(file);
}

static PROCEDURE void waitForTick(void) {
  struct pollfd fd = {ends[0], POLLIN, 0};
  struct timeval time = {0, 20000};
  struct epoll_event event;
  fd_set set;
  const double before = now();
  if (is("tick_poll") && poll(&fd, 1, 20) != 0) exit(3);
  if (is("tick_epoll") && epoll_wait(epoll, &event, 1, 20) != 0) exit(3);
  if (is("tick_select")) {
    FD_ZERO(&set);
    FD_SET(ends[0], &set);
    if (select(ends[0] + 1, &set, NULL, NULL, &time) != 0) exit(3);
  }
  if (is("tick_timer")) {
    const struct itimerspec once = {{0, 0}, {0, 20000000}};
    uint64_t ticks;
    const int timer = timerfd_create(CLOCK_MONOTONIC, 0);
    if (timerfd_settime(timer, 0, &once, NULL) != 0 || read(timer, &ticks, sizeof ticks) != sizeof ticks) exit(3);
    close(timer);
  }
  waits += now() - before;
}

static void waitForTicks(void) {
  for (int i = 0; i < rounds; i++) {
    waitForTick();
    readFile();
  }
}

static void prepare(void) {
  sem_init(&tokens, 0, 0);
  pthread_spin_init(&spinlock, PTHREAD_PROCESS_PRIVATE);
  mtx_init(&mtx, mtx_plain);
  if (usesOmp()) omp_init_lock(&omp_lock);
  if (!usesSocket()) return;
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) exit(3);
  if (is("read")) fcntl(ends[0], F_SETFL, O_NONBLOCK);
  epoll = epoll_create1(0);
  struct epoll_event event = {EPOLLIN, {0}};
  epoll_ctl(epoll, EPOLL_CTL_ADD, ends[0], &event);
}

int main(int argc, char** argv) {
  if (argc < 2) {
    fprintf(stderr, "polling_waits WAY [ROUNDS]\n");
    return 2;
  }
  way = argv[1];
  if (argc > 2) rounds = atoi(argv[2]);
  prepare();
  if (strstr(way, "join") != NULL || strstr(way, "waitpid") != NULL) {
    waitForEnds();
  } else if (strncmp(way, "tick_", 5) == 0) {
    waitForTicks();
  } else {
    pthread_t thread;
    pthread_barrier_init(&begin, NULL, 2);
    pthread_barrier_init(&end, NULL, 2);
    if (pthread_create(&thread, NULL, worker, NULL) != 0) return 3;
    for (int i = 0; i < rounds; i++) {
      pthread_barrier_wait(&begin);
      waiter();
      pthread_barrier_wait(&end);
    }
    pthread_join(thread, NULL);
  }
  printf("waits=%.6f cpu=%.6f\n", waits, cpu);
  return 0;
}
