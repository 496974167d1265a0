/* What spawned tasks say on their standard error goes to a file of PVM's daemon. Here the first task keeps it, and repeats it
 * when the run fails: the task that fails first knows why. */
#pragma once

#include <stdio.h>
#include <stdlib.h>

#include <pvm3.h>

static FILE *said_by_tasks;

/* Of the tasks that this one spawns afterwards. */
static inline void keep_output_of_tasks(void) {
  said_by_tasks = tmpfile();
  pvm_setopt(PvmShowTids, 0);
  if (said_by_tasks != NULL) pvm_catchout(said_by_tasks);
}

/* Leaves PVM, ends the tasks, and tells what they have said. A task that has spawned none only leaves. */
static inline void leave_with_output(const int *tasks, int count) {
  char line[1000];
  if (said_by_tasks != NULL) {
    /* It would wait for tasks that wait for this one. */
    for (int i = 0; i < count; i++) {
      if (tasks[i] > 0) pvm_kill(tasks[i]);
    }
  }
  pvm_exit();
  if (said_by_tasks == NULL) return;
  rewind(said_by_tasks);
  while (fgets(line, sizeof line, said_by_tasks) != NULL) fputs(line, stderr);
}
