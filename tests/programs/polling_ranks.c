// A rank that waits for another by asking MPI again and again, and the same by calls that wait.
//
//   polling_ranks WAY [UNITS [ROUNDS]]        default 30 units and 3 rounds; two ranks
//
// In each round rank 0 does late_work (UNITS of work) and then sends; rank 1 receives by WAY:
//
//   polls                                                                  the same with a call that waits
//   test, testany, testall, testsome: of a request                         wait
//   status: MPI_Request_get_status, then MPI_Wait
//   spin: MPI_Test 100 times, then MPI_Wait
//   engine: MPI_Iprobe and MPI_Test in turn, usleep(10) after each turn
//   iprobe, improbe: then the receive                                      probe
//   ibarrier: MPI_Test of a barrier                                        ibarrier_wait
//   window: MPI_Win_test                                                   window_wait
//
// Planted answer: rank 1 waits for all of late_work. Prints the seconds that its calls took, as `waits=SECONDS`, the CPU
// time that they consumed, and the seconds of late_work.
//
//   overlap     does own_work (1 unit) between calls of MPI_Test: it hardly waits

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "work.h"

static PROCEDURE void late_work(long units) { work(units); }
static PROCEDURE void own_work(void) { work(1); }

static const char* way;
static MPI_Win window;
static MPI_Group other;

static double cpuTime(void) {
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static int is(const char* name) { return strcmp(way, name) == 0; }
static int usesBarrier(void) { return strncmp(way, "ibarrier", 8) == 0; }
static int usesWindow(void) { return strncmp(way, "window", 6) == 0; }

static void give(void) {
  const int value = 1;
  if (usesBarrier()) {
    MPI_Request request;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else if (usesWindow()) {
    MPI_Win_complete(window);
  } else {
    MPI_Send(&value, 1, MPI_INT, 1, 5, MPI_COMM_WORLD);
  }
}

static void complete(MPI_Request* request) {
  int done = 0, index, probed;
  if (is("wait") || is("ibarrier_wait")) MPI_Wait(request, MPI_STATUS_IGNORE);
  if (is("test") || is("ibarrier") || is("overlap")) {
    while (!done) {
      MPI_Test(request, &done, MPI_STATUS_IGNORE);
      if (is("overlap") && !done) own_work();
    }
  }
  if (is("testany")) while (!done) MPI_Testany(1, request, &index, &done, MPI_STATUS_IGNORE);
  if (is("testall")) while (!done) MPI_Testall(1, request, &done, MPI_STATUSES_IGNORE);
  if (is("testsome")) while (!done) MPI_Testsome(1, request, &done, &index, MPI_STATUSES_IGNORE);
  if (is("status")) {
    while (!done) MPI_Request_get_status(*request, &done, MPI_STATUS_IGNORE);
    MPI_Wait(request, MPI_STATUS_IGNORE);
  }
  if (is("spin")) {
    for (int i = 0; i < 100 && !done; i++) MPI_Test(request, &done, MPI_STATUS_IGNORE);
    if (!done) MPI_Wait(request, MPI_STATUS_IGNORE);
  }
  if (is("engine")) {
    while (!done) {
      MPI_Iprobe(0, 6, MPI_COMM_WORLD, &probed, MPI_STATUS_IGNORE);
      MPI_Test(request, &done, MPI_STATUS_IGNORE);
      if (!done) usleep(10);
    }
  }
}

static void probe(void) {
  int value, found = 0;
  MPI_Message message;
  if (is("probe")) MPI_Probe(0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (is("iprobe")) while (!found) MPI_Iprobe(0, 5, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
  if (is("improbe")) {
    while (!found) MPI_Improbe(0, 5, MPI_COMM_WORLD, &found, &message, MPI_STATUS_IGNORE);
    MPI_Mrecv(&value, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
  } else {
    MPI_Recv(&value, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

static void get(void) {
  int value, done = 0;
  MPI_Request request;
  if (is("window")) {
    while (!done) MPI_Win_test(window, &done);
  } else if (is("window_wait")) {
    MPI_Win_wait(window);
  } else if (usesBarrier()) {
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    complete(&request);
  } else if (strstr(way, "probe") != NULL) {
    probe();
  } else {
    MPI_Irecv(&value, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, &request);
    complete(&request);
  }
}

// The ranks go on together.
static void meet(int rank) {
  int value = rank, got;
  MPI_Sendrecv(&value, 1, MPI_INT, 1 - rank, 7, &got, 1, MPI_INT, 1 - rank, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (argc < 2) MPI_Abort(MPI_COMM_WORLD, 2);
  way = argv[1];
  const long units = argc > 2 ? atol(argv[2]) : 30;
  const int rounds = argc > 3 ? atoi(argv[3]) : 3;
  static int memory[2];
  if (usesWindow()) {
    const int rank_of_other = 1 - rank;
    MPI_Group all;
    MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 1, &rank_of_other, &other);
  }
  double waits = 0, late = 0, cpu = 0;
  for (int i = 0; i < rounds; i++) {
    if (usesWindow() && rank == 1) MPI_Win_post(other, 0, window);
    if (usesWindow() && rank == 0) MPI_Win_start(other, 0, window);
    meet(rank);
    const double begin = MPI_Wtime();
    if (rank == 0) {
      late_work(units);
      late += MPI_Wtime() - begin;
      give();
    } else {
      const double cpu_before = cpuTime();
      get();
      cpu += cpuTime() - cpu_before;
      waits += MPI_Wtime() - begin;
    }
    meet(rank);
  }
  if (usesWindow()) MPI_Win_free(&window);
  if (rank == 0) printf("late_work=%.6f\n", late);
  else printf("waits=%.6f cpu=%.6f\n", waits, cpu);
  MPI_Finalize();
  return 0;
}
