/* Three places with known effects: each call of step takes as long as it is delayed, a late check
   finds the helper ready and saves a long way round, and report matters to nobody. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

static atomic_int ready;
static volatile long sum;

static void *helper(void *unused) {
  usleep(8000);
  ready = 1;
  return unused;
}

__attribute__((noinline)) static int check(void) {
  return ready;
}

__attribute__((noinline)) static void step(int i) {
  usleep(100);
  sum += i;
}

__attribute__((noinline)) static void report(void) {
  printf("sum %ld\n", sum);
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, helper, 0);
  if (!check()) {
    usleep(400000);
  }
  for (int i = 0; i < 100; i++) {
    step(i);
  }
  report();
  pthread_join(thread, 0);
  return 0;
}
