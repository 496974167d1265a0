/* A process of MPI with two threads of OpenMP, on one of the processors that who started it has: tuned_threads DIRECTORY. At first
 * another thread calls MPI, then the first one in a parallel region, then outside of it. In the end it tells for the first thread,
 * its two workers, and a thread of the program whether they may use its own processor (1) or all others (2). */
#define _GNU_SOURCE
#include <mpi.h>
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>

#include "gates.h"

static cpu_set_t own, others;
static char places[4];

static char place(void) {
  cpu_set_t now;
  sched_getaffinity(0, sizeof now, &now);
  return CPU_EQUAL(&now, &own) ? '1' : CPU_EQUAL(&now, &others) ? '2' : '0';
}

static void callMpi(int times) {
  for (int i = 0; i < times; i++) MPI_Barrier(MPI_COMM_SELF);
}

static void* callFromAnother(void* unused) {
  for (int i = 0; !isOpen("main"); i++) {
    callMpi(1);
    if (i == 200) tell("another", "");
    usleep(100);
  }
  return unused;
}

static void* awaitMore(void* unused) {
  await("place");
  places[3] = place();
  return unused;
}

static void findPlaces(int threads) {
#pragma omp parallel num_threads(threads)
  places[omp_get_thread_num()] = place();
}

int main(int argc, char** argv) {
  int level;
  pthread_t thread;
  gatesDirectory = argv[argc - 1];
  sched_getaffinity(0, sizeof others, &others);
  CPU_ZERO(&own);
  for (int i = 0; i < CPU_SETSIZE && CPU_COUNT(&own) == 0; i++) {
    if (CPU_ISSET(i, &others)) CPU_SET(i, &own);
  }
  CPU_XOR(&others, &others, &own);
  sched_setaffinity(0, sizeof own, &own);
  omp_set_num_threads(2);
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &level);
  findPlaces(2);
  tell("ready", "");
  await("go");
  pthread_create(&thread, NULL, callFromAnother, NULL);
  await("main");
  pthread_join(thread, NULL);
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 0) callMpi(100);
  tell("region", "");
  while (!isOpen("more")) {
    callMpi(1);
    usleep(1000);
  }
  pthread_create(&thread, NULL, awaitMore, NULL);
  findPlaces(3);
  callMpi(10);
  findPlaces(3);
  tell("place", "");
  pthread_join(thread, NULL);
  tell("result", places);
  MPI_Finalize();
  return 0;
}
