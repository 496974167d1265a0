// Nothing but calls of an empty function, or locks and unlocks of a mutex that nobody else wants:
// what a tool that sees them adds is the cost of its events.
//
//   bench_events calls|locks COUNT
//
// Prints nanoseconds for one of them: the least of a hundred rounds, and the mean of all by the
// CPU time of the thread.

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_clock.h"

enum { ROUNDS = 100 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

__attribute__((noinline)) void empty_function(void) { __asm__ volatile("" ::: "memory"); }

__attribute__((no_instrument_function)) static void call_often(long count) {
  for (long i = 0; i < count; ++i) empty_function();
}

__attribute__((no_instrument_function)) static void lock_often(long count) {
  for (long i = 0; i < count; ++i) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
  }
}

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  void (*often)(long) = strcmp(argv[1], "locks") == 0 ? lock_often : call_often;
  const long count = (atol(argv[2]) + ROUNDS - 1) / ROUNDS;
  double least = 1e18;
  const int64_t all = bench_clock_ns(CLOCK_THREAD_CPUTIME_ID);
  for (int round = 0; round < ROUNDS; ++round) {
    const int64_t begin = bench_clock_ns(CLOCK_MONOTONIC);
    often(count);
    const double ns = (double)(bench_clock_ns(CLOCK_MONOTONIC) - begin) / (double)count;
    if (ns < least) least = ns;
  }
  const double mean = (double)(bench_clock_ns(CLOCK_THREAD_CPUTIME_ID) - all) / ROUNDS / count;
  printf("least_ns %.3f\nmean_ns %.3f\ncount %ld\n", least, mean, count * ROUNDS);
  return 0;
}
