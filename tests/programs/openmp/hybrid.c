// MPI between processes, OpenMP within each: rank 0 prints the sum of both.
//
//   hybrid           with 2 ranks: sum 59400
#include <mpi.h>
#include <omp.h>
#include <stdio.h>

int main(int argc, char** argv) {
  int provided, rank;
  long total = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int step = 0; step < 4; step++) {
    long sum = 0, all;
#pragma omp parallel num_threads(2)
    {
#pragma omp for reduction(+ : sum)
      for (int i = 0; i < 100; i++) sum += i * (rank + 1);
#pragma omp master
      MPI_Allreduce(&sum, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
#pragma omp barrier
    }
    total += all;
  }
  if (rank == 0) printf("sum %ld\n", total);
  MPI_Finalize();
  return 0;
}
