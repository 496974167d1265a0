// Comes to places and macros as often as it is told, and says how it went: "ok", or what is wrong.
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "include/parallax/parallax.h"
#include "tests/guests/asleep.h"

extern "C" {
int place_jump();
int place_short();
void place_trap();
void place_call(void (*f)());
unsigned long place_state(unsigned long flags);
extern char place_many[];
pthread_mutex_t guest_mutex = PTHREAD_MUTEX_INITIALIZER;
}

namespace {

[[noreturn]] void fail(const std::string& what) {
  printf("%s\n", what.c_str());
  exit(1);
}

void check(bool holds, const char* what) {
  if (!holds) fail(what);
}

long number(char** arguments, int at) { return strtol(arguments[at], nullptr, 10); }

void visit(long times) {
  for (long i = 0; i < times; i++) {
    errno = 77;
    check(place_jump() == 7 && place_short() == 0, "a wrong result");
    if (i % 100 == 0) place_trap();
    check(errno == 77, "errno has changed");
  }
}

double nowNs() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
}

void threads(char** arguments) {
  std::vector<std::thread> all;
  for (long i = 0; i < number(arguments, 2); i++) all.emplace_back(visit, number(arguments, 3));
  for (auto& thread : all) thread.join();
}

// Each process visits once more than its parent.
void forks(char** arguments) {
  for (long i = 1; i <= number(arguments, 2); i++) {
    visit(i);
    const pid_t child = fork();
    if (child != 0) {
      int status;
      waitpid(child, &status, 0);
      check(status == 0, "a child has failed");
      return;
    }
  }
}

void states(char**) {
  // Carry, parity, adjust, zero, sign, direction, overflow.
  for (unsigned long bits = 0; bits < 128; bits++) {
    static const int kAt[] = {0, 2, 4, 6, 7, 10, 11};
    unsigned long flags = 0x202;
    for (int i = 0; i < 7; i++) flags |= (bits >> i & 1) << kAt[i];
    check(place_state(flags) == 0, "a register, flag or word of the stack has changed");
  }
}

// ---------------------------------------------------------------- exceptions

struct Counted {
  static int alive;
  Counted() { alive++; }
  ~Counted() { alive--; }
};
int Counted::alive = 0;

void throws() {
  const Counted counted;
  visit(1);
  throw std::runtime_error("thrown");
}

void exceptions(char** arguments) {
  int caught = 0;
  for (long i = 0; i < number(arguments, 2); i++) {
    try {
      const Counted counted;
      place_call(throws);
    } catch (const std::runtime_error&) {
      caught++;
    }
    place_call([] {});
  }
  check(caught == number(arguments, 2) && Counted::alive == 0, "an exception was lost");
}

// ------------------------------------------------------------------- signals

std::atomic<long> alarms{0};
long visits = 0;

void onAlarm(int) {
  alarms++;
  place_jump();
}

// Prints how often it came to place_jump.
void signals(char** arguments) {
  struct sigaction action {};
  action.sa_handler = onAlarm;
  sigaction(SIGALRM, &action, nullptr);
  const itimerval often{{0, number(arguments, 3)}, {0, number(arguments, 3)}};
  setitimer(ITIMER_REAL, &often, nullptr);
  const double end = nowNs() + static_cast<double>(number(arguments, 2)) * 1e6;
  for (; nowNs() < end; visits++) place_jump();
  const itimerval never{};
  setitimer(ITIMER_REAL, &never, nullptr);
  printf("%ld %ld\n", visits + alarms.load(), alarms.load());
}

std::atomic<int> ownTraps{0};
void onTrap(int) {
  ownTraps++;
  place_trap();
}

void onUser(int) { place_trap(); }

void traps(char**) {
  struct sigaction action {}, old {};
  action.sa_handler = onTrap;
  check(sigaction(SIGTRAP, &action, &old) == 0 && old.sa_handler == SIG_DFL, "the former handler");
  check(sigaction(SIGTRAP, nullptr, &old) == 0 && old.sa_handler == onTrap, "the own handler");
  place_trap();
  check(ownTraps == 0, "a trap of a point has come to the program");
  asm volatile("int3");
  raise(SIGTRAP);
  check(ownTraps == 2, "a trap of the program has not come to it");

  sigset_t all, before;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, &before);
  place_trap();
  std::thread(place_trap).join();
  sigprocmask(SIG_SETMASK, &before, nullptr);
  pthread_sigmask(SIG_BLOCK, &all, nullptr);
  place_trap();
  pthread_sigmask(SIG_SETMASK, &before, nullptr);

  struct sigaction user {};
  user.sa_handler = onUser;
  sigfillset(&user.sa_mask);
  sigaction(SIGUSR1, &user, nullptr);
  raise(SIGUSR1);
  sigset_t one = all;
  sigdelset(&one, SIGUSR1);
  sigemptyset(&user.sa_mask);
  sigaction(SIGUSR1, &user, nullptr);
  sigset_t mine;
  sigemptyset(&mine);
  sigaddset(&mine, SIGUSR1);
  sigprocmask(SIG_BLOCK, &mine, nullptr);
  raise(SIGUSR1);
  sigsuspend(&one);
  raise(SIGUSR1);
  const timespec brief{1, 0};
  ppoll(nullptr, 0, &brief, &one);
  raise(SIGUSR1);
  pselect(0, nullptr, nullptr, nullptr, &brief, &one);
  sigprocmask(SIG_SETMASK, &before, nullptr);
  place_trap();
}

// --------------------------------------------------------------------- locks

void locks(char**) {
  for (int i = 0; i < 10; i++) place_jump();
  pthread_mutex_lock(&guest_mutex);
  for (int i = 0; i < 5; i++) place_jump();
  static std::atomic<int> waiter{0};  // thread number
  std::thread other([] {
    waiter = gettid();
    place_jump();
  });
  while (waiter == 0) usleep(1000);
  parallax::tests::awaitAsleep(getpid(), waiter);
  usleep(50000);
  pthread_mutex_unlock(&guest_mutex);
  other.join();
  double x = 1.5, y = 2.25;
  asm volatile("" : "+x"(x), "+x"(y));
  place_jump();
  check(x + y == 3.75, "a floating point number has changed");
}

// -------------------------------------------------------------------- macros

void macros(char** arguments) {
  for (long i = 0; i < number(arguments, 2); i++) {
    parallax_delay_point("one");
    if (i % 2 == 0) parallax_delay_point("two");
    parallax_delay_point("not in the plan");
    parallax_delay_point("one");
  }
}

// The least time of a call in ns, of each place; the plan says what is there.
void times(char** arguments) {
  const long calls = number(arguments, 2);
  const auto measure = [&](const char* name, auto call, long count) {
    double least = 1e18;
    for (int round = 0; round < 15; round++) {
      const double start = nowNs();
      for (long i = 0; i < count; i++) call();
      const double took = (nowNs() - start) / static_cast<double>(count);
      if (took < least) least = took;
    }
    printf("%s %.2f\n", name, least);
  };
  measure("jump", place_jump, calls);
  measure("short", place_short, calls);
  measure("trap", place_trap, calls / 100 + 1);
  measure("macro", [] { parallax_delay_point("one"); }, calls);
  exit(0);
}

// Each of the thousand places once.
void many(char**) {
  for (int i = 0; i < 1000; i++) {
    check(reinterpret_cast<int (*)()>(place_many + 16 * i)() == 7, "a wrong result");
  }
}

// While so many other threads run.
void loads(char** arguments) {
  std::atomic<bool> over{false};
  std::vector<std::thread> others;
  for (long i = 0; i < number(arguments, 4); i++) {
    others.emplace_back([&] {
      while (!over) check(place_jump() == 7, "a wrong result");
    });
  }
  for (int round = 0; round < 3; round++) {
    void* library = dlopen(arguments[2], RTLD_NOW | RTLD_LOCAL);
    check(library != nullptr, "the library cannot be loaded");
    auto* place = reinterpret_cast<int (*)()>(dlsym(library, "place_jump"));
    check(place != nullptr, "the library lacks place_jump");
    for (long i = 0; i < number(arguments, 3); i++) check(place() == 7, "a wrong result");
    dlclose(library);
  }
  over = true;
  for (auto& other : others) other.join();
}

// A library whose constructor starts a thread that is stopped inside of a place: by a fault, whose handler
// waits until the library is loaded.
void early(char** arguments) {
  void* library = dlopen(arguments[2], RTLD_NOW | RTLD_LOCAL);
  check(library != nullptr, "the library cannot be loaded");
  auto* goOn = reinterpret_cast<int (*)()>(dlsym(library, "early_go_on"));
  auto* place = reinterpret_cast<int (*)(const int*)>(dlsym(library, "early_place"));
  check(goOn != nullptr && place != nullptr, "the library lacks its functions");
  const int value = 35;
  for (int i = 0; i < 100; i++) check(place(&value) == 42, "a wrong result");
  check(goOn() == 42, "a wrong result of the thread that was inside");
}

// Changes of code have no membarrier: it would end the program.
void sealed(char** arguments) {
  sock_filter filter[] = {{BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(seccomp_data, nr)},
                          {BPF_JMP | BPF_JEQ | BPF_K, 0, 1, SYS_membarrier},
                          {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_KILL_PROCESS},
                          {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW}};
  sock_fprog program{4, filter};
  check(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
            prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0,
        "no filter");
  loads(arguments);
}

const struct {
  const char* name;
  void (*run)(char** arguments);
} kModes[] = {{"threads", threads}, {"forks", forks},           {"states", states},
              {"exceptions", exceptions}, {"signals", signals}, {"traps", traps},
              {"locks", locks},     {"macros", macros},         {"times", times},
              {"loads", loads},     {"many", many},             {"early", early},
              {"sealed", sealed}};

}  // namespace

int main(int count, char** arguments) {
  if (count > 2 && strcmp(arguments[1], "exec") == 0) {
    visit(3);
    std::vector<char*> words{arguments[0]};
    for (int i = 2; i <= count; i++) words.push_back(arguments[i]);
    execv(words[0], words.data());
    return 1;
  }
  for (const auto& mode : kModes) {
    if (count < 2 || strcmp(arguments[1], mode.name) != 0) continue;
    mode.run(arguments);
    puts("ok");
    return 0;
  }
  return 2;
}
