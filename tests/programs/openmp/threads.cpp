// Two threads of the program, each the master of teams of its own, with exceptions that end where
// they may: inside the region, the task or the critical section.
//
//   threads          prints: caught 40, sum 220
#include <omp.h>

#include <cstdio>
#include <stdexcept>
#include <thread>

static int caught[2], sums[2];

static void step(int i) {
  if (i % 2 == 0) throw std::runtime_error("even");
}

static void work(int self) {
  for (int round = 0; round < 5; round++) {
    int sum = 0, thrown = 0;
#pragma omp parallel num_threads(2) reduction(+ : sum)
    {
#pragma omp for schedule(dynamic)
      for (int i = 0; i < 4; i++) {
        try {
          step(i);
          sum += i;
        } catch (const std::runtime_error&) {
#pragma omp critical(counting)
          thrown++;
        }
      }
#pragma omp single
      for (int i = 0; i < 4; i++) {
#pragma omp task shared(thrown, sum) firstprivate(i)
        try {
          step(i);
#pragma omp atomic
          sum += i;
        } catch (const std::runtime_error&) {
#pragma omp critical(counting)
          thrown++;
        }
      }
    }
    caught[self] += thrown;
    sums[self] += sum + 14;
  }
}

int main() {
  std::thread other(work, 1);
  work(0);
  other.join();
  std::printf("caught %d, sum %d\n", caught[0] + caught[1], sums[0] + sums[1]);
  return 0;
}
