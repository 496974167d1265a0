// Threads that lock without end, until killed. Argument: threads.
#include <pthread.h>
#include <stdlib.h>

namespace {

pthread_mutex_t mutexes[4] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                              PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

void* lockForever(void*) {
  for (unsigned i = 0;; i++) {
    pthread_mutex_lock(&mutexes[i % 4]);
    pthread_mutex_unlock(&mutexes[i % 4]);
    for (volatile int k = 0; k < 2000; k = k + 1) {
    }
  }
  return nullptr;
}

}  // namespace

int main(int count, char** arguments) {
  const int threads = count > 1 ? atoi(arguments[1]) : 2;
  pthread_t other;
  for (int i = 1; i < threads; i++) pthread_create(&other, nullptr, lockForever, nullptr);
  lockForever(nullptr);
}
