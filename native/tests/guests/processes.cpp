// Makes processes. The first argument names the scenario.
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace {

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void work(int rounds) {
  for (int i = 0; i < rounds; i++) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
  }
}

int wait(pid_t pid) {
  int status = 0;
  waitpid(pid, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void* workInThread(void*) {
  work(3);
  return nullptr;
}

// The child records for itself: a different number of locks, and a thread of its own.
int forking() {
  work(5);
  const pid_t pid = fork();
  if (pid == 0) {
    work(7);
    pthread_t thread;
    pthread_create(&thread, nullptr, workInThread, nullptr);
    pthread_join(thread, nullptr);
    exit(12);
  }
  work(2);
  printf("child %d\n", wait(pid));
  return 0;
}

// Past libc's fork and its handlers.
int rawFork() {
  work(5);
  const long pid = syscall(SYS_fork);
  if (pid == 0) {
    work(7);
    exit(12);
  }
  printf("child %d\n", wait(static_cast<pid_t>(pid)));
  return 0;
}

// Children that only execute: one by fork, one by vfork, one by posix_spawn, one by system.
int executing(const char* self) {
  work(1);
  pid_t pid = fork();
  if (pid == 0) {
    execl(self, self, "leaf", "21", static_cast<char*>(nullptr));
    _exit(1);
  }
  printf("fork %d\n", wait(pid));
  pid = vfork();
  if (pid == 0) {
    execlp(self, self, "leaf", "22", static_cast<char*>(nullptr));
    _exit(1);
  }
  printf("vfork %d\n", wait(pid));
  pid = vfork();
  if (pid == 0) _exit(25);
  printf("vfork and _exit %d\n", wait(pid));
  char leaf[] = "leaf", status[] = "23";
  char* arguments[] = {const_cast<char*>(self), leaf, status, nullptr};
  posix_spawn(&pid, self, nullptr, nullptr, arguments, environ);
  printf("spawn %d\n", wait(pid));
  char command[4096];
  snprintf(command, sizeof command, "%s leaf 24; exit 30", self);
  printf("system %d\n", WEXITSTATUS(system(command)));
  work(1);
  return 0;
}

// This process becomes another program, after an execution that fails.
int becoming(const char* self) {
  work(4);
  const int result = execl("/nonexistent/program", "program", static_cast<char*>(nullptr));
  printf("failed %d %d\n", result, errno);
  fflush(stdout);
  work(6);
  char* environment[] = {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr};
  int count = 0;
  for (char** variable = environ; *variable != nullptr && count < 5; variable++) {
    if (strncmp(*variable, "LD_PRELOAD=", 11) == 0 || strncmp(*variable, "PARALLAX_", 9) == 0) {
      environment[count++] = *variable;
    }
  }
  execle(self, self, "leaf", "17", static_cast<char*>(nullptr), environment);
  return 1;
}

// A mutex in memory that two processes share; each takes it `rounds` times.
int sharing(int rounds) {
  struct Shared {
    pthread_mutex_t mutex;
    long count;
  };
  auto* shared = static_cast<Shared*>(mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE,
                                           MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
  pthread_mutex_init(&shared->mutex, &attributes);
  const pid_t pid = fork();
  for (int i = 0; i < rounds; i++) {
    pthread_mutex_lock(&shared->mutex);
    shared->count++;
    pthread_mutex_unlock(&shared->mutex);
  }
  if (pid == 0) exit(0);
  wait(pid);
  printf("%ld\n", shared->count);
  return 0;
}

// Closes all descriptors it does not know and opens others, as daemons do.
int closing() {
  work(3);
  syscall(SYS_close_range, 3u, ~0u, 0u);
  int last = -1;
  for (int i = 0; i < 600; i++) {
    const int fd = open("/", O_RDONLY | O_DIRECTORY);
    if (fd >= 0) last = fd;
  }
  if (chdir("/") != 0) return 1;
  for (int i = 0; i < 100000; i++) work(1);  // many blocks
  pthread_t thread;
  pthread_create(&thread, nullptr, workInThread, nullptr);
  pthread_join(thread, nullptr);
  printf("%s\n", last > 100 ? "many" : "few");
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  const char* scenario = count > 1 ? arguments[1] : "";
  if (strcmp(scenario, "fork") == 0) return forking();
  if (strcmp(scenario, "raw-fork") == 0) return rawFork();
  if (strcmp(scenario, "execute") == 0) return executing(arguments[0]);
  if (strcmp(scenario, "become") == 0) return becoming(arguments[0]);
  if (strcmp(scenario, "share") == 0) return sharing(20000);
  if (strcmp(scenario, "close") == 0) return closing();
  if (strcmp(scenario, "leaf") == 0) {
    work(9);
    return count > 2 ? atoi(arguments[2]) : 0;
  }
  return 99;
}
