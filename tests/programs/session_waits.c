// Waits between two ranks that use the sessions of MPI 4.
//
//   session_waits [UNITS [sessions|both|init]]
//
// Default is 60 sessions, or init where the library has none. With `sessions` the program does without MPI_Init and
// MPI_COMM_WORLD, and has two sessions in turn, the second of which begins before the first one ends. With `both` it
// calls MPI_Init before the first session, and MPI_Finalize between the ends of the two. With `init` the ranks wait for
// each other in the same places, and as long, with MPI_Init alone.
//
// Planted answer: for each state, one rank sleeps for UNITS milliseconds in a procedure named after it while the other
// one waits. The origin of the wait is that procedure. Printed, in seconds, is how long the waiting call took and how
// long the procedure. MPICH 5 does not wait where the first session begins, and Open MPI not where the last one ends.
//
//   state                      waits    sleeps in
//   wait at init and finalize  rank 0   delay_start
//   wait at NxN                rank 0   delay_create
//   late sender                rank 0   delay_send
//   wait at barrier            rank 1   delay_barrier
//   wait at NxN                rank 1   delay_reduce    in a communicator that is derived from the first
//   wait at NxN                rank 0   delay_groups    where the intercommunicator is created
//   late sender                rank 1   delay_inter     over the intercommunicator
//   wait at fence              rank 0   delay_fence
//   wait at NxN                rank 1   delay_second    in a communicator of the second session
//   wait at init and finalize  rank 0   delay_end

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "work.h"

static long units = 60;

static void pause_for(long milliseconds) {
  struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000};
  nanosleep(&time, NULL);
}

static PROCEDURE void delay_start(void) { pause_for(units); }
static PROCEDURE void delay_create(void) { pause_for(units); }
static PROCEDURE void delay_send(void) { pause_for(units); }
static PROCEDURE void delay_barrier(void) { pause_for(units); }
static PROCEDURE void delay_reduce(void) { pause_for(units); }
static PROCEDURE void delay_groups(void) { pause_for(units); }
static PROCEDURE void delay_inter(void) { pause_for(units); }
static PROCEDURE void delay_fence(void) { pause_for(units); }
static PROCEDURE void delay_second(void) { pause_for(units); }
static PROCEDURE void delay_end(void) { pause_for(units); }

static int rank;
static double begin;

// MPI_Wtime is not to be called before MPI_Init.
static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void start(void) { begin = now(); }

static void stop(const char* name) {
  printf("%s=%.6f\n", name, now() - begin);
  fflush(stdout);
}

static void timed(const char* name, void (*delay)(void)) {
  start();
  delay();
  stop(name);
}

// The rank before MPI tells it, as the launchers of Open MPI and MPICH do.
static int rank_of_launcher(void) {
  const char* names[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK"};
  for (int i = 0; i < 2; ++i) {
    const char* text = getenv(names[i]);
    if (text != NULL) return atoi(text);
  }
  return 0;
}

// A message to the other rank of a communicator of both, for which it waits.
static void message(const char* name, const char* work_name, int sender, int other, MPI_Comm both,
                    void (*delay)(void)) {
  int value = 1;
  if (rank == sender) {
    timed(work_name, delay);
    MPI_Send(&value, 1, MPI_INT, other, 8, both);
  } else {
    start();
    MPI_Recv(&value, 1, MPI_INT, other, 8, both, MPI_STATUS_IGNORE);
    stop(name);
  }
  MPI_Sendrecv(&value, 1, MPI_INT, other, 7, &value, 1, MPI_INT, other, 7, both, MPI_STATUS_IGNORE);
}

static void barrier(MPI_Comm both) {
  if (rank == 0) timed("delay_barrier", delay_barrier);
  start();
  MPI_Barrier(both);
  if (rank == 1) stop("barrier");
}

static void reduce(const char* name, const char* work_name, MPI_Comm both, void (*delay)(void)) {
  int value = 1, sum = 0;
  if (rank == 0) timed(work_name, delay);
  start();
  MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, both);
  if (rank == 1) stop(name);
  if (sum != 2) printf("wrong sum %d\n", sum);
}

static void fence(MPI_Comm both) {
  int* base;
  MPI_Win window;
  MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, both, &base, &window);
  MPI_Win_fence(0, window);
  if (rank == 1) timed("delay_fence", delay_fence);
  MPI_Put(&rank, 1, MPI_INT, 1 - rank, 0, 1, MPI_INT, window);
  start();
  MPI_Win_fence(0, window);
  if (rank == 0) stop("fence");
  if (*base != 1 - rank) printf("wrong value %d\n", *base);
  MPI_Win_free(&window);
}

// The same in all ways, with communicators of their own.
static void use(MPI_Comm first, MPI_Comm between) {
  MPI_Comm derived;
  message("send", "delay_send", 1, 1 - rank, first, delay_send);
  barrier(first);
  MPI_Comm_split(first, 0, -rank, &derived);
  reduce("reduce", "delay_reduce", derived, delay_reduce);
  MPI_Comm_free(&derived);
  message("inter", "delay_inter", 0, 0, between, delay_inter);
  MPI_Intercomm_merge(between, rank, &derived);
  fence(derived);
  MPI_Comm_free(&derived);
}

#ifdef WITH_SESSIONS
static const char* way = "sessions";

static int is_way(const char* name) { return strcmp(way, name) == 0; }

static MPI_Session open_session(MPI_Group* all) {
  MPI_Session session;
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
  MPI_Group_from_session_pset(session, "mpi://WORLD", all);
  return session;
}

static MPI_Comm connected(MPI_Group all, const char* tag) {
  MPI_Comm created;
  MPI_Comm_create_from_group(all, tag, MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &created);
  return created;
}

static MPI_Comm between_groups(MPI_Group all) {
  MPI_Comm created;
  MPI_Group own, other;
  int remote = 1 - rank;
  MPI_Group_incl(all, 1, &rank, &own);
  MPI_Group_incl(all, 1, &remote, &other);
  if (rank == 1) timed("delay_groups", delay_groups);
  start();
  MPI_Intercomm_create_from_groups(own, 0, other, 0, "between", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &created);
  if (rank == 0) stop("groups");
  MPI_Group_free(&own);
  MPI_Group_free(&other);
  return created;
}

static void use_sessions(int* argc, char*** argv) {
  MPI_Group all, again;
  if (rank == 1) timed("delay_start", delay_start);
  start();
  if (is_way("both")) MPI_Init(argc, argv);
  MPI_Session session = open_session(&all);
  if (rank == 0) stop("start");
  MPI_Group_rank(all, &rank);
  if (rank == 1) timed("delay_create", delay_create);
  start();
  MPI_Comm first = connected(all, "first");
  if (rank == 0) stop("create");
  MPI_Comm between = between_groups(all);
  use(first, between);
  MPI_Comm_free(&between);
  MPI_Comm_free(&first);
  MPI_Group_free(&all);
  MPI_Session second = open_session(&again);
  MPI_Session_finalize(&session);
  if (is_way("both")) MPI_Finalize();
  first = connected(again, "second");
  reduce("second", "delay_second", first, delay_second);
  MPI_Comm_free(&first);
  MPI_Group_free(&again);
  if (rank == 1) timed("delay_end", delay_end);
  start();
  MPI_Session_finalize(&second);
  if (rank == 0) stop("end");
}
#endif

static void use_init(int* argc, char*** argv) {
  MPI_Comm first, between;
  if (rank == 1) timed("delay_start", delay_start);
  start();
  MPI_Init(argc, argv);
  if (rank == 0) stop("start");
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 1) timed("delay_create", delay_create);
  start();
  MPI_Comm_dup(MPI_COMM_WORLD, &first);
  if (rank == 0) stop("create");
  if (rank == 1) timed("delay_groups", delay_groups);
  start();
  MPI_Intercomm_create(MPI_COMM_SELF, 0, first, 1 - rank, 5, &between);
  if (rank == 0) stop("groups");
  use(first, between);
  MPI_Comm_free(&between);
  MPI_Comm_free(&first);
  MPI_Comm_dup(MPI_COMM_WORLD, &first);
  reduce("second", "delay_second", first, delay_second);
  MPI_Comm_free(&first);
  if (rank == 1) timed("delay_end", delay_end);
  start();
  MPI_Finalize();
  if (rank == 0) stop("end");
}

int main(int argc, char** argv) {
  if (argc > 1) units = atol(argv[1]);
  rank = rank_of_launcher();
#ifdef WITH_SESSIONS
  if (argc > 2) way = argv[2];
  if (!is_way("init")) {
    use_sessions(&argc, &argv);
    return 0;
  }
#endif
  use_init(&argc, &argv);
  return 0;
}
