// The work that makes others wait is done long before they wait.
//
//   early_delay messages|semaphores [ROUNDS [UNITS]]     defaults 4, 10; messages: three ranks
//
// Three parties, ranks or threads, meet in a barrier before each round. Then each does 4 * UNITS of work
// in common_work. Before it, party 0 does 6 * UNITS in early_work. Party 1 then waits for a message of
// party 0, does UNITS in link_work, and sends a message for which party 2 waits. `semaphores` does the
// same with threads, and semaphores in place of messages.
//
// Planted answer: party 1 waits 6 * UNITS a round, party 2 7 * UNITS. While they wait, party 0 is mostly
// in common_work, and then party 1 in link_work. The delay is early_work: its short-term cost is the wait
// of party 1, its long-term cost 6/7 of the wait of party 2; link_work costs the rest. common_work costs
// nothing, as all do the same of it. Printed are the seconds of the waits and of the work.

#include <mpi.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "work.h"

enum { EARLY, COMMON, LINK, WAIT, TIMES };

static int with_threads;
static int rounds = 4;
static long units = 10;
static sem_t arrived[3];
static pthread_barrier_t all;
static double seconds[3][TIMES];

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + 1e-9 * time.tv_nsec;
}

static PROCEDURE void early_work(long amount) { work(amount); }

static PROCEDURE void common_work(long amount) { work(amount); }

static PROCEDURE void link_work(long amount) { work(amount); }

static void meet(void) {
  if (with_threads) {
    pthread_barrier_wait(&all);
  } else {
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

static void tell(int party) {
  if (with_threads) {
    sem_post(&arrived[party]);
  } else {
    MPI_Send(&party, 1, MPI_INT, party, 0, MPI_COMM_WORLD);
  }
}

static void await(int self) {
  int message;
  const double begin = now();
  if (with_threads) {
    sem_wait(&arrived[self]);
  } else {
    MPI_Recv(&message, 1, MPI_INT, self - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  seconds[self][WAIT] += now() - begin;
}

static PROCEDURE void* party(void* number) {
  const int self = (int)(long)number;
  double* times = seconds[self];
  for (int round = 0; round < rounds; ++round) {
    meet();
    double begin = now();
    if (self == 0) early_work(6 * units);
    times[EARLY] += now() - begin;
    begin = now();
    common_work(4 * units);
    times[COMMON] += now() - begin;
    if (self > 0) await(self);
    begin = now();
    if (self == 1) link_work(units);
    times[LINK] += now() - begin;
    if (self < 2) tell(self + 1);
  }
  return NULL;
}

int main(int argc, char** argv) {
  with_threads = argc > 1 && strcmp(argv[1], "semaphores") == 0;
  if (argc > 2) rounds = atoi(argv[2]);
  if (argc > 3) units = atol(argv[3]);
  int rank = 0;
  if (with_threads) {
    pthread_t threads[3];
    pthread_barrier_init(&all, NULL, 3);
    for (int i = 0; i < 3; ++i) sem_init(&arrived[i], 0, 0);
    for (long i = 0; i < 3; ++i) pthread_create(&threads[i], NULL, party, (void*)i);
    for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
  } else {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    party((void*)(long)rank);
    double own[3 * TIMES];
    memcpy(own, seconds, sizeof own);
    MPI_Reduce(own, seconds, 3 * TIMES, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Finalize();
  }
  if (rank == 0) {
    printf("wait_1=%.6f wait_2=%.6f early=%.6f link=%.6f common_0=%.6f common_1=%.6f common_2=%.6f\n",
           seconds[1][WAIT], seconds[2][WAIT], seconds[0][EARLY], seconds[1][LINK],
           seconds[0][COMMON], seconds[1][COMMON], seconds[2][COMMON]);
  }
  return 0;
}
