// A program with a profiling layer of its own: its wrappers call PMPI. It sends and receives ten
// messages of 4 bytes on each of two ranks and makes ten sums, and says so.

#include <mpi.h>
#include <stdio.h>

static int sends, receives;

int MPI_Send(const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  ++sends;
  return PMPI_Send(buffer, count, type, to, tag, comm);
}

int MPI_Recv(void* buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
             MPI_Status* status) {
  ++receives;
  return PMPI_Recv(buffer, count, type, from, tag, comm, status);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, in, sum = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < 10; ++i) {
    if (rank == 0) MPI_Send(&i, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
    MPI_Recv(&in, 1, MPI_INT, 1 - rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 1) MPI_Send(&in, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    PMPI_Allreduce(&in, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  }
  printf("rank %d: %d sends, %d receives, sum %d\n", rank, sends, receives, sum);
  MPI_Finalize();
  return 0;
}
