// Ranks of two threads each, with known losses among ranks, among threads and in a serial part.
//
//   hybrid [ROUNDS [MS]]                         defaults 10, 1; two ranks
//
// In every round the main thread of each rank works alone in serial_part; then its two threads work
// in a parallel loop; then both ranks meet in MPI_Barrier. MPI has MPI_THREAD_FUNNELED. Of each millisecond of
// work, a thread computes for a quarter and sleeps for the rest, so that four threads share two processors without
// taking time from each other. Nothing intercepts the sleep.
//
// Planted answer for the phase "rounds", in MS for a round, which takes 20 + 60 = 80 (useful is a quarter of it):
//
//   rank 0   main thread     20 alone, 50 in the loop, waits 10 for rank 1        useful 70
//            other thread    30 in the loop, waits 20 in it, idle for 30          useful 30
//   rank 1   main thread     20 alone, 20 in the loop, waits 40 in it             useful 40
//            other thread    60 in the loop, idle for 20                          useful 60
//
// Outside of MPI the main threads are for 70 and 80. On an ideal network a round takes 80 as well.
#include <errno.h>
#include <mpi.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <parallax/parallax.h>

#include "work.h"

static long long ns_of(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static void work_ms(long ms) {
  const long long start = ns_of(CLOCK_MONOTONIC), cpu = ns_of(CLOCK_THREAD_CPUTIME_ID);
  for (long done = 1; done <= ms; done++) {
    while (ns_of(CLOCK_THREAD_CPUTIME_ID) < cpu + done * 250000) {
    }
    const long long end = start + done * 1000000;
    const struct timespec until = {end / 1000000000, end % 1000000000};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR) {
    }
  }
}

static PROCEDURE void serial_part(long ms) { work_ms(ms); }

static PROCEDURE void loop_body(long ms) { work_ms(ms); }

int main(int argc, char** argv) {
  static const long loop_ms[2][2] = {{50, 30}, {20, 60}};
  const int rounds = argc > 1 ? atoi(argv[1]) : 10;
  const long ms = argc > 2 ? atol(argv[2]) : 1;
  int provided, rank;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#pragma omp parallel num_threads(2)
  loop_body(1);
  MPI_Barrier(MPI_COMM_WORLD);

  parallax_phase_begin("rounds");
  for (int round = 0; round < rounds; round++) {
    serial_part(20 * ms);
#pragma omp parallel for schedule(static, 1) num_threads(2)
    for (int i = 0; i < 2; i++) loop_body(loop_ms[rank % 2][i] * ms);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  parallax_phase_end("rounds");
  if (rank == 0) printf("hybrid rounds=%d round_ms=%ld\n", rounds, 80 * ms);
  MPI_Finalize();
  return provided < MPI_THREAD_FUNNELED;
}
