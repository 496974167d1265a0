// A library whose constructor is parallel, for loader.c. Meanwhile another thread loads a library,
// and so waits for the constructor to end. The constructor must not wait for it.
#include <dlfcn.h>
#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int other;
static pthread_t thread;
static long sum;

static void* load(void* unused) {
  atomic_store(&other, (int)syscall(SYS_gettid));
  dlopen("libutil.so.1", RTLD_NOW);
  return unused;
}

static char stateOf(int task) {
  char path[64], state = '?';
  snprintf(path, sizeof path, "/proc/self/task/%d/stat", task);
  FILE* file = fopen(path, "r");
  if (file == NULL) return state;
  if (fscanf(file, "%*d (%*[^)]) %c", &state) != 1) state = '?';
  fclose(file);
  return state;
}

static void waitUntilItWaits(void) {
  int asleep = 0;
  while (asleep < 20) {
    usleep(1000);
    const int task = atomic_load(&other);
    asleep = task != 0 && stateOf(task) == 'S' ? asleep + 1 : 0;
  }
}

__attribute__((constructor)) static void begin(void) {
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 1) {
      pthread_create(&thread, NULL, load, NULL);
      waitUntilItWaits();
      for (int i = 0; i < 100; i++) {
#pragma omp critical
        sum += i;
      }
    }
  }
}

long sumOfConstructor(int n) {
  if (n == 100 && thread != 0) pthread_join(thread, NULL);
  thread = 0;
  return sum;
}
