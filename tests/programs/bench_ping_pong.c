// A ping-pong of two ranks with messages of 1 byte to 1 MiB, each size as often as the others. The
// number of messages is the answer.
//
//   bench_ping_pong [ROUNDS [LARGEST]]

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench_clock.h"

static int rank;
static char *buffer;

static long round_trips(int largest) {
  long messages = 0;
  for (int size = 1; size <= largest; size *= 2) {
    if (rank == 0) {
      MPI_Send(buffer, size, MPI_CHAR, 1, 1, MPI_COMM_WORLD);
      MPI_Recv(buffer, size, MPI_CHAR, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (rank == 1) {
      MPI_Recv(buffer, size, MPI_CHAR, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Send(buffer, size, MPI_CHAR, 0, 2, MPI_COMM_WORLD);
    }
    messages += 2;
  }
  return messages;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int rounds = argc > 1 ? atoi(argv[1]) : 100;
  const int largest = argc > 2 ? atoi(argv[2]) : 1 << 20;
  buffer = calloc((size_t)largest, 1);

  round_trips(largest);
  MPI_Barrier(MPI_COMM_WORLD);
  const struct bench_section begin = bench_begin();
  long messages = 0;
  for (int i = 0; i < rounds; ++i) messages += round_trips(largest);
  const struct bench_section section = bench_end(begin);

  int64_t cpu_ns = 0;
  MPI_Reduce(&section.cpu_ns, &cpu_ns, 1, MPI_INT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    printf("wall_ns %lld\ncpu_ns %lld\nanswer %ld\n", (long long)section.wall_ns,
           (long long)cpu_ns, messages);
  }
  MPI_Finalize();
  return 0;
}
