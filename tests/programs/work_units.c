// A master that gives units of rows to workers, in rounds; the rows of a unit are a variable that live tuning may change.
//
//   work_units ROUNDS ROWS UNIT                  defaults 100, 1024, 8; three ranks
//
// The rows of a round differ: the last one takes three times as long as the first one. A worker computes a unit and answers
// with its sum. A round ends when all answers are in. The master looks for answers every 50 us, so that it leaves both
// processors to two workers.
//
// Planted: each unit costs a look and two messages, so that small units are slow; with units above an eighth of the rows, one
// worker waits for the other at the end of each round. The best unit is some 64 to 256 of 4096 rows. The sum that is printed does
// not depend on the units.
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <parallax/parallax.h>

enum { kUnit = 1, kAnswer = 2, kEnd = 3 };

#define LEAST_STEPS 4000L

static uint64_t compute_row(long row, long rows) {
  uint64_t x = 88172645463325252u + (uint64_t)row;
  for (long i = LEAST_STEPS + 2 * LEAST_STEPS * row / rows; i > 0; i--) {
    x = x * 6364136223846793005u + 1442695040888963407u;
    __asm__("" : "+r"(x));  // no compiler takes several steps at once
  }
  return x;
}

static void work(long rows) {
  for (;;) {
    long unit[2];
    MPI_Status status;
    MPI_Recv(unit, 2, MPI_LONG, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    if (status.MPI_TAG == kEnd) return;
    uint64_t answer[2] = {0, (uint64_t)unit[1]};
    for (long row = unit[0]; row < unit[0] + unit[1]; row++) answer[0] += compute_row(row, rows);
    MPI_Send(answer, 2, MPI_UINT64_T, 0, kAnswer, MPI_COMM_WORLD);
  }
}

static long give(int worker, long next, long rows, long unit) {
  const long count = unit < rows - next ? unit : rows - next;
  const long words[2] = {next, count};
  MPI_Send(words, 2, MPI_LONG, worker, kUnit, MPI_COMM_WORLD);
  return next + count;
}

static int await_answer(uint64_t* answer) {
  const struct timespec look = {0, 50000};
  MPI_Status status;
  int is_there = 0;
  while (MPI_Iprobe(MPI_ANY_SOURCE, kAnswer, MPI_COMM_WORLD, &is_there, &status), !is_there) nanosleep(&look, NULL);
  MPI_Recv(answer, 2, MPI_UINT64_T, status.MPI_SOURCE, kAnswer, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return status.MPI_SOURCE;
}

static void lead(int rounds, long rows, long first_unit, int workers) {
  static long unit;
  uint64_t sum = 0;
  unit = first_unit;
  parallax_tunable_i64("work_unit", &unit, 1, rows);
  for (int round = 0; round < rounds; round++) {
    long next = 0;
    int open = 0;
    for (int worker = 1; worker <= workers && next < rows; worker++, open++) next = give(worker, next, rows, unit);
    for (; open > 0; open--) {
      uint64_t answer[2];
      const int worker = await_answer(answer);
      sum += answer[0];
      parallax_work_done(answer[1]);
      if (next < rows) {
        next = give(worker, next, rows, unit);
        open++;
      }
    }
  }
  for (int worker = 1; worker <= workers; worker++) MPI_Send(NULL, 0, MPI_LONG, worker, kEnd, MPI_COMM_WORLD);
  printf("work_units rounds=%d rows=%ld sum=%016llx\n", rounds, rows, (unsigned long long)sum);
}

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? atoi(argv[1]) : 100;
  const long rows = argc > 2 ? atol(argv[2]) : 1024;
  const long unit = argc > 3 ? atol(argv[3]) : 8;
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (rank == 0) {
    lead(rounds, rows, unit, ranks - 1);
  } else {
    work(rows);
  }
  MPI_Finalize();
  return 0;
}
