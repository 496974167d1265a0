// Heat in a plate, by Jacobi iteration: the demonstration program.
//
//   heat [ITERATIONS [PLATE_ROWS [COLUMNS [PASSES]]]]        meant for 4 ranks
//
// Each iteration exchanges the halo with the neighbours, relaxes the interior meanwhile, then the
// edges, and sums the residual over all ranks.
//
// Planted answer: the strip of rank 2 holds a material boundary that needs refine_cells in every
// iteration. The others wait for it in MPI_Allreduce, so that the critical path stays on rank 2
// and refine_cells holds most of it, though of all CPU time it has much less.

#include <stdio.h>
#include <stdlib.h>

#include "heat.h"

static const int kCostlyRank = 2;

static double iterate(Strip* strip, int rank, int ranks, int passes) {
  MPI_Request requests[4];
  start_halo_exchange(strip, rank, ranks, requests);
  double residual = relax_interior(strip);
  finish_halo_exchange(requests);
  residual += relax_edges(strip);
  if (rank == kCostlyRank % ranks) refine_cells(strip, passes);
  swap_cells(strip);
  return global_residual(residual);
}

static void print_progress(int iteration, int iterations, double residual) {
  printf("heat: iteration %4d of %d, residual %.6e\n", iteration, iterations, residual);
  fflush(stdout);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int iterations = argc > 1 ? atoi(argv[1]) : 400;
  const int plate_rows = argc > 2 ? atoi(argv[2]) : 800;
  const int columns = argc > 3 ? atoi(argv[3]) : 1000;
  const int passes = argc > 4 ? atoi(argv[4]) : 4;
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);

  Strip strip;
  create_strip(&strip, plate_rows, columns, rank, ranks);
  for (int i = 1; i <= iterations; ++i) {
    const double residual = iterate(&strip, rank, ranks, passes);
    if (rank == 0 && (i % (iterations / 4 > 0 ? iterations / 4 : 1) == 0)) {
      print_progress(i, iterations, residual);
    }
  }
  const double mean = mean_temperature(&strip, plate_rows);
  if (rank == 0) printf("heat: mean temperature %.6f\n", mean);
  free_strip(&strip);
  MPI_Finalize();
  return 0;
}
