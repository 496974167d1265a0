/* Two ranks that exchange messages of known sizes: tuned_mpi DIRECTORY VARIABLE. Rank 0 tells what value the control variable has in
 * the end. */
#include <mpi.h>
#include <string.h>

#include "gates.h"

static char data[1 << 17], other[1 << 17];

static int valueOf(const char* variable) {
  int provided, index, count, value = -1;
  MPI_T_cvar_handle handle;
  MPI_Comm world = MPI_COMM_WORLD;
  if (MPI_T_init_thread(MPI_THREAD_SINGLE, &provided) != MPI_SUCCESS) return -2;
  if (MPI_T_cvar_get_index(variable, &index) == MPI_SUCCESS &&
      MPI_T_cvar_handle_alloc(index, &world, &handle, &count) == MPI_SUCCESS) {
    MPI_T_cvar_read(handle, &value);
    MPI_T_cvar_handle_free(&handle);
  }
  MPI_T_finalize();
  return value;
}

int main(int argc, char** argv) {
  int rank, ends = 0;
  char name[64];
  MPI_Request requests[2];
  MPI_Status statuses[2];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  gatesDirectory = argv[1];
  snprintf(name, sizeof name, "ready%d", rank);
  tell(name, "");
  await("go");
  for (int i = 0; i < 10; i++) {
    if (rank == 0) MPI_Send(data, 1000, MPI_CHAR, 1, 1, MPI_COMM_WORLD);
    if (rank == 1) MPI_Recv(data, sizeof data, MPI_CHAR, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  for (int i = 0; i < 4; i++) {
    MPI_Irecv(other, sizeof other, MPI_CHAR, 1 - rank, 2, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(data, 50000, MPI_CHAR, 1 - rank, 2, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, statuses);
  }
  for (int i = 0; i < 3; i++) MPI_Allreduce(data, other, 512, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Bcast(data, 300, MPI_CHAR, 0, MPI_COMM_WORLD);
  MPI_Ibcast(data, 70, MPI_CHAR, 0, MPI_COMM_WORLD, &requests[0]);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  snprintf(name, sizeof name, "sent%d", rank);
  tell(name, "");
  while (!ends) {
    int own = rank == 0 && isOpen("end");
    MPI_Allreduce(&own, &ends, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    usleep(500);
  }
  if (rank == 0) {
    snprintf(name, sizeof name, "%d\n", argc > 2 ? valueOf(argv[2]) : 0);
    tell("result", name);
  }
  MPI_Finalize();
  return 0;
}
