/* The ring of nodes of Lyon, Snelick and Kacker 1992, section 3.2, Figure 3: each node waits for a
 * message, computes or not, waits for a second one that controls the flow, and sends on.
 *
 *   ring [ROUNDS [WORK [BYTES]]]
 *
 * WORK is the length of {code A}, a multiplication in a loop; BYTES that of the messages. Where the
 * paper has delays a to h and F1 to F6, here are delay points of these names. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include <parallax/parallax.h>

enum { DATA, FLOW, RARE = 16 };

static int rank, ranks;
static volatile double value = 1.000001;

static __attribute__((noinline)) void code_a(int work) {
  double product = value;
  for (int i = 0; i < work; i++) product = product * 1.0000001;
  value = product > 2 ? 1.000001 : product;
}

/* Of the ring, one message goes round for each node, so that all have work. */
static void node(int rounds, int work, char *message, int bytes) {
  int next = (rank + 1) % ranks, before = (rank + ranks - 1) % ranks, token = 0;
  MPI_Request sent[2];
  MPI_Status status[2];
  MPI_Isend(message, bytes, MPI_CHAR, next, DATA, MPI_COMM_WORLD, &sent[0]);
  MPI_Isend(&token, 1, MPI_INT, next, FLOW, MPI_COMM_WORLD, &sent[1]);
  for (int round = 0; round < rounds; round++) {
    char *received = message + (size_t)bytes * (1 + round % 2);
    parallax_delay_point("F1");
    parallax_delay_point("a");
    MPI_Recv(received, bytes, MPI_CHAR, before, DATA, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    parallax_delay_point("F2");
    parallax_delay_point("b");
    if (round % RARE != RARE - 1) {
      for (int i = 0; i < 8; i++) {
        parallax_delay_point("c");
        code_a(work);
      }
      parallax_delay_point("d");
      parallax_delay_point("F3");
      MPI_Recv(&token, 1, MPI_INT, before, FLOW, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      parallax_delay_point("F4");
      parallax_delay_point("e");
    } else {
      parallax_delay_point("F5");
      parallax_delay_point("f");
      MPI_Recv(&token, 1, MPI_INT, before, FLOW, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      parallax_delay_point("F6");
    }
    parallax_delay_point("g");
    MPI_Waitall(2, sent, status);
    MPI_Isend(received, bytes, MPI_CHAR, next, DATA, MPI_COMM_WORLD, &sent[0]);
    MPI_Isend(&token, 1, MPI_INT, next, FLOW, MPI_COMM_WORLD, &sent[1]);
    parallax_delay_point("h");
  }
  MPI_Recv(message, bytes, MPI_CHAR, before, DATA, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Recv(&token, 1, MPI_INT, before, FLOW, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Waitall(2, sent, status);
}

int main(int arguments, char **argument) {
  int rounds = 2000, work = 500, bytes = 1024;
  double begin, elapsed;
  char *message;
  MPI_Init(&arguments, &argument);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (arguments > 1) rounds = atoi(argument[1]);
  if (arguments > 2) work = atoi(argument[2]);
  if (arguments > 3) bytes = atoi(argument[3]);
  message = calloc(3, (size_t)bytes + 1);
  if (message == NULL || rounds < 1 || work < 0 || bytes < 0) {
    fprintf(stderr, "usage: ring [ROUNDS [WORK [BYTES]]]\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  begin = MPI_Wtime();
  node(rounds, work, message, bytes);
  MPI_Barrier(MPI_COMM_WORLD);
  elapsed = MPI_Wtime() - begin;
  if (rank == 0) printf("ring: %.6f s\n", elapsed);
  free(message);
  MPI_Finalize();
  return 0;
}
