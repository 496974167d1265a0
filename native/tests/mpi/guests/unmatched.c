// Partitioned communication, and a session of which nothing is used: rank 0 sends four ints in four parts.
#include <mpi.h>
#include <stdio.h>

enum { PARTS = 4 };

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int parts[PARTS] = {rank, rank, rank, rank};
  MPI_Request request;
  if (rank == 0) {
    MPI_Psend_init(parts, PARTS, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    MPI_Start(&request);
    for (int i = 0; i < PARTS; ++i) MPI_Pready(i, request);
  } else {
    MPI_Precv_init(parts, PARTS, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    MPI_Start(&request);
  }
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Request_free(&request);
  printf("rank %d: %d\n", rank, parts[PARTS - 1]);
  MPI_Session session;
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
  MPI_Session_finalize(&session);
  MPI_Finalize();
  return 0;
}
