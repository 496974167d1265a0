// A thread that sleeps by system calls that no library makes, and the same by libc.
//
//   off_cpu CALL WAY [ROUNDS]        default 5 rounds
//
// CALL is one of: nanosleep futex read (of a timer). WAY is `inline` (the instruction, in the program's own
// code) or `libc` (by a function of libc). In each round, `compute` does work, and then `rest` meets
// `partner` at a barrier, sleeps for 30 ms, and meets it again. The mirror does the same, and only the
// routine that sleeps has a row of its own.
//
// Planted answer: the thread has no processor for all of the sleep, which is neither work of `compute`
// nor of `rest`. `partner` waits for it. Prints the seconds of the sleeps as `rest=SECONDS`, and those
// of compute.

#define _GNU_SOURCE
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "work.h"

static const struct timespec pause_time = {0, 30000000};
static pthread_barrier_t meeting;
static int timer, rounds = 5;
static uint32_t word;
static const char* call;
static int is_inline;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static long inline_call(long number, long a, long b, long c, long d) {
  long result;
  register long fourth __asm__("r10") = d;
  __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c), "r"(fourth)
                   : "rcx", "r11", "memory");
  return result;
}

static void sleep_once(void) {
  if (strcmp(call, "nanosleep") == 0) {
    if (is_inline) {
      inline_call(SYS_nanosleep, (long)&pause_time, 0, 0, 0);
    } else {
      nanosleep(&pause_time, NULL);
    }
  } else if (strcmp(call, "futex") == 0) {
    if (is_inline) {
      inline_call(SYS_futex, (long)&word, FUTEX_WAIT_PRIVATE, 0, (long)&pause_time);
    } else {
      syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, &pause_time);
    }
  } else {
    uint64_t expirations;
    if (is_inline) {
      inline_call(SYS_read, timer, (long)&expirations, sizeof expirations, 0);
    } else if (read(timer, &expirations, sizeof expirations) < 0) {
      abort();
    }
  }
}

static void* partner(void* none) {
  for (int i = 0; i < 2 * rounds; i++) pthread_barrier_wait(&meeting);
  return none;
}

PROCEDURE static double compute(void) {
  const double begin = now();
  work(20);
  return now() - begin;
}

PROCEDURE static double rest(void) {
  const struct itimerspec once = {{0, 0}, pause_time};
  timerfd_settime(timer, 0, &once, NULL);
  pthread_barrier_wait(&meeting);
  const double begin = now();
  sleep_once();
  const double taken = now() - begin;
  pthread_barrier_wait(&meeting);
  return taken;
}

int main(int argc, char** argv) {
  if (argc < 3) {
    fprintf(stderr, "usage: off_cpu nanosleep|futex|read inline|libc [ROUNDS]\n");
    return 2;
  }
  call = argv[1];
  is_inline = strcmp(argv[2], "inline") == 0;
  if (argc > 3) rounds = atoi(argv[3]);
  timer = timerfd_create(CLOCK_MONOTONIC, 0);
  pthread_barrier_init(&meeting, NULL, 2);
  pthread_t thread;
  pthread_create(&thread, NULL, partner, NULL);
  double computed = 0, rested = 0;
  for (int i = 0; i < rounds; i++) {
    computed += compute();
    rested += rest();
  }
  pthread_join(thread, NULL);
  printf("compute=%.6f\nrest=%.6f\n", computed, rested);
  return 0;
}
