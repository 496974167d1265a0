// Threads queueing on a mutex.
//
//   mutex_queue [THREADS [TURNS [UNITS]]]        defaults 4, 20, 4
//
// Each thread takes TURNS turns: UNITS / 4 of work in private_work without the lock, then UNITS
// in critical_section with it.
//
// Planted answer: the lock is always wanted by somebody, so that the critical path follows it
// from thread to thread. After the first private_work everything on the path is
// critical_section: its share of the path's work is
// THREADS * TURNS * UNITS / (THREADS * TURNS * UNITS + UNITS / 4), by default 0.9969, and each
// thread holds 1 / THREADS of that. Of all CPU time spent in the two it has 0.8.

#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

#include "work.h"

static std::mutex lock;
static long turns_taken = 0;

PROCEDURE static void critical_section(long units) {
  work(units);
  ++turns_taken;
}

PROCEDURE static void private_work(long units) { work(units); }

static void take_turns(int turns, long units) {
  for (int turn = 0; turn < turns; ++turn) {
    private_work(units / 4);
    std::lock_guard<std::mutex> guard(lock);
    critical_section(units);
  }
}

int main(int argc, char** argv) {
  const int threads = argc > 1 ? atoi(argv[1]) : 4;
  const int turns = argc > 2 ? atoi(argv[2]) : 20;
  const long units = argc > 3 ? atol(argv[3]) : 4;

  std::vector<std::thread> workers;
  for (int i = 0; i < threads; ++i) workers.emplace_back(take_turns, turns, units);
  for (std::thread& worker : workers) worker.join();

  const double locked = double(threads) * turns * units;
  printf("mutex_queue threads=%d turns=%ld path_critical=%.4f cpu_critical=%.4f\n", threads,
         turns_taken, locked / (locked + units / 4), 0.8);
  return 0;
}
