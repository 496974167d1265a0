/* Ranks that follow a script of delays, messages and collectives of MPI.
 *
 *   random_ranks SCRIPT
 *
 * A script has one step a line: RANK WHAT ARGUMENTS
 *   delay NANOSECONDS                    by nanosleep
 *   send|isend PEER TAG BYTES            isend and irecv are completed in their order by `complete`
 *   recv|irecv PEER TAG BYTES
 *   complete                             of the oldest request that is open
 *   barrier | allreduce | scan
 *   bcast|reduce|gather ROOT
 * Each rank follows its lines in their order. Before, all ranks meet at a barrier.
 *
 * Writes for each step when it began and ended, by CLOCK_MONOTONIC, to SCRIPT.RANK: RANK NUMBER BEGIN END. Number 0
 * is the barrier at the start. From these times, and the script, follows who waited for whom.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { kMostSteps = 4096, kMostBytes = 1 << 21, kMostRanks = 64, kMostPath = 4096 };

struct step {
  char what[16];
  long argument[3];
  long begin, end;
};

static struct step steps[kMostSteps];
static int count;
static MPI_Request requests[kMostSteps];
static int first_open, last_open;
static char *sent, *received;

static long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000L + time.tv_nsec;
}

static int is(const struct step *step, const char *what) { return strcmp(step->what, what) == 0; }

static void perform(const struct step *step) {
  const int peer = (int)step->argument[0], tag = (int)step->argument[1], bytes = (int)step->argument[2];
  const int root = peer;
  double value = 1;
  static double values[kMostRanks];
  if (is(step, "delay")) {
    const struct timespec time = {step->argument[0] / 1000000000, step->argument[0] % 1000000000};
    nanosleep(&time, NULL);
  } else if (is(step, "send")) {
    MPI_Send(sent, bytes, MPI_CHAR, peer, tag, MPI_COMM_WORLD);
  } else if (is(step, "recv")) {
    MPI_Recv(received, bytes, MPI_CHAR, peer, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else if (is(step, "isend")) {
    MPI_Isend(sent, bytes, MPI_CHAR, peer, tag, MPI_COMM_WORLD, &requests[last_open++]);
  } else if (is(step, "irecv")) {
    /* No two receives may share a buffer; those of a script are few. */
    MPI_Irecv(malloc(bytes), bytes, MPI_CHAR, peer, tag, MPI_COMM_WORLD, &requests[last_open++]);
  } else if (is(step, "complete")) {
    MPI_Wait(&requests[first_open++], MPI_STATUS_IGNORE);
  } else if (is(step, "barrier")) {
    MPI_Barrier(MPI_COMM_WORLD);
  } else if (is(step, "allreduce")) {
    MPI_Allreduce(&value, values, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  } else if (is(step, "scan")) {
    MPI_Scan(&value, values, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  } else if (is(step, "bcast")) {
    MPI_Bcast(&value, 1, MPI_DOUBLE, root, MPI_COMM_WORLD);
  } else if (is(step, "reduce")) {
    MPI_Reduce(&value, values, 1, MPI_DOUBLE, MPI_SUM, root, MPI_COMM_WORLD);
  } else if (is(step, "gather")) {
    MPI_Gather(&value, 1, MPI_DOUBLE, values, 1, MPI_DOUBLE, root, MPI_COMM_WORLD);
  } else {
    fprintf(stderr, "random_ranks: no step %s\n", step->what);
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
}

int main(int argc, char **argv) {
  int rank, ranks;
  char line[kMostPath];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  FILE *file = argc == 2 ? fopen(argv[1], "r") : NULL;
  if (file == NULL || ranks > kMostRanks) {
    fprintf(stderr, "usage: random_ranks SCRIPT, by %d ranks at most\n", kMostRanks);
    MPI_Abort(MPI_COMM_WORLD, 2);
    return 2;
  }
  strcpy(steps[count++].what, "barrier");
  while (count < kMostSteps && fgets(line, sizeof line, file) != NULL) {
    struct step *step = &steps[count];
    int whose;
    if (sscanf(line, "%d %15s %ld %ld %ld", &whose, step->what, &step->argument[0], &step->argument[1],
               &step->argument[2]) >= 2 && whose == rank) {
      count++;
    }
  }
  fclose(file);
  sent = calloc(kMostBytes, 1);
  received = calloc(kMostBytes, 1);
  for (int i = 0; i < count; i++) {
    steps[i].begin = now();
    perform(&steps[i]);
    steps[i].end = now();
  }
  /* A file for each rank: lines of several ranks can be mixed on their way to the output. */
  snprintf(line, sizeof line, "%s.%d", argv[1], rank);
  file = fopen(line, "w");
  for (int i = 0; i < count; i++) fprintf(file, "%d %d %ld %ld\n", rank, i, steps[i].begin, steps[i].end);
  fclose(file);
  MPI_Finalize();
  return 0;
}
