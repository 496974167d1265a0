// What the parts of the program share that uses signals, timers, stacks, threads and descriptors in
// ways that a sampler could disturb, and checks itself.
#pragma once

#include <signal.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>

#define CHECK(condition)                                                        \
  do {                                                                          \
    if (!(condition)) {                                                         \
      printf("%s:%d: %s (errno %d)\n", __FILE__, __LINE__, #condition, errno); \
      fflush(stdout);                                                           \
      _exit(1);                                                                 \
    }                                                                           \
  } while (0)

struct Scenario {
  const char* name;
  void (*run)();
};

// Of each part, up to one without a name.
extern const Scenario signalScenarios[];
extern const Scenario stackScenarios[];
extern const Scenario threadScenarios[];
extern const Scenario processScenarios[];

extern volatile double sink;
double secondsOf(clockid_t clock);
void burn(double cpuSeconds);

// Has the signal handled, with all others blocked meanwhile.
void handle(int number, void (*handler)(int), int flags = SA_RESTART);
extern std::atomic<long> counts[65];  // by number of the signal

void expectEnd(pid_t pid, int expected);
