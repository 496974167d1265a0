// One rank computes a known multiple of the others before each barrier.
//
//   imbalance [MULTIPLE [ROUNDS [UNITS]]]        defaults 4, 20, 5; at least two ranks
//
// In every round each rank does UNITS of work in compute_light, and rank 1 does
// (MULTIPLE - 1) * UNITS more in compute_heavy; then all meet in MPI_Barrier.
//
// Planted answer: rank 1 reaches every barrier last, so that the critical path stays on it.
// compute_heavy holds (MULTIPLE - 1) / MULTIPLE of the path's work and compute_light
// 1 / MULTIPLE; by default 0.75 and 0.25. Of all CPU time spent in the two, on n ranks,
// compute_heavy has (MULTIPLE - 1) / (MULTIPLE - 1 + n).

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "work.h"

static PROCEDURE void compute_light(long units) { work(units); }

static PROCEDURE void compute_heavy(long units) { work(units); }

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const long multiple = argc > 1 ? atol(argv[1]) : 4;
  const int rounds = argc > 2 ? atoi(argv[2]) : 20;
  const long units = argc > 3 ? atol(argv[3]) : 5;
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int heavy_rank = 1 % size;

  for (int round = 0; round < rounds; ++round) {
    compute_light(units);
    if (rank == heavy_rank) compute_heavy((multiple - 1) * units);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  if (rank == 0) {
    printf("imbalance ranks=%d heavy_rank=%d barriers=%d path_heavy=%.4f path_light=%.4f "
           "cpu_heavy=%.4f\n",
           size, heavy_rank, rounds, (multiple - 1) / (double)multiple, 1 / (double)multiple,
           (multiple - 1) / (double)(multiple - 1 + size));
  }
  MPI_Finalize();
  return 0;
}
