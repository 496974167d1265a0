// Does what the lines of its standard input say, and prints each when it is done:
//   lock N         locks and unlocks a mutex N times
//   fork N         the same in a child, whose end it waits for
//   show           prints the value of `shown`, which a test can set
//   double N       prints what doubleOf() makes of it
//   execute        begins anew, by execv
//   exit N         ends with the status N; the end of the input is `exit 0`
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static volatile int shown = 1;
extern "C" __attribute__((noinline, used)) int doubleOf(int value) { return 2 * value + (shown == INT_MIN); }
extern "C" __attribute__((noinline, used)) void addShown(int more) { shown = shown + more; }

// A variable with the name of a function of libc.
__attribute__((used)) static int namesake __asm__("insque") = 1;

static void lockTimes(long count) {
  for (long i = 0; i < count; i++) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
  }
}

int main(int, char** arguments) {
  char line[256];
  setvbuf(stdout, nullptr, _IOLBF, 0);
  setvbuf(stdin, nullptr, _IONBF, 0);  // what is not read is for the next program
  while (fgets(line, sizeof line, stdin) != nullptr) {
    long count = 0;
    if (sscanf(line, "lock %ld", &count) == 1) {
      lockTimes(count);
    } else if (sscanf(line, "fork %ld", &count) == 1) {
      const pid_t child = fork();
      if (child == 0) {
        usleep(200000);  // until the child is known
        lockTimes(count);
        _exit(3);
      }
      waitpid(child, nullptr, 0);
    } else if (strcmp(line, "show\n") == 0) {
      printf("%d\n", shown);
      continue;
    } else if (sscanf(line, "double %ld", &count) == 1) {
      printf("%d\n", doubleOf(static_cast<int>(count)));
      continue;
    } else if (strcmp(line, "execute\n") == 0) {
      printf("%s", line);
      execv("/proc/self/exe", arguments);
    } else if (sscanf(line, "exit %ld", &count) == 1) {
      printf("%s", line);
      return static_cast<int>(count);
    }
    printf("%s", line);
  }
  return 0;
}
