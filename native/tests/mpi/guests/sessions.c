// Sessions on three ranks, with every way to get a communicator there. `sessions.MPI [both|strangers|one]`: without
// MPI_Init, with it in the middle, or without a name of the job that the ranks have from their launcher; or with MPI_Init, and a session on rank 1 alone.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank;  // in mpi://WORLD

static MPI_Comm connected(MPI_Group group, const char* tag) {
  MPI_Comm created;
  MPI_Comm_create_from_group(group, tag, MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &created);
  return created;
}

// To the next rank, around.
static void message(MPI_Comm comm) {
  int own, size, value = rank, got = -1;
  MPI_Comm_rank(comm, &own);
  MPI_Comm_size(comm, &size);
  MPI_Sendrecv(&value, 1, MPI_INT, (own + 1) % size, 4, &got, 1, MPI_INT, (own + size - 1) % size, 4, comm,
               MPI_STATUS_IGNORE);
  printf("rank %d got %d of %d\n", rank, got, size);
}

// Of ranks 0 and 2, in this order and the other way around; the same tag twice, which the order tells apart.
static void parts(MPI_Group all) {
  const int members[] = {0, 2}, reversed[] = {2, 0};
  MPI_Group some, other;
  MPI_Group_incl(all, 2, members, &some);
  MPI_Group_incl(all, 2, reversed, &other);
  for (int i = 0; i < 3 && rank != 1; ++i) {
    MPI_Comm part = connected(i < 2 ? some : other, "part");
    message(part);
    MPI_Comm_free(&part);
  }
  MPI_Group_free(&some);
  MPI_Group_free(&other);
}

static void derived(MPI_Comm comm) {
  MPI_Comm made;
  MPI_Request request;
  MPI_Group group, but_first;
  const int first = 0;
  MPI_Comm_dup(comm, &made);
  message(made);
  MPI_Comm again;
  MPI_Comm_idup(made, &again, &request);
#ifdef OPEN_MPI  // which crashes if the parent is freed meanwhile
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Comm_free(&made);
#else
  MPI_Comm_free(&made);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
#endif
  message(again);
  MPI_Comm_free(&again);
  MPI_Comm_split(comm, rank == 1, -rank, &made);
  message(made);
  MPI_Comm_free(&made);
  MPI_Comm_group(comm, &group);
  MPI_Group_excl(group, 1, &first, &but_first);
  if (rank != 0) {
    MPI_Comm_create_group(comm, but_first, 6, &made);
    message(made);
    MPI_Comm_free(&made);
  }
  MPI_Group_free(&group);
  MPI_Group_free(&but_first);
}

// Between rank 0 and the others; ranks 1 and 2 have no communicator with rank 0 but the last argument.
static void between(MPI_Group all, MPI_Comm peers) {
  const int first = 0;
  MPI_Group one, others;
  MPI_Comm local, inter, merged;
  MPI_Group_incl(all, 1, &first, &one);
  MPI_Group_excl(all, 1, &first, &others);
  MPI_Intercomm_create_from_groups(rank == 0 ? one : others, 0, rank == 0 ? others : one, 0, "between", MPI_INFO_NULL,
                                   MPI_ERRORS_ARE_FATAL, &inter);
  int value = rank, sum = 0;
  MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, inter);
  printf("rank %d: the others have %d\n", rank, sum);
  MPI_Intercomm_merge(inter, rank == 0, &merged);
  message(merged);
  MPI_Comm_free(&merged);
  MPI_Comm_free(&inter);
  local = connected(rank == 0 ? one : others, "local");
  MPI_Intercomm_create(local, 0, peers, rank == 0 ? 1 : 0, 5, &inter);
  if (rank == 0) MPI_Recv(&value, 1, MPI_INT, 1, 5, inter, MPI_STATUS_IGNORE);
  if (rank == 2) MPI_Send(&value, 1, MPI_INT, 0, 5, inter);
  MPI_Comm_free(&inter);
  MPI_Comm_free(&local);
  MPI_Group_free(&one);
  MPI_Group_free(&others);
}

static void window(MPI_Comm comm) {
  int* base;
  MPI_Win made;
  MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, comm, &base, &made);
  MPI_Win_fence(0, made);
  MPI_Put(&rank, 1, MPI_INT, (rank + 1) % 3, 0, 1, MPI_INT, made);
  MPI_Win_fence(0, made);
  MPI_Win_free(&made);
}

static MPI_Session opened(MPI_Group* all) {
  MPI_Session session;
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
  MPI_Group_from_session_pset(session, "mpi://WORLD", all);
  MPI_Group_rank(*all, &rank);
  return session;
}

static void use(MPI_Group all) {
  MPI_Comm whole = connected(all, "whole");
  message(whole);
  derived(whole);
  between(all, whole);
  window(whole);
  MPI_Comm_free(&whole);
}

// A group of MPI_COMM_WORLD makes a communicator of ranks with and without a session.
static int on_one(void) {
  MPI_Init(NULL, NULL);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Group all, ours;
  MPI_Session session;
  if (rank == 1) session = opened(&ours);
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  MPI_Comm whole = connected(all, "whole");
  int value = rank == 0 ? 42 : -1;
  MPI_Bcast(&value, 1, MPI_INT, 0, whole);
  printf("rank %d knows %d\n", rank, value);
  message(whole);
  MPI_Comm_free(&whole);
  MPI_Group_free(&all);
  if (rank == 1) {
    MPI_Group_free(&ours);
    MPI_Session_finalize(&session);
  }
  return MPI_Finalize();
}

int main(int argc, char** argv) {
  const char* way = argc > 1 ? argv[1] : "";
  if (strcmp(way, "one") == 0) return on_one();
  MPI_Group all, self, again;
  // The launcher of MPICH can be that of the parents, too.
  if (strcmp(way, "strangers") == 0) setenv("PMI_SPAWNED", "1", 1);
  MPI_Session session = opened(&all);
#if defined MPICH_NUMVERSION && MPICH_NUMVERSION < 40100000  // which cannot begin with others
  MPI_Comm whole = connected(all, "before");
  MPI_Comm_free(&whole);
#endif
  // What has no other member comes first, and what has not all.
  MPI_Group_from_session_pset(session, "mpi://SELF", &self);
  MPI_Comm alone = connected(self, "alone");
  message(alone);
  MPI_Comm_free(&alone);
  MPI_Group_free(&self);
  parts(all);
  if (strcmp(way, "both") == 0) {
    MPI_Init(&argc, &argv);
    use(all);
    message(MPI_COMM_WORLD);
    MPI_Finalize();
  }
  use(all);
  MPI_Group_free(&all);
  MPI_Session second = opened(&again);
  MPI_Session_finalize(&session);
  use(again);
  MPI_Group_free(&again);
  MPI_Session_finalize(&second);
  return 0;
}
