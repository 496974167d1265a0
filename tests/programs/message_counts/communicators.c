// Every way to make a communicator, and messages on what was made.

#include <stdlib.h>

#include "counts.h"

static const long long kInt = sizeof(int);

// A message round and a sum on an intracommunicator.
static void use(MPI_Comm comm) {
  int me, n, in = -1, total = 0;
  MPI_Comm_rank(comm, &me);
  MPI_Comm_size(comm, &n);
  MPI_Sendrecv(&me, 1, MPI_INT, (me + 1) % n, 4, &in, 1, MPI_INT, MPI_ANY_SOURCE, 4, comm,
               MPI_STATUS_IGNORE);
  count_send(kInt);
  count_receive(kInt);
  require(in == (me + n - 1) % n, "message on a new communicator");
  MPI_Allreduce(&me, &total, 1, MPI_INT, MPI_SUM, comm);
  count_collective(ALLREDUCE, kInt, kInt);
  require(total == n * (n - 1) / 2, "sum on a new communicator");
}

static void made(MPI_Comm* comm) {
  count_collective(COMM_CREATE, 0, 0);
  if (*comm == MPI_COMM_NULL) return;
  use(*comm);
  MPI_Comm_free(comm);
}

static void within_one(void) {
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  made(&comm);
  MPI_Comm_dup_with_info(MPI_COMM_WORLD, MPI_INFO_NULL, &comm);
  made(&comm);
  MPI_Request request;
  MPI_Comm_idup(MPI_COMM_WORLD, &comm, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  made(&comm);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &comm);
  made(&comm);
  MPI_Comm_split(MPI_COMM_WORLD, rank == 0 ? MPI_UNDEFINED : 1, 0, &comm);
  made(&comm);
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &comm);
  made(&comm);

  // All but the last rank, by a group; those outside get nothing.
  MPI_Group world, most;
  const int last = size - 1;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_excl(world, 1, &last, &most);
  MPI_Comm_create(MPI_COMM_WORLD, most, &comm);
  made(&comm);
  // Twice with the same members and tag: only they take part.
  for (int i = 0; i < 2 && rank != last; ++i) {
    MPI_Comm_create_group(MPI_COMM_WORLD, most, 17, &comm);
    made(&comm);
  }
  MPI_Group_free(&world);
  MPI_Group_free(&most);
  use(MPI_COMM_SELF);
}

// Two groups, the even and the odd ranks, that talk across.
static void between_two(void) {
  MPI_Comm half, inter, merged;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  count_collective(COMM_CREATE, 0, 0);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 21, &inter);
  count_collective(COMM_CREATE, 0, 0);
  int me, n, remote;
  MPI_Comm_rank(inter, &me);
  MPI_Comm_size(inter, &n);
  MPI_Comm_remote_size(inter, &remote);
  const int even = rank % 2 == 0;

  // Each even rank to its odd partner and back.
  int out = rank, in = -1;
  MPI_Request request;
  if (me < remote) {
    MPI_Irecv(&in, 1, MPI_INT, MPI_ANY_SOURCE, 2, inter, &request);
    MPI_Send(&out, 1, MPI_INT, me, 2, inter);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    count_send(kInt);
    count_receive(kInt);
    require(in == (rank ^ 1), "message across groups");
  }

  // From the first even rank to all odd ones.
  const int root = even ? (me == 0 ? MPI_ROOT : MPI_PROC_NULL) : 0;
  int data = even ? 5 : 0;
  MPI_Bcast(&data, 1, MPI_INT, root, inter);
  count_collective(BCAST, even && me == 0 ? kInt : 0, even ? 0 : kInt);
  require(data == 5, "bcast across groups");

  // Each group gets what the other one has.
  int* gathered = new_buffer((int)kInt * (n + remote));
  MPI_Allgather(&rank, 1, MPI_INT, gathered, 1, MPI_INT, inter);
  count_collective(ALLGATHER, kInt, kInt * remote);
  require(gathered[remote - 1] % 2 == even, "allgather across groups");
  free(gathered);
  MPI_Barrier(inter);
  count_collective(BARRIER, 0, 0);

  MPI_Intercomm_merge(inter, !even, &merged);
  made(&merged);
  MPI_Comm_free(&inter);
  MPI_Comm_free(&half);
}

void communicators(void) {
  within_one();
  between_two();
}
