// Two threads that execute at the same time, and one after the other: the normalized time of what
// they do is known (NptTest). Compile with bin/parallax-cc -pthread.
//
// Usage: alone_together ROUNDS WORK
//
// Each round both threads call together(), meet at a barrier, then one of them calls alone() while
// the other waits at a second one. Prints, in ns, what clocks tell of the calls: together and alone,
// the time in them; together_cpu and alone_cpu, their CPU time; together_npt, the time in together()
// with that in which both threads were in it halved; together_delay and alone_delay, how long the kernel
// let the threads wait for a processor. Each thread keeps to a processor of its own: a
// kernel that wakes both on one would have them take turns.
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define UNMEASURED __attribute__((no_instrument_function))

static pthread_barrier_t barrier;
static volatile double sink;
static long rounds;
static long work;
static long long began[2];
static long long ended[2];
static long long cpu[2];
static long long in_together;
static long long normalized;
static long long in_alone;
static long long alone_cpu[2];
static long long together_delay[2];
static long long alone_delay[2];

UNMEASURED static long long now(clockid_t clock) {
  struct timespec at;
  clock_gettime(clock, &at);
  return at.tv_sec * 1000000000LL + at.tv_nsec;
}

// How long this thread was ready to run and had no processor.
UNMEASURED static long long delay(void) {
  char text[100] = "";
  long long ran = 0, waited = 0;
  int file = open("/proc/thread-self/schedstat", O_RDONLY);
  if (file < 0 || read(file, text, sizeof text - 1) <= 0 || sscanf(text, "%lld %lld", &ran, &waited) != 2) {
    perror("schedstat");
    exit(1);
  }
  close(file);
  return waited;
}

UNMEASURED static void burn(long times) {
  double x = 1;
  for (long i = 0; i < times; i++) {
    x = x * 1.0000001 + 1e-9;
  }
  sink = x;
}

__attribute__((noinline)) void together(int me) {
  began[me] = now(CLOCK_MONOTONIC);
  cpu[me] -= now(CLOCK_THREAD_CPUTIME_ID);
  burn(work);
  cpu[me] += now(CLOCK_THREAD_CPUTIME_ID);
  ended[me] = now(CLOCK_MONOTONIC);
}

__attribute__((noinline)) void alone(int me) {
  long long begin = now(CLOCK_MONOTONIC);
  alone_cpu[me] -= now(CLOCK_THREAD_CPUTIME_ID);
  burn(work);
  alone_cpu[me] += now(CLOCK_THREAD_CPUTIME_ID);
  in_alone += now(CLOCK_MONOTONIC) - begin;
}

// While the other thread waits.
UNMEASURED static void add_up(void) {
  long long first = began[0] > began[1] ? began[0] : began[1];
  long long last = ended[0] < ended[1] ? ended[0] : ended[1];
  long long both = last > first ? last - first : 0;
  long long sum = ended[0] - began[0] + ended[1] - began[1];
  in_together += sum;
  normalized += sum - both;
}

// To the first processor that the program may use, or to the second.
UNMEASURED static void keep_to_processor(int me) {
  cpu_set_t allowed;
  sched_getaffinity(0, sizeof allowed, &allowed);
  int skip = me;
  for (int processor = 0; processor < CPU_SETSIZE; processor++) {
    if (CPU_ISSET(processor, &allowed) && skip-- == 0) {
      CPU_ZERO(&allowed);
      CPU_SET(processor, &allowed);
      pthread_setaffinity_np(pthread_self(), sizeof allowed, &allowed);
      return;
    }
  }
}

UNMEASURED static void *run(void *argument) {
  int me = argument != NULL;
  keep_to_processor(me);
  for (long i = 0; i < rounds; i++) {
    together_delay[me] -= delay();
    pthread_barrier_wait(&barrier);
    together(me);
    together_delay[me] += delay();
    pthread_barrier_wait(&barrier);
    if (i % 2 == me) {
      add_up();
      alone_delay[me] -= delay();
      alone(me);
      alone_delay[me] += delay();
    }
  }
  pthread_barrier_wait(&barrier);
  return NULL;
}

int main(int argc, char **argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: alone_together ROUNDS WORK\n");
    return 2;
  }
  rounds = atol(argv[1]);
  work = atol(argv[2]);
  pthread_barrier_init(&barrier, NULL, 2);
  pthread_t other;
  if (pthread_create(&other, NULL, run, &barrier) != 0) {
    return 1;
  }
  run(NULL);
  pthread_join(other, NULL);
  printf("together=%lld together_cpu=%lld together_npt=%lld together_delay=%lld\n", in_together,
         cpu[0] + cpu[1], normalized, together_delay[0] + together_delay[1]);
  printf("alone=%lld alone_cpu=%lld alone_delay=%lld\n", in_alone, alone_cpu[0] + alone_cpu[1],
         alone_delay[0] + alone_delay[1]);
  return 0;
}
