/* Comes to place_jump ROUNDS times between messages to the next rank; rank 0 says "ok". Rank 1 comes to
 * the place before and after those of its own more often than others do. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int place_jump(void);

static void sum(void* in, void* inout, int* count, MPI_Datatype* type) {
  int i;
  place_jump(); /* inside MPI */
  for (i = 0; i < *count; i++) ((int*)inout)[i] += ((int*)in)[i];
}

int main(int count, char** arguments) {
  int rank, size, i, all = 0, rounds = count > 1 ? atoi(arguments[1]) : 10, level;
  MPI_Op op;
  MPI_Init_thread(&count, &arguments, MPI_THREAD_FUNNELED, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Op_create(sum, 1, &op);
  for (i = 0; i < rounds; i++) {
    int to = (rank + 1) % size, from = (rank + size - 1) % size, got = -1;
    place_jump();
    MPI_Sendrecv(&i, 1, MPI_INT, to, 0, &got, 1, MPI_INT, from, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    if (got != i) return 1;
  }
  MPI_Allreduce(&rank, &all, 1, MPI_INT, op, MPI_COMM_WORLD);
  if (all != size * (size - 1) / 2) return 1;
  if (rank == 1) {
    for (i = 0; i < 50; i++) place_jump();
  }
  MPI_Op_free(&op);
  MPI_Finalize();
  place_jump();
  if (rank == 0) puts("ok");
  return 0;
}
