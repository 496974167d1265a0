/* Takes a lock, again and again, until a file is there.
 *
 *   locks_until FILE
 *
 * A tool may change `lock_unit`, and the program's reference to pthread_mutex_lock. At the end both must be as at first; what they
 * were in between is told, too. */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

volatile long lock_unit = 1;

/* Loaded anew with each call. */
__attribute__((noipa)) static void* reference(void) { return (void*)pthread_mutex_lock; }

int main(int argc, char** argv) {
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  if (argc != 2) {
    fprintf(stderr, "usage: locks_until FILE\n");
    return 2;
  }
  const void* const first = reference();
  int changed = 0;
  unsigned long locks = 0;
  while (access(argv[1], F_OK) != 0) {
    for (int i = 0; i < 20; i++, locks++) {
      pthread_mutex_lock(&mutex);
      pthread_mutex_unlock(&mutex);
      const struct timespec pause = {0, 100000};
      nanosleep(&pause, NULL);
    }
    changed |= reference() != first;
  }
  printf("locks_until unit=%ld reference=%s changed=%s locks=%s\n", lock_unit, reference() == first ? "first" : "another", changed ? "yes" : "no",
         locks > 0 ? "some" : "none");
  return 0;
}
