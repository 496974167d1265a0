// Timers, handlers, and signals that are waited for.
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/select.h>
#include <sys/signalfd.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <initializer_list>
#include <thread>

#include "scenarios.h"

namespace {

std::atomic<long> values[65];
void count(int number) { ++counts[number]; }
void countValue(int number, siginfo_t* info, void*) {
  ++counts[number];
  if (info->si_code == SI_QUEUE) values[number] += info->si_value.sival_int;
}

// ------------------------------------------------------------------ timers

// Computes until `count` is at least `least`: 10 s where others take the processors.
template <typename Count>
bool burnUntil(long least, const Count& count) {
  for (int i = 0; i < 1000 && count() < least; ++i) burn(0.01);
  return count() >= least;
}

void profilingTimers() {
  handle(SIGPROF, count);
  handle(SIGVTALRM, count);
  handle(SIGALRM, count);
  const itimerval each10ms{{0, 10000}, {0, 10000}};
  setitimer(ITIMER_PROF, &each10ms, nullptr);
  setitimer(ITIMER_VIRTUAL, &each10ms, nullptr);
  setitimer(ITIMER_REAL, &each10ms, nullptr);
  for (const int number : {SIGPROF, SIGVTALRM, SIGALRM}) {
    CHECK(burnUntil(20, [number] { return counts[number].load(); }));
  }
  itimerval left{};
  CHECK(getitimer(ITIMER_PROF, &left) == 0 && left.it_interval.tv_usec == 10000);
}

void posixTimers() {
  const int number = SIGRTMIN + 1;
  struct sigaction action{};
  action.sa_sigaction = countValue;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  CHECK(sigaction(number, &action, nullptr) == 0);
  sigevent event{};
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = number;
  const itimerspec each5ms{{0, 5000000}, {0, 5000000}};
  timer_t wall, cpu;
  CHECK(timer_create(CLOCK_MONOTONIC, &event, &wall) == 0);
  CHECK(timer_settime(wall, 0, &each5ms, nullptr) == 0);
  event.sigev_signo = number + 1;
  CHECK(sigaction(number + 1, &action, nullptr) == 0);
  CHECK(timer_create(CLOCK_PROCESS_CPUTIME_ID, &event, &cpu) == 0);
  CHECK(timer_settime(cpu, 0, &each5ms, nullptr) == 0);
  const int fd = timerfd_create(CLOCK_MONOTONIC, 0);
  CHECK(timerfd_settime(fd, 0, &each5ms, nullptr) == 0);
  uint64_t expirations = 0;
  for (int i = 0; i < 20; ++i) {
    uint64_t more = 0;
    burn(0.008);
    ssize_t size = read(fd, &more, sizeof more);
    CHECK(size == sizeof more);
    expirations += more;
  }
  CHECK(expirations >= 20);
  CHECK(burnUntil(20, [number] { return counts[number].load(); }));
  CHECK(burnUntil(15, [number] { return counts[number + 1].load(); }));
}

// ------------------------------------------------------- handlers, waits, descriptors

void allRealTime() {
  struct sigaction action{};
  action.sa_sigaction = countValue;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  for (int number = SIGRTMIN; number <= SIGRTMAX; ++number) {
    struct sigaction former{};
    CHECK(sigaction(number, &action, &former) == 0);
    CHECK(former.sa_handler == SIG_DFL);
  }
  for (int round = 1; round <= 3; ++round) {
    for (int number = SIGRTMIN; number <= SIGRTMAX; ++number) {
      CHECK(sigqueue(getpid(), number, {.sival_int = round * number}) == 0);
      burn(0.001);
    }
  }
  for (int number = SIGRTMIN; number <= SIGRTMAX; ++number) {
    CHECK(counts[number] == 3);
    CHECK(values[number] == 6 * number);
    struct sigaction present{};
    CHECK(sigaction(number, nullptr, &present) == 0);
    CHECK(present.sa_sigaction == countValue && (present.sa_flags & SA_SIGINFO) != 0);
  }
}

volatile sig_atomic_t trapped = 0;
void onTrap(int) { trapped = trapped + 1; }
void ownTraps() {
  handle(SIGTRAP, onTrap);
  for (int i = 0; i < 50; ++i) {
    asm volatile("int3");
    burn(0.002);
    raise(SIGTRAP);
  }
  CHECK(trapped == 100);
}

// Handlers that the agent passes signals on to run as sigaction(2) says.
volatile sig_atomic_t depth = 0, deepest = 0, others = 0, othersInside = 0;
bool blockedInside[65];
void onOther(int) { others = others + 1; }
void onTrapWithOthers(int number) {
  depth = depth + 1;
  if (depth > deepest) deepest = depth;
  trapped = trapped + 1;
  sigset_t mask;
  sigemptyset(&mask);
  pthread_sigmask(SIG_BLOCK, nullptr, &mask);
  for (int i = 1; i <= 64; ++i) blockedInside[i] = sigismember(&mask, i) == 1;
  raise(SIGUSR1);
  raise(SIGUSR2);
  if (trapped == 1) raise(number);
  othersInside = others;
  depth = depth - 1;
}

void actionFlags() {
  handle(SIGUSR1, onOther);
  handle(SIGUSR2, onOther);
  struct sigaction action{};
  action.sa_handler = onTrapWithOthers;
  sigaddset(&action.sa_mask, SIGUSR1);
  sigaddset(&action.sa_mask, SIGCHLD);
  CHECK(sigaction(SIGTRAP, &action, nullptr) == 0);
  // A signal that is pending twice is delivered once: the kernel drops the second one here if a sample came before.
  for (int attempt = 0; attempt < 20 && trapped != 2; ++attempt) {
    trapped = others = 0;
    raise(SIGTRAP);
  }
  CHECK(trapped == 2 && deepest == 1);  // the second when the first was done
  CHECK(othersInside == 2);             // SIGUSR1 waits for the end of both
  CHECK(others == 3);
  CHECK(blockedInside[SIGUSR1] && blockedInside[SIGCHLD]);
  for (const int number : {SIGUSR2, SIGINT, SIGSEGV, SIGALRM}) CHECK(!blockedInside[number]);
  sigset_t after;
  CHECK(pthread_sigmask(SIG_BLOCK, nullptr, &after) == 0);
  for (int number = 1; number <= 31; ++number) CHECK(sigismember(&after, number) == 0);

  trapped = deepest = others = 0;
  action.sa_flags = static_cast<int>(SA_NODEFER | SA_RESETHAND);
  CHECK(sigaction(SIGTRAP, &action, nullptr) == 0);
  const pid_t pid = fork();
  if (pid == 0) {
    raise(SIGTRAP);  // comes a second time inside, when the handler is gone
    _exit(1);
  }
  int status = 0;
  CHECK(waitpid(pid, &status, 0) == pid && WIFSIGNALED(status) && WTERMSIG(status) == SIGTRAP);

  trapped = 1;  // none inside
  raise(SIGTRAP);
  CHECK(trapped == 2);
  CHECK(sigaction(SIGTRAP, nullptr, &action) == 0 && action.sa_handler == SIG_DFL);

  trapped = deepest = 0;
  action.sa_handler = onTrapWithOthers;
  action.sa_flags = SA_NODEFER;
  CHECK(sigaction(SIGTRAP, &action, nullptr) == 0);
  raise(SIGTRAP);
  CHECK(trapped == 2 && deepest == 2);
  burn(0.1);  // samples are taken as well

  action.sa_flags = SA_SIGINFO;
  action.sa_sigaction = [](int, siginfo_t*, void* context) {
    sigaddset(&static_cast<ucontext_t*>(context)->uc_sigmask, SIGUSR2);  // holds when it returns
  };
  CHECK(sigaction(SIGTRAP, &action, nullptr) == 0);
  raise(SIGTRAP);
  CHECK(pthread_sigmask(SIG_BLOCK, nullptr, &after) == 0 && sigismember(&after, SIGUSR2) == 1);

  trapped = 1;
  CHECK(sysv_signal(SIGTRAP, onTrap) != SIG_ERR);
  raise(SIGTRAP);
  CHECK(trapped == 2);
  CHECK(sigaction(SIGTRAP, nullptr, &action) == 0 && action.sa_handler == SIG_DFL);
}

void signalDescriptor() {
  sigset_t all;
  sigfillset(&all);
  CHECK(sigprocmask(SIG_SETMASK, &all, nullptr) == 0);
  const int fd = signalfd(-1, &all, SFD_NONBLOCK);
  CHECK(fd >= 0);
  std::thread other([] { burn(0.2); });
  const int sent[] = {SIGUSR1, SIGTERM, SIGRTMIN + 3, SIGCHLD, SIGURG, SIGINT};
  for (const int number : sent) {
    burn(0.03);
    CHECK(kill(getpid(), number) == 0);
    pollfd ready{fd, POLLIN, 0};
    CHECK(poll(&ready, 1, 2000) == 1);
    signalfd_siginfo info{};
    CHECK(read(fd, &info, sizeof info) == sizeof info);
    CHECK(static_cast<int>(info.ssi_signo) == number);
  }
  other.join();
  signalfd_siginfo info{};
  CHECK(read(fd, &info, sizeof info) < 0 && errno == EAGAIN);
}

void waits() {
  sigset_t all;
  sigfillset(&all);
  CHECK(pthread_sigmask(SIG_SETMASK, &all, nullptr) == 0);
  constexpr int kSignals = 200;
  std::atomic<int> received{0};
  std::thread waiter([&] {
    for (;;) {
      int number = 0;
      CHECK(sigwait(&all, &number) == 0);
      if (number == SIGUSR2) return;
      CHECK(number == SIGUSR1);
      ++received;
      burn(0.0005);
    }
  });
  for (int i = 0; i < kSignals; ++i) {
    CHECK(pthread_kill(waiter.native_handle(), SIGUSR1) == 0);
    while (received <= i) burn(0.0005);
  }
  pthread_kill(waiter.native_handle(), SIGUSR2);
  waiter.join();
  CHECK(received == kSignals);
  const double start = secondsOf(CLOCK_MONOTONIC);
  for (int i = 0; i < 20; ++i) {
    const timespec brief{0, 5000000};
    siginfo_t info;
    CHECK(sigtimedwait(&all, &info, &brief) < 0 && errno == EAGAIN);
    burn(0.002);
  }
  CHECK(secondsOf(CLOCK_MONOTONIC) - start >= 20 * 0.005);
}

// Signals that are sent while blocked stay pending until they are asked for, whichever they are.
sigset_t blockAll() {
  sigset_t all;
  sigfillset(&all);
  CHECK(sigprocmask(SIG_SETMASK, &all, nullptr) == 0);
  burn(0.05);
  return all;
}
siginfo_t await(const sigset_t& set) {
  siginfo_t info{};
  const timespec moment{2, 0};
  int got;
  do {
    got = sigtimedwait(&set, &info, &moment);
  } while (got < 0 && errno == EINTR);
  CHECK(got == info.si_signo);
  return info;
}
void expectQueued(const sigset_t& all, int number) {
  CHECK(sigqueue(getpid(), number, {.sival_int = number}) == 0);
  burn(0.003);
  sigset_t pending;
  CHECK(sigpending(&pending) == 0 && sigismember(&pending, number) == 1);
  const siginfo_t queued = await(all);
  CHECK(queued.si_signo == number && queued.si_value.sival_int == number);
  CHECK(pthread_kill(pthread_self(), number) == 0);
  burn(0.003);
  CHECK(await(all).si_signo == number);
}
void queuedSignals() {
  const sigset_t all = blockAll();
  for (int number = 1; number <= SIGRTMAX; ++number) {
    if (number == SIGKILL || number == SIGSTOP || number == SIGTRAP) continue;
    if (number == 32 || number == 33) continue;
    expectQueued(all, number);
  }
}
void queuedTrap() { expectQueued(blockAll(), SIGTRAP); }

// Each real-time signal by a timer, while blocked: to one who waits for it alone, and to a
// descriptor.
void awaitedTimers() {
  const sigset_t all = blockAll();
  const int fd = signalfd(-1, &all, 0);
  for (int number = SIGRTMIN; number <= SIGRTMAX; ++number) {
    sigevent event{};
    event.sigev_notify = SIGEV_SIGNAL;
    event.sigev_signo = number;
    timer_t timer;
    CHECK(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0);
    const itimerspec soon{{0, 0}, {0, 1000000}};
    sigset_t one;
    sigemptyset(&one);
    sigaddset(&one, number);
    CHECK(timer_settime(timer, 0, &soon, nullptr) == 0);
    burn(0.002);
    CHECK(await(one).si_code == SI_TIMER);
    CHECK(timer_settime(timer, 0, &soon, nullptr) == 0);
    signalfd_siginfo info{};
    CHECK(read(fd, &info, sizeof info) == sizeof info);
    CHECK(static_cast<int>(info.ssi_signo) == number && info.ssi_code == SI_TIMER);
    CHECK(timer_delete(timer) == 0);
  }
}

void masksOfWaits() {
  handle(SIGUSR1, count);
  sigset_t usr1, none, all;
  sigemptyset(&none);
  sigemptyset(&usr1);
  sigfillset(&all);
  sigaddset(&usr1, SIGUSR1);
  CHECK(sigprocmask(SIG_BLOCK, &usr1, nullptr) == 0);
  int ends[2];
  CHECK(pipe(ends) == 0);
  pollfd readable{ends[0], POLLIN, 0};
  for (int i = 1; i <= 50; ++i) {
    burn(0.002);
    raise(SIGUSR1);
    CHECK(counts[SIGUSR1] == 3 * (i - 1));
    const timespec brief{0, 1000000}, second{1, 0};
    CHECK(ppoll(&readable, 1, &brief, &all) == 0);
    CHECK(ppoll(&readable, 1, &second, &none) < 0 && errno == EINTR);
    CHECK(counts[SIGUSR1] == 3 * i - 2);
    raise(SIGUSR1);
    fd_set set;
    FD_ZERO(&set);
    FD_SET(ends[0], &set);
    CHECK(pselect(ends[0] + 1, &set, nullptr, nullptr, &brief, &all) == 0);
    FD_SET(ends[0], &set);
    CHECK(pselect(ends[0] + 1, &set, nullptr, nullptr, &second, &none) < 0 && errno == EINTR);
    CHECK(counts[SIGUSR1] == 3 * i - 1);
    raise(SIGUSR1);
    CHECK(sigsuspend(&none) < 0 && errno == EINTR);
  }
}

// For a debugger.
void work() { burn(0.5); }

}  // namespace

const Scenario signalScenarios[] = {
    {"profilingTimers", profilingTimers},
    {"posixTimers", posixTimers},
    {"allRealTime", allRealTime},
    {"ownTraps", ownTraps},
    {"actionFlags", actionFlags},
    {"signalDescriptor", signalDescriptor},
    {"waits", waits},
    {"queuedSignals", queuedSignals},
    {"queuedTrap", queuedTrap},
    {"awaitedTimers", awaitedTimers},
    {"masksOfWaits", masksOfWaits},
    {"work", work},
    {},
};
