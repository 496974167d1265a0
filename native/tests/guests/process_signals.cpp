// A process sends signals to its child, which takes them from a signalfd. Prints what the child took.
// in-pause: a process works in a handler while it pauses. in-polled-pause: the same, and it polls in vain before each
// pause. With another argument: a process waits, and a handler of signals waits for its children and makes one.
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/guests/asleep.h"

namespace {

int go[2], done[2];

[[noreturn]] void fail(const char* what) {
  perror(what);
  exit(1);
}

void tell(int pipe) {
  if (write(pipe, "x", 1) != 1) fail("write");
}

void hear(int pipe) {
  char byte;
  if (read(pipe, &byte, 1) != 1) fail("read");
}

// Waits until signals are there and takes them; one that nobody sent is taken as well.
int child() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  sigaddset(&set, SIGALRM);
  sigprocmask(SIG_BLOCK, &set, nullptr);
  const int fd = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
  const int poll = epoll_create1(EPOLL_CLOEXEC);
  epoll_event event{};
  event.events = EPOLLIN;
  if (fd < 0 || poll < 0 || epoll_ctl(poll, EPOLL_CTL_ADD, fd, &event) != 0) fail("signalfd");
  tell(done[1]);
  for (int i = 0; i < 6; i++) {
    if (i == 3) hear(go[0]);  // two have been sent meanwhile
    if (i == 5) alarm(1);
    if (epoll_wait(poll, &event, 1, -1) != 1) fail("epoll_wait");
    signalfd_siginfo infos[4];
    const ssize_t size = read(fd, infos, sizeof infos);
    printf("%zd of signal %u\n", size / static_cast<ssize_t>(sizeof *infos), infos[0].ssi_signo);
    fflush(stdout);
    tell(done[1]);
  }
  return 0;
}

// The handler of a server that waits for clients: it sees who has ended, and makes another one.
volatile sig_atomic_t ended = 0;

void onChild(int) {
  const int error = errno;
  int status = 0;
  while (waitpid(-1, &status, WNOHANG) > 0) {
    if (++ended > 1) continue;
    if (fork() == 0) {
      for (int i = 0; i < 5; i++) hear(go[0]);
      _exit(9);
    }
  }
  errno = error;
}

// A timer of 100 Hz of the thread's CPU time, with a signal that is blocked. Beside other programs, the kernel can look at such
// timers much later than they are due, those of a sampler included.
timer_t ticker;

void startTicker() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR2);
  sigprocmask(SIG_BLOCK, &set, nullptr);
  sigevent event{};
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = SIGUSR2;
  const itimerspec every{{0, 10'000'000}, {0, 10'000'000}};
  if (syscall(SYS_timer_create, CLOCK_THREAD_CPUTIME_ID, &event, &ticker) != 0) fail("timer_create");
  if (syscall(SYS_timer_settime, ticker, 0, &every, nullptr) != 0) fail("timer_settime");
}

bool hasTicked() {
  const uint64_t set = uint64_t{1} << (SIGUSR2 - 1);
  const timespec now{};
  return syscall(SYS_rt_sigtimedwait, &set, nullptr, &now, sizeof set) == SIGUSR2;
}

// A program that does all its work in a handler while it pauses: five ticks of it each time.
void onTimer(int) {
  for (int ticks = 0; ticks < 5;) {
    for (volatile int i = 0; i < 100000; i = i + 1) {
    }
    if (hasTicked()) ticks++;
  }
}

int inPause(bool polls) {
  signal(SIGUSR1, onTimer);
  startTicker();
  if (pipe(done) != 0) fail("pipe");
  pollfd never{done[0], POLLIN, 0};
  if (fork() == 0) {
    for (int i = 0; i < 5; i++) {
      if (polls) usleep(20000);
      parallax::tests::awaitAsleep(getppid(), getppid());
      kill(getppid(), SIGUSR1);
    }
    _exit(0);
  }
  for (int i = 0; i < 5; i++) {
    for (int attempt = 0; polls && attempt < 3; attempt++) {
      if (poll(&never, 1, 1) != 0) fail("poll");
    }
    pause();
  }
  return 0;
}

int inHandler() {
  signal(SIGCHLD, onChild);
  if (pipe(go) != 0 || pipe(done) != 0) fail("pipe");
  if (fork() == 0) {
    parallax::tests::awaitAsleep(getppid(), getppid());
    _exit(8);
  }
  pollfd waiting{done[0], POLLIN, 0};
  // Cut short by the end of the first child, and by that of the other one.
  const int first = poll(&waiting, 1, -1);
  for (int i = 0; i < 5; i++) tell(go[1]);
  const int second = ended < 2 ? poll(&waiting, 1, -1) : -1;
  printf("%d %d, %d have ended\n", first, second, static_cast<int>(ended));
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  if (count > 1 && strcmp(arguments[1], "in-pause") == 0) return inPause(false);
  if (count > 1 && strcmp(arguments[1], "in-polled-pause") == 0) return inPause(true);
  if (count > 1) return inHandler();
  if (pipe(go) != 0 || pipe(done) != 0) fail("pipe");
  const pid_t pid = fork();
  if (pid == 0) return child();
  hear(done[0]);
  for (int i = 0; i < 3; i++) {
    kill(pid, SIGUSR1);
    hear(done[0]);
  }
  kill(pid, SIGUSR1);
  kill(pid, SIGUSR1);
  tell(go[1]);
  hear(done[0]);
  sigqueue(pid, SIGUSR1, sigval{});
  hear(done[0]);
  hear(done[0]);  // the alarm
  int status = 0;
  waitpid(pid, &status, 0);
  printf("%d %d\n", kill(pid, 0), kill(0, 0));
  return WEXITSTATUS(status);
}
