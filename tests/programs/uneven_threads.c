// Ranks with threads of OpenMP that meet after each step; some ranks have more work than others.
//
//   uneven_threads STEPS WORK...                 defaults 100, 3 1; WORK for each rank
//
// In each step, a rank computes WORK times 12 items in a parallel loop with a static schedule, each of some 0.3 ms; then
// MPI_Allreduce adds the sums of all ranks. The number of threads is that of OMP_NUM_THREADS, or of live tuning.
//
// Planted: with two threads each, on one processor each, a rank of work 1 waits for two thirds of the time for one of work 3.
// With 3 threads on both processors and 1 thread, a step takes two thirds of the time. Sums are of integers, so that they do
// not depend on the number of threads.
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define ITEMS 12L
#define STEPS_OF_ITEM 300000L

static uint64_t compute_item(uint64_t item) {
  uint64_t x = 88172645463325252u + item;
  for (long i = 0; i < STEPS_OF_ITEM; i++) {
    x = x * 6364136223846793005u + 1442695040888963407u;
    __asm__("" : "+r"(x));  // no compiler takes several steps at once
  }
  return x;
}

int main(int argc, char** argv) {
  const int steps = argc > 1 ? atoi(argv[1]) : 100;
  int provided, rank;
  uint64_t total = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const long work = argc > rank + 2 ? atol(argv[rank + 2]) : rank == 0 ? 3 : 1;
  for (int step = 0; step < steps; step++) {
    uint64_t sum = 0, all = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
    for (long item = 0; item < work * ITEMS; item++) sum += compute_item((uint64_t)(step + rank * 1000003L + item * 1009L));
    MPI_Allreduce(&sum, &all, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    total = total * 31 + all;
  }
  if (rank == 0) printf("uneven_threads steps=%d total=%016llx\n", steps, (unsigned long long)total);
  MPI_Finalize();
  return provided < MPI_THREAD_FUNNELED;
}
