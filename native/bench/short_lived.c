/* parallax-bench-short MODE COUNT [COMMAND...]: many short threads or processes, or a command; prints what
   they took in all, as `wall_ns NUMBER`. Modes: threads (one by one), crowd (all at once), fork, vfork
   (each executes this program again, mode nothing), run (COMMAND, once). */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void* nothing(void* argument) { return argument; }

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static int threads(int count, int atOnce) {
  pthread_t* made = malloc((size_t)atOnce * sizeof *made);
  if (made == NULL) return 1;
  for (int i = 0; i < count; i += atOnce) {
    for (int j = 0; j < atOnce; j++) {
      if (pthread_create(&made[j], NULL, nothing, NULL) != 0) return 1;
    }
    for (int j = 0; j < atOnce; j++) pthread_join(made[j], NULL);
  }
  free(made);
  return 0;
}

static int processes(int count, int byVfork, char** command) {
  for (int i = 0; i < count; i++) {
    const pid_t pid = byVfork ? vfork() : fork();
    if (pid < 0) return 1;
    if (pid == 0) {
      execvp(command[0], command);
      _exit(127);
    }
    int status;
    if (waitpid(pid, &status, 0) != pid || status != 0) return 1;
  }
  return 0;
}

int main(int argc, char** argv) {
  if (argc < 2 || strcmp(argv[1], "nothing") == 0) return 0;
  if (argc < 3) return 2;
  const char* mode = argv[1];
  const int count = atoi(argv[2]);
  char* again[] = {"/proc/self/exe", "nothing", NULL};
  const double start = now();
  int failed = 1;
  if (strcmp(mode, "threads") == 0) failed = threads(count, 1);
  if (strcmp(mode, "crowd") == 0) failed = threads(count, count);
  if (strcmp(mode, "fork") == 0) failed = processes(count, 0, again);
  if (strcmp(mode, "vfork") == 0) failed = processes(count, 1, again);
  if (strcmp(mode, "run") == 0 && argc > 3) failed = processes(count, 1, argv + 3);
  printf("wall_ns %.0f\n", now() - start);
  return failed;
}
