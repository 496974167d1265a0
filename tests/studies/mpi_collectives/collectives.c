/* One collective operation, again and again: an all-to-all or an all-reduce of integers.
 *
 *   mpi_collectives alltoall|allreduce BYTES CALLS [SECONDS FILE]
 *
 * Each process gives BYTES in each call. Between two calls it changes a part of its data, which depends on the call and the
 * process alone; so the right results are known. Each call checks one number of its result, and each 64th all of them.
 *
 * Rank 0 prints the time of all calls, that of the last quarter for each call, how many processes had right results only, and
 * a hash over results of all processes: runs that print the same one had the same results to the last bit.
 *
 * Then it makes more calls for SECONDS. Rank 0 makes FILE when they begin, and writes how many had begun at which times at their
 * end. */
#define _POSIX_C_SOURCE 200809L
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { CHECK_ALL = 64, MOST_BYTES = 1 << 26, MOST_MARKS = 1 << 16, MARK_NS = 5000000 };

struct job {
  int rank, size, count, isWrong;
  int32_t *sent, *received;
  uint64_t hash;
};

static uint64_t now_ns(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

/* What `rank` gives at place `i`. It changes at each call in one place of 61. */
static int32_t given(int rank, int i, int call) {
  const uint32_t last = (uint32_t)(call - (call - i % 61 + 61) % 61);
  return (int32_t)((uint32_t)rank * 2654435761u + (uint32_t)i * 40503u + last * 7919u);
}

static void change(struct job* job, int call) {
  for (int i = call % 61; i < job->count; i += 61) job->sent[i] = given(job->rank, i, call);
}

static int32_t right_sum(const struct job* job, int i, int call) {
  uint32_t sum = 0;
  for (int rank = 0; rank < job->size; rank++) sum += (uint32_t)given(rank, i, call);
  return (int32_t)sum;
}

/* Place `i` of the result: block i / block is of the process of this number. */
static int32_t right_block(const struct job* job, int i, int call) {
  const int block = job->count / job->size;
  return given(i / block, job->rank * block + i % block, call);
}

static void look(struct job* job, int isAlltoall, int call) {
  const int step = call % CHECK_ALL == 0 ? 1 : job->count;
  for (int i = step == 1 ? 0 : call % job->count; i < job->count; i += step) {
    const int32_t right = isAlltoall ? right_block(job, i, call) : right_sum(job, i, call);
    if (job->received[i] != right) job->isWrong = 1;
    job->hash = (job->hash ^ (uint32_t)job->received[i]) * 1099511628211u;
  }
}

static void call_once(struct job* job, int isAlltoall, int call) {
  change(job, call);
  if (isAlltoall) {
    const int block = job->count / job->size;
    MPI_Alltoall(job->sent, block, MPI_INT, job->received, block, MPI_INT, MPI_COMM_WORLD);
  } else {
    MPI_Allreduce(job->sent, job->received, job->count, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  }
  look(job, isAlltoall, call);
}

struct mark {
  uint64_t ns;
  int call;
};

/* Rank 0 tells the others at each 64th call whether to go on. */
static void call_more(struct job* job, int isAlltoall, int first, double seconds, const char* path) {
  static struct mark marks[MOST_MARKS];
  FILE* file = job->rank == 0 ? fopen(path, "w") : NULL;
  const uint64_t end = now_ns() + (uint64_t)(1e9 * seconds);
  int count = 0, goesOn = 1;
  for (int call = first; goesOn; call++) {
    const uint64_t now = now_ns();
    if (count == 0 || (count < MOST_MARKS && now - marks[count - 1].ns > MARK_NS)) marks[count++] = (struct mark){now, call};
    call_once(job, isAlltoall, call);
    if (call % CHECK_ALL == 0) {
      goesOn = now < end;
      MPI_Bcast(&goesOn, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
  }
  if (file == NULL) return;
  for (int i = 0; i < count; i++) fprintf(file, "%llu %d\n", (unsigned long long)marks[i].ns, marks[i].call);
  fclose(file);
}

int main(int argc, char** argv) {
  struct job job = {.hash = 14695981039346656037u};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &job.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &job.size);
  const int isRight = argc == 4 || argc == 6, isAlltoall = isRight && strcmp(argv[1], "alltoall") == 0;
  const int bytes = isRight ? atoi(argv[2]) : 0, calls = isRight ? atoi(argv[3]) : 0;
  if (!isRight || (!isAlltoall && strcmp(argv[1], "allreduce") != 0) || bytes < 4 * job.size || bytes > MOST_BYTES || calls < 4) {
    if (job.rank == 0) fprintf(stderr, "usage: mpi_collectives alltoall|allreduce BYTES CALLS [SECONDS FILE]\n");
    MPI_Finalize();
    return 2;
  }
  job.count = bytes / (4 * job.size) * job.size;
  job.sent = calloc((size_t)job.count, sizeof *job.sent);
  job.received = calloc((size_t)job.count, sizeof *job.received);
  if (job.sent == NULL || job.received == NULL) MPI_Abort(MPI_COMM_WORLD, 1);
  for (int i = 0; i < job.count; i++) job.sent[i] = given(job.rank, i, 0);
  MPI_Barrier(MPI_COMM_WORLD);
  const int last = calls - calls / 4;
  const uint64_t begin = now_ns();
  uint64_t lastBegin = begin;
  for (int call = 1; call <= calls; call++) {
    if (call == last + 1) lastBegin = now_ns();
    call_once(&job, isAlltoall, call);
  }
  const uint64_t end = now_ns();
  const uint64_t hash = job.hash * (uint64_t)(2 * job.rank + 1);
  if (argc == 6) call_more(&job, isAlltoall, calls + 1, atof(argv[4]), argv[5]);
  const int hasRight = !job.isWrong;
  uint64_t all = 0;
  int right = 0;
  MPI_Reduce(&hash, &all, 1, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
  MPI_Reduce(&hasRight, &right, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (job.rank == 0) {
    printf("calls %d\nwall_ns %llu\ncall_ns %.1f\nlast_call_ns %.1f\nranks_right %d\nanswer %016llx\n", calls,
           (unsigned long long)(end - begin), (double)(end - begin) / calls, (double)(end - lastBegin) / (calls / 4), right,
           (unsigned long long)all);
  }
  free(job.sent);
  free(job.received);
  MPI_Finalize();
  return 0;
}
