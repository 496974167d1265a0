// Other programs that are begun, and descriptors that are all closed, many or few.
#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <thread>

#include "scenarios.h"

extern char** environ;

namespace {

// ------------------------------------------------------------------ processes

void executions() {
  char program[] = "/bin/true";
  char* const arguments[] = {program, nullptr};
  for (int i = 0; i < 40; ++i) {
    pid_t pid = 0;
    CHECK(posix_spawn(&pid, program, nullptr, nullptr, arguments, environ) == 0);
    expectEnd(pid, 0);
    pid = vfork();
    if (pid == 0) {
      execv(program, arguments);
      _exit(98);
    }
    expectEnd(pid, 0);
    pid = vfork();
    if (pid == 0) _exit(7);
    expectEnd(pid, 7);
    pid = fork();
    if (pid == 0) {
      burn(0.003);
      syscall(SYS_execve, program, arguments, environ);  // nobody is told
      _exit(98);
    }
    expectEnd(pid, 0);
    pid = fork();
    if (pid == 0) {  // with everything blocked for a while, and a sample due
      const uint64_t all = ~uint64_t{0};
      uint64_t former = 0;
      syscall(SYS_rt_sigprocmask, SIG_SETMASK, &all, &former, sizeof all);
      burn(0.003);
      execv(program, arguments);
      _exit(98);
    }
    expectEnd(pid, 0);
    CHECK(system("exit 3") == 3 << 8);
  }
}

// ------------------------------------------------------------------ descriptors

void allDescriptorsClosed() {
  for (int round = 0; round < 3; ++round) {
    closefrom(3);
    CHECK(close_range(3, ~0u, 0) == 0);
    for (int fd = 3; fd < 1024; ++fd) close(fd);
    std::thread other([] { burn(0.1); });
    burn(0.1);
    other.join();
    CHECK(open("/dev/null", O_RDONLY) == 3);
    CHECK(open("/dev/null", O_RDONLY) == 4);
  }
}

void highDescriptors() {
  const rlimit many{4096, 4096};
  if (setrlimit(RLIMIT_NOFILE, &many) != 0) return;
  const int null = open("/dev/null", O_WRONLY);
  for (int fd = 790; fd < 1100; ++fd) CHECK(dup2(null, fd) == fd);
  std::thread other([] { burn(0.1); });
  burn(0.1);
  other.join();
  for (int fd = 790; fd < 1100; ++fd) {
    CHECK(write(fd, "x", 1) == 1);
    CHECK(close(fd) == 0);
  }
}

void fewDescriptors() {
  const rlimit few{8, 8};
  CHECK(setrlimit(RLIMIT_NOFILE, &few) == 0);
  int opened = 0;
  while (open("/dev/null", O_RDONLY) >= 0) ++opened;
  CHECK(opened == 5 && errno == EMFILE);
  std::thread other([] { burn(0.1); });
  burn(0.2);
  other.join();
}

}  // namespace

const Scenario processScenarios[] = {
    {"executions", executions},
    {"allDescriptorsClosed", allDescriptorsClosed},
    {"highDescriptors", highDescriptors},
    {"fewDescriptors", fewDescriptors},
    {},
};
