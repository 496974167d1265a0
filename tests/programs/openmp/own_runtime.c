// A library that holds its OpenMP runtime, of which no more than the critical sections, and has no
// name of one; for loader.c. Its threads exclude one another only if its own routines are reached.
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void __kmpc_critical(void* place, int32_t thread, void* lock) { pthread_mutex_lock(&mutex); }
void __kmpc_end_critical(void* place, int32_t thread, void* lock) { pthread_mutex_unlock(&mutex); }

static int32_t lock[8];
static volatile long sum;

static void* add(void* count) {
  const long n = *(const int*)count * 100L;
  for (long i = 0; i < n; i++) {
    __kmpc_critical(NULL, 0, lock);
    sum += i % 100;
    __kmpc_end_critical(NULL, 0, lock);
  }
  return NULL;
}

long sumOfOwn(int n) {
  pthread_t other;
  sum = 0;
  if (pthread_create(&other, NULL, add, &n) != 0) return -1;
  add(&n);
  pthread_join(other, NULL);
  return sum / 200;
}
