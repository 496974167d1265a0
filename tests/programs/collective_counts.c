// Collectives in which not each rank needs each other: one rank comes late, and those wait that need it.
//
//   collective_counts [MILLISECONDS [messages|quiet]]    default 60; two ranks or more. With `messages` the ranks that
//                                                        must wait for the late one do so by a message from it.
//                                                        With `quiet` nothing is printed.
//
// Planted answer: in each case one rank sleeps MILLISECONDS in a procedure delay_CASE before it calls the collective in
// in_CASE; the others call it at once. Who receives data of the late rank waits for it. Others may leave before it
// comes, or not: this is up to the library. Printed, in seconds, is how long the late rank slept (delay.CASE), how
// long the call of each other rank took (CASE.RANK), the same with the barriers around it (both.CASE.RANK), and for those
// that must wait must.CASE.RANK=1.

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "work.h"

enum { LARGE = 1 << 18, MOST = 64 };

static int rank, size, left, right, messages, quiet;
static long milliseconds;
static MPI_Comm all, line, ring, across;
static int here[LARGE], there[LARGE], counts[MOST], from[MOST], places[MOST], bytes[MOST];
static MPI_Datatype types[MOST];
static MPI_Aint far[MOST];

#define say(...) (quiet ? 0 : printf(__VA_ARGS__))

static PROCEDURE void sleep_long(void) {
  const struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000};
  nanosleep(&time, NULL);
}

static void fill(int count) {
  for (int i = 0; i < MOST; ++i) {
    counts[i] = from[i] = count;
    places[i] = i;
    bytes[i] = (int)sizeof(int) * i;
    far[i] = (MPI_Aint)sizeof(int) * i;
    types[i] = MPI_INT;
  }
}

// Each rank sends to the one on its right.
static void fill_ring(void) {
  fill(0);
  counts[right] = from[left] = 1;
}

// The roots of intercommunicators between the even and the odd ranks: rank 0.
static int root_across(void) { return rank % 2 == 1 ? 0 : rank == 0 ? MPI_ROOT : MPI_PROC_NULL; }

static void finish(MPI_Request request) { MPI_Wait(&request, MPI_STATUS_IGNORE); }

// The late rank tells all, those that must wait for it receive at once and the others later.
static void exchange(int late, int must) {
  if (rank == late) {
    for (int to = 0; to < size; ++to) {
      if (to != rank) MPI_Send(&rank, 1, MPI_INT, to, 1, all);
    }
  } else if (must) {
    MPI_Recv(there, 1, MPI_INT, late, 1, all, MPI_STATUS_IGNORE);
  }
}

// The late rank, whether this one must wait for it, and the call.
#define CASES(X)                                                                                               \
  X(bcast, 0, 1, MPI_Bcast(here, 1, MPI_INT, 0, all))                                                          \
  X(bcast_nothing, 0, 0, MPI_Bcast(here, 0, MPI_INT, 0, all))                                                  \
  X(bcast_leaf, size - 1, 0, MPI_Bcast(here, 1, MPI_INT, 0, all))                                              \
  X(bcast_inner, 1, 0, MPI_Bcast(here, 1, MPI_INT, 0, all))                                                    \
  X(bcast_large, 1, 0, MPI_Bcast(here, LARGE, MPI_INT, 0, all))                                                \
  X(gather_nothing, 1, 0, MPI_Gather(here, 0, MPI_INT, there, 0, MPI_INT, 0, all))                             \
  X(gather, size - 1, rank == 0, MPI_Gather(here, 1, MPI_INT, there, 1, MPI_INT, 0, all))                      \
  X(gatherv_without, 1, 0, fill(1); counts[1] = 0;                                                             \
    MPI_Gatherv(here, counts[rank], MPI_INT, there, counts, places, MPI_INT, 0, all))                          \
  X(gatherv_with, 1, rank == 0, fill(0); counts[1] = 1;                                                        \
    MPI_Gatherv(here, counts[rank], MPI_INT, there, counts, places, MPI_INT, 0, all))                          \
  X(scatterv, 0, rank != 1, fill(1); counts[1] = 0;                                                            \
    MPI_Scatterv(here, counts, places, MPI_INT, there, counts[rank], MPI_INT, 0, all))                         \
  X(allgatherv_without, 1, 0, fill(1); counts[1] = 0;                                                          \
    MPI_Allgatherv(here, counts[rank], MPI_INT, there, counts, places, MPI_INT, all))                          \
  X(allgatherv_with, 1, 1, fill(0); counts[1] = 1;                                                             \
    MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_INT, there, counts, places, MPI_INT, all))                             \
  X(alltoallv_ring, 0, rank == 1, fill_ring();                                                                 \
    MPI_Alltoallv(here, counts, places, MPI_INT, there, from, places, MPI_INT, all))                           \
  X(alltoallv_nothing, 0, 0, fill(0);                                                                          \
    MPI_Alltoallv(here, counts, places, MPI_INT, there, from, places, MPI_INT, all))                           \
  X(alltoallw_ring, 0, rank == 1, fill_ring();                                                                 \
    MPI_Alltoallw(here, counts, bytes, types, there, from, bytes, types, all))                                 \
  X(ialltoallv_ring, 0, rank == 1, fill_ring(); MPI_Request r;                                                 \
    MPI_Ialltoallv(here, counts, places, MPI_INT, there, from, places, MPI_INT, all, &r); finish(r))           \
  X(igatherv_without, 1, 0, fill(1); counts[1] = 0; MPI_Request r;                                             \
    MPI_Igatherv(here, counts[rank], MPI_INT, there, counts, places, MPI_INT, 0, all, &r); finish(r))          \
  X(allreduce_nothing, 0, 0, MPI_Allreduce(here, there, 0, MPI_INT, MPI_SUM, all))                             \
  X(iallreduce_nothing, 0, 0, MPI_Request r;                                                                   \
    MPI_Iallreduce(here, there, 0, MPI_INT, MPI_SUM, all, &r); finish(r))                                      \
  X(reduce_scatter, 0, rank != 1, fill(1); counts[1] = 0;                                                      \
    MPI_Reduce_scatter(here, there, counts, MPI_INT, MPI_SUM, all))                                            \
  X(scan, 1, rank > 1, MPI_Scan(here, there, 1, MPI_INT, MPI_SUM, all))                                        \
  X(line_allgather, 0, rank == 1, MPI_Neighbor_allgather(here, 1, MPI_INT, there, 1, MPI_INT, line))           \
  X(line_alltoallv, 0, rank == 1, fill(0); counts[1] = from[0] = 1;                                            \
    MPI_Neighbor_alltoallv(here, counts, places, MPI_INT, there, from, places, MPI_INT, line))                 \
  X(ring_allgather, 0, rank == 1, MPI_Neighbor_allgather(here, 1, MPI_INT, there, 1, MPI_INT, ring))           \
  X(ring_alltoallw, 0, rank == 1, fill(1);                                                                     \
    MPI_Neighbor_alltoallw(here, counts, far, types, there, from, far, types, ring))                           \
  X(ring_iallgather, 0, rank == 1, MPI_Request r;                                                              \
    MPI_Ineighbor_allgather(here, 1, MPI_INT, there, 1, MPI_INT, ring, &r); finish(r))                         \
  X(across_barrier, 0, rank % 2 == 1, MPI_Barrier(across))                                                     \
  X(across_bcast, 0, rank % 2 == 1, MPI_Bcast(here, 1, MPI_INT, root_across(), across))                        \
  X(across_bcast_null, size - size % 2 - 2, size < 4 && rank == 1,                                             \
    MPI_Bcast(here, 1, MPI_INT, root_across(), across))                                                        \
  X(across_reduce, 1, rank == 0, MPI_Reduce(here, there, 1, MPI_INT, MPI_SUM, root_across(), across))          \
  X(across_allgather, 0, rank % 2 == 1,                                                                        \
    MPI_Allgather(here, rank % 2 == 0, MPI_INT, there, rank % 2 == 1, MPI_INT, across))

#define DEFINE(name, late, must, ...)                       \
  static PROCEDURE void delay_##name(void) {                \
    sleep_long();                                           \
    work_sink = 1;                                          \
  }                                                         \
  static PROCEDURE void in_##name(void) {                   \
    if (messages) {                                         \
      exchange(late, must);                                 \
    } else {                                                \
      __VA_ARGS__;                                          \
    }                                                       \
    work_sink = 2;                                          \
  }                                                         \
  static void run_##name(void) {                            \
    run(#name, late, rank != (late) && (must), delay_##name, in_##name); \
  }

static void run(const char* name, int late, int must, void (*delay)(void), void (*call)(void)) {
  const double start = MPI_Wtime();
  MPI_Barrier(all);
  if (rank == late) {
    const double begin = MPI_Wtime();
    delay();
    say("delay.%s=%.6f\n", name, MPI_Wtime() - begin);
    call();
  } else {
    const double begin = MPI_Wtime();
    call();
    say("%s.%d=%.6f\n", name, rank, MPI_Wtime() - begin);
    if (must) say("must.%s.%d=1\n", name, rank);
  }
  // All have met when the next case begins.
  MPI_Barrier(all);
  if (rank != late) say("both.%s.%d=%.6f\n", name, rank, MPI_Wtime() - start);
  if (messages && rank != late && !must) MPI_Recv(there, 1, MPI_INT, late, 1, all, MPI_STATUS_IGNORE);
}

CASES(DEFINE)

#ifdef WITH_PERSISTENT
static MPI_Request persistent;

static PROCEDURE void delay_persistent(void) {
  sleep_long();
  work_sink = 1;
}

static PROCEDURE void in_persistent(void) {
  if (messages) {
    exchange(0, rank == 1);
  } else {
    MPI_Start(&persistent);
    MPI_Wait(&persistent, MPI_STATUS_IGNORE);
  }
  work_sink = 2;
}

static void run_persistent(void) {
  fill_ring();
  MPI_Alltoallv_init(here, counts, places, MPI_INT, there, from, places, MPI_INT, all, MPI_INFO_NULL, &persistent);
  run("persistent", 0, rank == 1, delay_persistent, in_persistent);
  MPI_Request_free(&persistent);
}
#endif

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  milliseconds = argc > 1 ? atol(argv[1]) : 60;
  messages = argc > 2 && strcmp(argv[2], "messages") == 0;
  quiet = argc > 2 && strcmp(argv[2], "quiet") == 0;
  all = MPI_COMM_WORLD;
  MPI_Comm_rank(all, &rank);
  MPI_Comm_size(all, &size);
  if (size < 2 || size > MOST) MPI_Abort(all, 1);
  left = (rank + size - 1) % size;
  right = (rank + 1) % size;
  MPI_Comm half;
  const int open = 0;
  MPI_Cart_create(all, 1, &size, &open, 0, &line);
  MPI_Dist_graph_create_adjacent(all, 1, &left, MPI_UNWEIGHTED, 1, &right, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &ring);
  MPI_Comm_split(all, rank % 2, rank, &half);
  MPI_Intercomm_create(half, 0, all, 1 - rank % 2, 1, &across);
#define RUN(name, ...) run_##name();
  CASES(RUN)
#ifdef WITH_PERSISTENT
  run_persistent();
#endif
  MPI_Finalize();
  return 0;
}
