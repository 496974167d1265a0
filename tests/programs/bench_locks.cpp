// Threads that move money between accounts, each with a lock of its own: every step computes for
// a few microseconds, then takes and gives one lock of 16 that two threads want. All the money
// is still there in the end; it is the answer.
//
//   bench_locks [STEPS [WORK]]    steps of each thread, computing before each

#include <pthread.h>

#include <cstdio>
#include <cstdlib>

#include "bench_clock.h"

namespace {

constexpr int kThreads = 2;
constexpr int kAccounts = 16;

struct alignas(64) Account {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  long money = 1000;
};
Account accounts[kAccounts];

struct Worker {
  pthread_t thread;
  uint64_t random;
  int steps;
  int work;
};

void* move(void* opaque) {
  auto* self = static_cast<Worker*>(opaque);
  uint64_t x = self->random;
  long held = 0;
  for (int i = 0; i < self->steps; ++i) {
    for (int j = 0; j < self->work; ++j) {
      x ^= x << 13;
      x ^= x >> 7;
      x ^= x << 17;
    }
    Account& account = accounts[x % kAccounts];
    const long amount = held > 0 ? -held : static_cast<long>(x >> 32) % 100;
    pthread_mutex_lock(&account.mutex);
    account.money -= amount;
    pthread_mutex_unlock(&account.mutex);
    held += amount;
  }
  pthread_mutex_lock(&accounts[0].mutex);
  accounts[0].money += held;
  pthread_mutex_unlock(&accounts[0].mutex);
  return nullptr;
}

}  // namespace

int main(int argc, char** argv) {
  Worker workers[kThreads];
  const bench_section begin = bench_begin();
  for (int i = 0; i < kThreads; ++i) {
    workers[i].random = 88172645463325252u + static_cast<uint64_t>(i);
    workers[i].steps = argc > 1 ? atoi(argv[1]) : 10000;
    workers[i].work = argc > 2 ? atoi(argv[2]) : 1600;
    pthread_create(&workers[i].thread, nullptr, move, &workers[i]);
  }
  for (Worker& worker : workers) pthread_join(worker.thread, nullptr);
  const bench_section section = bench_end(begin);
  long money = 0;
  for (const Account& account : accounts) money += account.money;
  printf("wall_ns %lld\ncpu_ns %lld\nanswer %ld\n", static_cast<long long>(section.wall_ns),
         static_cast<long long>(section.cpu_ns), money);
  return 0;
}
