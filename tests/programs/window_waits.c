// Each wait state of one-sided communication by itself: one of two ranks works while the other waits.
//
//   window_waits [UNITS [allocate|create|messages]]    default 60 allocate; two ranks. The window is made by
//                                                      MPI_Win_allocate or MPI_Win_create. With `messages` the
//                                                      ranks wait for each other in the same places, and as long,
//                                                      by barriers and messages.
//
// Planted answer: for each state, one rank does UNITS of work in a procedure named after it while the other waits.
// The origin of the wait is that procedure. Printed, in seconds, is how long the waiting calls took and how long
// the procedure.
//
//   state                 waits     works in              with `messages`
//   wait at fence         rank 0    delay_fence           wait at barrier
//   late post             rank 0    delay_post            late sender
//   early wait            rank 1    delay_access          late sender
//   late complete         rank 1    delay_complete        late sender
//   lock contention       rank 1    delay_exclusive       late sender
//   lock contention       rank 1    delay_shared          late sender
//   wait for progress     rank 0    delay_progress        late sender
//
// Of two shared locks neither waits (shared_twice). Whether the last state is there depends on the library: one
// that reaches the window without its process does not wait (progress_call takes no time then).

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "work.h"

static PROCEDURE void delay_fence(long units) { work(units); }
static PROCEDURE void delay_post(long units) { work(units); }
static PROCEDURE void delay_access(long units) { work(units); }
static PROCEDURE void delay_complete(long units) { work(units); }
static PROCEDURE void delay_exclusive(long units) { work(units); }
static PROCEDURE void delay_shared(long units) { work(units); }
static PROCEDURE void delay_twice(long units) { work(units); }
static PROCEDURE void delay_progress(long units) { work(units); }

static int rank, other;
static long units;
static int* memory;
static MPI_Win window;
static MPI_Group group;
static double begin;

static void start(void) { begin = MPI_Wtime(); }
static void stop(const char* name) { printf("%s=%.6f\n", name, MPI_Wtime() - begin); }

// The ranks go on together; also a message of which nobody waits for the sender.
static void meet(void) {
  int value = rank, got;
  MPI_Sendrecv(&value, 1, MPI_INT, other, 7, &got, 1, MPI_INT, other, 7, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
}

static void tell(void) { MPI_Send(&rank, 1, MPI_INT, other, 8, MPI_COMM_WORLD); }

static void hear(void) {
  int value;
  MPI_Recv(&value, 1, MPI_INT, other, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void timed(const char* name, void (*delay)(long)) {
  start();
  delay(units);
  stop(name);
}

static void put_to(int target) {
  static int value = 5;
  MPI_Put(&value, 1, MPI_INT, target, 1, 1, MPI_INT, window);
}

static void fences(void) {
  MPI_Win_fence(MPI_MODE_NOPRECEDE, window);
  put_to(other);
  if (rank == 1) timed("delay_fence", delay_fence);
  start();
  MPI_Win_fence(MPI_MODE_NOSUCCEED, window);
  if (rank == 0) stop("fence");
}

static void late_post(void) {
  if (rank == 0) {
    start();
    MPI_Win_start(group, 0, window);
    put_to(1);
    MPI_Win_complete(window);
    stop("late_post");
  } else {
    timed("delay_post", delay_post);
    MPI_Win_post(group, 0, window);
    MPI_Win_wait(window);
  }
}

static void exposure(const char* name, const char* work_name, void (*before)(long), void (*after)(long)) {
  if (rank == 0) {
    MPI_Win_start(group, 0, window);
    if (before != NULL) timed(work_name, before);
    put_to(1);
    if (after != NULL) timed(work_name, after);
    MPI_Win_complete(window);
  } else {
    MPI_Win_post(group, 0, window);
    start();
    MPI_Win_wait(window);
    stop(name);
  }
}

// Rank 0 holds a lock of the window of rank 1, while that wants it too.
static void locks(const char* name, const char* work_name, int held, int wanted, void (*delay)(long)) {
  if (rank == 0) {
    int value;
    MPI_Win_lock(held, 1, 0, window);
    MPI_Get(&value, 1, MPI_INT, 1, 1, 1, MPI_INT, window);
    MPI_Win_flush(1, window);
    tell();
    timed(work_name, delay);
    MPI_Win_unlock(1, window);
  } else {
    int value;
    hear();
    start();
    MPI_Win_lock(wanted, 1, 0, window);
    MPI_Get(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, window);
    MPI_Win_unlock(1, window);
    stop(name);
  }
}

static void progress(void) {
  if (rank == 0) {
    int value;
    MPI_Request request;
    start();
    MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, window);
    MPI_Rget(&value, 1, MPI_INT, 1, 1, 1, MPI_INT, window, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Win_unlock(1, window);
    stop("progress_call");
  } else {
    timed("delay_progress", delay_progress);
  }
}

static void with_windows(int allocate) {
  static int own[2];
  if (allocate) {
    MPI_Win_allocate(2 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
  } else {
    memory = own;
    MPI_Win_create(memory, 2 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  }
  MPI_Group all;
  MPI_Win_get_group(window, &all);
  MPI_Group_incl(all, 1, &other, &group);
  MPI_Group_free(&all);
  fences();
  meet();
  late_post();
  meet();
  exposure("early_wait", "delay_access", delay_access, NULL);
  meet();
  exposure("late_complete", "delay_complete", NULL, delay_complete);
  meet();
  locks("exclusive_lock", "delay_exclusive", MPI_LOCK_EXCLUSIVE, MPI_LOCK_SHARED, delay_exclusive);
  meet();
  locks("shared_lock", "delay_shared", MPI_LOCK_SHARED, MPI_LOCK_EXCLUSIVE, delay_shared);
  meet();
  locks("shared_twice", "delay_twice", MPI_LOCK_SHARED, MPI_LOCK_SHARED, delay_twice);
  meet();
  progress();
  meet();
  MPI_Group_free(&group);
  MPI_Win_free(&window);
}

// One rank works and then tells the other, which waits for that.
static void message(const char* name, const char* work_name, int worker, void (*delay)(long)) {
  if (rank == worker) {
    timed(work_name, delay);
    tell();
  } else {
    start();
    hear();
    stop(name);
  }
  meet();
}

static void with_messages(void) {
  if (rank == 1) timed("delay_fence", delay_fence);
  start();
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) stop("fence");
  message("late_post", "delay_post", 1, delay_post);
  message("early_wait", "delay_access", 0, delay_access);
  message("late_complete", "delay_complete", 0, delay_complete);
  message("exclusive_lock", "delay_exclusive", 0, delay_exclusive);
  message("shared_lock", "delay_shared", 0, delay_shared);
  message("progress_call", "delay_progress", 1, delay_progress);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  units = argc > 1 ? atol(argv[1]) : 60;
  const char* way = argc > 2 ? argv[2] : "allocate";
  int size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (size != 2) MPI_Abort(MPI_COMM_WORLD, 1);
  other = 1 - rank;
  if (strcmp(way, "messages") == 0) {
    with_messages();
  } else {
    with_windows(strcmp(way, "allocate") == 0);
  }
  MPI_Finalize();
  return 0;
}
