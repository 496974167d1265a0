/* A master and its workers under PVM: every way to send and to receive, groups and contexts.
 *
 *   pvm_farm WORKERS TASKS MILLISECONDS
 *
 * Planted: the master sends the workers' ids to all workers by one pvm_mcast (tag 1), then each of
 * TASKS tasks (800 bytes, tag 2) to worker number task % WORKERS, which computes for MILLISECONDS
 * of its CPU time and answers with 80 bytes (tag 3). Each worker sends 4 bytes to the next one
 * (tag 4), which polls for them. Then all meet at 3 barriers of the group `farm`; the master
 * broadcasts 8 bytes to the group (tag 5), gathers 4 bytes of each (tag 6) and reduces one double
 * of each (tag 7). At last each worker sends 4 bytes (tag 8) in a context of its own kind.
 * Prints the sum of all answers, which is known: `sum N`. */
#include <pvm3.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { BARRIERS = 3, TASK_DOUBLES = 100, ANSWER_DOUBLES = 10, MOST_WORKERS = 64 };

static char group[] = "farm";

static void fail(const char *what) {
  fprintf(stderr, "pvm_farm: %s failed\n", what);
  pvm_exit();
  exit(1);
}

__attribute__((noinline, noclone)) static double compute(double seed, long milliseconds) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  const long long end = now.tv_sec * 1000000000LL + now.tv_nsec + milliseconds * 1000000LL;
  volatile double value = seed;
  do {
    for (int i = 0; i < 10000; i++) value = value * 0.5 + seed * 0.5;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  } while (now.tv_sec * 1000000000LL + now.tv_nsec < end);
  return seed;
}

static void meet(int members, int *contribution, double *sum) {
  int all[MOST_WORKERS + 1] = {0};
  for (int i = 0; i < BARRIERS; i++) {
    if (pvm_barrier(group, members) < 0) fail("pvm_barrier");
  }
  if (pvm_getinst(group, pvm_mytid()) == 0) {
    double value = 2.5;
    pvm_initsend(PvmDataRaw);
    pvm_pkdouble(&value, 1, 1);
    if (pvm_bcast(group, 5) < 0) fail("pvm_bcast");
  } else {
    pvm_recv(-1, 5);
  }
  if (pvm_barrier(group, members) < 0) fail("pvm_barrier");
  if (pvm_gather(all, contribution, 1, PVM_INT, 6, group, 0) < 0) fail("pvm_gather");
  if (pvm_barrier(group, members) < 0) fail("pvm_barrier");
  if (pvm_reduce(PvmSum, sum, 1, PVM_DOUBLE, 7, group, 0) < 0) fail("pvm_reduce");
  if (pvm_barrier(group, members) < 0) fail("pvm_barrier");
}

static double master(int workers, int tasks, char **arguments) {
  int tids[MOST_WORKERS];
  char program[4096] = "";  /* PVM's daemon works elsewhere */
  double input[TASK_DOUBLES] = {0}, answer[ANSWER_DOUBLES], sum = 0, reduced = 1;
  if (readlink("/proc/self/exe", program, sizeof program - 1) < 0) fail("readlink");
  if (pvm_joingroup(group) != 0) fail("pvm_joingroup");
  if (pvm_spawn(program, arguments, PvmTaskDefault, 0, workers, tids) != workers) {
    fail("pvm_spawn");
  }
  const int context = pvm_newcontext();
  pvm_initsend(PvmDataRaw);
  pvm_pkint(tids, workers, 1);
  pvm_pkint((int *)&context, 1, 1);
  pvm_mcast(tids, workers, 1);
  for (int task = 0; task < tasks; task++) {
    input[0] = task;
    pvm_initsend(PvmDataRaw);
    pvm_pkdouble(input, TASK_DOUBLES, 1);
    pvm_send(tids[task % workers], 2);
  }
  for (int task = 0; task < tasks; task++) {
    if (task % 2 == 0) {
      int tid, tag, bytes;
      pvm_precv(-1, 3, answer, ANSWER_DOUBLES, PVM_DOUBLE, &tid, &tag, &bytes);
    } else {
      struct timeval limit = {20, 0};
      if (pvm_trecv(-1, 3, &limit) <= 0) fail("pvm_trecv");
      pvm_upkdouble(answer, ANSWER_DOUBLES, 1);
    }
    sum += answer[0];
  }
  int own = 1000;
  meet(workers + 1, &own, &reduced);
  const int before = pvm_setcontext(context);
  for (int i = 0; i < workers; i++) pvm_recv(-1, 8);
  pvm_setcontext(before);
  return sum + reduced;
}

static void worker(int workers, int tasks, long milliseconds) {
  int tids[MOST_WORKERS], self = 0, context, token = 0;
  double input[TASK_DOUBLES], answer[ANSWER_DOUBLES] = {0}, one = 1;
  const int parent = pvm_parent();
  pvm_recv(parent, 1);
  pvm_upkint(tids, workers, 1);
  pvm_upkint(&context, 1, 1);
  while (tids[self] != pvm_mytid()) self++;
  for (int task = self; task < tasks; task += workers) {
    pvm_recv(parent, 2);
    pvm_upkdouble(input, TASK_DOUBLES, 1);
    answer[0] = compute(input[0], milliseconds);
    pvm_psend(parent, 3, answer, ANSWER_DOUBLES, PVM_DOUBLE);
  }
  pvm_initsend(PvmDataRaw);
  pvm_pkint(&self, 1, 1);
  pvm_send(tids[(self + 1) % workers], 4);
  while (pvm_probe(-1, 4) == 0) compute(1, 1);
  if (pvm_nrecv(-1, 4) <= 0) fail("pvm_nrecv");
  pvm_upkint(&token, 1, 1);
  if (pvm_joingroup(group) < 0) fail("pvm_joingroup");
  meet(workers + 1, &self, &one);
  pvm_setcontext(context);
  pvm_initsend(PvmDataRaw);
  pvm_pkint(&self, 1, 1);
  pvm_send(parent, 8);
}

int main(int count, char **arguments) {
  if (count != 4) return 2;
  const int workers = atoi(arguments[1]), tasks = atoi(arguments[2]);
  if (workers < 1 || workers > MOST_WORKERS) return 2;
  if (pvm_mytid() < 0) return 1;
  if (pvm_parent() == PvmNoParent) {
    printf("sum %.0f\n", master(workers, tasks, arguments + 1));
  } else {
    worker(workers, tasks, atol(arguments[3]));
  }
  pvm_exit();
  return 0;
}
