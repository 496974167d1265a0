// Threads without a processor: because others use it, or because they wait in the kernel. No call is recorded meanwhile.
//
//   descheduled threads|processes COUNT      COUNT of them work on one processor
//   descheduled CALL [COUNT]                 a thread waits, beside COUNT threads that work on its processor
//
// CALL is how it waits, by an instruction of its own: flock (for the lock of a file), read (of a pipe), fault (for a
// page that a handler of user faults provides; exits with status 77 if the kernel allows none), yield (a read, after which
// the thread leaves its processor to the COUNT threads for 10 ms at least).
//
// Planted answer: of the time in `compute` without a processor, nothing is blocked: wall time less CPU time is
// printed as `preempted=SECONDS`. In `rest`, the thread is blocked until the other one goes on, after 30 ms: this is
// `blocked=SECONDS`. From then on until it runs it waits for its processor: `late=SECONDS`. What it leaves to
// others is in it.

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "work.h"

enum { ROUNDS = 5, PAGE = 4096, UNAVAILABLE = 77 };

static pthread_barrier_t* meeting;  // in memory that processes share
static double* preempted;
static const char* call;
static int held, waiting, channel[2], faults = -1;
static volatile char* pages;
static atomic_int stop;

static double seconds(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static double now(void) { return seconds(CLOCK_MONOTONIC); }

static long inline_call(long number, long a, long b, long c) {
  long result;
  __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory");
  return result;
}

static void use_one_processor(void) {
  cpu_set_t allowed, one;
  sched_getaffinity(0, sizeof allowed, &allowed);
  int processor = 0;
  while (!CPU_ISSET(processor, &allowed)) processor++;
  CPU_ZERO(&one);
  CPU_SET(processor, &one);
  if (sched_setaffinity(0, sizeof one, &one) != 0) abort();
}

static void* shared(size_t bytes) {
  void* memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) abort();
  return memory;
}

PROCEDURE static double compute(void) {
  const double begin = now(), cpu = seconds(CLOCK_THREAD_CPUTIME_ID);
  work(60);
  return now() - begin - (seconds(CLOCK_THREAD_CPUTIME_ID) - cpu);
}

static void* work_beside(void* lost) {
  pthread_barrier_wait(meeting);
  *(double*)lost = compute();
  pthread_barrier_wait(meeting);
  return NULL;
}

static int compete(int processes, int count) {
  pthread_barrierattr_t attributes;
  pthread_barrierattr_init(&attributes);
  pthread_barrierattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
  pthread_barrier_init(meeting, &attributes, (unsigned)count);
  preempted = shared(sizeof(double) * (size_t)count);
  pthread_t threads[count];
  for (int i = 1; i < count; i++) {
    if (!processes) {
      pthread_create(&threads[i], NULL, work_beside, &preempted[i]);
    } else if (fork() == 0) {
      work_beside(&preempted[i]);
      exit(0);
    }
  }
  work_beside(&preempted[0]);
  double sum = preempted[0];
  for (int i = 1; i < count; i++) {
    if (processes) {
      wait(NULL);
    } else {
      pthread_join(threads[i], NULL);
    }
    sum += preempted[i];
  }
  printf("preempted=%.6f\n", sum);
  return 0;
}

// ---- waits

static void begin_waits(void) {
  const char name[] = "/tmp/descheduled.XXXXXX";
  char file[sizeof name];
  memcpy(file, name, sizeof name);
  held = mkstemp(file);
  waiting = open(file, O_RDWR);
  unlink(file);
  if (pipe(channel) != 0) abort();
  pages = mmap(NULL, ROUNDS * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (strcmp(call, "fault") != 0) return;
  struct uffdio_api api = {.api = UFFD_API};
  struct uffdio_register range = {
      .range = {(uintptr_t)pages, ROUNDS * PAGE}, .mode = UFFDIO_REGISTER_MODE_MISSING};
  faults = (int)syscall(SYS_userfaultfd, O_CLOEXEC | UFFD_USER_MODE_ONLY);
  if (faults < 0 || ioctl(faults, UFFDIO_API, &api) != 0 || ioctl(faults, UFFDIO_REGISTER, &range) != 0) {
    exit(UNAVAILABLE);
  }
}

static void hold(void) {
  if (strcmp(call, "flock") == 0) inline_call(SYS_flock, held, LOCK_EX, 0);
}

static int is_yield(void) { return strcmp(call, "yield") == 0; }

static double leave_processor(void) {
  const double begin = now(), cpu = seconds(CLOCK_THREAD_CPUTIME_ID);
  while (now() - begin < 0.010) inline_call(SYS_sched_yield, 0, 0, 0);
  return now() - begin - (seconds(CLOCK_THREAD_CPUTIME_ID) - cpu);
}

static void wait_once(int round) {
  char byte = 0;
  if (strcmp(call, "flock") == 0) {
    inline_call(SYS_flock, waiting, LOCK_EX, 0);
    inline_call(SYS_flock, waiting, LOCK_UN, 0);
  } else if (strcmp(call, "read") == 0 || is_yield()) {
    inline_call(SYS_read, channel[0], (long)&byte, 1);
  } else {
    byte = pages[round * PAGE];
  }
  work_sink += (uint64_t)byte;
}

static void let_go(int round) {
  static char page[PAGE];
  if (strcmp(call, "flock") == 0) {
    inline_call(SYS_flock, held, LOCK_UN, 0);
  } else if (strcmp(call, "read") == 0 || is_yield()) {
    inline_call(SYS_write, channel[1], (long)page, 1);
  } else {
    struct uffdio_copy copy = {.dst = (uintptr_t)&pages[round * PAGE], .src = (uintptr_t)page, .len = PAGE};
    inline_call(SYS_ioctl, faults, UFFDIO_COPY, (long)&copy);
  }
}

static double released[ROUNDS];

static void* other(void* none) {
  const struct timespec pause = {0, 30000000};
  for (int i = 0; i < ROUNDS; i++) {
    hold();
    pthread_barrier_wait(meeting);
    nanosleep(&pause, NULL);
    released[i] = now();
    let_go(i);
    pthread_barrier_wait(meeting);
  }
  return none;
}

static void* busy(void* none) {
  use_one_processor();
  while (!stop) work(1);
  return none;
}

PROCEDURE static void rest(int round, double* blocked, double* late) {
  pthread_barrier_wait(meeting);
  const double begin = now();
  wait_once(round);
  const double end = now();
  if (is_yield()) *late += leave_processor();
  pthread_barrier_wait(meeting);
  if (released[round] > begin) *blocked += released[round] - begin;
  *late += end - (released[round] > begin ? released[round] : begin);
}

static int await(int count) {
  pthread_barrier_init(meeting, NULL, 2);
  begin_waits();
  pthread_t holder, threads[count + 1];
  pthread_create(&holder, NULL, other, NULL);
  use_one_processor();
  for (int i = 0; i < count; i++) pthread_create(&threads[i], NULL, busy, NULL);
  double blocked = 0, late = 0;
  for (int i = 0; i < ROUNDS; i++) rest(i, &blocked, &late);
  stop = 1;
  for (int i = 0; i < count; i++) pthread_join(threads[i], NULL);
  pthread_join(holder, NULL);
  printf("blocked=%.6f\nlate=%.6f\n", blocked, late);
  return 0;
}

int main(int argc, char** argv) {
  if (argc < 2) {
    fprintf(stderr, "usage: descheduled threads|processes COUNT, or descheduled flock|read|fault|yield [COUNT]\n");
    return 2;
  }
  call = argv[1];
  const int count = argc > 2 ? atoi(argv[2]) : 0;
  meeting = shared(sizeof *meeting);
  const int processes = strcmp(call, "processes") == 0;
  if (!processes && strcmp(call, "threads") != 0) return await(count);
  use_one_processor();
  return compete(processes, count);
}
