// attached FOLDER [wait]: ranks that exchange data in a ring, by requests and by collectives, until there is a file `stop`
// in the folder. Each checks what it gets. Rank R writes its process number to `rank-R` first. Rank 0 prints the steps, and
// how many of all ranks' values were wrong. With `wait`, rank R writes `before-R` and begins MPI when there is a file `begin`.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define COUNT 600

static long long wrong = 0;

static void expect(const int *values, int first) {
  for (int i = 0; i < COUNT; i++) wrong += values[i] != first + i;
}

static int tell(const char *folder, const char *name, const char *rank) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s-%s", folder, name, rank);
  FILE *file = fopen(path, "w");
  return file != NULL && fprintf(file, "%d\n", (int)getpid()) > 0 && fclose(file) == 0;
}

static void awaitBegin(const char *folder) {
  char path[4096];
  const char *rank = getenv("OMPI_COMM_WORLD_RANK");
  if (rank == NULL) rank = getenv("PMI_RANK");
  snprintf(path, sizeof path, "%s/begin", folder);
  tell(folder, "before", rank != NULL ? rank : "x");
  while (access(path, F_OK) != 0 && access(folder, F_OK) == 0) usleep(1000);
}

int main(int argc, char **argv) {
  char path[4096], name[16];
  int rank, size, ends = 0;
  long long steps = 0, sum = 0;
  static int sent[COUNT], received[2][COUNT];
  if (argc > 2) awaitBegin(argv[1]);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  snprintf(name, sizeof name, "%d", rank);
  if (!tell(argv[1], "rank", name)) return 1;
  snprintf(path, sizeof path, "%s/stop", argv[1]);
  const int right = (rank + 1) % size, left = (rank + size - 1) % size;
  for (; !ends; steps++) {
    const int base = (int)(steps % 1000000);
    for (int i = 0; i < COUNT; i++) sent[i] = rank * 1000 + base + i;
    MPI_Sendrecv(sent, COUNT, MPI_INT, right, 1, received[0], COUNT, MPI_INT, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    expect(received[0], left * 1000 + base);
    MPI_Request requests[3];
    MPI_Irecv(received[0], COUNT, MPI_INT, left, 2, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(received[1], COUNT, MPI_INT, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(sent, COUNT, MPI_INT, right, 2, MPI_COMM_WORLD, &requests[2]);
    MPI_Send(sent, COUNT, MPI_INT, left, 3, MPI_COMM_WORLD);
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    expect(received[0], left * 1000 + base);
    expect(received[1], right * 1000 + base);
    if (steps % 4 == 0) {
      int total = 0, highest = 0;
      MPI_Allreduce(&rank, &total, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
      MPI_Scan(&rank, &highest, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
      wrong += total != size * (size - 1) / 2 || highest != rank;
      if (rank == 0) ends = access(path, F_OK) == 0 || access(argv[1], F_OK) != 0;
      MPI_Bcast(&ends, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
  }
  MPI_Reduce(&wrong, &sum, 1, MPI_LONG_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("%lld steps, %lld wrong\n", steps, sum);
  MPI_Finalize();
  return 0;
}
