// Functions whose time is all in leaves of libraries, which the program's authors cannot change.
//
//   library_leaves LEAF [ROUNDS]        default 5 rounds
//
// LEAF is what `first` and `second` call, `second` twice as often as `first`:
//
//   memcpy, sin, clock (clock_gettime)          libc, libm and the vDSO, called by name
//   memcpy_pointer, sin_pointer, clock_pointer  the same by a pointer to the function
//   sin_sort                                    sin in a comparison of the program, which libc's qsort calls
//   usleep, clock_nanosleep                     20 and 40 ms of sleep
//
// In each round `first` and `second` meet `partner`, another thread, at a barrier.
//
// Planted answer: all that the program does is in `first` and `second`, for which `partner` waits. Prints the seconds
// of each as `first=SECONDS second=SECONDS`, and those of `partner` at barriers.

#define _GNU_SOURCE
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "work.h"

enum { kBytes = 1 << 18, kCopies = 1000, kSines = 1000000, kReads = 500000, kSorts = 30, kSorted = 1000 };

static const char* leaf;
static int rounds = 5;
static pthread_barrier_t meeting;
static char from[kBytes], to[kBytes];
static volatile double sum;
static volatile double argument = 0.7;

static void* (*volatile copy)(void*, const void*, size_t) = memcpy;
static double (*volatile sine)(double) = sin;
static int (*volatile readClock)(clockid_t, struct timespec*) = clock_gettime;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

// The compiler must not leave a copy out.
#define keep(bytes) ({ __asm__ volatile("" : : "r"(bytes) : "memory"); })

static int is(const char* name) { return strcmp(leaf, name) == 0; }

// Their difference decides, but so that the compiler cannot know it.
static int compareBySine(const void* a, const void* b) {
  const double left = sin(argument + *(const int*)a), right = sin(argument + *(const int*)b);
  return (left > right) - (left < right);
}

// Macros, because tables show inlined functions: the leaves are called in `first` and `second`.
#define SORT()                                                        \
  do {                                                                \
    static int numbers[kSorted];                                      \
    for (int k = 0; k < kSorted; k++) numbers[k] = k;                 \
    qsort(numbers, kSorted, sizeof numbers[0], compareBySine);        \
  } while (0)

#define REPEAT(name, times, call) \
  if (is(name)) for (long i = 0; i < (times); i++) call

#define CALL_LEAF(times)                                                                       \
  do {                                                                                         \
    struct timespec time = {0, (times) * 20000000L};                                           \
    REPEAT("usleep", 1, usleep((times) * 20000));                                              \
    REPEAT("clock_nanosleep", 1, clock_nanosleep(CLOCK_MONOTONIC, 0, &time, NULL));            \
    REPEAT("memcpy", (times) * kCopies, (memcpy(to, from, kBytes), keep(to)));                 \
    REPEAT("memcpy_pointer", (times) * kCopies, copy(to, from, kBytes));                       \
    REPEAT("sin", (times) * kSines, sum += sin(argument));                                     \
    REPEAT("sin_pointer", (times) * kSines, sum += sine(argument));                            \
    REPEAT("sin_sort", (times) * kSorts, SORT());                                              \
    REPEAT("clock", (times) * kReads, clock_gettime(CLOCK_MONOTONIC, &time));                  \
    REPEAT("clock_pointer", (times) * kReads, readClock(CLOCK_MONOTONIC, &time));              \
  } while (0)

static PROCEDURE void first(void) { CALL_LEAF(1); }
static PROCEDURE void second(void) { CALL_LEAF(2); }

static PROCEDURE void* partner(void* seconds) {
  for (int i = 0; i < 2 * rounds; i++) {
    const double before = now();
    pthread_barrier_wait(&meeting);
    *(double*)seconds += now() - before;
  }
  return NULL;
}

int main(int argc, char** argv) {
  if (argc < 2) {
    fprintf(stderr, "library_leaves LEAF [ROUNDS]\n");
    return 2;
  }
  leaf = argv[1];
  if (argc > 2) rounds = atoi(argv[2]);
  double seconds[3] = {0, 0, 0};
  pthread_t thread;
  pthread_barrier_init(&meeting, NULL, 2);
  if (pthread_create(&thread, NULL, partner, &seconds[2]) != 0) return 3;
  for (int i = 0; i < rounds; i++) {
    double before = now();
    first();
    seconds[0] += now() - before;
    pthread_barrier_wait(&meeting);
    before = now();
    second();
    seconds[1] += now() - before;
    pthread_barrier_wait(&meeting);
  }
  pthread_join(thread, NULL);
  printf("first=%.6f second=%.6f partner=%.6f\n", seconds[0], seconds[1], seconds[2]);
  return 0;
}
