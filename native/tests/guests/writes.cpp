// What a program must not notice of the threads by which --transport async writes events. Arguments: one of the names below,
// and `beside` for a thread that does it beside the first one, or `first` for another thread beside that does nothing; or
// `forbid` and a command that may not use io_uring.
// Exits with 0 if all is as without the agent; a failure is told on the standard error.
#include <dirent.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

constexpr int kRounds = 80;

struct Mode {
  const char* name;
  int (*run)();
};

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void lock(int times) {
  for (int i = 0; i < times; i++) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
  }
}

int fail(const char* what, int round) {
  fprintf(stderr, "round %d: %s\n", round, what);
  return 1;
}

// Has the transport a thread at work at some time? Exits with 3 if not.
int threads() {
  for (int round = 0; round < 200; round++) {
    lock(75);
    struct stat status;
    if (stat("/proc/self/task", &status) == 0 && status.st_nlink > 3) return 0;
  }
  return 3;
}

// Has the kernel a thread for io_uring in this process? Exits with 3 if not.
int ring() {
  lock(15000);
  DIR* directory = opendir("/proc/self/task");
  bool found = false;
  while (const dirent* entry = directory != nullptr ? readdir(directory) : nullptr) {
    char path[300], name[32] = "";
    snprintf(path, sizeof path, "/proc/self/task/%s/comm", entry->d_name);
    const int file = open(path, O_RDONLY);
    if (file >= 0 && read(file, name, sizeof name - 1) > 0) found = found || strncmp(name, "iou-wrk", 7) == 0;
    close(file);
  }
  closedir(directory);
  return found ? 0 : 3;
}

// No wait ends before its time.
int waits() {
  const int poll = epoll_create1(EPOLL_CLOEXEC);
  for (int round = 0; round < kRounds; round++) {
    lock(977);
    epoll_event event;
    if (epoll_wait(poll, &event, 1, 1) != 0) return fail("epoll_wait was interrupted", round);
  }
  return 0;
}

// The kernel refuses both to a process with several threads, and both have no effect in one without.
int alone() {
  for (int round = 0; round < kRounds; round++) {
    lock(217);
    if (unshare(CLONE_THREAD) != 0) return fail("unshare", round);
    lock(211);
    if (syscall(SYS_unshare, CLONE_THREAD) != 0) return fail("syscall(SYS_unshare)", round);
  }
  return 0;
}

// The first thread writes beside another one, and is then alone again.
int aloneAgain() {
  pthread_t other;
  pthread_create(&other, nullptr, [](void*) -> void* {
    lock(15000);
    return nullptr;
  }, nullptr);
  lock(15000);
  pthread_join(other, nullptr);
  for (int tries = 0; tries < 1000; tries++) {  // the other may be about to go
    if (unshare(CLONE_THREAD) == 0) return alone();
    usleep(1000);
  }
  return fail("unshare after another thread", 0);
}

int openFiles() {
  int count = 0;
  DIR* directory = opendir("/proc/self/fd");
  while (directory != nullptr && readdir(directory) != nullptr) count++;
  closedir(directory);
  return count;
}

// A child has the descriptors of its parent and no other.
int forks() {
  const int before = openFiles();
  for (int round = 0; round < kRounds / 8; round++) {
    lock(1021);
    const pid_t child = fork();
    if (child == 0) _exit(openFiles() == before ? 0 : 1);
    int status;
    waitpid(child, &status, 0);
    if (status != 0) return fail("the child has other descriptors", round);
  }
  return 0;
}

// Closes all descriptors, and uses the numbers for a file of its own, which must stay empty.
int descriptors() {
  char name[] = "/tmp/parallax-writes-XXXXXX";
  const int own = mkstemp(name);
  if (own != 3 && (dup2(own, 3) != 3 || close(own) != 0)) return fail("dup2", 0);
  unlink(name);
  for (int round = 0; round < kRounds; round++) {
    lock(523);
    for (int fd = 490; fd < 520; fd++) dup2(3, fd);
    struct stat status;
    lock(509);
    if (fstat(3, &status) != 0 || status.st_size != 0) return fail("something is in the program's file", round);
    syscall(SYS_close_range, 4, ~0u, 0);
  }
  return 0;
}

// A filter that ends the process at a system call of such a thread. Each in a process of its own.
int filter() {
  sock_filter steps[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_munmap, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog program{sizeof steps / sizeof steps[0], steps};
  for (int round = 0; round < kRounds / 10; round++) {
    const pid_t child = fork();
    if (child == 0) {
      lock(4000 + 331 * round);
      prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
      if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) != 0) _exit(1);
      lock(20000);
      _exit(0);
    }
    int status;
    waitpid(child, &status, 0);
    if (status != 0) return fail(WIFSIGNALED(status) ? "the filter ended the process" : "no filter", round);
  }
  return 0;
}

// A filter that allows all: the agent, which would give it to a thread of its own, makes none.
int restricted() {
  sock_filter step = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  const sock_fprog program{1, &step};
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) != 0) return fail("no filter", 0);
  return threads() == 3 ? 0 : fail("the agent has a thread", 0);
}

int forbid(char** command) {
  sock_filter steps[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_io_uring_setup, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog program{sizeof steps / sizeof steps[0], steps};
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) != 0) return fail("no filter", 0);
  execvp(command[0], command);
  return fail(command[0], 0);
}

void* idle(void*) {
  pause();
  return nullptr;
}

void* runMode(void* mode) {
  return reinterpret_cast<void*>(static_cast<intptr_t>(static_cast<const Mode*>(mode)->run()));
}

// The limit on the size of files, low and high by turns.
void* limit(void*) {
  for (;;) {
    rlimit limit{4096, RLIM_INFINITY};
    setrlimit(RLIMIT_FSIZE, &limit);
    limit.rlim_cur = RLIM_INFINITY;
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  return nullptr;
}

void* lockLong(void*) {
  lock(10000);
  return nullptr;
}

int limits() {
  pthread_t other;
  pthread_create(&other, nullptr, limit, nullptr);
  for (int round = 0; round < kRounds / 5; round++) {
    pthread_create(&other, nullptr, lockLong, nullptr);
    pthread_join(other, nullptr);
  }
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  constexpr Mode kModes[] = {{"threads", threads},         {"alone", alone},   {"forks", forks},
                             {"descriptors", descriptors}, {"filter", filter}, {"restricted", restricted},
                             {"ring", ring},               {"waits", waits},   {"limits", limits},
                             {"alone-again", aloneAgain}};
  if (count > 2 && strcmp(arguments[1], "forbid") == 0) return forbid(arguments + 2);
  pthread_t other;
  const bool isBeside = count > 2 && strcmp(arguments[2], "beside") == 0;
  if (count > 2 && !isBeside) pthread_create(&other, nullptr, idle, nullptr);
  for (const Mode& mode : kModes) {
    if (count < 2 || strcmp(arguments[1], mode.name) != 0) continue;
    if (!isBeside) return mode.run();
    void* result;
    pthread_create(&other, nullptr, runMode, const_cast<Mode*>(&mode));
    pthread_join(other, &result);
    return static_cast<int>(reinterpret_cast<intptr_t>(result));
  }
  return 2;
}
