// The calls that are timed, and what each process receives by them.
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "variables.h"

enum { LATE_US = 300, MOST_RANKS = 64, LEAST_LIMIT = 64, LIMIT_STEPS = 6, MOST_TESTS = 200, TOKEN = 7 };

enum operation {
  BARRIER, BCAST, REDUCE, ALLREDUCE, SCAN, EXSCAN, REDUCE_SCATTER, REDUCE_SCATTER_BLOCK, GATHER, GATHERV, SCATTER, SCATTERV,
  ALLGATHER, ALLGATHERV, ALLTOALL, ALLTOALLV, ALLTOALLW, NEIGHBOR_ALLGATHER, NEIGHBOR_ALLGATHERV, NEIGHBOR_ALLTOALL,
  NEIGHBOR_ALLTOALLV, NEIGHBOR_ALLTOALLW, PINGPONG, LATE, EAGER_LIMIT, OPERATIONS
};
static const char *const operation_names[OPERATIONS] = {
  "barrier", "bcast", "reduce", "allreduce", "scan", "exscan", "reduce_scatter", "reduce_scatter_block", "gather", "gatherv",
  "scatter", "scatterv", "allgather", "allgatherv", "alltoall", "alltoallv", "alltoallw", "neighbor_allgather",
  "neighbor_allgatherv", "neighbor_alltoall", "neighbor_alltoallv", "neighbor_alltoallw", "pingpong", "late", "eager_limit"};

static int *out, *in;
static int counts[MOST_RANKS], places[MOST_RANKS], byte_places[MOST_RANKS];
static MPI_Aint neighbour_places[2];
static MPI_Datatype types[MOST_RANKS];

// Returns OPERATIONS for an unknown name; `nonblocking` may be null.
static enum operation operation_of(const char *name, int *nonblocking) {
  for (int first = 0; first < 2; first++) {
    if (first == 1 && name[0] != 'i') break;
    for (int i = 0; i < (first == 1 ? PINGPONG : OPERATIONS); i++) {
      if (strcmp(name + first, operation_names[i]) == 0) {
        if (nonblocking != NULL) *nonblocking = first;
        return (enum operation)i;
      }
    }
  }
  return OPERATIONS;
}

int is_call(const char *name) { return operation_of(name, NULL) != OPERATIONS; }

int is_limit(const char *name) { return operation_of(name, NULL) == EAGER_LIMIT; }

int needs_neighbours(const char *name) {
  const enum operation operation = operation_of(name, NULL);
  return operation >= NEIGHBOR_ALLGATHER && operation <= NEIGHBOR_ALLTOALLW;
}

// A process sends those of its number, all different.
void make_buffers(int bytes) {
  int rank = 0, size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (size > MOST_RANKS) MPI_Abort(MPI_COMM_WORLD, 2);
  const size_t length = (size_t)(bytes / sizeof(int) + 1) * (size > 2 ? size : 2);
  out = malloc(length * sizeof *out);
  in = malloc(length * sizeof *in);
  if (out == NULL || in == NULL) MPI_Abort(MPI_COMM_WORLD, 1);
  for (size_t i = 0; i < length; i++) out[i] = (int)(1000 * (rank + 1) + i % 997);
  memset(in, 0, length * sizeof *in);
}

static double now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1e9 + now.tv_nsec;
}

// The first two processes; others wait at the next barrier.
static double send_ahead(int rank, int n, MPI_Comm comm) {
  double spent = 0;
  if (rank == 0) {
    const double begin = now_ns();
    MPI_Send(out, n, MPI_INT, 1, 0, comm);
    spent = now_ns() - begin;
  } else if (rank == 1) {
    usleep(LATE_US);
    MPI_Recv(in, n, MPI_INT, 0, 0, comm, MPI_STATUS_IGNORE);
  }
  return spent;
}

static void complete(MPI_Request *request) {
  for (int done = 0; !done;) {
    MPI_Test(request, &done, MPI_STATUS_IGNORE);
    if (!done) sched_yield();
  }
}

static void tell(int to, int token) {
  MPI_Request request;
  MPI_Isend(&token, 1, MPI_INT, to, TOKEN, MPI_COMM_WORLD, &request);
  complete(&request);
}

static int hear(int from) {
  MPI_Request request;
  int token = 0;
  MPI_Irecv(&token, 1, MPI_INT, from, TOKEN, MPI_COMM_WORLD, &request);
  complete(&request);
  return token;
}

// Whether a message has left before the receiver asks for it. The receiver has seen it by then: it has answered to a later one.
static int is_eager(int rank, int bytes, MPI_Comm comm) {
  MPI_Request data;
  int is_sent = 0;
  if (rank == 0) {
    MPI_Isend(out, bytes, MPI_BYTE, 1, 0, comm, &data);
    tell(1, 0);
    hear(1);
    for (int i = 0; i < MOST_TESTS && !is_sent; i++) MPI_Test(&data, &is_sent, MPI_STATUS_IGNORE);
    tell(1, is_sent);
    if (!is_sent) complete(&data);
  } else {
    hear(0);
    tell(0, 0);
    is_sent = hear(0);
    MPI_Irecv(in, bytes, MPI_BYTE, 0, 0, comm, &data);
    complete(&data);
  }
  return is_sent;
}

// The largest size of an eager message, up to `most`: to a power of two, and then to 1/64 of it. 1 if there is none.
static double eager_limit(int rank, int most, MPI_Comm comm) {
  int low = 1, high = LEAST_LIMIT;
  if (rank > 1) return 0;
  while (high <= most && is_eager(rank, high, comm)) {
    low = high;
    high *= 2;
  }
  if (high > most) return low;
  for (int i = 0; i < LIMIT_STEPS && high - low > 1; i++) {
    const int middle = low + (high - low) / 2;
    if (is_eager(rank, middle, comm)) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low;
}

static void ping_pong(int rank, int n, MPI_Comm comm) {
  if (rank == 0) {
    MPI_Send(out, n, MPI_INT, 1, 0, comm);
    MPI_Recv(in, n, MPI_INT, 1, 0, comm, MPI_STATUS_IGNORE);
  } else if (rank == 1) {
    MPI_Recv(in, n, MPI_INT, 0, 0, comm, MPI_STATUS_IGNORE);
    MPI_Send(out, n, MPI_INT, 0, 0, comm);
  }
}

// A call and its nonblocking form, which take the same arguments.
#define EITHER(blocking, other, ...)             \
  do {                                           \
    if (nonblocking) {                           \
      other(__VA_ARGS__, &request);              \
    } else {                                     \
      blocking(__VA_ARGS__);                     \
    }                                            \
  } while (0)

static void collective(enum operation operation, int nonblocking, int n, MPI_Comm comm) {
  MPI_Request request = MPI_REQUEST_NULL;
  switch (operation) {
    case BARRIER: EITHER(MPI_Barrier, MPI_Ibarrier, comm); break;
    case BCAST: EITHER(MPI_Bcast, MPI_Ibcast, in, n, MPI_INT, 0, comm); break;
    case REDUCE: EITHER(MPI_Reduce, MPI_Ireduce, out, in, n, MPI_INT, MPI_SUM, 0, comm); break;
    case ALLREDUCE: EITHER(MPI_Allreduce, MPI_Iallreduce, out, in, n, MPI_INT, MPI_SUM, comm); break;
    case SCAN: EITHER(MPI_Scan, MPI_Iscan, out, in, n, MPI_INT, MPI_SUM, comm); break;
    case EXSCAN: EITHER(MPI_Exscan, MPI_Iexscan, out, in, n, MPI_INT, MPI_SUM, comm); break;
    case REDUCE_SCATTER:
      EITHER(MPI_Reduce_scatter, MPI_Ireduce_scatter, out, in, counts, MPI_INT, MPI_SUM, comm);
      break;
    case REDUCE_SCATTER_BLOCK:
      EITHER(MPI_Reduce_scatter_block, MPI_Ireduce_scatter_block, out, in, n, MPI_INT, MPI_SUM, comm);
      break;
    case GATHER: EITHER(MPI_Gather, MPI_Igather, out, n, MPI_INT, in, n, MPI_INT, 0, comm); break;
    case GATHERV: EITHER(MPI_Gatherv, MPI_Igatherv, out, n, MPI_INT, in, counts, places, MPI_INT, 0, comm); break;
    case SCATTER: EITHER(MPI_Scatter, MPI_Iscatter, out, n, MPI_INT, in, n, MPI_INT, 0, comm); break;
    case SCATTERV: EITHER(MPI_Scatterv, MPI_Iscatterv, out, counts, places, MPI_INT, in, n, MPI_INT, 0, comm); break;
    case ALLGATHER: EITHER(MPI_Allgather, MPI_Iallgather, out, n, MPI_INT, in, n, MPI_INT, comm); break;
    case ALLGATHERV: EITHER(MPI_Allgatherv, MPI_Iallgatherv, out, n, MPI_INT, in, counts, places, MPI_INT, comm); break;
    case ALLTOALL: EITHER(MPI_Alltoall, MPI_Ialltoall, out, n, MPI_INT, in, n, MPI_INT, comm); break;
    case ALLTOALLV:
      EITHER(MPI_Alltoallv, MPI_Ialltoallv, out, counts, places, MPI_INT, in, counts, places, MPI_INT, comm);
      break;
    case ALLTOALLW:
      EITHER(MPI_Alltoallw, MPI_Ialltoallw, out, counts, byte_places, types, in, counts, byte_places, types, comm);
      break;
    case NEIGHBOR_ALLGATHER:
      EITHER(MPI_Neighbor_allgather, MPI_Ineighbor_allgather, out, n, MPI_INT, in, n, MPI_INT, comm);
      break;
    case NEIGHBOR_ALLGATHERV:
      EITHER(MPI_Neighbor_allgatherv, MPI_Ineighbor_allgatherv, out, n, MPI_INT, in, counts, places, MPI_INT, comm);
      break;
    case NEIGHBOR_ALLTOALL:
      EITHER(MPI_Neighbor_alltoall, MPI_Ineighbor_alltoall, out, n, MPI_INT, in, n, MPI_INT, comm);
      break;
    case NEIGHBOR_ALLTOALLV:
      EITHER(MPI_Neighbor_alltoallv, MPI_Ineighbor_alltoallv, out, counts, places, MPI_INT, in, counts, places, MPI_INT,
             comm);
      break;
    case NEIGHBOR_ALLTOALLW:
      EITHER(MPI_Neighbor_alltoallw, MPI_Ineighbor_alltoallw, out, counts, neighbour_places, types, in, counts,
             neighbour_places, types, comm);
      break;
    default: break;
  }
  if (nonblocking) MPI_Wait(&request, MPI_STATUS_IGNORE);
}

double timed_call(const struct call *call, MPI_Comm comm) {
  int rank = 0, nonblocking = 0;
  const int n = call->bytes / (int)sizeof(int);
  const enum operation operation = operation_of(call->name, &nonblocking);
  MPI_Comm_rank(comm, &rank);
  for (int i = 0; i < MOST_RANKS; i++) {
    counts[i] = n;
    places[i] = i * n;
    byte_places[i] = i * n * (int)sizeof(int);
    types[i] = MPI_INT;
  }
  neighbour_places[1] = (MPI_Aint)(n * sizeof(int));
  if (operation == EAGER_LIMIT) return eager_limit(rank, call->bytes, comm);
  if (operation == LATE) return send_ahead(rank, n, comm);
  const double begin = now_ns();
  if (operation == PINGPONG) {
    ping_pong(rank, n, comm);
  } else {
    collective(operation, nonblocking, n, comm);
  }
  return now_ns() - begin;
}

static int sent(int rank, int index) { return 1000 * (rank + 1) + index % 997; }

// Of the processes below `end`.
static int sum_of(int end, int index) {
  int sum = 0;
  for (int rank = 0; rank < end; rank++) sum += sent(rank, index);
  return sum;
}

static int expected(enum operation operation, int rank, int size, int n, int i) {
  const int left = (rank + size - 1) % size, right = (rank + 1) % size;
  switch (operation) {
    case ALLREDUCE: case REDUCE: return sum_of(size, i);
    case SCAN: return sum_of(rank + 1, i);
    case EXSCAN: return sum_of(rank, i);
    case REDUCE_SCATTER: case REDUCE_SCATTER_BLOCK: return sum_of(size, rank * n + i);
    case SCATTER: case SCATTERV: return sent(0, rank * n + i);
    case ALLTOALL: case ALLTOALLV: case ALLTOALLW: return sent(i / n, rank * n + i % n);
    case NEIGHBOR_ALLGATHER: case NEIGHBOR_ALLGATHERV: return sent(i / n == 0 ? left : right, i % n);
    case NEIGHBOR_ALLTOALL: case NEIGHBOR_ALLTOALLV: case NEIGHBOR_ALLTOALLW:
      return i / n == 0 ? sent(left, n + i) : sent(right, i % n);
    case PINGPONG: case LATE: return sent(1 - rank, i);
    default: return sent(i / n, i % n);  // gathered
  }
}

// How many numbers it receives that are known: of two processes each is both neighbours of the other, in any order.
static int received(enum operation operation, int rank, int size, int n) {
  if (size < 3 && operation >= NEIGHBOR_ALLTOALL && operation <= NEIGHBOR_ALLTOALLW) return 0;
  switch (operation) {
    case BARRIER: case BCAST: return 0;
    case REDUCE: return rank == 0 ? n : 0;
    case GATHER: case GATHERV: return rank == 0 ? n * size : 0;
    case EXSCAN: return rank == 0 ? 0 : n;
    case PINGPONG: return rank < 2 ? n : 0;
    case LATE: return rank == 1 ? n : 0;
    case ALLGATHER: case ALLGATHERV: case ALLTOALL: case ALLTOALLV: case ALLTOALLW: return n * size;
    case ALLREDUCE: case SCAN: case REDUCE_SCATTER: case REDUCE_SCATTER_BLOCK: case SCATTER: case SCATTERV: return n;
    default: return 2 * n;  // of both neighbours
  }
}

int is_right(const struct call *call, MPI_Comm comm) {
  int rank = 0, size = 0;
  const int n = call->bytes / (int)sizeof(int);
  const enum operation operation = operation_of(call->name, NULL);
  if (operation == EAGER_LIMIT) return 1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  // The root of a broadcast sends what it would receive.
  if (operation == BCAST) memset(in, rank == 0 ? 1 : 0, (size_t)n * sizeof *in);
  timed_call(call, comm);
  for (int i = 0; operation == BCAST && i < n; i++) {
    if (in[i] != 0x01010101) return 0;
  }
  const int count = received(operation, rank, size, n);
  for (int i = 0; i < count; i++) {
    if (in[i] != expected(operation, rank, size, n, i)) return 0;
  }
  memset(in, 0, (size_t)count * sizeof *in);
  return 1;
}
