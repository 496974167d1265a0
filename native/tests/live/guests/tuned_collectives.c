/* Collectives of many sizes and kinds while their methods change: tuned_collectives DIRECTORY CALLS PAUSE, which is in us
 * after each call. Each result of integers is
 * compared with the right one; rank 0 tells how many calls other methods can do, and a sum over all bytes of all results of all ranks, which also has reductions of doubles. */
#include <mpi.h>
#include <setjmp.h>
#include <stdint.h>
#include <string.h>

#include "gates.h"

enum { MOST = 8192, RANKS = 64 };

static uint64_t state = 2003;
static uint64_t hash = 14695981039346656037u;
static int rank, size, wrong;
static int reductions, exchanges; /* that other methods can do */

/* The same in all ranks. */
static unsigned drawn(unsigned below) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (unsigned)(state >> 33) % below;
}

static void add(const void* data, size_t bytes) {
  const unsigned char* at = data;
  for (size_t i = 0; i < bytes; i++) hash = (hash ^ at[i]) * 1099511628211u;
}

static int32_t valueOf(int of, int i, int call) { return (int32_t)((unsigned)of * 7919u + (unsigned)i * 31u + (unsigned)call); }

static void reduceIntegers(int call) {
  static int32_t sent[MOST], received[MOST];
  const int count = 1 + (int)drawn(drawn(4) == 0 ? MOST : 64), inPlace = drawn(3) == 0, least = drawn(2);
  for (int i = 0; i < count; i++) (inPlace ? received : sent)[i] = valueOf(rank, i, call);
  reductions++;
  MPI_Allreduce(inPlace ? MPI_IN_PLACE : sent, received, count, MPI_INT, least ? MPI_MIN : MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < count; i++) {
    int32_t right = valueOf(0, i, call);
    for (int r = 1; r < size; r++) {
      const int32_t value = valueOf(r, i, call);
      right = least ? (value < right ? value : right) : (int32_t)((uint32_t)right + (uint32_t)value);
    }
    if (received[i] != right) wrong++;
  }
  add(received, sizeof(int32_t) * (size_t)count);
}

static void reduceDoubles(int call) {
  double sent[64], received[64];
  const int count = 1 + (int)drawn(64);
  for (int i = 0; i < count; i++) sent[i] = 1.0 / (1 + valueOf(rank, i, call) % 977);
  MPI_Allreduce(sent, received, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  add(received, sizeof(double) * (size_t)count);
}

/* `strided`: of every second integer. */
static void exchange(int call) {
  static int32_t sent[2 * MOST], received[2 * MOST];
  static MPI_Datatype everySecond = MPI_DATATYPE_NULL;
  if (everySecond == MPI_DATATYPE_NULL) {
    MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int32_t), &everySecond);
    MPI_Type_commit(&everySecond);
  }
  const int count = 1 + (int)drawn((unsigned)(drawn(4) == 0 ? MOST / size : 32)), isStrided = drawn(3) == 0, inPlace = drawn(4) == 0;
  const int step = isStrided ? 2 : 1;
  int32_t* from = inPlace ? received : sent;
  memset(received, 0, sizeof received);
  for (int i = 0; i < count * size; i++) from[i * step] = valueOf(rank, i, call);
  exchanges += !inPlace;
  MPI_Alltoall(inPlace ? MPI_IN_PLACE : sent, count, isStrided ? everySecond : MPI_INT, received, count, isStrided ? everySecond : MPI_INT,
               MPI_COMM_WORLD);
  for (int r = 0; r < size; r++) {
    for (int i = 0; i < count; i++) {
      if (received[(r * count + i) * step] != valueOf(r, rank * count + i, call)) wrong++;
    }
  }
  add(received, sizeof(int32_t) * (size_t)(count * size * step));
}

static jmp_buf before;
static void leave(MPI_Comm* comm, int* error, ...) {
  (void)comm;
  (void)error;
  longjmp(before, 1);
}

/* In this rank alone: it returns an error, or is left by longjmp. The others know nothing of it. */
static void fail(int isLeft) {
  static MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  int32_t sent[16] = {0}, received[16];
  if (handler == MPI_ERRHANDLER_NULL) MPI_Comm_create_errhandler(leave, &handler);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, isLeft ? handler : MPI_ERRORS_RETURN);
  if (setjmp(before) == 0 && (MPI_Allreduce(sent, received, 16, MPI_INT, MPI_OP_NULL, MPI_COMM_WORLD) == MPI_SUCCESS || isLeft)) wrong++;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

int main(int argc, char** argv) {
  char text[64];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  gatesDirectory = argv[1];
  const int calls = atoi(argv[2]), pause_us = atoi(argv[3]);
  snprintf(text, sizeof text, "ready%d", rank);
  tell(text, "");
  await("go");
  for (int call = 0; call < calls; call++) {
    switch (drawn(8)) {
      case 0: case 1: case 2: reduceIntegers(call); break;
      case 3: case 4: case 5: exchange(call); break;
      case 6: reduceDoubles(call); break;
      default: { /* Not all processes leave it together. */
        int word = call;
        MPI_Bcast(&word, 1, MPI_INT, (int)drawn((unsigned)size), MPI_COMM_WORLD);
      }
    }
    /* The program's own messages are not taken for those of a method. */
    if (drawn(16) == 0 && size > 1) {
      int32_t out = rank, in = -1;
      MPI_Request request;
      MPI_Irecv(&in, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request);
      MPI_Send(&out, 1, MPI_INT, (rank + 1) % size, call, MPI_COMM_WORLD);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
      if (in != (rank + size - 1) % size) wrong++;
    }
    if (call % 20 == 10 && call / 20 % size == rank) fail(call / 20 % 3 == 0);
    if ((call * 7 + rank * 13) % 97 == 0) usleep(100);
    if (pause_us > 0) usleep((unsigned)pause_us);
  }
  uint64_t all = 0, mine = hash + (uint64_t)wrong;
  int allWrong = 0;
  MPI_Reduce(&mine, &all, 1, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
  MPI_Reduce(&wrong, &allWrong, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    snprintf(text, sizeof text, "%d wrong, %d reductions, %d exchanges, %016llx\n", allWrong, reductions, exchanges, (unsigned long long)all);
    tell("result", text);
  }
  MPI_Finalize();
  return 0;
}
