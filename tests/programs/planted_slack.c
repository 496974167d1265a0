// Two ranks of which one waits for the other: delays of the one that waits cost nothing.
//
//   planted_slack [ROUNDS]        default 8; two ranks
//
// In each round rank 0 sends an order, rests 30 ms and waits for the answer; rank 1 takes the order,
// rests 60 ms and answers. Both call step once.
//
// Planted answer: the path is rank 1's. A delay before the MPI_Recv of take_order costs itself in each
// round; one of less than 30 ms before that of take_answer costs nothing. step is called twice a round.

#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "work.h"

pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;

static PROCEDURE void take_order(void) {
  int order;
  MPI_Recv(&order, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static PROCEDURE void take_answer(void) {
  int answer;
  MPI_Recv(&answer, 1, MPI_INT, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void rest(long ms) { nanosleep(&(struct timespec){0, ms * 1000000}, NULL); }

static PROCEDURE int step(int round) { return round + 1; }

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rounds = argc > 1 ? atoi(argv[1]) : 8;
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  for (int round = 0; round < rounds; round = step(round)) {
    if (rank == 0) {
      MPI_Send(&round, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
      rest(30);
      take_answer();
    } else if (rank == 1) {
      take_order();
      rest(60);
      MPI_Send(&round, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
    }
  }
  if (rank == 0) printf("rounds took %.3f ms\n", 1e3 * (MPI_Wtime() - begin));
  MPI_Finalize();
  return 0;
}
