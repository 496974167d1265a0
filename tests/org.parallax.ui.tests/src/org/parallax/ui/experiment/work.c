/* Three places with known effects: each call of step takes as long as it is delayed, a check that comes
   late saves a long way round, and report matters to nobody. With an argument all of that is CPU time,
   which other programs do not change. */
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static clockid_t used = CLOCK_MONOTONIC;
static long begin;
static volatile long sum;

static long now(void) {
  struct timespec time;
  clock_gettime(used, &time);
  return time.tv_sec * 1000000 + time.tv_nsec / 1000;
}

__attribute__((noinline)) static int check(void) {
  return now() - begin > 8000;
}
__attribute__((noinline)) static void step(int i) {
  usleep(100);
  sum += i;
}

__attribute__((noinline)) static void report(void) {
  printf("sum %ld\n", sum);
}

int main(int count, char **arguments) {
  if (count > 1) used = CLOCK_PROCESS_CPUTIME_ID;
  begin = now();
  if (!check()) {
    for (long end = now() + 400000; now() < end;) {
      if (count == 1) usleep(end - now());
    }
  }
  for (int i = 0; i < 100; i++) {
    step(i);
  }
  report();
  return 0;
}
