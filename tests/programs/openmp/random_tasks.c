/* Tasks of OpenMP that follow a script of delays and dependences.
 *
 *   random_tasks SCRIPT THREADS
 *
 * The script has one step of the thread that creates the tasks a line:
 *   delay NANOSECONDS                  by nanosleep
 *   task NANOSECONDS IN IN OUT         a task that sleeps; numbers of the cells on which it depends, -1 for none
 *   wait                               taskwait
 *   group COUNT                        the next COUNT lines, which are tasks, are in a taskgroup
 * The other threads of the team go to the barrier at the end of the region at once.
 *
 * Prints, with times of CLOCK_MONOTONIC:
 *   task NUMBER CREATED BEGIN END THREAD
 *   stop THREAD BEGIN END FIRST LAST   where a thread can wait for the tasks from FIRST to before LAST: a taskwait or
 *                                      the end of a group
 *   start THREAD BEGIN END             a barrier where the region begins. In GNU's runtime, a thread that is late to
 *                                      leave it executes tasks in it
 *   end THREAD BEGIN END               the same for the end of the region, and so for all tasks and threads
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { kMost = 1024, kCells = 16, kMostThreads = 64 };

struct step {
  char what[16];
  long argument[4];
};
struct task {
  long created, begin, end;
  int thread;
};
struct stop {
  int first, last;
  long begin, end;
};

static struct step steps[kMost];
static int step_count;
static struct task tasks[kMost];
static int task_count;
static struct stop stops[kMost];
static int stop_count;
static char cells[kCells];

static long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000L + time.tv_nsec;
}

static void sleep_for(long ns) {
  const struct timespec time = {ns / 1000000000, ns % 1000000000};
  nanosleep(&time, NULL);
}

static void run(struct task *task, long ns) {
  task->thread = omp_get_thread_num();
  task->begin = now();
  sleep_for(ns);
  task->end = now();
}

static void create(const struct step *step) {
  struct task *task = &tasks[task_count++];
  const long ns = step->argument[0];
  const int first = (int)step->argument[1], second = (int)step->argument[2], out = (int)step->argument[3];
  task->created = now();
  switch ((first >= 0) | (second >= 0) << 1 | (out >= 0) << 2) {
    case 0:
#pragma omp task firstprivate(task, ns)
      run(task, ns);
      break;
    case 1:
#pragma omp task firstprivate(task, ns) depend(in : cells[first])
      run(task, ns);
      break;
    case 3:
#pragma omp task firstprivate(task, ns) depend(in : cells[first], cells[second])
      run(task, ns);
      break;
    case 4:
#pragma omp task firstprivate(task, ns) depend(out : cells[out])
      run(task, ns);
      break;
    case 5:
#pragma omp task firstprivate(task, ns) depend(in : cells[first]) depend(inout : cells[out])
      run(task, ns);
      break;
    default:
#pragma omp task firstprivate(task, ns) depend(in : cells[first], cells[second]) depend(inout : cells[out])
      run(task, ns);
  }
}

static struct stop *stop_for(int first) {
  struct stop *stop = &stops[stop_count++];
  stop->first = first;
  stop->last = task_count;
  stop->begin = now();
  return stop;
}

static void follow(void) {
  for (int i = 0; i < step_count; i++) {
    const struct step *step = &steps[i];
    if (strcmp(step->what, "delay") == 0) {
      sleep_for(step->argument[0]);
    } else if (strcmp(step->what, "wait") == 0) {
      struct stop *stop = stop_for(0);
#pragma omp taskwait
      stop->end = now();
    } else if (strcmp(step->what, "group") == 0) {
      struct stop *stop;
      const int first = task_count;
#pragma omp taskgroup
      {
        for (long left = step->argument[0]; left > 0; left--) create(&steps[++i]);
        stop = stop_for(first);
      }
      stop->end = now();
    } else {
      create(step);
    }
  }
}

int main(int argc, char **argv) {
  char line[256];
  FILE *file = argc == 3 ? fopen(argv[1], "r") : NULL;
  if (file == NULL || atoi(argv[2]) > kMostThreads) {
    fprintf(stderr, "usage: random_tasks SCRIPT THREADS\n");
    return 2;
  }
  while (step_count < kMost / 2 && fgets(line, sizeof line, file) != NULL) {
    struct step *step = &steps[step_count];
    if (sscanf(line, "%15s %ld %ld %ld %ld", step->what, &step->argument[0], &step->argument[1], &step->argument[2],
               &step->argument[3]) >= 1) {
      step_count++;
    }
  }
  fclose(file);
  static long arrivals[kMostThreads], begins[kMostThreads], started[kMostThreads];
#pragma omp parallel num_threads(atoi(argv[2]))
  {
    begins[omp_get_thread_num()] = now();
#pragma omp barrier
    started[omp_get_thread_num()] = now();
    if (omp_get_thread_num() == 0) follow();
    arrivals[omp_get_thread_num()] = now();
  }
  const long end = now();
  for (int i = 0; i < task_count; i++) {
    const struct task *task = &tasks[i];
    printf("task %d %ld %ld %ld %d\n", i, task->created, task->begin, task->end, task->thread);
  }
  for (int i = 0; i < stop_count; i++) {
    printf("stop 0 %ld %ld %d %d\n", stops[i].begin, stops[i].end, stops[i].first, stops[i].last);
  }
  for (int i = 0; i < atoi(argv[2]); i++) printf("start %d %ld %ld\n", i, begins[i], started[i]);
  for (int i = 0; i < atoi(argv[2]); i++) printf("end %d %ld %ld\n", i, arrivals[i], end);
  return 0;
}
