/* Control variables of MPI_T after MPI_Init: what they say, whether they can be written, and what that changes.
 *
 *   mpi_variables probe|early-probe [NAME...]
 *   mpi_variables effect NAME VALUE,... REPETITIONS MICROSECONDS CALL:BYTES...
 *
 * `probe` prints each variable, or those named, in lines `KEY TEXT`. It reads, writes and reads it again in a child
 * process: where that crashes or hangs, the child's end is a line of the variable, and the next one has a child of its own.
 * `early-probe` initializes MPI_T also before MPI_Init, as some tools do; Open MPI then has more variables, some of parts
 * that MPI_Init unloads.
 *
 * `effect` writes the variable, with its first value and each of the others in turn, in random order, and times the calls
 * each time: on a communicator that was made and used before the first write, and on one made after this write. A line
 * `time STAGE VALUE CALL BYTES NANOSECONDS` is the shortest of as many calls as take the given time; a call takes as long as
 * in the process where it takes longest. For the call `eager_limit` it is the largest size, in bytes, of a message that leaves
 * before the receiver asks for it. The VALUE of the first one is "-". With "-" for NAME nothing is written.
 *
 * Planted: every call of a value must give the right result, else a line `wrong` tells it. The last line is `complete 1`.
 *
 * MPI_T is not finalized: after MPI_Finalize that crashes Open MPI. */
#include <stdio.h>
#include <string.h>

#include "variables.h"

int main(int count, char **arguments) {
  int provided = 0, status = 2, rank = 0, size = 0;
  char version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  const int is_early = count > 1 && strcmp(arguments[1], "early-probe") == 0;
  if (is_early) MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
  MPI_Init(&count, &arguments);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (MPI_T_init_thread(MPI_THREAD_SINGLE, &provided) != MPI_SUCCESS) {
    fprintf(stderr, "mpi_variables: MPI_T cannot be initialized\n");
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Get_library_version(version, &size);
  version[strcspn(version, "\r\n")] = 0;
  if (rank == 0) printf("library %s\n", version);
  if (count > 1 && (is_early || strcmp(arguments[1], "probe") == 0)) {
    status = rank == 0 ? probe(count - 2, arguments + 2) : 0;
  } else if (count > 6 && strcmp(arguments[1], "effect") == 0) {
    status = effect(count - 2, arguments + 2);
  } else if (rank == 0) {
    fprintf(stderr, "usage: mpi_variables probe|early-probe [NAME...]\n"
                    "       mpi_variables effect NAME VALUE,... REPETITIONS MICROSECONDS CALL:BYTES...\n");
  }
  fflush(stdout);
  MPI_Finalize();
  return status;
}
