// Each wait state of two ranks by itself: one of them works while the other waits.
//
//   wait_states [UNITS [isend]]      default 60; two ranks. With `isend` the late receiver keeps a non-blocking
//                                    send of 4 MiB from completing instead of a synchronous one.
//
// Planted answer: for each state, one rank does UNITS of work in a procedure named after it while
// the other waits in one MPI call. The origin of the wait is that procedure. Printed, in seconds, is
// how long the call took and how long the procedure: neither is shorter than the wait of which the
// procedure is the origin, and both are longer only by what the machine kept the ranks from going on.
//
//   state                       waits     works in
//   late sender                 rank 1    delay_send
//   late sender, wrong order    rank 1    delay_order
//   late receiver               rank 0    delay_receive
//   early reduce                rank 0    delay_reduce
//   late broadcast              rank 1    delay_broadcast
//   early scan                  rank 1    delay_scan
//   wait at barrier             rank 0    delay_barrier
//   wait at NxN                 rank 1    delay_alltoall

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "work.h"

static PROCEDURE void delay_send(long units) { work(units); }
static PROCEDURE void delay_order(long units) { work(units); }
static PROCEDURE void delay_receive(long units) { work(units); }
static PROCEDURE void delay_reduce(long units) { work(units); }
static PROCEDURE void delay_broadcast(long units) { work(units); }
static PROCEDURE void delay_scan(long units) { work(units); }
static PROCEDURE void delay_barrier(long units) { work(units); }
static PROCEDURE void delay_alltoall(long units) { work(units); }

static char large[4 << 20];
static double begin;

static void start(void) { begin = MPI_Wtime(); }
static void stop(const char* name) { printf("%s=%.6f\n", name, MPI_Wtime() - begin); }

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const long units = argc > 1 ? atol(argv[1]) : 60;
  const int isend = argc > 2 && strcmp(argv[2], "isend") == 0;
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (size != 2) MPI_Abort(MPI_COMM_WORLD, 1);
  int value = 1, sum = 0, all[2] = {1, 2}, others[2];
  MPI_Barrier(MPI_COMM_WORLD);

  if (rank == 0) {
    start();
    delay_send(units);
    stop("delay_send");
    MPI_Send(&value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
    MPI_Send(&value, 1, MPI_INT, 1, 2, MPI_COMM_WORLD);
    start();
    delay_order(units);
    stop("delay_order");
    MPI_Send(&value, 1, MPI_INT, 1, 3, MPI_COMM_WORLD);
    if (isend) {
      MPI_Request request;
      MPI_Isend(large, sizeof large, MPI_CHAR, 1, 4, MPI_COMM_WORLD, &request);
      start();
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
      start();
      MPI_Ssend(&value, 1, MPI_INT, 1, 4, MPI_COMM_WORLD);
    }
    stop("late_receiver");
    start();
    MPI_Reduce(&value, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    stop("early_reduce");
    start();
    delay_broadcast(units);
    stop("delay_broadcast");
    MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
    start();
    delay_scan(units);
    stop("delay_scan");
    MPI_Scan(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    start();
    MPI_Barrier(MPI_COMM_WORLD);
    stop("barrier");
    start();
    delay_alltoall(units);
    stop("delay_alltoall");
    MPI_Alltoall(all, 1, MPI_INT, others, 1, MPI_INT, MPI_COMM_WORLD);
  } else {
    start();
    MPI_Recv(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    stop("late_sender");
    start();
    MPI_Recv(&value, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    stop("wrong_order");
    MPI_Recv(&value, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    start();
    delay_receive(units);
    stop("delay_receive");
    MPI_Recv(large, sizeof large, MPI_CHAR, 0, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    start();
    delay_reduce(units);
    stop("delay_reduce");
    MPI_Reduce(&value, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    start();
    MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
    stop("late_broadcast");
    start();
    MPI_Scan(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    stop("early_scan");
    start();
    delay_barrier(units);
    stop("delay_barrier");
    MPI_Barrier(MPI_COMM_WORLD);
    start();
    MPI_Alltoall(all, 1, MPI_INT, others, 1, MPI_INT, MPI_COMM_WORLD);
    stop("alltoall");
  }
  MPI_Finalize();
  return 0;
}
