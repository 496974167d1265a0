// A program that uses signals, timers and descriptors in ways that a sampler could disturb, and
// checks itself. Says "ok", or what was not as it should be.
#include <aio.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <mqueue.h>
#include <netdb.h>
#include <poll.h>
#include <sched.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>

extern char** environ;

namespace {

#define CHECK(condition)                                                    \
  do {                                                                      \
    if (!(condition)) {                                                     \
      printf("line %d: %s (errno %d)\n", __LINE__, #condition, errno);      \
      fflush(stdout);                                                       \
      _exit(1);                                                             \
    }                                                                       \
  } while (0)

double secondsOf(clockid_t clock) {
  timespec now;
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

volatile double sink;
void burn(double cpuSeconds) {
  const double until = secondsOf(CLOCK_THREAD_CPUTIME_ID) + cpuSeconds;
  do {
    double x = 1;
    for (int i = 0; i < 5000; ++i) x = x * 1.0000001 + 0.1;
    sink = x;
  } while (secondsOf(CLOCK_THREAD_CPUTIME_ID) < until);
}

void handle(int number, void (*handler)(int), int flags = SA_RESTART) {
  struct sigaction action{};
  action.sa_handler = handler;
  action.sa_flags = flags;
  sigfillset(&action.sa_mask);
  CHECK(sigaction(number, &action, nullptr) == 0);
}

std::atomic<long> counts[65];
std::atomic<long> values[65];
void count(int number) { ++counts[number]; }
void countValue(int number, siginfo_t* info, void*) {
  ++counts[number];
  if (info->si_code == SI_QUEUE) values[number] += info->si_value.sival_int;
}

// ------------------------------------------------------------------ timers

void profilingTimers() {
  handle(SIGPROF, count);
  handle(SIGVTALRM, count);
  handle(SIGALRM, count);
  const itimerval each10ms{{0, 10000}, {0, 10000}};
  setitimer(ITIMER_PROF, &each10ms, nullptr);
  setitimer(ITIMER_VIRTUAL, &each10ms, nullptr);
  setitimer(ITIMER_REAL, &each10ms, nullptr);
  burn(0.5);
  for (const int number : {SIGPROF, SIGVTALRM, SIGALRM}) CHECK(counts[number] >= 20);
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
  CHECK(expirations >= 25);
  CHECK(counts[number] >= 20);
  CHECK(counts[number + 1] >= 15);
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

// libc gives new credentials to all threads by a signal of its own.
void credentials() {
  std::atomic<bool> stop{false};
  std::thread others[2];
  for (std::thread& other : others) {
    other = std::thread([&] {
      while (!stop) burn(0.005);
    });
  }
  for (int i = 0; i < 25; ++i) {
    CHECK(setgid(getgid()) == 0);
    CHECK(setresuid(-1, geteuid(), -1) == 0);
    burn(0.003);
  }
  stop = true;
  for (std::thread& other : others) other.join();
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

// ------------------------------------------------------------------ alternate stacks

bool isOnAlternateStack() {
  stack_t present{};
  sigaltstack(nullptr, &present);
  return (present.ss_flags & SS_ONSTACK) != 0;
}
void workOnAlternateStack(int number) {
  ++counts[number];
  CHECK(isOnAlternateStack());
  burn(0.02);
}

// So much memory, with nothing before it or after it.
char* guarded(size_t bytes) {
  constexpr size_t kAround = 1 << 20;
  auto* memory = static_cast<char*>(mmap(nullptr, bytes + 2 * kAround, PROT_NONE,
                                         MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  CHECK(mprotect(memory + kAround, bytes, PROT_READ | PROT_WRITE) == 0);
  return memory + kAround;
}
stack_t stackOf(size_t bytes) {
  constexpr size_t kPage = 4096;
  const size_t whole = (bytes + kPage - 1) / kPage * kPage;
  stack_t stack{};
  stack.ss_sp = guarded(whole) + (whole - bytes);
  stack.ss_size = bytes;
  return stack;
}
bool isPresent(const stack_t& wanted) {
  stack_t present{};
  CHECK(sigaltstack(nullptr, &present) == 0);
  return present.ss_sp == wanted.ss_sp && present.ss_size == wanted.ss_size &&
         present.ss_flags == wanted.ss_flags;
}
constexpr stack_t kNoStack{nullptr, SS_DISABLE, 0};

void alternateStacks() {
  handle(SIGUSR1, workOnAlternateStack, SA_ONSTACK | SA_RESTART);
  constexpr size_t kPage = 4096, kTraditional = 8192;  // SIGSTKSZ before glibc 2.34
  const size_t least = static_cast<size_t>(sysconf(_SC_MINSIGSTKSZ));
  const size_t size = least > kTraditional / 2 ? 2 * kTraditional : kTraditional;
  const auto work = [size] {
    auto* memory = static_cast<char*>(mmap(nullptr, size + 2 * kPage, PROT_NONE,
                                           MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    CHECK(mprotect(memory + kPage, size, PROT_READ | PROT_WRITE) == 0);
    for (int i = 0; i < 10; ++i) {
      stack_t stack{};
      stack.ss_sp = memory + kPage;
      stack.ss_size = size;
      CHECK(sigaltstack(&stack, nullptr) == 0);
      burn(0.01);
      pthread_kill(pthread_self(), SIGUSR1);
      stack.ss_flags = SS_DISABLE;
      CHECK(sigaltstack(&stack, nullptr) == 0);
      burn(0.002);
    }
    CHECK(!isOnAlternateStack());
  };
  std::thread other(work);
  work();
  other.join();
  CHECK(counts[SIGUSR1] == 20);
}

// ------------------------------------------------------------------ processes

void expectEnd(pid_t pid, int expected) {
  int status = 0;
  CHECK(waitpid(pid, &status, 0) == pid);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == expected);
}

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

// -------------------------------------------------------------------------- threads

std::atomic<int> done{0};
void* burnDetached(void*) {
  burn(0.3);
  ++done;
  return nullptr;
}
int burnC11(void*) {
  burn(0.3);
  return 5;
}

void manyKindsOfThreads() {
  std::thread cxx([] { burn(0.3); });
  thrd_t c11;
  CHECK(thrd_create(&c11, burnC11, nullptr) == thrd_success);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_t detached;
  CHECK(pthread_create(&detached, &attributes, burnDetached, nullptr) == 0);
  const pid_t child = fork();
  if (child == 0) {
    std::thread inChild([] { burn(0.3); });
    burn(0.3);
    inChild.join();
    exit(0);
  }
  expectEnd(child, 0);
  cxx.join();
  int result = 0;
  CHECK(thrd_join(c11, &result) == thrd_success && result == 5);
  while (done == 0) usleep(1000);
  burn(0.3);
}

// A child of a thread with a small stack, which is sampled on an alternate one: it keeps that when
// other threads of the child end.
void* forkOnSmallStack(void*) {
  std::atomic<bool> started{false};
  std::thread younger([&] {
    burn(0.02);
    started = true;
    burn(0.1);
  });
  while (!started) sched_yield();
  const pid_t child = fork();
  if (child == 0) {
    burn(0.1);
    for (int i = 0; i < 3; ++i) std::thread([] { burn(0.05); }).join();
    burn(0.2);
    exit(0);
  }
  younger.join();
  expectEnd(child, 0);
  return nullptr;
}
void childOfSmallStack() {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 100 << 10);
  pthread_t thread;
  CHECK(pthread_create(&thread, &attributes, forkOnSmallStack, nullptr) == 0);
  pthread_join(thread, nullptr);
}

// Children whose first event is a sample on an alternate stack that leaves little more room than a
// signal needs.
void childrenOnAlternateStacks() {
  for (const size_t size : {2048, 3072, 4096, 8192}) {
    const stack_t stack = stackOf(size);
    CHECK(sigaltstack(&stack, nullptr) == 0);
    const pid_t child = fork();
    if (child == 0) {
      burn(0.05);
      CHECK(isPresent(stack));
      exit(0);
    }
    expectEnd(child, 0);
    burn(0.05);
    CHECK(sigaltstack(&kNoStack, nullptr) == 0);
  }
}

// Alternate stacks that the kernel accepts, and that hold no signal. No signal of the program's
// comes there.
void uselessAlternateStacks() {
  const stack_t large = stackOf(1 << 16);
  const auto work = [&] {
    for (const size_t size : {2048, 3072}) {
      const stack_t small = stackOf(size);
      stack_t former{};
      CHECK(sigaltstack(&small, &former) == 0 && former.ss_flags == SS_DISABLE);
      CHECK(isPresent(small));
      burn(0.03);
      stack_t wrong = small;
      wrong.ss_size = 1024;
      CHECK(sigaltstack(&wrong, nullptr) < 0 && errno == ENOMEM);
      wrong.ss_flags = 77;
      CHECK(sigaltstack(&wrong, nullptr) < 0 && errno == EINVAL);
      CHECK(isPresent(small));
      CHECK(sigaltstack(&large, &former) == 0 && former.ss_sp == small.ss_sp);
      CHECK(former.ss_size == size && isPresent(large));
      CHECK(sigaltstack(&small, &former) == 0 && former.ss_sp == large.ss_sp);
      CHECK(isPresent(small));
      CHECK(sigaltstack(&kNoStack, &former) == 0 && former.ss_sp == small.ss_sp);
      CHECK(sigaltstack(nullptr, &former) == 0 && former.ss_flags == SS_DISABLE);
      burn(0.01);
    }
  };
  std::thread other(work);
  work();
  other.join();
}

// Handlers that do what handlers of crashes do, on a stack of the traditional size; also as the
// first thing of a child.
int callsFile = -1, callsPipe[2];
pthread_mutex_t callsMutex = PTHREAD_MUTEX_INITIALIZER;
void callMuch(int number) {
  ++counts[number];
  const int maps = open("/proc/self/maps", O_RDONLY);
  char text[64];
  CHECK(read(maps, text, sizeof text) == sizeof text && close(maps) == 0);
  CHECK(write(callsFile, text, sizeof text) == sizeof text);
  CHECK(write(callsPipe[1], "x", 1) == 1 && read(callsPipe[0], text, 1) == 1);
  CHECK(pthread_mutex_lock(&callsMutex) == 0 && pthread_mutex_unlock(&callsMutex) == 0);
}
void writeOne(int number) {
  ++counts[number];
  CHECK(write(callsPipe[1], "x", 1) == 1);
}
void callsOnAlternateStack() {
  const stack_t stack = stackOf(8192);
  CHECK(sigaltstack(&stack, nullptr) == 0);
  CHECK(pipe(callsPipe) == 0);
  callsFile = fileno(tmpfile());
  for (void (*handler)(int) : {callMuch, writeOne}) {
    handle(SIGUSR1, handler, SA_ONSTACK);
    const pid_t child = fork();
    if (child == 0) {
      raise(SIGUSR1);
      _exit(counts[SIGUSR1]);
    }
    expectEnd(child, 1);
  }
  handle(SIGUSR1, callMuch, SA_ONSTACK);
  raise(SIGUSR1);
  CHECK(counts[SIGUSR1] == 1);
}

// A thread that libc does not know of, with the thread-local variables of its creator.
pthread_mutex_t sharedMutex = PTHREAD_MUTEX_INITIALIZER;
void workWithMutex(int rounds) {
  for (int i = 0; i < rounds; ++i) {
    pthread_mutex_lock(&sharedMutex);
    sink = sink + 1;
    pthread_mutex_unlock(&sharedMutex);
    double x = 1;
    for (int j = 0; j < 1000; ++j) x = x * 1.0000001 + 0.1;
    sink = x;
  }
}
int runCloned(void*) {
  workWithMutex(20000);
  ++done;
  syscall(SYS_exit, 0);
  return 0;
}
void clonedThread() {
  // With one thread that it knows of, libc takes and leaves mutexes without atomic operations.
  std::thread([] { pause(); }).detach();
  burn(0.1);
  constexpr size_t kStackBytes = 1 << 20;
  auto* stack = static_cast<char*>(mmap(nullptr, kStackBytes, PROT_READ | PROT_WRITE,
                                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  const int flags =
      CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM;
  CHECK(clone(runCloned, stack + kStackBytes, flags, nullptr) > 0);
  workWithMutex(20000);
  while (done == 0) sched_yield();
}

// What makes libc create its first thread past pthread_create. It gives new credentials to that one,
// too.
void workBesideThreadOfLibc() {
  burn(0.15);
  CHECK(setgid(getgid()) == 0);
}
sigevent callingFunction() {
  sigevent event{};
  event.sigev_notify = SIGEV_THREAD;
  event.sigev_notify_function = [](sigval) { ++done; };
  return event;
}
void timerThread() {
  sigevent event = callingFunction();
  timer_t timer;
  CHECK(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0);
  workBesideThreadOfLibc();
  const itimerspec once{{0, 0}, {0, 1}};
  CHECK(timer_settime(timer, 0, &once, nullptr) == 0);
  while (done == 0) sched_yield();
}
// Past the symbols that a sampler may have in libc's place; many events come after it.
void unseenThread() {
  void* libc = dlopen("libc.so.6", RTLD_NOW | RTLD_NOLOAD);
  CHECK(libc != nullptr);
  auto* create = reinterpret_cast<int (*)(clockid_t, sigevent*, timer_t*)>(
      dlsym(libc, "timer_create"));
  CHECK(create != nullptr);
  sigevent event = callingFunction();
  timer_t timer;
  CHECK(create(CLOCK_MONOTONIC, &event, &timer) == 0);
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  for (int i = 0; i < 20000; ++i) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
  }
  workBesideThreadOfLibc();
}
void messageThread() {
  const std::string name = "/parallax-" + std::to_string(getpid());
  const mqd_t queue = mq_open(name.c_str(), O_RDWR | O_CREAT, 0600, nullptr);
  mq_unlink(name.c_str());
  CHECK(queue >= 0);
  const sigevent event = callingFunction();
  CHECK(mq_notify(queue, &event) == 0);
  workBesideThreadOfLibc();
  CHECK(mq_send(queue, "x", 1, 0) == 0);
  while (done == 0) sched_yield();
}
void asynchronousRead() {
  char byte = 0;
  aiocb block{};
  block.aio_fildes = open("/proc/self/exe", O_RDONLY);
  block.aio_buf = &byte;
  block.aio_nbytes = 1;
  CHECK(aio_read(&block) == 0);
  workBesideThreadOfLibc();
  while (aio_error(&block) == EINPROGRESS) sched_yield();
  CHECK(aio_return(&block) == 1 && byte == 0x7f);
}
void asynchronousLookup() {
  addrinfo wanted{};
  wanted.ai_flags = AI_NUMERICHOST;
  gaicb lookup{};
  lookup.ar_name = "127.0.0.1";
  lookup.ar_request = &wanted;
  gaicb* list[] = {&lookup};
  CHECK(getaddrinfo_a(GAI_NOWAIT, list, 1, nullptr) == 0);
  workBesideThreadOfLibc();
  while (gai_error(&lookup) == EAI_INPROGRESS) sched_yield();
  CHECK(gai_error(&lookup) == 0 && lookup.ar_result != nullptr);
}

// For a debugger.
void work() { burn(0.5); }

}  // namespace

int main(int count, char** arguments) {
  const struct {
    const char* name;
    void (*run)();
  } scenarios[] = {{"profilingTimers", profilingTimers},
                   {"posixTimers", posixTimers},
                   {"allRealTime", allRealTime},
                   {"ownTraps", ownTraps},
                   {"signalDescriptor", signalDescriptor},
                   {"waits", waits},
                   {"queuedSignals", queuedSignals},
                   {"queuedTrap", queuedTrap},
                   {"awaitedTimers", awaitedTimers},
                   {"credentials", credentials},
                   {"masksOfWaits", masksOfWaits},
                   {"alternateStacks", alternateStacks},
                   {"executions", executions},
                   {"allDescriptorsClosed", allDescriptorsClosed},
                   {"highDescriptors", highDescriptors},
                   {"fewDescriptors", fewDescriptors},
                   {"threads", manyKindsOfThreads},
                   {"childrenOnAlternateStacks", childrenOnAlternateStacks},
                   {"uselessAlternateStacks", uselessAlternateStacks},
                   {"callsOnAlternateStack", callsOnAlternateStack},
                   {"childOfSmallStack", childOfSmallStack},
                   {"clonedThread", clonedThread},
                   {"timerThread", timerThread},
                   {"messageThread", messageThread},
                   {"unseenThread", unseenThread},
                   {"asynchronousRead", asynchronousRead},
                   {"asynchronousLookup", asynchronousLookup},
                   {"work", work}};
  for (const auto& scenario : scenarios) {
    if (count == 2 && strcmp(arguments[1], scenario.name) == 0) {
      scenario.run();
      puts("ok");
      return 0;
    }
  }
  return 64;
}
