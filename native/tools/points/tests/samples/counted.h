/* Functions that count their own calls: what points at them must have counted. The program prints
   NAME COUNT for each at its end, and its results on the way. */
#pragma once

#include <stdio.h>

#define KEEP __attribute__((noinline, KEEP_ALL))
#if defined(__clang__)
#define KEEP_ALL noinline
#else
#define KEEP_ALL noipa
#endif

struct Count {
  const char *place;
  volatile long *number;
};

static inline void printCount(const char *place, long number) {
  printf("= %s %ld\n", place, number);
}
