/* An all-reduce in each step, before which one of the ranks is late, in turn.
 *
 *   late_ranks integers|doubles STEPS COUNT LATE_US
 *
 * With LATE_US at 0 nobody is late. Prints the sum of all results, which no method of the all-reduce may change. */
#define _POSIX_C_SOURCE 200809L
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST = 1 << 20 };

static int32_t integers[2][MOST];
static double doubles[2][MOST];

static void sleep_us(long us) {
  const struct timespec time = {us / 1000000, us % 1000000 * 1000};
  if (us > 0) nanosleep(&time, NULL);
}

int main(int argc, char** argv) {
  int rank = 0, size = 1;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int is_integers = argc == 5 && strcmp(argv[1], "integers") == 0;
  const int steps = argc == 5 ? atoi(argv[2]) : 0, count = argc == 5 ? atoi(argv[3]) : 0;
  if (argc != 5 || (!is_integers && strcmp(argv[1], "doubles") != 0) || count < 1 || count > MOST) {
    if (rank == 0) fprintf(stderr, "usage: late_ranks integers|doubles STEPS COUNT LATE_US\n");
    MPI_Finalize();
    return 2;
  }
  uint64_t sum = 0;
  for (int step = 0; step < steps; step++) {
    const int at = step % count;
    if (step % size == rank) sleep_us(atol(argv[4]));
    if (is_integers) {
      integers[0][at] = rank + step;
      MPI_Allreduce(integers[0], integers[1], count, MPI_INT32_T, MPI_SUM, MPI_COMM_WORLD);
      sum += (uint32_t)integers[1][at];
    } else {
      doubles[0][at] = rank + step;
      MPI_Allreduce(doubles[0], doubles[1], count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
      sum += (uint64_t)doubles[1][at];
    }
  }
  if (rank == 0) printf("late_ranks steps=%d sum=%llu\n", steps, (unsigned long long)sum);
  MPI_Finalize();
  return 0;
}
