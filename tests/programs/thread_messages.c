// Threads of each rank that send and receive at once (MPI_THREAD_MULTIPLE).
//
//   thread_messages [THREADS [MESSAGES]]        defaults 3, 200; at least two ranks
//
// Thread t of each rank passes MESSAGES ints round the ranks, on a communicator of its own, with
// non-blocking sends and receives in one window, and sums up with MPI_Allreduce after each tenth.
//
// Planted answer: each rank has THREADS * MESSAGES sends and receives of 4 bytes and
// THREADS * (MESSAGES / 10) sums of 4 bytes; on each communicator messages arrive in order.

#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { WINDOW = 4, MOST_THREADS = 16 };

static int rank, size, messages;

static void fail(const char* what) {
  fprintf(stderr, "thread_messages: %s\n", what);
  MPI_Abort(MPI_COMM_WORLD, 3);
}

static void* pass_messages(void* argument) {
  const MPI_Comm comm = *(MPI_Comm*)argument;
  const int to = (rank + 1) % size, from = (rank + size - 1) % size;
  for (int first = 0; first < messages; first += WINDOW) {
    MPI_Request requests[2 * WINDOW];
    int out[WINDOW], in[WINDOW], n = 0;
    for (; n < WINDOW && first + n < messages; ++n) {
      out[n] = first + n;
      MPI_Irecv(&in[n], 1, MPI_INT, n % 2 == 0 ? from : MPI_ANY_SOURCE, 6, comm, &requests[2 * n]);
      MPI_Isend(&out[n], 1, MPI_INT, to, 6, comm, &requests[2 * n + 1]);
    }
    MPI_Waitall(2 * n, requests, MPI_STATUSES_IGNORE);
    for (int i = 0; i < n; ++i) {
      if (in[i] != first + i) fail("a message out of order");
      if ((first + i) % 10 != 9) continue;
      int sum = 0;
      MPI_Allreduce(&in[i], &sum, 1, MPI_INT, MPI_SUM, comm);
      if (sum != size * in[i]) fail("a wrong sum");
    }
  }
  return NULL;
}

int main(int argc, char** argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  const int threads = argc > 1 ? atoi(argv[1]) : 3;
  messages = argc > 2 ? atoi(argv[2]) : 200;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (provided < MPI_THREAD_MULTIPLE) fail("the library has no MPI_THREAD_MULTIPLE");
  if (threads > MOST_THREADS) fail("too many threads");

  MPI_Comm comms[MOST_THREADS];
  pthread_t handles[MOST_THREADS];
  for (int t = 0; t < threads; ++t) MPI_Comm_dup(MPI_COMM_WORLD, &comms[t]);
  for (int t = 0; t < threads; ++t) pthread_create(&handles[t], NULL, pass_messages, &comms[t]);
  for (int t = 0; t < threads; ++t) pthread_join(handles[t], NULL);
  for (int t = 0; t < threads; ++t) MPI_Comm_free(&comms[t]);
  if (rank == 0) {
    printf("thread_messages ranks=%d threads=%d sends=%d bytes=%d allreduces=%d\n", size, threads,
           threads * messages, threads * messages * 4, threads * (messages / 10));
  }
  MPI_Finalize();
  return 0;
}
