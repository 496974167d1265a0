// Work alternates between the ranks: a token passes round, and only its holder computes.
//
//   pipeline [ROUNDS [UNITS]]        defaults 10, 2
//
// When the token reaches rank r it does (r + 1) * UNITS of work in stage_work and passes the
// token on.
//
// Planted answer: the critical path crosses to the next rank at every message. Rank r holds
// (r + 1) / (1 + 2 + ... + n) of its work: on 4 ranks 0.1, 0.2, 0.3 and 0.4, all in stage_work.
// There are ROUNDS * n - 1 messages of 8 bytes.

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "work.h"

static PROCEDURE void stage_work(long units) { work(units); }

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rounds = argc > 1 ? atoi(argv[1]) : 10;
  const long units = argc > 2 ? atol(argv[2]) : 2;
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int before = (rank + size - 1) % size, after = (rank + 1) % size;

  long token = 0;
  for (int round = 0; round < rounds; ++round) {
    const int first = round == 0 && rank == 0;
    const int last = round == rounds - 1 && rank == size - 1;
    if (!first) MPI_Recv(&token, 1, MPI_LONG, before, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    stage_work((rank + 1) * units);
    token += rank + 1;
    if (!last) MPI_Send(&token, 1, MPI_LONG, after, 7, MPI_COMM_WORLD);
  }
  if (rank == size - 1) {
    printf("pipeline ranks=%d messages=%d bytes=%zu token=%ld shares=", size, rounds * size - 1,
           (rounds * size - 1) * sizeof token, token);
    for (int r = 0; r < size; ++r) {
      printf("%s%.4f", r > 0 ? "," : "", 2.0 * (r + 1) / (size * (size + 1.0)));
    }
    printf("\n");
  }
  MPI_Finalize();
  return 0;
}
