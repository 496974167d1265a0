// What parallax-bench-mpi runs with and without the agent, on two ranks: prints a line
// `NAME NANOSECONDS` for each figure, each the least of many short rounds.
//
//   mpi_bench [ROUNDS]

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <x86intrin.h>

enum { BATCH = 64 };

static double now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1e9 + now.tv_nsec;
}

static int rounds, rank;

// The least mean time of one of BATCH calls over all rounds.
static double least(double (*round)(void)) {
  double best = 1e18;
  for (int i = 0; i < rounds; ++i) {
    const double ns = round();
    if (ns < best) best = ns;
  }
  return best / BATCH;
}

static volatile unsigned long long sink;

static double read_counter(void) {
  const double begin = now_ns();
  for (int i = 0; i < BATCH; ++i) sink = __rdtsc();
  return now_ns() - begin;
}

static double read_clock(void) {
  struct timespec now;
  const double begin = now_ns();
  for (int i = 0; i < BATCH; ++i) clock_gettime(CLOCK_MONOTONIC, &now);
  return now_ns() - begin;
}

// Sends to this process whose receives are posted already: they complete at once.
static double send_to_posted(void) {
  MPI_Request requests[BATCH];
  long in[BATCH], out = 1;
  for (int i = 0; i < BATCH; ++i) {
    MPI_Irecv(&in[i], 1, MPI_LONG, 0, 1, MPI_COMM_SELF, &requests[i]);
  }
  const double begin = now_ns();
  for (int i = 0; i < BATCH; ++i) MPI_Send(&out, 1, MPI_LONG, 0, 1, MPI_COMM_SELF);
  const double taken = now_ns() - begin;
  MPI_Waitall(BATCH, requests, MPI_STATUSES_IGNORE);
  return taken;
}

static double irecv_send_wait(void) {
  long in, out = 1;
  const double begin = now_ns();
  for (int i = 0; i < BATCH; ++i) {
    MPI_Request request;
    MPI_Irecv(&in, 1, MPI_LONG, 0, 1, MPI_COMM_SELF, &request);
    MPI_Send(&out, 1, MPI_LONG, 0, 1, MPI_COMM_SELF);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  return now_ns() - begin;
}

// Half a round trip: one send and one receive on each rank, one of them waited for.
static double ping_pong(void) {
  long in, out = 1;
  const int partner = 1 - rank;
  const double begin = now_ns();
  for (int i = 0; i < BATCH / 2; ++i) {
    if (rank == 0) {
      MPI_Send(&out, 1, MPI_LONG, partner, 2, MPI_COMM_WORLD);
      MPI_Recv(&in, 1, MPI_LONG, partner, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
      MPI_Recv(&in, 1, MPI_LONG, partner, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Send(&out, 1, MPI_LONG, partner, 2, MPI_COMM_WORLD);
    }
  }
  return now_ns() - begin;
}

// As osu_latency and osu_allreduce of the OSU micro-benchmarks measure: means of many, with all that comes between.
enum { MANY = 10000, SKIPPED = 100 };

static double osu_latency(int many) {
  char in[8], out[8] = "";
  double begin = 0;
  for (int i = 0; i < many + SKIPPED; ++i) {
    if (i == SKIPPED) begin = MPI_Wtime();
    if (rank == 0) {
      MPI_Send(out, sizeof out, MPI_CHAR, 1, 1, MPI_COMM_WORLD);
      MPI_Recv(in, sizeof in, MPI_CHAR, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
      MPI_Recv(in, sizeof in, MPI_CHAR, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Send(out, sizeof out, MPI_CHAR, 0, 1, MPI_COMM_WORLD);
    }
  }
  return (MPI_Wtime() - begin) * 1e9 / (2 * many);
}

static double osu_allreduce(int many) {
  float in, out = 1;
  double taken = 0, slowest = 0;
  for (int i = 0; i < many + SKIPPED; ++i) {
    const double begin = MPI_Wtime();
    MPI_Allreduce(&out, &in, 1, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
    const double end = MPI_Wtime();
    if (i >= SKIPPED) taken += end - begin;
    MPI_Barrier(MPI_COMM_WORLD);
  }
  taken = taken * 1e9 / many;
  MPI_Reduce(&taken, &slowest, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  return slowest / 2;
}

// The least of several means.
static double least_mean(double (*mean)(int)) {
  const int many = rounds < MANY ? rounds : MANY;
  double best = 1e18;
  for (int i = 0; i < 10; ++i) {
    const double ns = mean(many);
    if (ns < best) best = ns;
  }
  return best;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  rounds = argc > 1 ? atoi(argv[1]) : 1000;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const double round_trip = least(ping_pong);
  const double latency = least_mean(osu_latency), sum = least_mean(osu_allreduce);
  // Alone, while the other rank waits without using the processor's time for long.
  if (rank == 0) {
    printf("rdtsc %.2f\n", least(read_counter));
    printf("clock_gettime %.2f\n", least(read_clock));
    printf("send %.2f\n", least(send_to_posted));
    printf("irecv_send_wait %.2f\n", least(irecv_send_wait));
    printf("ping_pong %.2f\n", round_trip);
    printf("osu_latency %.2f\n", latency);
    printf("osu_allreduce %.2f\n", sum);
  }
  MPI_Finalize();
  return 0;
}
