/* Many ranks, of which another one is late each time.
 *
 *   grouped_arcs [STEPS]        default 8 steps
 *
 * In each step
 *   - one rank sleeps in `late_step` (10 ms), and all call MPI_Allreduce in `TimeIncrement`,
 *   - each rank passes a message around the ring in `Exchange`,
 *   - the next rank sleeps in `late_output` (5 ms), and all call MPI_Allreduce in `Output`.
 *
 * Planted answer: the critical path has all sleeps. It comes to the next one by MPI_Allreduce in TimeIncrement and in
 * Output. Rank 0 prints the seconds of all sleeps as `late_step=SECONDS late_output=SECONDS`.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "work.h"

static int rank, ranks;
static double seconds[2];

static void sleep_ms(long milliseconds) {
  const struct timespec time = {0, milliseconds * 1000000};
  nanosleep(&time, NULL);
}

static PROCEDURE void late_step(void) {
  const double before = MPI_Wtime();
  sleep_ms(10);
  seconds[0] += MPI_Wtime() - before;
}

static PROCEDURE void late_output(void) {
  const double before = MPI_Wtime();
  sleep_ms(5);
  seconds[1] += MPI_Wtime() - before;
}

static PROCEDURE void TimeIncrement(void) {
  double mine = rank, least;
  MPI_Allreduce(&mine, &least, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
  work_sink = (uint64_t)least;
}

static PROCEDURE void Output(void) {
  double mine = rank, most;
  MPI_Allreduce(&mine, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  work_sink = (uint64_t)most;
}

static PROCEDURE void Exchange(void) {
  double sent = rank, received;
  MPI_Sendrecv(&sent, 1, MPI_DOUBLE, (rank + 1) % ranks, 0, &received, 1, MPI_DOUBLE, (rank + ranks - 1) % ranks, 0,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  work_sink = (uint64_t)received;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int steps = argc > 1 ? atoi(argv[1]) : 8;
  for (int i = 0; i < steps; i++) {
    if (rank == 3 * i % ranks) late_step();
    TimeIncrement();
    Exchange();
    if (rank == (3 * i + 1) % ranks) late_output();
    Output();
  }
  double all[2];
  MPI_Reduce(seconds, all, 2, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("late_step=%.6f late_output=%.6f\n", all[0], all[1]);
  MPI_Finalize();
  return 0;
}
