// Work whose amount is known: one unit is a fixed number of dependent arithmetic steps, about
// one millisecond on a 3 GHz processor. Nothing is measured and nothing sleeps, so that the
// ratio of two amounts of work is the ratio of their units on any machine.
#ifndef PARALLAX_TESTS_WORK_H
#define PARALLAX_TESTS_WORK_H

#include <stdint.h>

#define STEPS_PER_UNIT 750000L

static volatile uint64_t work_sink;

// A macro, because tables show inlined functions: the time is that of the procedure that works.
#define work(units)                                                   \
  do {                                                                \
    uint64_t work_x = 88172645463325252u;                             \
    for (long work_i = 0; work_i < (units) * STEPS_PER_UNIT; ++work_i) { \
      work_x = work_x * 6364136223846793005u + 1442695040888963407u;  \
    }                                                                 \
    work_sink = work_x;                                               \
  } while (0)

// A procedure that is to be seen in call paths: not inlined, and not folded with one of the same body.
#ifdef __clang__
#define PROCEDURE __attribute__((noinline))
#else
#define PROCEDURE __attribute__((noinline, noclone, no_icf))
#endif

#endif
