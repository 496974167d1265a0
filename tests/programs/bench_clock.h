// What the programs of the benchmarks print of themselves: the section that they are for, without
// the start of the process and of its libraries.
#pragma once

#include <stdint.h>
#include <time.h>

static inline int64_t bench_clock_ns(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

// A section of the process: wall time and the CPU time of all its threads.
struct bench_section {
  int64_t wall_ns;
  int64_t cpu_ns;
};

static inline struct bench_section bench_begin(void) {
  struct bench_section begin;
  begin.cpu_ns = bench_clock_ns(CLOCK_PROCESS_CPUTIME_ID);
  begin.wall_ns = bench_clock_ns(CLOCK_MONOTONIC);
  return begin;
}

static inline struct bench_section bench_end(struct bench_section begin) {
  struct bench_section section;
  section.wall_ns = bench_clock_ns(CLOCK_MONOTONIC) - begin.wall_ns;
  section.cpu_ns = bench_clock_ns(CLOCK_PROCESS_CPUTIME_ID) - begin.cpu_ns;
  return section;
}
