// parallax-bench-lttng COUNT: what an enter and a leave cost as tracepoints of LTTng-UST. Prints
// as tests/programs/bench_events.c does.
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "bench/peers_lttng.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ROUNDS = 100 };

static double now_ns(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  const long count = (atol(argv[1]) + ROUNDS - 1) / ROUNDS;
  double least = 1e18;
  const double all = now_ns(CLOCK_THREAD_CPUTIME_ID);
  for (int round = 0; round < ROUNDS; ++round) {
    const double begin = now_ns(CLOCK_MONOTONIC);
    for (long i = 0; i < count; ++i) {
      lttng_ust_tracepoint(parallax_bench, enter, 1);
      lttng_ust_tracepoint(parallax_bench, leave, 1);
    }
    const double ns = (now_ns(CLOCK_MONOTONIC) - begin) / (double)count;
    if (ns < least) least = ns;
  }
  const double mean = (now_ns(CLOCK_THREAD_CPUTIME_ID) - all) / ROUNDS / (double)count;
  printf("least_ns %.3f\nmean_ns %.3f\ncount %ld\n", least, mean, count * ROUNDS);
  return 0;
}
