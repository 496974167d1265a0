// A rank that sends, and one that receives and is late at times.
//
//   late_receiver STEPS BYTES LATE EVERY         defaults 500, 100000, 5, 5
//
// In each step, rank 0 works for 1 ms and sends BYTES to rank 1. Rank 1 receives, and after every EVERY messages it works for LATE
// ms. Work is sleep, so that it takes as long on a busy machine.
//
// Planted: with 5 ms after every 5 messages, and messages that wait for the receiver, five steps take 9 ms: four of the sender,
// and one in which the sender waits for the receiver. If the sender goes on, five steps take 5 ms. With 2 ms after every message,
// a step takes 2 ms in either case: the sender can only go ahead of the receiver. The sum that is printed depends on all bytes
// and their order.
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static void work(long ms) {
  const struct timespec duration = {ms / 1000, ms % 1000 * 1000000};
  nanosleep(&duration, NULL);
}

int main(int argc, char** argv) {
  const int steps = argc > 1 ? atoi(argv[1]) : 500;
  const int words = (argc > 2 ? atoi(argv[2]) : 100000) / (int)sizeof(uint64_t);
  const long late = argc > 3 ? atol(argv[3]) : 5;
  const int every = argc > 4 ? atoi(argv[4]) : 5;
  int rank;
  uint64_t sum = 0, *data = calloc((size_t)words + 1, sizeof *data);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int step = 0; step < steps && data != NULL; step++) {
    if (rank == 0) {
      work(1);
      for (int i = 0; i < words; i++) data[i] = (uint64_t)step * 2654435761u + (uint64_t)i;
      MPI_Send(data, words, MPI_UINT64_T, 1, 0, MPI_COMM_WORLD);
    } else if (rank == 1) {
      MPI_Recv(data, words, MPI_UINT64_T, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      for (int i = 0; i < words; i++) sum = sum * 31 + data[i];
      if (step % every == every - 1) work(late);
    }
  }
  if (rank == 1) printf("late_receiver steps=%d words=%d sum=%016llx\n", steps, words, (unsigned long long)sum);
  MPI_Finalize();
  free(data);
  return data == NULL;
}
