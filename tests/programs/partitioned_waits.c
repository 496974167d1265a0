// Waits for the partitions of a message.
//
//   partitioned_waits [UNITS [partitioned|messages]]    default 60 partitioned; two ranks. With `messages` each
//                                                       partition is a message of its own, by MPI_Isend and MPI_Irecv.
//
// Rank 0 sends PARTITIONS partitions, which rank 1 receives as half as many. Planted answer: for each state, one rank
// sleeps for UNITS milliseconds in a procedure named after it while the other waits. The origin of the wait is that
// procedure. Printed, in seconds, is how long the waiting call took and how long the procedure; and how many bytes went.
//
//   waiting call    waits     state            sleeps in         with `messages`
//   late_start      rank 1    late sender      delay_start       late sender
//   late_last       rank 1    late partition   delay_last        late sender
//   late_first      rank 1    late partition   delay_first       late sender      the first partition is ready last
//   arrived         rank 1    late partition   delay_arrived     late sender      polls for one partition
//   both_halves     rank 1    late partition   delay_rest        late sender
//   late_receiver   rank 0    late receiver    delay_receiver    late receiver

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "work.h"

enum { PARTITIONS = 4, INTS = 1 << 15, TAG = 3 };

static int rank, partitioned, starts;
static long units;
static int data[PARTITIONS * INTS];
static MPI_Request requests[PARTITIONS];
static double begin;

static void pause_for(long milliseconds) {
  struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000};
  nanosleep(&time, NULL);
}

static PROCEDURE void delay_start(void) { pause_for(units); }
static PROCEDURE void delay_last(void) { pause_for(units); }
static PROCEDURE void delay_first(void) { pause_for(units); }
static PROCEDURE void delay_arrived(void) { pause_for(units); }
static PROCEDURE void delay_rest(void) { pause_for(units); }
static PROCEDURE void delay_receiver(void) { pause_for(units); }

static void start_clock(void) { begin = MPI_Wtime(); }
static void stop(const char* name) { printf("%s=%.6f\n", name, MPI_Wtime() - begin); }

static void timed(const char* name, void (*delay)(void)) {
  start_clock();
  delay();
  stop(name);
}

// The ranks go on together; also a message of which nobody waits for the sender.
static void meet(void) {
  int value = 1, got;
  MPI_Sendrecv(&value, 1, MPI_INT, 1 - rank, 7, &got, 1, MPI_INT, 1 - rank, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void make(void) {
#ifdef WITH_PARTITIONED
  if (!partitioned) return;
  if (rank == 0) {
    MPI_Psend_init(data, PARTITIONS, INTS, MPI_INT, 1, TAG, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]);
  } else {
    MPI_Precv_init(data, PARTITIONS / 2, 2 * INTS, MPI_INT, 0, TAG, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]);
  }
#else
  if (partitioned) MPI_Abort(MPI_COMM_WORLD, 2);
#endif
}

static void start(void) {
  ++starts;
  for (int i = 0; rank == 0 && i < PARTITIONS * INTS; ++i) data[i] = i + starts;
  if (partitioned) {
    MPI_Start(&requests[0]);
  } else {
    for (int i = 0; rank == 1 && i < PARTITIONS; ++i) {
      MPI_Irecv(data + i * INTS, INTS, MPI_INT, 0, TAG + i, MPI_COMM_WORLD, &requests[i]);
    }
  }
}

static void ready(int first, int last) {
#ifdef WITH_PARTITIONED
  if (partitioned && first < last) {
    MPI_Pready_range(first, last, requests[0]);
    return;
  }
  if (partitioned) {
    MPI_Pready(first, requests[0]);
    return;
  }
#endif
  for (int i = first; i <= last; ++i) {
    MPI_Isend(data + i * INTS, INTS, MPI_INT, 1, TAG + i, MPI_COMM_WORLD, &requests[i]);
  }
}

static void ready_both(int one, int other) {
#ifdef WITH_PARTITIONED
  if (partitioned) {
    int both[] = {one, other};
    MPI_Pready_list(2, both, requests[0]);
    return;
  }
#endif
  ready(one, one);
  ready(other, other);
}

// Polls until the first half is there.
static void await_half(void) {
  int there = 0;
#ifdef WITH_PARTITIONED
  while (partitioned && !there) MPI_Parrived(requests[0], 0, &there);
#endif
  while (!there) MPI_Testall(PARTITIONS / 2, requests, &there, MPI_STATUSES_IGNORE);
}

static void finish(void) {
  if (partitioned) {
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  } else {
    MPI_Waitall(PARTITIONS, requests, MPI_STATUSES_IGNORE);
  }
  for (int i = 0; rank == 1 && i < PARTITIONS * INTS; ++i) {
    if (data[i] != i + starts) MPI_Abort(MPI_COMM_WORLD, 3);
  }
}

static void receive(const char* name) {
  start();
  start_clock();
  finish();
  stop(name);
}

static void late_start(void) {
  if (rank == 1) {
    receive("late_start");
    return;
  }
  timed("delay_start", delay_start);
  start();
  ready(0, PARTITIONS - 1);
  finish();
}

static void late_last(void) {
  if (rank == 1) {
    receive("late_last");
    return;
  }
  start();
  ready(0, PARTITIONS - 2);
  timed("delay_last", delay_last);
  ready(PARTITIONS - 1, PARTITIONS - 1);
  finish();
}

static void late_first(void) {
  if (rank == 1) {
    receive("late_first");
    return;
  }
  start();
  ready_both(3, 1);
  ready(2, 2);
  timed("delay_first", delay_first);
  ready(0, 0);
  finish();
}

static void halves(void) {
  if (rank == 1) {
    start();
    start_clock();
    await_half();
    stop("arrived");
    finish();
    stop("both_halves");  // MPICH waits for the second half in MPI_Parrived, too
    return;
  }
  start();
  ready(1, 1);
  timed("delay_arrived", delay_arrived);
  ready(0, 0);
  timed("delay_rest", delay_rest);
  ready(2, 3);
  finish();
}

static void late_receiver(void) {
  if (rank == 1) {
    timed("delay_receiver", delay_receiver);
    start();
    finish();
    return;
  }
  start();
  ready(0, PARTITIONS - 1);
  start_clock();
  finish();
  stop("late_receiver");
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  units = argc > 1 ? atol(argv[1]) : 60;
  partitioned = argc < 3 || strcmp(argv[2], "messages") != 0;
  int size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (size != 2) MPI_Abort(MPI_COMM_WORLD, 1);
  make();
  void (*const parts[])(void) = {late_start, late_last, late_first, halves, late_receiver};
  for (size_t i = 0; i < sizeof parts / sizeof parts[0]; ++i) {
    meet();
    parts[i]();
  }
  meet();
  if (partitioned) MPI_Request_free(&requests[0]);
  if (rank == 1) printf("bytes=%ld\n", (long)starts * (long)sizeof data);
  MPI_Finalize();
  return 0;
}
