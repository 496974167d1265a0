// The integer sort (IS) of the NAS Parallel Benchmarks, written from their definition (RNR-94-007, section 2.3.1):
// keys of a linear congruential generator are ranked ten times, with two of them changed before each time. Each
// process counts its keys by bucket, the buckets are divided so that all processes get about the same number of
// keys (MPI_Allreduce), the keys are sent to where they belong (MPI_Alltoall, MPI_Alltoallv) and ranked there.
//
//   integer_sort [--messages] [--repeat N] S|W|A|B|C [ITERATIONS]
//
// With --messages, each process sends counts and keys to each other one by MPI_Irecv, MPI_Send and MPI_Wait, so that a
// process makes more calls the more processes there are. With --repeat, the iterations are made N times, so that there
// is more to measure.
//
// Known by construction: the ranks of five keys in each iteration, which the benchmark publishes, for the first ten
// iterations; and the sorted sequence, which is checked at the end. `answer` is the sum of each key times
// its place, modulo 2^64. Exit status 0 if all is right, else 1; 2 wrong use. Any number of processes up to 1,024.

#include <limits.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "../../programs/bench_clock.h"

enum { TESTS = 5, ITERATIONS = 10, MOST_BUCKETS = 1 << 10, MOST_RANKS = 1024 };

// The published rank of a key moves with the iteration by `direction` times (iteration - `from`).
struct class {
  char name;
  int log_keys, log_max_key, log_buckets;
  int64_t test_index[TESTS];
  int64_t test_rank[TESTS];
  int direction[TESTS], from[TESTS];
};

static const struct class classes[] = {
    {'S', 16, 11, 9, {48427, 17148, 23627, 62548, 4431}, {0, 18, 346, 64917, 65463}, {1, 1, 1, -1, -1}, {0}},
    {'W', 20, 16, 10, {357773, 934767, 875723, 898999, 404505}, {1249, 11698, 1039987, 1043896, 1048018},
     {1, 1, -1, -1, -1}, {2, 2, 0, 0, 0}},
    {'A', 23, 19, 10, {2112377, 662041, 5336171, 3642833, 4250760}, {104, 17523, 123928, 8288932, 8388264},
     {1, 1, 1, -1, -1}, {1, 1, 1, 1, 1}},
    {'B', 25, 21, 10, {41869, 812306, 5102857, 18232239, 26860214}, {33422937, 10244, 59149, 33135281, 99},
     {-1, 1, 1, -1, 1}, {0}},
    {'C', 27, 23, 10, {44172927, 72999161, 74326391, 129606274, 21736814},
     {61147, 882988, 266290, 133997595, 133525895}, {1, 1, 1, -1, -1}, {0}},
};

static const struct class *sorted_class;
static int ranks, rank, buckets, has_messages;
static int64_t first_key, key_count;  // of all keys, those of this process
static uint32_t *keys, *by_bucket, *received, *less_or_equal;
static int64_t received_count, received_room, range_room;
static uint32_t low;           // the least key that can be in `received`
static int64_t before_low;     // how many keys of all processes are less
static uint64_t range;         // of keys that can be in `received`
static int64_t right, wrong;   // published ranks that were met, and that were not

static int64_t first_key_of(int process) {
  return ((int64_t)process << sorted_class->log_keys) / ranks;
}

// 46 bits of x * y. The generator is x = a x mod 2^46, with a = 5^13, from 314159265.
static uint64_t multiply(uint64_t x, uint64_t y) { return (x * y) & ((UINT64_C(1) << 46) - 1); }

static void draw_keys(void) {
  const uint64_t a = 1220703125;
  uint64_t x = 314159265, power = a;
  // The numbers of the processes before are skipped: four for each key.
  for (uint64_t skipped = 4 * (uint64_t)first_key; skipped != 0; skipped >>= 1) {
    if (skipped & 1) x = multiply(x, power);
    power = multiply(power, power);
  }
  for (int64_t i = 0; i < key_count; ++i) {
    uint64_t sum = 0;  // the mean of four numbers: more keys in the middle
    for (int j = 0; j < 4; ++j) {
      x = multiply(x, a);
      sum += x;
    }
    keys[i] = (uint32_t)(sum >> (46 + 2 - sorted_class->log_max_key));
  }
}

static int bucket_of(uint32_t key) {
  return (int)(key >> (sorted_class->log_max_key - sorted_class->log_buckets));
}

// The first bucket of each process, so that all get about the same number of keys.
static void divide(const int64_t *counts, int *first_bucket) {
  int64_t before = 0;
  int owner = 0;
  first_bucket[0] = 0;
  for (int b = 0; b < buckets; ++b) {
    while (owner + 1 < ranks && before >= first_key_of(owner + 1)) first_bucket[++owner] = b;
    before += counts[b];
  }
  while (owner < ranks) first_bucket[++owner] = buckets;
}

static void *allocate(size_t count) {
  void *memory = calloc(count == 0 ? 1 : count, sizeof(uint32_t));
  if (memory == NULL) {
    fprintf(stderr, "integer_sort: no memory for %zu keys\n", count);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  return memory;
}

// Room for what this iteration brings. The first, which is not timed, makes it.
static void make_room(void) {
  if (received_count > received_room) {
    free(received);
    received_room = received_count + received_count / 16 + 64;
    received = allocate((size_t)received_room);
  }
  if ((int64_t)range > range_room) {
    free(less_or_equal);
    range_room = (int64_t)range;
    less_or_equal = allocate((size_t)range_room);
  }
}

// As MPI_Alltoallv. In each step each process sends to one and receives from one.
static void exchange(const void *out, const int *sent, const int *sent_at, void *in, const int *got,
                     const int *got_at) {
  if (!has_messages) {
    MPI_Alltoallv(out, sent, sent_at, MPI_UINT32_T, in, got, got_at, MPI_UINT32_T, MPI_COMM_WORLD);
    return;
  }
  memcpy((uint32_t *)in + got_at[rank], (const uint32_t *)out + sent_at[rank], (size_t)got[rank] * sizeof(uint32_t));
  for (int step = 1; step < ranks; ++step) {
    const int to = (rank + step) % ranks, from = (rank + ranks - step) % ranks;
    MPI_Request request;
    MPI_Irecv((uint32_t *)in + got_at[from], got[from], MPI_UINT32_T, from, 0, MPI_COMM_WORLD, &request);
    MPI_Send((const uint32_t *)out + sent_at[to], sent[to], MPI_UINT32_T, to, 0, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
}

static void exchange_counts(const int *sent, int *got) {
  static int one[MOST_RANKS], place[MOST_RANKS];
  for (int r = 0; r < ranks; ++r) {
    one[r] = 1;
    place[r] = r;
  }
  if (has_messages) {
    exchange(sent, one, place, got, one, place);
  } else {
    MPI_Alltoall(sent, 1, MPI_INT, got, 1, MPI_INT, MPI_COMM_WORLD);
  }
}

// Whether the keys of the published indexes have the published ranks: as far as they are here.
static void check_ranks(int iteration, const int64_t *test_keys) {
  for (int i = 0; i < TESTS; ++i) {
    const int64_t key = test_keys[i];
    if (key < low || key >= (int64_t)low + (int64_t)range) continue;
    const int64_t less = before_low + (key == low ? 0 : less_or_equal[key - 1 - low]);
    const int64_t expected =
        sorted_class->test_rank[i] + sorted_class->direction[i] * (iteration - sorted_class->from[i]);
    *(less == expected ? &right : &wrong) += 1;
  }
}

static void rank_keys(int iteration, int is_checked) {
  // The counts of the buckets, then the keys that are tested: one sum brings both to all.
  static int64_t counts[MOST_BUCKETS + TESTS], all_counts[MOST_BUCKETS + TESTS];
  static int starts[MOST_BUCKETS + 1], first[MOST_RANKS + 1];
  static int sent[MOST_RANKS], sent_at[MOST_RANKS], got[MOST_RANKS], got_at[MOST_RANKS];

  if (rank == 0) {
    keys[iteration] = (uint32_t)iteration;
    keys[iteration + ITERATIONS] = (UINT32_C(1) << sorted_class->log_max_key) - (uint32_t)iteration;
  }
  memset(counts, 0, sizeof counts);
  for (int64_t i = 0; i < key_count; ++i) counts[bucket_of(keys[i])]++;
  for (int i = 0; i < TESTS; ++i) {
    const int64_t index = sorted_class->test_index[i] - first_key;
    if (index >= 0 && index < key_count) counts[buckets + i] = keys[index];
  }
  MPI_Allreduce(counts, all_counts, buckets + TESTS, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
  divide(all_counts, first);

  starts[0] = 0;
  for (int b = 0; b < buckets; ++b) starts[b + 1] = starts[b] + (int)counts[b];
  for (int r = 0; r < ranks; ++r) {
    sent_at[r] = starts[first[r]];
    sent[r] = starts[first[r + 1]] - starts[first[r]];
  }
  for (int64_t i = 0; i < key_count; ++i) by_bucket[starts[bucket_of(keys[i])]++] = keys[i];
  exchange_counts(sent, got);

  received_count = 0;
  for (int r = 0; r < ranks; ++r) {
    got_at[r] = (int)received_count;
    received_count += got[r];
  }
  const int key_shift = sorted_class->log_max_key - sorted_class->log_buckets;
  low = (uint32_t)first[rank] << key_shift;
  range = (uint64_t)(first[rank + 1] - first[rank]) << key_shift;
  make_room();
  exchange(by_bucket, sent, sent_at, received, got, got_at);

  memset(less_or_equal, 0, range * sizeof *less_or_equal);
  for (int64_t i = 0; i < received_count; ++i) less_or_equal[received[i] - low]++;
  for (uint64_t k = 1; k < range; ++k) less_or_equal[k] += less_or_equal[k - 1];
  before_low = 0;
  for (int b = 0; b < first[rank]; ++b) before_low += all_counts[b];
  if (is_checked) check_ranks(iteration, all_counts + buckets);
}

// Puts the keys where their ranks say, and checks the order, also towards the next process; and that these are the
// keys that there were. Returns the sum of key times place of this process.
static uint64_t check_order(int *is_right) {
  uint32_t *sorted = allocate((size_t)received_count);
  // From the end, so that what is left in `less_or_equal` is the next place of a key.
  for (int64_t i = received_count; i-- > 0;) sorted[--less_or_equal[received[i] - low]] = received[i];
  uint64_t answer = 0, sums[3] = {0, 0, 0}, all_sums[3];
  int is_sorted = 1;
  for (int64_t i = 0; i < received_count; ++i) {
    if (i > 0 && sorted[i - 1] > sorted[i]) is_sorted = 0;
    answer += sorted[i] * (uint64_t)(before_low + i);
    sums[0] += sorted[i];
  }
  for (int64_t i = 0; i < key_count; ++i) sums[1] += keys[i];
  sums[2] = (uint64_t)received_count;

  // The largest key so far: a process can have none.
  int64_t largest = received_count > 0 ? (int64_t)sorted[received_count - 1] : -1, before = -1;
  MPI_Exscan(&largest, &before, 1, MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD);
  if (rank > 0 && received_count > 0 && before > sorted[0]) is_sorted = 0;
  MPI_Allreduce(sums, all_sums, 3, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
  *is_right = is_sorted && all_sums[0] == all_sums[1] &&
              all_sums[2] == UINT64_C(1) << sorted_class->log_keys;
  free(sorted);
  return answer;
}

static int64_t reduced(int64_t mine, MPI_Op operation) {
  int64_t all = 0;
  MPI_Allreduce(&mine, &all, 1, MPI_INT64_T, operation, MPI_COMM_WORLD);
  return all;
}

// `last_ns`: the last tenth of the repetitions, where a tuner has done what it does.
static int report(struct bench_section section, int64_t last_ns, int iterations) {
  int is_sorted = 0;
  // Before the memory of the check.
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  const uint64_t answer = (uint64_t)reduced((int64_t)check_order(&is_sorted), MPI_SUM);
  is_sorted = (int)reduced(is_sorted, MPI_MIN);
  const int64_t all_right = reduced(right, MPI_SUM), all_wrong = reduced(wrong, MPI_SUM);
  const int64_t expected = TESTS * (int64_t)iterations;
  const int is_right = is_sorted && all_wrong == 0 && all_right == expected;
  const int64_t cpu_ns = reduced(section.cpu_ns, MPI_SUM);
  const int64_t rss = reduced(usage.ru_maxrss, MPI_SUM), most_rss = reduced(usage.ru_maxrss, MPI_MAX);
  const int64_t minor = reduced(usage.ru_minflt, MPI_SUM), major = reduced(usage.ru_majflt, MPI_SUM);
  if (rank != 0) return is_right;
  printf("wall_ns %lld\nlast_ns %lld\ncpu_ns %lld\nanswer %llu\n", (long long)section.wall_ns, (long long)last_ns,
         (long long)cpu_ns, (unsigned long long)answer);
  printf("ranks_right %lld\nranks_wrong %lld\nsorted %d\n", (long long)all_right, (long long)all_wrong, is_sorted);
  // Of a process in the mean, except for the largest.
  printf("rss_kb %lld\nmost_rss_kb %lld\nminor_faults %lld\nmajor_faults %lld\n", (long long)(rss / ranks),
         (long long)most_rss, (long long)(minor / ranks), (long long)(major / ranks));
  if (!is_right) fprintf(stderr, "integer_sort: the keys are not sorted as the benchmark says\n");
  return is_right;
}

static const struct class *class_of(const char *name) {
  for (size_t i = 0; i < sizeof classes / sizeof *classes; ++i) {
    if (name[0] == classes[i].name && name[1] == '\0') return &classes[i];
  }
  return NULL;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  has_messages = argc > 1 && strcmp(argv[1], "--messages") == 0;
  argc -= has_messages;
  argv += has_messages;
  int repeats = 1;
  if (argc > 2 && strcmp(argv[1], "--repeat") == 0) {
    repeats = atoi(argv[2]);
    argc -= 2;
    argv += 2;
  }
  sorted_class = argc > 1 ? class_of(argv[1]) : NULL;
  const int iterations = argc > 2 ? atoi(argv[2]) : ITERATIONS;
  if (sorted_class == NULL || argc > 3 || iterations < 1 || iterations > ITERATIONS || repeats < 1 ||
      ranks > MOST_RANKS) {
    if (rank == 0) fprintf(stderr, "usage: integer_sort [--messages] [--repeat N] S|W|A|B|C [ITERATIONS of 1 to %d]\n", ITERATIONS);
    MPI_Finalize();
    return 2;
  }
  buckets = 1 << sorted_class->log_buckets;
  first_key = first_key_of(rank);
  key_count = first_key_of(rank + 1) - first_key;
  if (key_count > INT_MAX) MPI_Abort(MPI_COMM_WORLD, 1);
  keys = allocate((size_t)key_count);
  by_bucket = allocate((size_t)key_count);
  draw_keys();

  rank_keys(1, 0);
  MPI_Barrier(MPI_COMM_WORLD);
  const struct bench_section begin = bench_begin();
  int64_t last_begin_ns = 0;
  for (int repeat = 0; repeat < repeats; ++repeat) {
    if (repeat == repeats - (repeats + 9) / 10) last_begin_ns = bench_clock_ns(CLOCK_MONOTONIC);
    for (int i = 1; i <= iterations; ++i) rank_keys(i, repeat == 0);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  const int64_t last_ns = bench_clock_ns(CLOCK_MONOTONIC) - last_begin_ns;
  const struct bench_section section = bench_end(begin);
  const int is_right = report(section, last_ns, iterations);
  MPI_Finalize();
  return is_right ? 0 : 1;
}
