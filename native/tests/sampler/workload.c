// FLAVOUR is the name that this compilation gives to its table.
#include "workload.h"

#include <alloca.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOINLINE __attribute__((noinline, noclone))
#define JOIN2(a, b) a##b
#define JOIN(a, b) JOIN2(a, b)

static volatile long sink;

static void here(void) {
  if (workload_here != NULL) workload_here();
}

static NOINLINE long leaf(long a, long b) { return a * 31 + b; }

static NOINLINE long fibonacci(long n) {
  if (n < 2) {
    if (n == 1) here();
    return n;
  }
  return fibonacci(n - 1) + fibonacci(n - 2);
}
static void recursion(void) { sink = fibonacci(6); }

static NOINLINE long onTheStack(size_t size, long seed) {
  char* a = alloca(size);
  long vla[size / 8 + 1];
  memset(a, (int)seed, size);
  vla[size / 8] = leaf(seed, a[size - 1]);
  here();
  return vla[size / 8] + leaf(a[0], seed);
}
static void variableFrames(void) {
  for (size_t size = 16; size < 200; size += 40) sink += onTheStack(size, (long)size);
}

static int compare(const void* a, const void* b) {
  here();
  return (int)leaf(*(const int*)a - *(const int*)b, 0) / 31;
}
static void callbacks(void) {
  int values[12] = {5, 3, 8, 1, 9, 2, 7, 4, 6, 0, 11, 10};
  qsort(values, 12, sizeof values[0], compare);
  const int key = 7;
  sink += bsearch(&key, values, 12, sizeof values[0], compare) != NULL;
}

static NOINLINE long tail3(long a) {
  here();
  return leaf(a, 1) + 1;
}
static NOINLINE long tail2(long a) { return tail3(a + 1); }
static NOINLINE long tail1(long a) { return tail2(a * 2); }
static void tailCalls(void) { sink += tail1(5); }

struct Big {
  long values[9];
};
static NOINLINE struct Big manyArguments(long a, long b, long c, long d, long e, long f, long g,
                                         long h, struct Big big) {
  big.values[0] = a + b * c + d - e + f * g + h;
  here();
  big.values[1] = leaf(big.values[0], h);
  return big;
}
static void arguments(void) {
  struct Big big = {{1, 2, 3, 4, 5, 6, 7, 8, 9}};
  for (int i = 0; i < 3; ++i) big = manyArguments(1, 2, i, 4, 5, 6, 7, 8, big);
  sink += big.values[1];
}

static NOINLINE void variadic(char* buffer, size_t size, const char* format, ...) {
  va_list list;
  va_start(list, format);
  vsnprintf(buffer, size, format, list);
  va_end(list);
}
static void printing(void) {
  char buffer[64];
  variadic(buffer, sizeof buffer, "%d %s %.3g", 42, "text", 2.5);
  sink += buffer[0];
}

static NOINLINE void fill(double* values, int count) {
  for (int i = 0; i < count; ++i) values[i] = i * 0.5;
  here();
}
static NOINLINE double aligned(int n) {
  double values[32] __attribute__((aligned(64)));
  char* extra = alloca((size_t)n);
  extra[0] = (char)n;
  fill(values, 32);
  return values[n] + extra[0] + (double)leaf(n, n);
}
static void realignedStack(void) { sink += (long)(aligned(3) + aligned(17)); }

static jmp_buf place;
static NOINLINE void jump(int depth) {
  if (depth > 0) {
    jump(depth - 1);
    sink++;
  } else if (sink != -1) {
    longjmp(place, 1);
  }
}
static void nonLocal(void) {
  if (setjmp(place) == 0) jump(4);
  here();
}

static NOINLINE long shrinkWrapped(long* list, long n) {
  if (n == 0) return 0;  // before the prologue
  long sum = 0;
  for (long i = 0; i < n; ++i) sum += leaf(list[i], sum) ^ leaf(sum, i);
  here();
  if (sum == 1) return leaf(sum, n);  // in the middle, with its own epilogue
  return sum + leaf(n, list[n - 1]);
}
static void earlyReturns(void) {
  long list[4] = {1, 2, 3, 4};
  sink += shrinkWrapped(list, 0) + shrinkWrapped(list, 4);
}

static void onSignal(int number) {
  sink += leaf(number, 1);
  here();
}
static NOINLINE void raiseIn(int flags) {
  struct sigaction action, old;
  memset(&action, 0, sizeof action);
  action.sa_handler = onSignal;
  action.sa_flags = flags;
  sigaction(SIGUSR1, &action, &old);
  raise(SIGUSR1);
  sigaction(SIGUSR1, &old, NULL);
}
static void signalFrame(void) { raiseIn(0); }
static void signalFrameElsewhere(void) { raiseIn(SA_ONSTACK); }

const struct Piece FLAVOUR[] = {
    {"recursion", recursion},
    {"variableFrames", variableFrames},
    {"callbacks", callbacks},
    {"tailCalls", tailCalls},
    {"arguments", arguments},
    {"printing", printing},
    {"realignedStack", realignedStack},
    {"nonLocal", nonLocal},
    {"earlyReturns", earlyReturns},
    {"signalFrame", signalFrame},
    {"signalFrameElsewhere", signalFrameElsewhere},
    {NULL, NULL},
};
