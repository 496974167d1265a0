// Two ranks whose recording is paused twice from outside, as `parallax control` does it; run it with --control.
// Without that option it does the same, and nothing is paused.
//
//   paused_ranks [UNITS]     default 20 units of work
//
// Planted answer: rank 1 waits for messages of rank 0, late_sender, for four times UNITS in all:
//
//   before         UNITS of late_work, then the message
//   over           it waits UNITS before a pause, 3 UNITS in it, and UNITS of late_work after it: the last are told.
//                  In the pause rank 0 sends 30 messages of tag 7 and posts a receive; both began another one before
//   after          the 30 messages are there; for one more of tag 7 it waits UNITS of late_work
//   from before    the receive that it had posted before the pause gets its message after UNITS of late_work
//
// and rank 0 waits at a barrier for UNITS of late_work of rank 1, on a communicator that was made in the second pause,
// in which there are also 20 reductions, for which rank 0 waits 3 UNITS. Prints the seconds that rank 1 waited outside of
// pauses, `waits=SECONDS`, those of rank 0 at the barrier, `barrier=SECONDS`, and of paused_work, `paused=SECONDS`.
#include <dirent.h>
#include <fcntl.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "work.h"

struct log {
  uint32_t changes, used;
  uint64_t ns[256];
};

static struct log* host;
static long units = 20;
static double waits, paused;

// Seconds of a clock that both ranks have.
static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static PROCEDURE void late_work(void) {
  work(units);
}
static PROCEDURE void paused_work(void) {
  const double begin = now();
  work(3 * units);
  paused += now() - begin;
}

static void find_switch(void) {
  const char* trace = getenv("PARALLAX_TRACE");
  DIR* entries = trace == NULL ? NULL : opendir(trace);
  const struct dirent* entry;
  while (entries != NULL && (entry = readdir(entries)) != NULL) {
    char path[4096];
    const size_t length = strlen(entry->d_name);
    if (length < 7 || strcmp(entry->d_name + length - 7, ".shared") != 0) continue;
    snprintf(path, sizeof path, "%s/%s", trace, entry->d_name);
    const int fd = open(path, O_RDWR);
    char* page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    host = page == MAP_FAILED ? NULL : (struct log*)(page + 64);
  }
  if (entries != NULL) closedir(entries);
  if (host != NULL && host->used == 0) host = NULL;
}

// Pauses, or resumes at the time that rank 0 tells with its next messages.
static double resumed;
static void change(void) {
  struct timespec time;
  resumed = now();
  if (host == NULL) return;
  clock_gettime(CLOCK_MONOTONIC, &time);
  host->ns[host->changes % 256] = (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
  __atomic_fetch_add(&host->changes, 1, __ATOMIC_RELEASE);
}

static void send_to(int rank, int tag) { MPI_Send(&resumed, 1, MPI_DOUBLE, rank, tag, MPI_COMM_WORLD); }
static void receive_from(int rank, int tag) {
  MPI_Recv(&resumed, 1, MPI_DOUBLE, rank, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
// The same for what is waited for, from the end of the pause on.
static void await_from(int rank, int tag) {
  const double begin = now();
  receive_from(rank, tag);
  waits += now() - (begin > resumed ? begin : resumed);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, value;
  double posted[2];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (argc > 1) units = atol(argv[1]);
  MPI_Request early, inside;
  MPI_Comm copy;
  if (rank == 0) {
    find_switch();
    receive_from(1, 1);
    late_work();
    send_to(1, 1);

    MPI_Irecv(&posted[0], 1, MPI_DOUBLE, 1, 3, MPI_COMM_WORLD, &early);
    receive_from(1, 1);
    work(units);
    change();
    paused_work();
    for (int i = 0; i < 30; i++) send_to(1, 7);
    MPI_Irecv(&posted[1], 1, MPI_DOUBLE, MPI_ANY_SOURCE, 4, MPI_COMM_WORLD, &inside);
    change();
    late_work();
    send_to(1, 1);

    receive_from(1, 1);
    late_work();
    send_to(1, 7);

    receive_from(1, 1);
    late_work();
    send_to(1, 9);
    MPI_Wait(&early, MPI_STATUS_IGNORE);
    MPI_Wait(&inside, MPI_STATUS_IGNORE);
    receive_from(1, 1);
    change();
    send_to(1, 1);
  } else {
    MPI_Irecv(&posted[0], 1, MPI_DOUBLE, MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, &early);
    send_to(0, 1);
    await_from(0, 1);

    send_to(0, 1);
    await_from(0, 1);
    for (int i = 0; i < 30; i++) receive_from(0, 7);

    send_to(0, 1);
    await_from(0, 7);

    send_to(0, 3);
    send_to(0, 4);
    send_to(0, 1);
    const double begin = now();
    MPI_Wait(&early, MPI_STATUS_IGNORE);
    waits += now() - begin;
    send_to(0, 1);
    receive_from(0, 1);
    paused_work();
  }
  // The second pause.
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  for (int i = 0; i < 20; i++) MPI_Allreduce(&rank, &value, 1, MPI_INT, MPI_SUM, copy);
  if (rank == 0) {
    change();
    send_to(1, 1);
  } else {
    receive_from(0, 1);
    late_work();
  }
  const double begin = now();
  MPI_Barrier(copy);
  if (rank == 0) printf("barrier=%.6f\n", now() - begin);
  if (rank == 1) printf("waits=%.6f paused=%.6f\n", waits, paused);
  MPI_Comm_free(&copy);
  MPI_Finalize();
  return 0;
}
