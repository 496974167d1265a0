// All collectives, blocking and non-blocking, in place and not, on communicators of different
// order. Elements are ints; what a process sends is a function of its rank.

#include <stdlib.h>

#include "counts.h"

typedef struct {
  MPI_Comm comm;
  int me, n;      // rank and size in it
  int immediate;  // whether to use the non-blocking forms
  int phase;
} Group;

#define CALL(Name, IName, ...)                     \
  do {                                             \
    if (group->immediate) {                        \
      MPI_Request request;                         \
      IName(__VA_ARGS__, &request);                \
      MPI_Wait(&request, MPI_STATUS_IGNORE);       \
    } else {                                       \
      Name(__VA_ARGS__);                           \
    }                                              \
  } while (0)

static const long long kInt = sizeof(int);

// The i-th int that `from` has for `to`.
static int value(int from, int to, int i) { return from * 10007 + to * 101 + i; }

static int count_of(const Group* group, int k) { return pick(group->phase, k, 700); }

static int* ints(long long n) { return new_buffer((int)(n * kInt)); }

static void bcast(const Group* group, int root) {
  const int n = count_of(group, root);
  int* data = ints(n);
  for (int i = 0; i < n; ++i) data[i] = group->me == root ? value(root, 0, i) : -1;
  CALL(MPI_Bcast, MPI_Ibcast, data, n, MPI_INT, root, group->comm);
  count_collective(BCAST, group->me == root ? n * kInt : 0, group->me == root ? 0 : n * kInt);
  for (int i = 0; i < n; ++i) require(data[i] == value(root, 0, i), "bcast");
  free(data);
}

static void gather_and_scatter(const Group* group, int root, int in_place) {
  const int n = count_of(group, 10 + root), at_root = group->me == root;
  int* own = ints(n);
  int* all = ints((long long)n * group->n);
  for (int i = 0; i < n; ++i) own[i] = all[group->me * n + i] = value(group->me, root, i);
  CALL(MPI_Gather, MPI_Igather, in_place && at_root ? MPI_IN_PLACE : own, n, MPI_INT, all, n,
       MPI_INT, root, group->comm);
  count_collective(GATHER, n * kInt, at_root ? n * kInt * group->n : 0);
  for (int r = 0; at_root && r < group->n; ++r) {
    for (int i = 0; i < n; ++i) require(all[r * n + i] == value(r, root, i), "gather");
  }
  // Back to where it came from.
  for (int i = 0; i < n && !at_root; ++i) own[i] = -1;
  CALL(MPI_Scatter, MPI_Iscatter, all, n, MPI_INT, in_place && at_root ? MPI_IN_PLACE : own, n,
       MPI_INT, root, group->comm);
  count_collective(SCATTER, at_root ? n * kInt * group->n : 0, n * kInt);
  for (int i = 0; i < n; ++i) require(own[i] == value(group->me, root, i), "scatter");
  free(own);
  free(all);
}

// Rank r has part[r] elements; offsets leave a gap before each.
static long long parts(const Group* group, int salt, int* part, int* offset) {
  long long at = 0;
  for (int r = 0; r < group->n; ++r) {
    part[r] = count_of(group, salt + 7 * r);
    offset[r] = (int)at + 1;
    at += part[r] + 1;
  }
  return at;
}

static long long sum(const int* part, int n) {
  long long total = 0;
  for (int r = 0; r < n; ++r) total += part[r];
  return total;
}

static void gatherv_and_scatterv(const Group* group, int root, int in_place) {
  int* part = ints(group->n);
  int* offset = ints(group->n);
  int* all = ints(parts(group, 20, part, offset));
  const int n = part[group->me], at_root = group->me == root;
  int* own = ints(n);
  for (int i = 0; i < n; ++i) own[i] = all[offset[group->me] + i] = value(group->me, root, i);
  CALL(MPI_Gatherv, MPI_Igatherv, in_place && at_root ? MPI_IN_PLACE : own, n, MPI_INT, all, part,
       offset, MPI_INT, root, group->comm);
  count_collective(GATHERV, n * kInt, at_root ? sum(part, group->n) * kInt : 0);
  for (int r = 0; at_root && r < group->n; ++r) {
    for (int i = 0; i < part[r]; ++i) require(all[offset[r] + i] == value(r, root, i), "gatherv");
  }
  for (int i = 0; i < n && !at_root; ++i) own[i] = -1;
  CALL(MPI_Scatterv, MPI_Iscatterv, all, part, offset, MPI_INT,
       in_place && at_root ? MPI_IN_PLACE : own, n, MPI_INT, root, group->comm);
  count_collective(SCATTERV, at_root ? sum(part, group->n) * kInt : 0, n * kInt);
  for (int i = 0; i < n; ++i) require(own[i] == value(group->me, root, i), "scatterv");
  free(part);
  free(offset);
  free(all);
  free(own);
}

static void allgathers(const Group* group, int in_place) {
  const int n = count_of(group, 30);
  int* own = ints(n);
  int* all = ints((long long)n * group->n);
  for (int i = 0; i < n; ++i) own[i] = all[group->me * n + i] = value(group->me, 0, i);
  CALL(MPI_Allgather, MPI_Iallgather, in_place ? MPI_IN_PLACE : own, n, MPI_INT, all, n, MPI_INT,
       group->comm);
  count_collective(ALLGATHER, n * kInt, n * kInt * group->n);
  for (int r = 0; r < group->n; ++r) {
    for (int i = 0; i < n; ++i) require(all[r * n + i] == value(r, 0, i), "allgather");
  }
  free(own);
  free(all);

  int* part = ints(group->n);
  int* offset = ints(group->n);
  all = ints(parts(group, 31, part, offset));
  own = ints(part[group->me]);
  for (int i = 0; i < part[group->me]; ++i) {
    own[i] = all[offset[group->me] + i] = value(group->me, 0, i);
  }
  CALL(MPI_Allgatherv, MPI_Iallgatherv, in_place ? MPI_IN_PLACE : own, part[group->me], MPI_INT,
       all, part, offset, MPI_INT, group->comm);
  count_collective(ALLGATHERV, part[group->me] * kInt, sum(part, group->n) * kInt);
  for (int r = 0; r < group->n; ++r) {
    for (int i = 0; i < part[r]; ++i) require(all[offset[r] + i] == value(r, 0, i), "allgatherv");
  }
  free(part);
  free(offset);
  free(own);
  free(all);
}

static void alltoall(const Group* group, int in_place) {
  const int n = count_of(group, 40);
  int* out = ints((long long)n * group->n);
  int* in = ints((long long)n * group->n);
  for (int r = 0; r < group->n; ++r) {
    for (int i = 0; i < n; ++i) out[r * n + i] = in[r * n + i] = value(group->me, r, i);
  }
  CALL(MPI_Alltoall, MPI_Ialltoall, in_place ? MPI_IN_PLACE : out, n, MPI_INT, in, n, MPI_INT,
       group->comm);
  count_collective(ALLTOALL, n * kInt * group->n, n * kInt * group->n);
  for (int r = 0; r < group->n; ++r) {
    for (int i = 0; i < n; ++i) require(in[r * n + i] == value(r, group->me, i), "alltoall");
  }
  free(out);
  free(in);
}

// Elements from one rank to another: not the same in both directions.
static int between(const Group* group, int from, int to) {
  return pick(group->phase + 1, from * 64 + to, 90);
}

static void alltoallv_and_w(const Group* group) {
  const int n = group->n;
  int* sent = ints(n);
  int* received = ints(n);
  int* sent_at = ints(n);
  int* received_at = ints(n);
  long long out_total = 0, in_total = 0;
  for (int r = 0; r < n; ++r) {
    sent[r] = between(group, group->me, r);
    received[r] = between(group, r, group->me);
    sent_at[r] = (int)out_total;
    received_at[r] = (int)in_total;
    out_total += sent[r];
    in_total += received[r];
  }
  int* out = ints(out_total);
  int* in = ints(in_total);
  for (int r = 0; r < n; ++r) {
    for (int i = 0; i < sent[r]; ++i) out[sent_at[r] + i] = value(group->me, r, i);
  }
  CALL(MPI_Alltoallv, MPI_Ialltoallv, out, sent, sent_at, MPI_INT, in, received, received_at,
       MPI_INT, group->comm);
  count_collective(ALLTOALLV, out_total * kInt, in_total * kInt);
  for (int r = 0; r < n; ++r) {
    for (int i = 0; i < received[r]; ++i) {
      require(in[received_at[r] + i] == value(r, group->me, i), "alltoallv");
      in[received_at[r] + i] = -1;
    }
  }
  // The same with a type for each: bytes to even ranks, ints to odd ones, offsets in bytes.
  MPI_Datatype* sent_types = new_buffer((int)sizeof(MPI_Datatype) * n);
  MPI_Datatype* received_types = new_buffer((int)sizeof(MPI_Datatype) * n);
  for (int r = 0; r < n; ++r) {
    sent_at[r] *= (int)kInt;
    received_at[r] *= (int)kInt;
    sent_types[r] = r % 2 == 0 ? MPI_BYTE : MPI_INT;
    received_types[r] = group->me % 2 == 0 ? MPI_BYTE : MPI_INT;
    if (r % 2 == 0) sent[r] *= (int)kInt;
    if (group->me % 2 == 0) received[r] *= (int)kInt;
  }
  CALL(MPI_Alltoallw, MPI_Ialltoallw, out, sent, sent_at, sent_types, in, received, received_at,
       received_types, group->comm);
  count_collective(ALLTOALLW, out_total * kInt, in_total * kInt);
  for (int r = 0, at = 0; r < n; ++r) {
    for (int i = 0; i < between(group, r, group->me); ++i) {
      require(in[at++] == value(r, group->me, i), "alltoallw");
    }
  }
  free(sent_types);
  free(received_types);
  free(sent);
  free(received);
  free(sent_at);
  free(received_at);
  free(out);
  free(in);
}

// Sum over the ranks 0 .. last of what each has for i.
static int summed(int last, int i) {
  int total = 0;
  for (int r = 0; r <= last; ++r) total += r * 3 + i % 17;
  return total;
}

static void reductions(const Group* group, int root, int in_place) {
  const int n = count_of(group, 50), at_root = group->me == root, last = group->n - 1;
  int* own = ints((long long)n * group->n);
  int* result = ints((long long)n * group->n);
  for (int i = 0; i < n * group->n; ++i) own[i] = result[i] = group->me * 3 + i % 17;
  CALL(MPI_Reduce, MPI_Ireduce, in_place && at_root ? MPI_IN_PLACE : own, result, n, MPI_INT,
       MPI_SUM, root, group->comm);
  count_collective(REDUCE, n * kInt, at_root ? n * kInt : 0);
  for (int i = 0; at_root && i < n; ++i) require(result[i] == summed(last, i), "reduce");

  for (int i = 0; i < n; ++i) result[i] = own[i];
  CALL(MPI_Allreduce, MPI_Iallreduce, in_place ? MPI_IN_PLACE : own, result, n, MPI_INT, MPI_SUM,
       group->comm);
  count_collective(ALLREDUCE, n * kInt, n * kInt);
  for (int i = 0; i < n; ++i) require(result[i] == summed(last, i), "allreduce");

  for (int i = 0; i < n; ++i) result[i] = own[i];
  CALL(MPI_Scan, MPI_Iscan, in_place ? MPI_IN_PLACE : own, result, n, MPI_INT, MPI_SUM,
       group->comm);
  count_collective(SCAN, n * kInt, n * kInt);
  for (int i = 0; i < n; ++i) require(result[i] == summed(group->me, i), "scan");

  for (int i = 0; i < n; ++i) result[i] = own[i];
  CALL(MPI_Exscan, MPI_Iexscan, in_place ? MPI_IN_PLACE : own, result, n, MPI_INT, MPI_SUM,
       group->comm);
  count_collective(EXSCAN, n * kInt, group->me > 0 ? n * kInt : 0);
  for (int i = 0; group->me > 0 && i < n; ++i) {
    require(result[i] == summed(group->me - 1, i), "exscan");
  }

  for (int i = 0; i < n * group->n; ++i) result[i] = own[i];
  CALL(MPI_Reduce_scatter_block, MPI_Ireduce_scatter_block, in_place ? MPI_IN_PLACE : own, result,
       n, MPI_INT, MPI_SUM, group->comm);
  count_collective(REDUCE_SCATTER_BLOCK, n * kInt * group->n, n * kInt);
  for (int i = 0; i < n; ++i) {
    require(result[i] == summed(last, group->me * n + i), "reduce_scatter_block");
  }

  int* part = ints(group->n);
  for (int r = 0; r < group->n; ++r) part[r] = r % 2 == 0 ? n : n / 2;
  for (int i = 0; i < n * group->n; ++i) result[i] = own[i];
  CALL(MPI_Reduce_scatter, MPI_Ireduce_scatter, in_place ? MPI_IN_PLACE : own, result, part,
       MPI_INT, MPI_SUM, group->comm);
  count_collective(REDUCE_SCATTER, sum(part, group->n) * kInt, part[group->me] * kInt);
  const int before = (int)sum(part, group->me);
  for (int i = 0; i < part[group->me]; ++i) {
    require(result[i] == summed(last, before + i), "reduce_scatter");
  }
  free(part);
  free(own);
  free(result);
}

static void all_on(const Group* group) {
  CALL(MPI_Barrier, MPI_Ibarrier, group->comm);
  count_collective(BARRIER, 0, 0);
  const int last = group->n - 1;
  bcast(group, 0);
  bcast(group, last);
  for (int in_place = 0; in_place < 2; ++in_place) {
    gather_and_scatter(group, in_place ? last : 0, in_place);
    gatherv_and_scatterv(group, in_place ? 0 : last, in_place);
    allgathers(group, in_place);
    alltoall(group, in_place);
    reductions(group, in_place ? 0 : last, in_place);
  }
  alltoallv_and_w(group);
}

// Several under way at once, completed in another order than they were posted.
static void overlapping(void) {
  MPI_Request requests[4];
  int one = 1, total = 0, from_first = rank == 0 ? 42 : 0, all = 0;
  MPI_Iallreduce(&one, &total, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[0]);
  MPI_Ibcast(&from_first, 1, MPI_INT, 0, MPI_COMM_WORLD, &requests[1]);
  MPI_Ibarrier(MPI_COMM_WORLD, &requests[2]);
  MPI_Ireduce(&one, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD, &requests[3]);
  MPI_Wait(&requests[3], MPI_STATUS_IGNORE);
  MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
  require(total == size && from_first == 42, "overlapping collectives");
  count_collective(ALLREDUCE, kInt, kInt);
  count_collective(BCAST, rank == 0 ? kInt : 0, rank == 0 ? 0 : kInt);
  count_collective(BARRIER, 0, 0);
  count_collective(REDUCE, kInt, rank == 0 ? kInt : 0);
}

void collectives(void) {
  Group group = {MPI_COMM_WORLD, rank, size, 0, 100};
  all_on(&group);
  group.immediate = 1;
  group.phase = 110;
  all_on(&group);
  // The same processes in reverse order.
  MPI_Comm_split(MPI_COMM_WORLD, 0, size - rank, &group.comm);
  count_collective(COMM_CREATE, 0, 0);
  MPI_Comm_rank(group.comm, &group.me);
  group.phase = 120;
  all_on(&group);
  MPI_Comm_free(&group.comm);
  overlapping();
}
