// A library that needs MPI: exchanges one int with the other rank and makes one sum.

#include <mpi.h>
#include <stdio.h>

int run_loaded(int argc, char** argv) {
  int rank, in = -1, sum = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Sendrecv(&rank, 1, MPI_INT, 1 - rank, 1, &in, 1, MPI_INT, 1 - rank, 1, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  printf("rank %d: got %d, sum %d\n", rank, in, sum);
  MPI_Finalize();
  return 0;
}
