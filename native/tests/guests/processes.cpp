// Makes processes. The first argument names the scenario.
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pty.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>
#include <vector>

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

// Made by a thread whose stack becomes that of the child's main thread; the child leaves a wait
// from a signal handler.
sigjmp_buf back;
void jumpBack(int) { siglongjmp(back, 1); }
void* forkInThread(void*) {
  work(5);
  const pid_t pid = fork();
  if (pid == 0) {
    signal(SIGALRM, jumpBack);
    pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&held);
    if (sigsetjmp(back, 1) == 0) {
      ualarm(20000, 0);
      pthread_mutex_lock(&held);
    }
    work(7);
    exit(12);
  }
  printf("child %d\n", wait(pid));
  return nullptr;
}
int forkingInThread() {
  pthread_t thread;
  pthread_create(&thread, nullptr, forkInThread, nullptr);
  pthread_join(thread, nullptr);
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

// Three children, of which the i-th has i children of its own, each waited for in another way.
// Statuses: 30 + i for children, 10 * (i + 1) + j for grandchildren; the last child is killed.
int family() {
  for (int i = 0; i < 4; i++) {
    const pid_t pid = fork();
    if (pid != 0) continue;
    for (int j = 0; j < i; j++) {
      if (fork() == 0) {
        work(1);
        _exit(10 * (i + 1) + j);
      }
    }
    int sum = 0, status = 0;
    for (int j = 0; j < i; j++) {
      if (::wait(&status) > 0) sum += WEXITSTATUS(status);
    }
    if (i == 3) kill(getpid(), SIGKILL);
    exit(sum == i * 10 * (i + 1) + i * (i - 1) / 2 ? 30 + i : 1);
  }
  int statuses[4] = {};
  for (int left = 4; left > 0; left--) {
    int status = 0;
    rusage usage;
    siginfo_t info;
    switch (left) {
      case 4: wait3(&status, 0, &usage); break;
      case 3: wait4(-1, &status, 0, &usage); break;
      case 2:
        waitid(P_ALL, 0, &info, WEXITED);
        status = info.si_code == CLD_EXITED ? info.si_status << 8 : info.si_status;
        break;
      default:
        while (waitpid(-1, &status, WNOHANG) == 0) usleep(1000);
    }
    const int which = WIFSIGNALED(status) ? 3 : WEXITSTATUS(status) - 30;
    if (which >= 0 && which < 4) statuses[which] = status;
  }
  for (const int status : statuses) printf("%d ", status);
  printf("no more: %d %d\n", ::wait(nullptr), errno);
  return 0;
}

int startLeaf(void* self) {
  execl(static_cast<char*>(self), static_cast<char*>(self), "leaf", "47", nullptr);
  return 127;
}

// One child by each way of creation. Prints what each answers.
int creating(const char* self) {
  work(1);
  char leaf[] = "leaf", status[] = "40";
  char* arguments[] = {const_cast<char*>(self), leaf, status, nullptr};
  auto last = [&](char digit) { return status[1] = digit, arguments; };
  pid_t pid = fork();
  if (pid == 0) execv(self, last('0'));
  printf("fork %d\n", wait(pid));
  // What the child does before it executes is not the parent's doing.
  pid = vfork();
  if (pid == 0) {
    work(100);
    execv(self, last('1'));
  }
  printf("vfork %d\n", wait(pid));
  pid = vfork();
  if (pid == 0) {
    const pid_t inner = vfork();  // by a child of vfork
    if (inner == 0) _exit(3);
    _exit(wait(inner) + 50);
  }
  printf("vfork in vfork %d\n", wait(pid));
  printf("spawn %d", posix_spawn(&pid, self, nullptr, nullptr, last('2'), environ));
  printf(" %d\n", wait(pid));
  printf("spawnp %d", posix_spawnp(nullptr, self, nullptr, nullptr, last('3'), environ));
  printf(" %d\n", wait(-1));
  errno = 0;
  printf("spawn of nothing %d %d\n",
         posix_spawn(&pid, "/nonexistent", nullptr, nullptr, arguments, environ), errno);
  char command[4096];
  snprintf(command, sizeof command, "exec %s leaf 44", self);
  fflush(stdout);
  printf("system %d\n", WEXITSTATUS(system(command)));
  printf("system %d %d %d\n", system("exit 3") >> 8, system("kill -9 $$"), system(nullptr));
  snprintf(command, sizeof command, "exec %s leaf 45", self);
  FILE* reader = popen(command, "r");
  printf("popen %d\n", pclose(reader) >> 8);
  reader = popen("echo words", "r");
  char words[16] = "";
  const bool read = fgets(words, sizeof words, reader) != nullptr;
  printf("popen %d %s", read, words);
  printf("pclose %d\n", pclose(reader));
  pid = _Fork();
  if (pid == 0) {
    work(5);
    _exit(46);
  }
  printf("_Fork %d\n", wait(pid));
  static char stack[65536];
  pid = clone(startLeaf, stack + sizeof stack, SIGCHLD, const_cast<char*>(self));
  printf("clone %d\n", wait(pid));
  static char other[65536];
  pid = clone([](void*) { return work(100), 48; }, other + sizeof other, CLONE_VM | CLONE_VFORK | SIGCHLD,
              nullptr);
  printf("clone with memory %d\n", wait(pid));
  work(1);
  return 0;
}

// Each way to execute: in a child that has done something before. The first one fails at first.
int executions(const char* self) {
  for (int way = 0; way < 9; way++) {
    const pid_t pid = fork();
    if (pid != 0) {
      printf("%d ", wait(pid));
      continue;
    }
    work(2);
    char leaf[] = "leaf", status[] = "60";
    status[1] = static_cast<char>('0' + way);
    char* arguments[] = {const_cast<char*>(self), leaf, status, nullptr};
    char* const end = nullptr;
    if (way == 0 && (execv("/nonexistent", arguments) != -1 || errno != ENOENT)) _exit(1);
    switch (way) {
      case 0: execv(self, arguments); break;
      case 1: execve(self, arguments, environ); break;
      case 2: execvp(self, arguments); break;
      case 3: execvpe(self, arguments, environ); break;
      case 4: execl(self, self, leaf, status, end); break;
      case 5: execlp(self, self, leaf, status, end); break;
      case 6: execle(self, self, leaf, status, end, environ); break;
      case 7: fexecve(open(self, O_RDONLY | O_CLOEXEC), arguments, environ); break;
      default: execveat(AT_FDCWD, self, arguments, environ, 0);
    }
    _exit(2);
  }
  int terminal = -1;
  const pid_t pid = forkpty(&terminal, nullptr, nullptr, nullptr);
  if (pid == 0) {
    work(4);
    exit(isatty(0) != 0 ? 70 : 1);
  }
  printf("%d\n", wait(pid));
  return 0;
}

// The keyboard's signals, in the program and in its commands, around system().
int keyboard() {
  auto shown = [](int number) {
    struct sigaction action;
    sigaction(number, nullptr, &action);
    return action.sa_handler == SIG_IGN ? "ignored" : action.sa_handler == SIG_DFL ? "default" : "?";
  };
  signal(SIGQUIT, SIG_IGN);
  sigset_t mask;
  sigemptyset(&mask);
  sigaddset(&mask, SIGUSR2);
  sigprocmask(SIG_BLOCK, &mask, nullptr);
  std::vector<std::thread> all;
  std::atomic<int> right{0};
  for (int i = 0; i < 4; i++) {
    all.emplace_back([&] {
      for (int k = 0; k < 5; k++) {
        right += system("grep -qi '^sigign:.*4$' /proc/self/status && exit 5") >> 8 == 5;
      }
    });
  }
  for (auto& thread : all) thread.join();
  printf("%d commands\n", right.load());
  sigprocmask(SIG_BLOCK, nullptr, &mask);
  printf("%s %s %d %d\n", shown(SIGINT), shown(SIGQUIT), sigismember(&mask, SIGCHLD),
         sigismember(&mask, SIGUSR2));
  // A thread that is cancelled takes its command with it.
  pthread_t thread;
  pthread_create(&thread, nullptr, [](void*) -> void* {
    system("exec sleep 100");
    return nullptr;
  }, nullptr);
  usleep(100000);
  pthread_cancel(thread);
  void* result;
  pthread_join(thread, &result);
  printf("%d %s %d\n", result == PTHREAD_CANCELED, shown(SIGINT), ::wait(nullptr));
  return 0;
}

// The grandchild lives on when all that made it have ended; it ends when the pipe is read.
int daemonising(bool byHand) {
  int ends[2];
  if (pipe(ends) != 0) return 1;
  const pid_t pid = fork();
  if (pid == 0) {
    work(1);
    if (byHand) {
      if (fork() != 0) _exit(0);
      setsid();
      if (fork() != 0) _exit(0);
    } else if (daemon(0, 0) != 0) {
      _exit(1);
    }
    work(6);
    char directory[64] = "";
    const bool away = byHand || strcmp(getcwd(directory, sizeof directory), "/") == 0;
    const char answer = away && getsid(0) != 0 ? 'y' : 'n';
    if (write(ends[1], &answer, 1) != 1) _exit(1);
    exit(33);
  }
  close(ends[1]);
  char answer = '?', end;
  const int status = wait(pid);
  if (read(ends[0], &answer, 1) != 1) answer = '!';
  while (read(ends[0], &end, 1) > 0) {
  }
  usleep(20000);
  printf("%d %c\n", status, answer);
  return 0;
}

// A little of everything, while other threads lock and wait.
int mixed(const char* self) {
  std::atomic<bool> over{false};
  std::vector<std::thread> all;
  for (int i = 0; i < 3; i++) {
    all.emplace_back([&] {
      while (!over) {
        work(20);
        usleep(100);
      }
    });
  }
  char leaf[] = "leaf";
  char* arguments[] = {const_cast<char*>(self), leaf, nullptr};
  int ended = 0;
  auto create = [&] {
    pid_t pid = fork();
    if (pid == 0) {
      static pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;  // the other may be held by a thread
      pthread_mutex_lock(&own);
      pthread_mutex_unlock(&own);
      _exit(0);
    }
    ended += wait(pid) == 0;
    pid = vfork();
    if (pid == 0) {
      execv(self, arguments);
      _exit(1);
    }
    ended += wait(pid) == 0;
    posix_spawn(&pid, self, nullptr, nullptr, arguments, environ);
    ended += wait(pid) == 0;
  };
  create();
  std::thread other([&] {
    ended += system("exit 0") == 0;
    FILE* stream = popen("exit 0", "r");
    ended += pclose(stream) == 0;
  });
  other.join();
  over = true;
  for (auto& thread : all) thread.join();
  printf("%d\n", ended);
  return 0;
}

// Looks at a child that has ended, and waits for it. Then with wrong addresses.
int looking() {
  for (const int options : {0, WNOHANG}) {
    const pid_t pid = fork();
    if (pid == 0) _exit(5);
    siginfo_t info;
    if (waitid(P_PID, pid, &info, WEXITED | WNOWAIT) != 0 || info.si_pid != pid) return 1;
    info.si_pid = 0;
    if (waitid(P_PID, pid, &info, WEXITED | WNOWAIT | WNOHANG) != 0 || info.si_pid != pid) return 1;
    int status = 0;
    printf("%d", waitpid(pid, &status, options) == pid);
    printf(" %d %d\n", WEXITSTATUS(status), waitpid(pid, &status, options) == -1);
  }
  const pid_t running = fork();
  if (running == 0) pause();
  siginfo_t info;
  info.si_pid = 77;
  printf("%d", waitid(P_PID, running, &info, WEXITED | WNOHANG));
  printf(" %d", info.si_pid);
  kill(running, SIGTERM);
  waitid(P_PID, running, &info, WEXITED | WNOWAIT);
  errno = 0;
  printf(" %d", waitid(P_PID, running, reinterpret_cast<siginfo_t*>(8), WEXITED | WNOWAIT));
  printf(" %d", errno);
  printf(" %d", waitpid(running, reinterpret_cast<int*>(8), 0));
  printf(" %d\n", errno);
  return 0;
}

std::atomic<int> brokenPipes{0};

// Commands that end without having read what is written to them.
int brokenPipe() {
  signal(SIGPIPE, [](int) { brokenPipes++; });
  for (const char* command : {"exit 0", "exit 3"}) {
    FILE* stream = popen(command, "w");
    siginfo_t info;
    waitid(P_ALL, 0, &info, WEXITED | WNOWAIT);
    fputs("words", stream);
    errno = 0;
    brokenPipes = 0;
    const int status = pclose(stream);
    printf("%d %d %d\n", status, status == -1 ? errno : 0, brokenPipes.load());
  }
  return 0;
}

// Children whose threads have the first events of the process, all at once.
int firstEvents() {
  int right = 0;
  for (int i = 0; i < 20; i++) {
    const pid_t pid = fork();
    if (pid == 0) {
      std::atomic<int> ready{0};
      std::vector<std::thread> all;
      for (int k = 0; k < 4; k++) {
        all.emplace_back([&] {
          for (ready++; ready < 4;) {
          }
          work(1);
        });
      }
      for (auto& thread : all) thread.join();
      exit(0);
    }
    right += wait(pid) == 0;
  }
  printf("%d\n", right);
  return 0;
}

// The message of a failure stays for dlerror(), whatever is called for the first time meanwhile.
int message() {
  const bool loaded = dlopen("/nonexistent/library.so", RTLD_NOW) != nullptr;
  rusage usage;
  const pid_t none = wait4(-1, nullptr, 0, &usage);
  pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
  pthread_rwlock_rdlock(&lock);
  const char* text = dlerror();
  printf("%d %d %s\n", loaded, none, text != nullptr ? text : "nothing");
  return 0;
}

// Pid 1 of a pid namespace has a child that is pid 1 of the next one: both have the same.
int inNamespaces(int depth) {
  work(depth);
  if (depth == 7) return 11;
  if (unshare(CLONE_NEWPID | (getpid() == 1 ? 0 : CLONE_NEWUSER)) != 0) return 77;
  const pid_t pid = fork();
  if (pid == 0) exit(inNamespaces(depth + 1));
  const int status = wait(pid);
  return getpid() != 1 && status == 11 ? 0 : status;
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
  if (strcmp(scenario, "fork-in-thread") == 0) return forkingInThread();
  if (strcmp(scenario, "execute") == 0) return executing(arguments[0]);
  if (strcmp(scenario, "become") == 0) return becoming(arguments[0]);
  if (strcmp(scenario, "share") == 0) return sharing(20000);
  if (strcmp(scenario, "family") == 0) return family();
  if (strcmp(scenario, "create") == 0) return creating(arguments[0]);
  if (strcmp(scenario, "executions") == 0) return executions(arguments[0]);
  if (strcmp(scenario, "keyboard") == 0) return keyboard();
  if (strcmp(scenario, "daemon") == 0) return daemonising(false);
  if (strcmp(scenario, "double-fork") == 0) return daemonising(true);
  if (strcmp(scenario, "mixed") == 0) return mixed(arguments[0]);
  if (strcmp(scenario, "look") == 0) return looking();
  if (strcmp(scenario, "broken-pipe") == 0) return brokenPipe();
  if (strcmp(scenario, "first-events") == 0) return firstEvents();
  if (strcmp(scenario, "message") == 0) return message();
  if (strcmp(scenario, "close") == 0) return closing();
  if (strcmp(scenario, "namespaces") == 0) return inNamespaces(5);
  if (strcmp(scenario, "leaf") == 0) {
    work(9);
    return count > 2 ? atoi(arguments[2]) : 0;
  }
  return 99;
}
