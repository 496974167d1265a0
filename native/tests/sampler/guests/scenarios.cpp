// Runs the scenario that its argument names. Says "ok", or what was not as it should be.
#include "scenarios.h"

#include <sys/wait.h>

#include <cstring>
#include <initializer_list>

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

void handle(int number, void (*handler)(int), int flags) {
  struct sigaction action{};
  action.sa_handler = handler;
  action.sa_flags = flags;
  sigfillset(&action.sa_mask);
  CHECK(sigaction(number, &action, nullptr) == 0);
}

std::atomic<long> counts[65];

void expectEnd(pid_t pid, int expected) {
  int status = 0;
  CHECK(waitpid(pid, &status, 0) == pid);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == expected);
}

int main(int count, char** arguments) {
  if (count != 2) return 64;
  for (const Scenario* part :
       {signalScenarios, stackScenarios, threadScenarios, processScenarios}) {
    for (const Scenario* scenario = part; scenario->name != nullptr; ++scenario) {
      if (strcmp(arguments[1], scenario->name) != 0) continue;
      scenario->run();
      puts("ok");
      return 0;
    }
  }
  return 64;
}
