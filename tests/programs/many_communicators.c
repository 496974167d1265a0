// More communicators than fit into small tables, freed and made again.
//
//   many_communicators [COMMUNICATORS]        default 200; at least two ranks
//
// Makes that many copies of MPI_COMM_WORLD, passes an int round the ranks on each, frees every
// second one, and does the same with as many new ones.
//
// Planted answer: each rank has COMMUNICATORS + COMMUNICATORS / 2 creations, as many sends and
// receives of 4 bytes, each on a communicator of its own.

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int rank, size, passed;

static void make(MPI_Comm* comm) {
  MPI_Comm_dup(MPI_COMM_WORLD, comm);
  const int to = (rank + 1) % size, from = (rank + size - 1) % size;
  int in = -1;
  MPI_Sendrecv(&passed, 1, MPI_INT, to, 1, &in, 1, MPI_INT, from, 1, *comm, MPI_STATUS_IGNORE);
  if (in != passed) MPI_Abort(MPI_COMM_WORLD, 3);
  ++passed;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int count = argc > 1 ? atoi(argv[1]) : 200;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm* comms = malloc((size_t)count * sizeof *comms);
  if (comms == NULL) MPI_Abort(MPI_COMM_WORLD, 3);
  for (int i = 0; i < count; ++i) make(&comms[i]);
  for (int i = 1; i < count; i += 2) MPI_Comm_free(&comms[i]);
  for (int i = 1; i < count; i += 2) make(&comms[i]);
  for (int i = 0; i < count; ++i) MPI_Comm_free(&comms[i]);
  free(comms);
  if (rank == 0) printf("many_communicators ranks=%d messages=%d\n", size, passed);
  MPI_Finalize();
  return 0;
}
