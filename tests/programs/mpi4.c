// What MPI 4 added: counts of 64 bits, non-blocking sendrecv, persistent collectives.
//
//   mpi4        at least two ranks; built for libraries that have MPI 4
//
// Planted answer: a line for each rank in the form of message_counts (see there).

#include <mpi.h>
#include <stdio.h>

enum { STARTS = 3, N = 100 };

static int rank, size;

static void require(int condition, const char* what) {
  if (condition) return;
  fprintf(stderr, "rank %d: not true: %s\n", rank, what);
  MPI_Abort(MPI_COMM_WORLD, 3);
}

static void large_counts(int to, int from) {
  int out[N], in[N];
  MPI_Request request;
  for (int i = 0; i < N; ++i) out[i] = rank + i;
  MPI_Irecv_c(in, (MPI_Count)N, MPI_INT, from, 1, MPI_COMM_WORLD, &request);
  MPI_Send_c(out, (MPI_Count)N, MPI_INT, to, 1, MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  require(in[N - 1] == from + N - 1, "message with a large count");
  MPI_Bcast_c(out, (MPI_Count)N, MPI_INT, 0, MPI_COMM_WORLD);
  require(out[1] == 1, "bcast with a large count");
}

static void sendrecvs(int to, int from) {
  int out = rank, in = -1;
  MPI_Request requests[3];
  MPI_Isendrecv(&out, 1, MPI_INT, to, 2, &in, 1, MPI_INT, from, 2, MPI_COMM_WORLD, &requests[0]);
  int both = rank;
  MPI_Isendrecv_replace(&both, 1, MPI_INT, to, 3, from, 3, MPI_COMM_WORLD, &requests[1]);
  // One side is the null process.
  int none = -1;
  const int before = rank > 0 ? rank - 1 : MPI_PROC_NULL;
  const int after = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
  MPI_Isendrecv(&out, 1, MPI_INT, after, 4, &none, 1, MPI_INT, before, 4, MPI_COMM_WORLD,
                &requests[2]);
  MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
  require(in == from && both == from, "isendrecv");
  require(none == (rank > 0 ? rank - 1 : -1), "isendrecv at the end of a line");
}

static void persistent_collectives(void) {
  int one = 1, sum = 0, from_first = 0;
  MPI_Request requests[3];
  MPI_Allreduce_init(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]);
  MPI_Bcast_init(&from_first, 1, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]);
  MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &requests[2]);
  for (int start = 0; start < STARTS; ++start) {
    sum = 0;
    from_first = rank == 0 ? start + 40 : 0;
    for (int i = 0; i < 3; ++i) {
      MPI_Start(&requests[i]);
      MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
    }
    require(sum == size && from_first == start + 40, "persistent collectives");
  }
  for (int i = 0; i < 3; ++i) MPI_Request_free(&requests[i]);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int to = (rank + 1) % size, from = (rank + size - 1) % size;
  large_counts(to, from);
  sendrecvs(to, from);
  persistent_collectives();
  const int sends = 3 + (rank < size - 1), receives = 3 + (rank > 0);
  const int bcast = 4 * N + STARTS * 4;
  printf("counts rank=%d sends=%d send_bytes=%d receives=%d receive_bytes=%d probes=0 cancels=0 "
         "barrier=%d/0/0 bcast=%d/%d/%d allreduce=%d/%d/%d init=1/0/0 finalize=1/0/0\n",
         rank, sends, 4 * N + 4 * (sends - 1), receives, 4 * N + 4 * (receives - 1), STARTS,
         1 + STARTS, rank == 0 ? bcast : 0, rank == 0 ? 0 : bcast, STARTS, STARTS * 4, STARTS * 4);
  MPI_Finalize();
  return 0;
}
