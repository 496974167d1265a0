// Tasks that are created for a taskgroup or a region that is cancelled (OMP_CANCELLATION=true).
//
//   cancel CASE ROUNDS     prints how many of the tasks were executed, and then "waited"
//
// In each round a thread creates 60 tasks, while the other one is kept from executing any.
//
//   queued      the taskgroup is cancelled when all are there: none is executed
//   copied      the same, but the tasks have private arrays of a length that the compiler does not know: libgomp
//               executes all of them, LLVM's runtime none
//   late        the taskgroup is cancelled before they are created: none is executed
//   undeferred  the same, with an if clause that is false
//   dependent   the same as queued, each task depending on the one before
//   detached    the same as queued, each task having an event that it fulfills itself
//   nested      the same as queued, within a task of another taskgroup, which goes on
//   loop        the same as late, with a taskloop; it makes as many tasks as it has iterations
//   region      the region is cancelled when all are there
//   exhausted   the same as detached with one task, while the agent has no memory, one block, two and so on for its
//               records of tasks: 2^18 taskgroups within each other take the rest. Not counted: without a record, the task
//               is executed. Only with libgomp
//
// Then, in a region of its own, the thread waits 20 ms in a taskwait for the end of a task of the other thread.
#include <omp.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TASKS = 60 };

static atomic_int executed;

static void execute(void) { atomic_fetch_add(&executed, 1); }

static void cancelGroup(void) {
#pragma omp task if (0)
  {
#pragma omp cancel taskgroup
  }
}

static void queued(void) {
  for (int i = 0; i < TASKS; i++) {
#pragma omp task
    execute();
  }
  cancelGroup();
}

static void copied(void) {
#ifdef __clang__
  int array[3];  // it takes no others
#else
  volatile int length = 3;
  int array[length];
#endif
  memset(array, 0, sizeof array);
  for (int i = 0; i < TASKS; i++) {
    array[0] = i;
#pragma omp task firstprivate(array)
    atomic_fetch_add(&executed, array[0] >= 0);
  }
  cancelGroup();
}

static void late(void) {
  cancelGroup();
  for (int i = 0; i < TASKS; i++) {
#pragma omp task
    execute();
  }
}

static void undeferred(void) {
  cancelGroup();
  for (int i = 0; i < TASKS; i++) {
#pragma omp task if (i < 0)
    execute();
  }
}

static void dependent(void) {
  __attribute__((unused)) int token = 0;
  for (int i = 0; i < TASKS; i++) {
#pragma omp task depend(inout : token)
    execute();
  }
  cancelGroup();
}

static void detached(void) {
#ifndef ON_LLVM_14  // which has no such tasks under libgomp's names
  for (int i = 0; i < TASKS; i++) {
    omp_event_handle_t event = (omp_event_handle_t)0;
#pragma omp task detach(event)
    {
      execute();
      omp_fulfill_event(event);
    }
  }
#endif
  cancelGroup();
}

static void nested(void) {
#pragma omp task if (0)
  {
#pragma omp taskgroup
    queued();
  }
}

static void loop(void) {
  cancelGroup();
#pragma omp taskloop num_tasks(TASKS) nogroup
  for (int i = 0; i < TASKS; i++) execute();
}

#if !defined __clang__ && !defined ON_LLVM_14
void GOMP_taskgroup_start(void);
void GOMP_taskgroup_end(void);

static void exhausted(void) {
  enum { RECORDS = 1 << 18, TRIALS = 400, GROUPS = RECORDS + TRIALS / 2 };
  for (int i = 0; i < GROUPS; i++) GOMP_taskgroup_start();
  for (int i = 0; i < GROUPS; i++) {
    if (i < TRIALS) {
      omp_event_handle_t event = (omp_event_handle_t)0;
#pragma omp task detach(event)
      omp_fulfill_event(event);
      cancelGroup();
    }
    GOMP_taskgroup_end();
  }
}
#else
static void exhausted(void) {}
#endif

static void inGroups(void (*create)(void), int rounds) {
  atomic_int over = 0;
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) {
      for (int round = 0; round < rounds; round++) {
#pragma omp taskgroup
        create();
      }
      over = 1;
    } else {
      while (!over) usleep(100);
    }
  }
}

static void inRegions(int rounds) {
  for (int round = 0; round < rounds; round++) {
#pragma omp parallel num_threads(2)
    {
      if (omp_get_thread_num() == 0) {
        for (int i = 0; i < TASKS; i++) {
#pragma omp task
          execute();
        }
#pragma omp cancel parallel
      } else {
        for (;;) {
#pragma omp cancellation point parallel
          usleep(20);
        }
      }
    }
  }
}

static void waited(void) {
  atomic_int begun = 0;
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) {
#pragma omp task
      {
        begun = 1;
        usleep(20000);
      }
      while (!begun) usleep(100);
#pragma omp taskwait
    }
  }
  printf("waited\n");
}

int main(int count, char** arguments) {
  static const struct {
    const char* name;
    void (*create)(void);
  } cases[] = {{"queued", queued},         {"copied", copied},       {"late", late},
               {"undeferred", undeferred}, {"dependent", dependent}, {"nested", nested},
               {"detached", detached},     {"loop", loop},           {"exhausted", exhausted}};
  const char* name = count > 2 ? arguments[1] : "";
  const int rounds = count > 2 ? atoi(arguments[2]) : 0;
  int known = strcmp(name, "region") == 0;
  if (known) inRegions(rounds);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    if (strcmp(name, cases[i].name) != 0) continue;
    inGroups(cases[i].create, rounds);
    known = 1;
  }
  if (!known) {
    fprintf(stderr, "usage: cancel CASE ROUNDS\n");
    return 2;
  }
  printf("executed %d\n", atomic_load(&executed));
  waited();
  return 0;
}
