// What parallax-bench-openmp runs with and without the agent: prints a line `NAME NANOSECONDS` for
// each figure, each the least of many short rounds.
//
//   openmp_bench [ROUNDS]

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <x86intrin.h>

enum { BATCH = 64 };

static double now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1e9 + now.tv_nsec;
}

static int rounds;
static volatile unsigned long long sink;

// The least mean time of one of BATCH calls over all rounds.
static double least(double (*round)(void)) {
  double best = 1e18;
  for (int i = 0; i < rounds; ++i) {
    const double ns = round();
    if (ns < best) best = ns;
  }
  return best / BATCH;
}

static double read_counter(void) {
  const double begin = now_ns();
  for (int i = 0; i < BATCH; ++i) sink = __rdtsc();
  return now_ns() - begin;
}

static double regions_of(int threads) {
  const double begin = now_ns();
  for (int i = 0; i < BATCH; ++i) {
#pragma omp parallel num_threads(threads)
    sink = 1;
  }
  return now_ns() - begin;
}
static double region1(void) { return regions_of(1); }
static double region2(void) { return regions_of(2); }

static double barrier(void) {
  double taken = 0;
#pragma omp parallel num_threads(2)
  {
#pragma omp barrier
    const double begin = now_ns();
    for (int i = 0; i < BATCH; ++i) {
#pragma omp barrier
    }
#pragma omp master
    taken = now_ns() - begin;
  }
  return taken;
}

static double critical(void) {
  const double begin = now_ns();
  for (int i = 0; i < BATCH; ++i) {
#pragma omp critical(door)
    sink = 1;
  }
  return now_ns() - begin;
}

static double task(void) {
  double taken = 0;
#pragma omp parallel num_threads(1)
  {
    const double begin = now_ns();
    for (int i = 0; i < BATCH; ++i) {
#pragma omp task
      sink = 1;
#pragma omp taskwait
    }
    taken = now_ns() - begin;
  }
  return taken;
}

// Each depends on the one before, which has ended.
static double dependent(void) {
  double taken = 0;
#pragma omp parallel num_threads(1)
  {
    const double begin = now_ns();
    for (int i = 0; i < BATCH; ++i) {
#pragma omp task depend(inout : sink)
      sink = 1;
#pragma omp taskwait
    }
    taken = now_ns() - begin;
  }
  return taken;
}

int main(int argc, char** argv) {
  rounds = argc > 1 ? atoi(argv[1]) : 1000;
  printf("rdtsc %f\n", least(read_counter));
  printf("region1 %f\n", least(region1));
  printf("region2 %f\n", least(region2));
  printf("barrier %f\n", least(barrier));
  printf("critical %f\n", least(critical));
  printf("task %f\n", least(task));
  printf("dependent %f\n", least(dependent));
  return 0;
}
