// A program to be sampled, in one of several situations. It says on its output what the test
// must know, and never whether it is being sampled.
#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include <atomic>
#include <climits>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

#define NOINLINE __attribute__((noinline, noclone))

volatile double sink;

double threadCpuSeconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

NOINLINE void burn(double cpuSeconds) {
  const double until = threadCpuSeconds() + cpuSeconds;
  do {
    double x = 1;
    for (int i = 0; i < 20000; ++i) x = x * 1.0000001 + 0.1;
    sink = x;
  } while (threadCpuSeconds() < until);
}

// Each in a section of its own, whose bounds the program tells.
#define SPOT(name)                                                               \
  extern "C" const char __start_##name[], __stop_##name[];                       \
  __attribute__((section(#name))) NOINLINE void name(double cpuSeconds) {        \
    burn(cpuSeconds);                                                            \
    sink = sink + 1;                                                             \
  }
SPOT(spotSixty)
SPOT(spotThirty)
SPOT(spotTen)

void tellSpot(const char* name, const char* start, const char* stop) {
  printf("%s %p %p\n", name, static_cast<const void*>(start), static_cast<const void*>(stop));
}
#define TELL(name) tellSpot(#name, __start_##name, __stop_##name)

int shares(double cpuSeconds) {
  TELL(spotSixty);
  TELL(spotThirty);
  TELL(spotTen);
  constexpr int kRounds = 50;
  for (int i = 0; i < kRounds; ++i) {
    // Rounds of one length would meet the timer at the same places again and again.
    const double seconds = (0.5 + fmod((i + 0.5) * 0.6180339887, 1)) * cpuSeconds / kRounds;
    spotSixty(seconds * 0.6);
    spotThirty(seconds * 0.3);
    spotTen(seconds * 0.1);
  }
  return 0;
}

// ------------------------------------------------------------------- signals

std::atomic<long> own{0};
void countOwn(int) { ++own; }

int ownProfilingTimer() {
  signal(SIGPROF, countOwn);
  const itimerval each10ms{{0, 10000}, {0, 10000}};
  setitimer(ITIMER_PROF, &each10ms, nullptr);
  burn(1.5);
  printf("SIGPROF %ld\n", own.load());
  return 0;
}

int ownRealTimeSignal() {
  struct sigaction former{}, action{};
  action.sa_handler = countOwn;
  if (sigaction(SIGRTMAX, &action, &former) != 0 || former.sa_handler != SIG_DFL) return 1;
  for (int i = 0; i < 3; ++i) {
    burn(0.05);
    raise(SIGRTMAX);
  }
  if (sigaction(SIGRTMAX, nullptr, &former) != 0 || former.sa_handler != countOwn) return 2;
  printf("SIGRTMAX %ld\n", own.load());
  fflush(stdout);
  signal(SIGRTMAX, SIG_DFL);
  raise(SIGRTMAX);  // ends the process
  return 3;
}

void* burnHalf(void*) {
  burn(0.5);
  return nullptr;
}

int blockedSignals() {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, nullptr);
  pthread_t thread;
  pthread_create(&thread, nullptr, burnHalf, nullptr);
  burn(0.5);
  kill(getpid(), SIGUSR1);
  int number = 0;
  sigwait(&all, &number);  // nothing but what was sent
  pthread_join(thread, nullptr);
  siginfo_t info;
  const timespec now{};
  const bool more = sigtimedwait(&all, &info, &now) > 0;
  printf("got %s, %s\n", number == SIGUSR1 ? "SIGUSR1" : "another", more ? "and more" : "no more");
  return 0;
}

// Blocks all signals behind libc's back for a while.
int blockedInTheKernel() {
  const uint64_t all = ~uint64_t{0};
  uint64_t former = 0;
  syscall(SYS_rt_sigprocmask, SIG_SETMASK, &all, &former, sizeof all);
  burn(0.5);
  syscall(SYS_rt_sigprocmask, SIG_SETMASK, &former, nullptr, sizeof former);
  burn(0.5);
  return 0;
}

// Many short waits. Most of the time goes into looking at many descriptors before the wait,
// where a signal makes the call fail.
int interruptedCalls() {
  int ends[2];
  if (pipe(ends) != 0) return 1;
  std::vector<pollfd> descriptors(4000, pollfd{ends[0], POLLIN, 0});
  fd_set set;
  const int epoll = epoll_create1(0);
  long calls = 0, interrupted = 0;
  const auto check = [&](bool failed) {
    ++calls;
    if (failed && errno == EINTR) ++interrupted;
  };
  sigset_t usr1;
  sigemptyset(&usr1);
  sigaddset(&usr1, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &usr1, nullptr);
  timespec start, now;
  clock_gettime(CLOCK_MONOTONIC, &start);
  do {
    const timespec brief{0, 1000};
    timeval moment{0, 1};
    epoll_event event;
    for (int i = 0; i < 10; ++i) {
      check(poll(descriptors.data(), descriptors.size(), 1) < 0);
      check(ppoll(descriptors.data(), descriptors.size(), &brief, nullptr) < 0);
      FD_ZERO(&set);
      for (int fd = 0; fd < FD_SETSIZE; ++fd) FD_SET(ends[0], &set);
      check(select(ends[0] + 1, &set, nullptr, nullptr, &moment) < 0);
    }
    check(epoll_wait(epoll, &event, 1, 0) < 0);
    check(nanosleep(&brief, nullptr) < 0);
    errno = clock_nanosleep(CLOCK_MONOTONIC, 0, &brief, nullptr);
    check(errno != 0);
    check(sigtimedwait(&usr1, nullptr, &brief) < 0);
    clock_gettime(CLOCK_MONOTONIC, &now);
  } while (now.tv_sec - start.tv_sec < 3);
  fprintf(stderr, "%ld calls\n", calls);
  printf("interrupted %ld\n", interrupted);
  return 0;
}

// Waits in one place and works in another for as long.
extern "C" const char __start_spotWaits[], __stop_spotWaits[];
__attribute__((section("spotWaits"))) NOINLINE void waitInSpot(double seconds) {
  timespec time{0, static_cast<long>(seconds * 1e9)};
  if (nanosleep(&time, nullptr) != 0) abort();
  sink = sink + 1;
}
int waitsAndWork() {
  tellSpot("spotWaits", __start_spotWaits, __stop_spotWaits);
  timespec begin, end;
  double waited = 0, worked = 0;
  for (int i = 0; i < 300; ++i) {
    clock_gettime(CLOCK_MONOTONIC, &begin);
    waitInSpot(0.003);
    clock_gettime(CLOCK_MONOTONIC, &end);
    waited += static_cast<double>(end.tv_sec - begin.tv_sec) +
              static_cast<double>(end.tv_nsec - begin.tv_nsec) * 1e-9;
    burn(0.003);
    clock_gettime(CLOCK_MONOTONIC, &begin);
    worked += static_cast<double>(begin.tv_sec - end.tv_sec) +
              static_cast<double>(begin.tv_nsec - end.tv_nsec) * 1e-9;
  }
  printf("waited %f worked %f\n", waited, worked);
  return 0;
}

// A thread uses the processor inside an intercepted routine, then outside; it tells how long.
pthread_spinlock_t spinLock;
std::atomic<bool> spins{false};
void* spin(void*) {
  spins = true;
  const double begin = threadCpuSeconds();
  pthread_spin_lock(&spinLock);
  const double end = threadCpuSeconds();
  pthread_spin_unlock(&spinLock);
  burn(0.2);
  printf("%f\n", end - begin);
  return nullptr;
}
int spinning() {
  pthread_spin_init(&spinLock, PTHREAD_PROCESS_PRIVATE);
  pthread_spin_lock(&spinLock);
  pthread_t thread;
  pthread_create(&thread, nullptr, spin, nullptr);
  while (!spins) sched_yield();
  burn(0.6);
  pthread_spin_unlock(&spinLock);
  pthread_join(thread, nullptr);
  return 0;
}

// -------------------------------------------------------- processes and threads

int forks() {
  burn(0.3);
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    burn(0.6);
    exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return status;
}

int executions(const char* program, int left) {
  burn(0.02);
  if (left == 0) {
    puts("done");
    return 0;
  }
  const std::string next = std::to_string(left - 1);
  execl(program, program, "executions", next.c_str(), nullptr);
  return 1;
}

void* burnBriefly(void*) {
  burn(0.001);
  return nullptr;
}

int shortThreads() {
  for (int i = 0; i < 300; ++i) {
    pthread_t threads[4];
    for (pthread_t& thread : threads) pthread_create(&thread, nullptr, burnBriefly, nullptr);
    for (const pthread_t thread : threads) pthread_join(thread, nullptr);
  }
  return 0;
}

int tinyStacks() {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, PTHREAD_STACK_MIN);
  pthread_t threads[3];
  for (pthread_t& thread : threads) pthread_create(&thread, &attributes, burnHalf, nullptr);
  for (const pthread_t thread : threads) pthread_join(thread, nullptr);
  return 0;
}

// ---------------------------------------------------------------------- stacks

NOINLINE double recurse(int left) {
  if (left == 0) {
    burn(0.5);
    return sink;
  }
  return recurse(left - 1) + 1;
}

int deepRecursion() {
  sink = recurse(10000);
  return 0;
}

NOINLINE void throwFrom(int depth) {
  if (depth == 0) throw std::runtime_error("planted");
  throwFrom(depth - 1);
  sink = sink + 1;
}

int exceptions() {
  long caught = 0;
  const double until = threadCpuSeconds() + 1.5;
  while (threadCpuSeconds() < until) {
    try {
      throwFrom(static_cast<int>(caught % 10));
    } catch (const std::runtime_error&) {
      ++caught;
    }
  }
  return caught > 0 ? 0 : 1;
}

ucontext_t mainContext, fiberContext;
void fiber() {
  for (;;) {
    burn(0.001);
    swapcontext(&fiberContext, &mainContext);
  }
}

int fibers() {
  std::vector<char> stack(128 << 10);
  getcontext(&fiberContext);
  fiberContext.uc_stack.ss_sp = stack.data();
  fiberContext.uc_stack.ss_size = stack.size();
  makecontext(&fiberContext, fiber, 0);
  for (int i = 0; i < 500; ++i) swapcontext(&mainContext, &fiberContext);
  return 0;
}

std::atomic<bool> loading{true};

void* workMeanwhile(void*) {
  while (loading) burn(0.01);
  return nullptr;
}

// Loads and unloads a module, and works in it, while other threads work.
int modules(const char* path) {
  pthread_t threads[2];
  for (pthread_t& thread : threads) pthread_create(&thread, nullptr, workMeanwhile, nullptr);
  timespec start, now;
  clock_gettime(CLOCK_MONOTONIC, &start);
  long loads = 0;
  do {
    void* handle = dlopen(path, RTLD_NOW);
    if (handle == nullptr) return 1;
    auto* work = reinterpret_cast<double (*)(int)>(dlsym(handle, "pluginWork"));
    if (work == nullptr) return 2;
    sink = work(20000);
    if (dlclose(handle) != 0) return 3;
    ++loads;
    clock_gettime(CLOCK_MONOTONIC, &now);
  } while (now.tv_sec - start.tv_sec < 3);
  loading = false;
  for (const pthread_t thread : threads) pthread_join(thread, nullptr);
  fprintf(stderr, "%ld loads\n", loads);
  return 0;
}

// Stays in a module without .eh_frame_hdr.
int inModule(const char* path) {
  void* handle = dlopen(path, RTLD_NOW);
  if (handle == nullptr) return 1;
  auto* work = reinterpret_cast<double (*)(int)>(dlsym(handle, "pluginWork"));
  const double until = threadCpuSeconds() + 0.5;
  while (threadCpuSeconds() < until) sink = work(20000);
  return 0;
}

// Stays in a module that another one has found.
int inFoundModule(const char* loader) {
  void* handle = dlopen(loader, RTLD_NOW);
  if (handle == nullptr) return 1;
  auto* load = reinterpret_cast<void* (*)(const char*)>(dlsym(handle, "loadByName"));
  auto* work = reinterpret_cast<double (*)(int)>(load("libsampler-found.so"));
  if (work == nullptr) return 2;
  pthread_t thread;  // something that is intercepted
  pthread_create(&thread, nullptr, burnBriefly, nullptr);
  pthread_join(thread, nullptr);
  const double until = threadCpuSeconds() + 0.5;
  while (threadCpuSeconds() < until) sink = work(20000);
  return 0;
}

// An intercepted call from a known place, again and again, between others.
extern "C" const char __start_spotCaller[], __stop_spotCaller[];
__attribute__((section("spotCaller"))) NOINLINE void joinFromSpot(int i) {
  pthread_t thread;
  pthread_create(&thread, nullptr, burnBriefly, nullptr);
  pthread_join(thread, nullptr);
  sink = i;
}
NOINLINE void joinFromElsewhere(int depth) {
  if (depth > 0) {
    joinFromElsewhere(depth - 1);
  } else {
    pthread_t thread;
    pthread_create(&thread, nullptr, burnBriefly, nullptr);
    pthread_join(thread, nullptr);
  }
  sink = depth;
}

int callers() {
  tellSpot("spotCaller", __start_spotCaller, __stop_spotCaller);
  for (int i = 0; i < 20; ++i) {
    joinFromSpot(i);
    joinFromElsewhere(i % 3);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string mode = argc > 1 ? argv[1] : "";
  const char* argument = argc > 2 ? argv[2] : "";
  if (mode == "shares") return shares(atof(argument));
  if (mode == "ownProfilingTimer") return ownProfilingTimer();
  if (mode == "ownRealTimeSignal") return ownRealTimeSignal();
  if (mode == "blockedSignals") return blockedSignals();
  if (mode == "blockedInTheKernel") return blockedInTheKernel();
  if (mode == "interruptedCalls") return interruptedCalls();
  if (mode == "waitsAndWork") return waitsAndWork();
  if (mode == "spinning") return spinning();
  if (mode == "forks") return forks();
  if (mode == "executions") return executions(argv[0], atoi(argument));
  if (mode == "shortThreads") return shortThreads();
  if (mode == "tinyStacks") return tinyStacks();
  if (mode == "deepRecursion") return deepRecursion();
  if (mode == "exceptions") return exceptions();
  if (mode == "fibers") return fibers();
  if (mode == "modules") return modules(argument);
  if (mode == "inModule") return inModule(argument);
  if (mode == "inFoundModule") return inFoundModule(argument);
  if (mode == "callers") return callers();
  return 64;
}
