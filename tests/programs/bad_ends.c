// Programs that end badly, after the same work and messages.
//
//   bad_ends HOW [FILE]     at least two ranks
//
// Every rank does three units of work in before_the_end, passes a message of 4 bytes to the next
// rank and meets the others in two barriers. Between these rank 0 writes the line "bad_ends HOW",
// into FILE where one is named: a launcher may lose what ranks have printed when one aborts. Then
//   kill           rank 1 kills itself with SIGKILL
//   abort          rank 1 calls abort
//   segv           rank 1 raises SIGSEGV
//   mpi_abort      rank 1 calls MPI_Abort with code 7
//   exit           all call exit(0) without MPI_Finalize
//   return         all return from main without MPI_Finalize
//   exit_in_thread all call MPI_Finalize; then a second thread of each calls exit(0)
//   hard_exit      all call _exit(0) without MPI_Finalize
// while the other ranks, where only one ends, wait in a third barrier.
//
// Planted answer: each rank has 1 send, 1 receive, 4 bytes of each, an initialisation and 2
// completed barriers (1 where the launcher kills a rank that has not yet left the second one);
// with exit_in_thread a finalisation too. What the library does about a program that does not
// finalize (both may report it and give another exit status) is the same as without recording.

#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "work.h"

static PROCEDURE void before_the_end(void) { work(3); }

static void* exit_here(void* unused) {
  (void)unused;
  exit(0);
}

static PROCEDURE void end_alone(const char* how) {
  if (strcmp(how, "kill") == 0) raise(SIGKILL);
  if (strcmp(how, "abort") == 0) abort();
  if (strcmp(how, "segv") == 0) raise(SIGSEGV);
  if (strcmp(how, "mpi_abort") == 0) MPI_Abort(MPI_COMM_WORLD, 7);
}

static void end_together(const char* how) {
  pthread_t thread;
  if (strcmp(how, "exit") == 0) exit(0);
  if (strcmp(how, "hard_exit") == 0) _exit(0);
  if (strcmp(how, "exit_in_thread") == 0) {
    MPI_Finalize();
    pthread_create(&thread, NULL, exit_here, NULL);
    pthread_join(thread, NULL);
  }
}

int main(int argc, char** argv) {
  const char* how = argc > 1 ? argv[1] : "return";
  int rank, size, in = -1;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  before_the_end();
  MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 1, &in, 1, MPI_INT, (rank + size - 1) % size,
               1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    FILE* out = argc > 2 ? fopen(argv[2], "w") : stdout;
    if (out == NULL) MPI_Abort(MPI_COMM_WORLD, 1);
    fprintf(out, "bad_ends %s\n", how);
    fflush(out);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  const int alone = strcmp(how, "kill") == 0 || strcmp(how, "abort") == 0 ||
                    strcmp(how, "segv") == 0 || strcmp(how, "mpi_abort") == 0;
  if (alone) {
    if (rank == 1) end_alone(how);
    MPI_Barrier(MPI_COMM_WORLD);
  } else {
    end_together(how);
  }
  return 0;
}
