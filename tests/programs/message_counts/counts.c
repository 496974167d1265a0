#include "counts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

Counts counts;
int rank, size;
unsigned long long seed = 1;

static const char* const kNames[OPERATIONS] = {
    "barrier", "bcast", "gather", "gatherv", "scatter", "scatterv", "allgather", "allgatherv",
    "alltoall", "alltoallv", "alltoallw", "reduce", "allreduce", "reduce_scatter",
    "reduce_scatter_block", "scan", "exscan", "neighbor_allgather", "neighbor_allgatherv",
    "neighbor_alltoall", "neighbor_alltoallv", "neighbor_alltoallw", "comm_create", "init",
    "finalize"};

void count_send(long long bytes) {
  ++counts.sends;
  counts.send_bytes += bytes;
}

void count_receive(long long bytes) {
  ++counts.receives;
  counts.receive_bytes += bytes;
}

void count_collective(Operation operation, long long sent, long long received) {
  ++counts.calls[operation];
  counts.sent[operation] += sent;
  counts.received[operation] += received;
}

static unsigned long long hash(int phase, int k) {
  unsigned long long x = seed * 0x9E3779B97F4A7C15u + (unsigned)phase * 0xBF58476D1CE4E5B9u +
                         (unsigned)k * 0x94D049BB133111EBu;
  x ^= x >> 31;
  x *= 0xD6E8FEB86659FD93u;
  return x ^ (x >> 32);
}

void meet(void) {
  MPI_Barrier(MPI_COMM_WORLD);
  count_collective(BARRIER, 0, 0);
}

int size_of(int phase, int k) {
  const unsigned long long x = hash(phase, k);
  switch (x % 8) {
    case 0: return 0;
    case 1: return (int)(x / 8 % MAX_BYTES);
    default: return (int)(x / 8 % 3000);
  }
}

int pick(int phase, int k, int limit) { return (int)(hash(phase, k) / 16 % (unsigned)limit); }

void fill(void* buffer, int bytes, int phase, int from, int k) {
  unsigned char* at = buffer;
  const unsigned char start = (unsigned char)hash(phase * 131 + from, k);
  for (int i = 0; i < bytes; ++i) at[i] = (unsigned char)(start + 7 * i);
}

void verify(const void* buffer, int bytes, int phase, int from, int k) {
  const unsigned char* at = buffer;
  const unsigned char start = (unsigned char)hash(phase * 131 + from, k);
  for (int i = 0; i < bytes; ++i) {
    if (at[i] != (unsigned char)(start + 7 * i)) {
      fprintf(stderr, "rank %d: wrong byte %d of message %d from %d in phase %d\n", rank, i, k,
              from, phase);
      MPI_Abort(MPI_COMM_WORLD, 3);
    }
  }
}

void require(int condition, const char* what) {
  if (condition) return;
  fprintf(stderr, "rank %d: not true: %s\n", rank, what);
  MPI_Abort(MPI_COMM_WORLD, 3);
}

void* new_buffer(int bytes) {
  void* buffer = malloc(bytes > 0 ? (size_t)bytes : 1);
  require(buffer != NULL, "there is memory");
  memset(buffer, 0, bytes > 0 ? (size_t)bytes : 1);
  return buffer;
}

static void print_one(const char* who, const Counts* c) {
  printf("counts %s sends=%lld send_bytes=%lld receives=%lld receive_bytes=%lld probes=%lld "
         "cancels=%lld",
         who, c->sends, c->send_bytes, c->receives, c->receive_bytes, c->probes, c->cancels);
  for (int i = 0; i < OPERATIONS; ++i) {
    if (c->calls[i] == 0) continue;
    printf(" %s=%lld/%lld/%lld", kNames[i], c->calls[i], c->sent[i], c->received[i]);
  }
  printf("\n");
}

void print_counts(void) {
  // Counted before they happen, so that the numbers are those of the whole run.
  count_collective(GATHER, sizeof counts, rank == 0 ? (long long)sizeof counts * size : 0);
  count_collective(FINALIZE, 0, 0);
  Counts* all = new_buffer((int)sizeof counts * size);
  MPI_Gather(&counts, sizeof counts, MPI_BYTE, all, sizeof counts, MPI_BYTE, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    Counts total;
    memset(&total, 0, sizeof total);
    for (int r = 0; r < size; ++r) {
      char who[32];
      snprintf(who, sizeof who, "rank=%d", r);
      print_one(who, &all[r]);
      const long long* from = (const long long*)&all[r];
      long long* to = (long long*)&total;
      for (size_t i = 0; i < sizeof total / sizeof *to; ++i) to[i] += from[i];
    }
    print_one("total", &total);
  }
  free(all);
}
