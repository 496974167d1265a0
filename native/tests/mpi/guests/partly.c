// Collectives of MPI_COMM_WORLD right after MPI_Init. Each rank prints what it got: a message too many or too few changes it.
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  long wrong = 0;
  for (int i = 0; i < 6; ++i) {
    const int root = i % size;
    int told = rank == root ? 1000 + i : 0, one = 1, sum = 0;
    MPI_Bcast(&told, 1, MPI_INT, root, MPI_COMM_WORLD);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    wrong += told != 1000 + i || sum != size;
  }
  printf("rank %d of %d: %ld wrong\n", rank, size, wrong);
  MPI_Finalize();
  return wrong != 0;
}
