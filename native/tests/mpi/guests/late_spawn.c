// A tool between a program and Open MPI that lets MPI_Comm_spawn return late, and MPI_Init in spawned processes.
#include <mpi.h>
#include <stdlib.h>
#include <time.h>

static void late(time_t seconds, long nanoseconds) {
  const struct timespec time = {seconds, nanoseconds};
  nanosleep(&time, NULL);
}

int MPI_Comm_spawn(const char* command, char* arguments[], int most, MPI_Info info, int root, MPI_Comm comm,
                   MPI_Comm* created, int errors[]) {
  const int result = PMPI_Comm_spawn(command, arguments, most, info, root, comm, created, errors);
  late(6, 0);
  return result;
}

int MPI_Init(int* argc, char*** argv) {
  const int result = PMPI_Init(argc, argv);
  if (getenv("OMPI_PARENT_PORT") != NULL) late(0, 400000000);
  return result;
}
