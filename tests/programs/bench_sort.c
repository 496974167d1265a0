// An integer sort as in the NAS benchmark IS: each rank counts its keys by bucket, the buckets are
// divided so that all ranks get about the same number of keys (MPI_Allreduce), the keys are sent
// to where they belong (MPI_Alltoall of the counts, MPI_Alltoallv of the keys) and ranked there.
// In every iteration the keys are drawn anew. The sum over all keys of key times place is the
// answer; it depends on nothing but the number of ranks and iterations.
//
//   bench_sort [ITERATIONS [KEYS]]

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_clock.h"

enum { KEY_BITS = 19, BUCKET_BITS = 10, BUCKETS = 1 << BUCKET_BITS, MOST_RANKS = 64 };

static int ranks, rank, key_count, room;
static uint32_t *keys, *by_bucket, *received, *histogram;

static void draw_keys(uint64_t seed) {
  uint64_t x = seed * 0x9E3779B97F4A7C15u + 1;
  for (int i = 0; i < key_count; ++i) {
    uint32_t sum = 0;
    for (int j = 0; j < 4; ++j) {  // the sum of four numbers: more keys in the middle
      x ^= x << 13;
      x ^= x >> 7;
      x ^= x << 17;
      sum += (uint32_t)(x >> (64 - KEY_BITS + 2));
    }
    keys[i] = sum;
  }
}

static int bucket_of(uint32_t key) { return (int)(key >> (KEY_BITS - BUCKET_BITS)); }

// The first bucket of each rank, so that the ranks get about the same number of keys.
static void divide(const int *all_counts, int *first_bucket) {
  const int64_t total = (int64_t)key_count * ranks;
  int64_t before = 0;
  int owner = 0;
  first_bucket[0] = 0;
  for (int b = 0; b < BUCKETS; ++b) {
    while (owner + 1 < ranks && before * ranks >= total * (owner + 1)) first_bucket[++owner] = b;
    before += all_counts[b];
  }
  while (owner < ranks) first_bucket[++owner] = BUCKETS;
}

static uint64_t sort(uint64_t seed) {
  int counts[BUCKETS] = {0}, all_counts[BUCKETS], starts[BUCKETS + 1], first[MOST_RANKS + 1];
  int sent[MOST_RANKS], sent_at[MOST_RANKS], got[MOST_RANKS], got_at[MOST_RANKS], total = 0;
  draw_keys(seed);
  for (int i = 0; i < key_count; ++i) counts[bucket_of(keys[i])]++;
  MPI_Allreduce(counts, all_counts, BUCKETS, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  divide(all_counts, first);
  starts[0] = 0;
  for (int b = 0; b < BUCKETS; ++b) starts[b + 1] = starts[b] + counts[b];
  for (int r = 0; r < ranks; ++r) {
    sent_at[r] = starts[first[r]];
    sent[r] = starts[first[r + 1]] - starts[first[r]];
  }
  for (int i = 0; i < key_count; ++i) by_bucket[starts[bucket_of(keys[i])]++] = keys[i];

  MPI_Alltoall(sent, 1, MPI_INT, got, 1, MPI_INT, MPI_COMM_WORLD);
  for (int r = 0; r < ranks; ++r) {
    got_at[r] = total;
    total += got[r];
  }
  if (total > room) MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Alltoallv(by_bucket, sent, sent_at, MPI_UNSIGNED, received, got, got_at, MPI_UNSIGNED,
                MPI_COMM_WORLD);

  const uint32_t low = (uint32_t)first[rank] << (KEY_BITS - BUCKET_BITS);
  const uint32_t high = (uint32_t)first[rank + 1] << (KEY_BITS - BUCKET_BITS);
  memset(histogram, 0, (high - low) * sizeof *histogram);
  for (int i = 0; i < total; ++i) histogram[received[i] - low]++;
  int64_t place = 0;
  for (int b = 0; b < first[rank]; ++b) place += all_counts[b];
  uint64_t answer = 0;
  for (uint32_t key = low; key < high; ++key) {
    for (uint32_t i = 0; i < histogram[key - low]; ++i) answer += (uint64_t)key * (uint64_t)place++;
  }
  return answer;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int iterations = argc > 1 ? atoi(argv[1]) : 10;
  key_count = argc > 2 ? atoi(argv[2]) : 1 << 18;
  room = 2 * key_count + BUCKETS;
  if (ranks > MOST_RANKS) MPI_Abort(MPI_COMM_WORLD, 1);
  keys = calloc((size_t)key_count, sizeof *keys);
  by_bucket = calloc((size_t)key_count, sizeof *by_bucket);
  received = calloc((size_t)room, sizeof *received);
  histogram = calloc((size_t)1 << KEY_BITS, sizeof *histogram);

  sort(0);
  MPI_Barrier(MPI_COMM_WORLD);
  const struct bench_section begin = bench_begin();
  uint64_t mine = 0, answer = 0;
  for (int i = 1; i <= iterations; ++i) mine += sort((uint64_t)(i * ranks + rank));
  MPI_Allreduce(&mine, &answer, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
  const struct bench_section section = bench_end(begin);

  int64_t cpu_ns = 0;
  MPI_Reduce(&section.cpu_ns, &cpu_ns, 1, MPI_INT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    printf("wall_ns %lld\ncpu_ns %lld\nanswer %llu\n", (long long)section.wall_ns,
           (long long)cpu_ns, (unsigned long long)answer);
  }
  MPI_Finalize();
  return 0;
}
