#include <pthread.h>
#include <stdio.h>

int other(int x);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long sum;

static void *add(void *argument) {
  for (int i = 0; i < 10000; i++) {
    pthread_mutex_lock(&lock);
    sum += other((int)(long)argument);
    pthread_mutex_unlock(&lock);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[4];
  for (long i = 0; i < 4; i++) pthread_create(&threads[i], NULL, add, (void *)i);
  for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
  printf("%ld\n", sum);
  return 0;
}
