// Tasks of OpenMP that wait for each other, and the same with threads and semaphores.
//
//   tasks CASE [THREADS]           default 2 threads
//
// All work is a sleep. Each case prints how long its threads waited by the program's own clock ("waits=", s): from where
// a thread had nothing to do to where it could go on, because a task was created, the last of the tasks before it had
// ended, or the last of those that it waited for. The time from there until it did go on is not counted.
//
//   chain         3 tasks of 60, 40 and 20 ms, each needing the one before: `first`, `second` and `third`
//   diamond       1 task of 30 ms; 4 of 10, 20, 30 and 40 ms that need it; one of 20 ms that needs these
//   pipeline      3 stages of 6 items: each needs the stage before of its item, and its stage of the item before
//   mirror GRAPH  one of the three before, by threads that wait for semaphores
//   group GRAPH   the same, waited for by a taskgroup; wait GRAPH: by a taskwait
//   inout         as chain, by inout on one variable and a dependence object
//   exclusive     3 tasks of 30 ms with mutexinoutset, and one of 20 ms that needs these
//   dependent     a taskwait for the first of two tasks, 30 and 80 ms, only
//   undeferred    a task that is not deferred and needs one of 50 ms
//   loop          a taskloop of 4 tasks, 10 to 40 ms; nogroup: without a taskgroup, then a taskwait
//   nested        a task of 10 ms with two children, 40 and 60 ms, for which it waits
//   late          all threads but one wait for a task that this one creates after 50 ms
//   reduction     as loop, with a reduction over tasks
//   untied        as nested, with tasks that are not tied
//   yield         a thread that yields until a task has ended
//   detached      a task that ends when a thread says so, 70 ms after it began, and one of 20 ms that needs it
#include <omp.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define PROCEDURE __attribute__((noinline))

enum { kMost = 64, kMostThreads = 16, kMostBefore = 8 };

static int threads = 2;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

PROCEDURE static void rest(int ms) {
  const struct timespec time = {ms / 1000, ms % 1000 * 1000000L};
  nanosleep(&time, NULL);
}

// ------------------------------------------------------------------- waits

static struct {
  double created, ended;
} tasks[kMost];
static double waits;             // of all threads
static double idle[kMostThreads];  // since when a thread has had nothing to do; 0: it has
static pthread_mutex_t counting = PTHREAD_MUTEX_INITIALIZER;

static void wait_until(int thread, double ready) {
  if (idle[thread] == 0) return;
  const double until = ready < now() ? ready : now();
  if (until > idle[thread]) {
    // A lock would be a wait of its own.
    double known;
    __atomic_load(&waits, &known, __ATOMIC_RELAXED);
    for (;;) {
      double sum = known + until - idle[thread];
      if (__atomic_compare_exchange(&waits, &known, &sum, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) break;
    }
  }
  idle[thread] = 0;
}

static void create(int task) { tasks[task].created = now(); }

static double later(double a, double b) { return a > b ? a : b; }

// Which tasks must have ended before another one can begin.
typedef struct {
  int count, at[kMostBefore];
} before_t;

static before_t none;

static before_t after(int task) { return (before_t){1, {task}}; }

static double ready(int task, const before_t* before) {
  double time = tasks[task].created;
  for (int i = 0; i < before->count; i++) time = later(time, tasks[before->at[i]].ended);
  return time;
}

static void begin(int thread, int task, const before_t* before) { wait_until(thread, ready(task, before)); }

static void end(int thread, int task) { idle[thread] = tasks[task].ended = now(); }

static void wait_begins(int thread) { idle[thread] = now(); }

static void wait_ends(int thread, int last) { wait_until(thread, tasks[last].ended); }

// The end of a region: for the last thread, and the last task.
static void region_ends(int count) {
  double last = 0;
  for (int i = 0; i < count; i++) last = later(last, idle[i]);
  for (int i = 0; i < kMost; i++) last = later(last, tasks[i].ended);
  for (int i = 0; i < count; i++) wait_until(i, last);
}

// ------------------------------------------------------------------ graphs

typedef struct {
  int count;
  int ms[kMost];
  before_t before[kMost];
} graph_t;

static graph_t graph;

PROCEDURE static void first(void) { rest(60); __asm__ volatile(""); }
PROCEDURE static void second(void) { rest(40); __asm__ volatile(""); }
PROCEDURE static void third(void) { rest(20); __asm__ volatile(""); }

static int is_chain;

PROCEDURE static void run(int task) {
  if (is_chain) {
    if (task == 0) first();
    if (task == 1) second();
    if (task == 2) third();
  } else {
    rest(graph.ms[task]);
  }
  __asm__ volatile("");
}

static int make_graph(const char* name) {
  if (strcmp(name, "chain") == 0) {
    graph.count = 3;
    for (int i = 1; i < 3; i++) graph.before[i] = after(i - 1);
    is_chain = 1;
  } else if (strcmp(name, "diamond") == 0) {
    graph.count = 6;
    graph.ms[0] = 30;
    graph.ms[5] = 20;
    graph.before[5] = (before_t){4, {1, 2, 3, 4}};
    for (int i = 1; i < 5; i++) {
      graph.ms[i] = 10 * i;
      graph.before[i] = after(0);
    }
  } else if (strcmp(name, "pipeline") == 0) {
    const int ms[] = {10, 20, 5};
    graph.count = 18;
    for (int i = 0; i < 18; i++) {
      before_t* before = &graph.before[i];
      graph.ms[i] = ms[i % 3];
      if (i % 3 > 0) before->at[before->count++] = i - 1;
      if (i >= 3) before->at[before->count++] = i - 3;
    }
  } else {
    return 0;
  }
  return 1;
}

static char places[kMost];

static void create_graph(void) {
  for (int task = 0; task < graph.count; task++) {
    const before_t* before = &graph.before[task];
    create(task);
#pragma omp task depend(iterator(i = 0 : before->count), in : places[before->at[i]]) \
    depend(out : places[task]) firstprivate(task)
    {
      begin(omp_get_thread_num(), task, &graph.before[task]);
      run(task);
      end(omp_get_thread_num(), task);
    }
  }
}

static int last_of_graph(void) {
  int last = 0;
  for (int i = 0; i < graph.count; i++) last = tasks[i].ended > tasks[last].ended ? i : last;
  return last;
}

enum { kBarrier, kGroup, kWait };

static void run_graph(int way) {
#pragma omp parallel num_threads(threads)
  {
    if (omp_get_thread_num() == 0) {
      if (way == kGroup) {
#pragma omp taskgroup
        {
          create_graph();
          wait_begins(0);
        }
      } else {
        create_graph();
        wait_begins(0);
        if (way == kWait) {
#pragma omp taskwait
        }
      }
      if (way != kBarrier) wait_ends(0, last_of_graph());
    }
    wait_begins(omp_get_thread_num());
  }
  region_ends(threads);
}

// A runtime for the same graphs. Who has nothing to do waits for a semaphore of its own, by which it is given a task, or
// -1 at the end.
static sem_t given[kMostThreads];
static int gift[kMostThreads], waiting[kMostThreads], waiting_count;
static int open_before[kMost], queue[kMost], queued, taken, left;

static void offer(int task) { queue[queued++] = task; }

// With the lock held: gives what there is to those who wait.
static void give(void) {
  while (waiting_count > 0 && (taken < queued || left == 0)) {
    const int to = waiting[--waiting_count];
    gift[to] = left == 0 ? -1 : queue[taken++];
    sem_post(&given[to]);
  }
}

static int next_task(int thread) {
  pthread_mutex_lock(&counting);
  const int task = left == 0 ? -1 : taken < queued ? queue[taken++] : -2;
  if (task == -2) {
    waiting[waiting_count++] = thread;
    wait_begins(thread);
  }
  pthread_mutex_unlock(&counting);
  if (task != -2) return task;
  sem_wait(&given[thread]);
  return gift[thread];
}

static void* serve(void* argument) {
  const int thread = (int)(long)argument;
  for (;;) {
    const int task = next_task(thread);
    if (task < 0) {
      wait_until(thread, tasks[last_of_graph()].ended);
      return NULL;
    }
    begin(thread, task, &graph.before[task]);
    run(task);
    pthread_mutex_lock(&counting);
    end(thread, task);
    idle[thread] = 0;
    left--;
    for (int i = 0; i < graph.count; i++) {
      for (int j = 0; j < graph.before[i].count; j++) {
        if (graph.before[i].at[j] == task && --open_before[i] == 0) offer(i);
      }
    }
    give();
    pthread_mutex_unlock(&counting);
  }
}

static void mirror(void) {
  pthread_t servers[kMostThreads];
  left = graph.count;
  for (int i = 0; i < graph.count; i++) {
    create(i);
    open_before[i] = graph.before[i].count;
    if (open_before[i] == 0) offer(i);
  }
  for (int i = 0; i < threads; i++) sem_init(&given[i], 0, 0);
  for (int i = 0; i < threads; i++) pthread_create(&servers[i], NULL, serve, (void*)(long)i);
  for (int i = 0; i < threads; i++) pthread_join(servers[i], NULL);
}

// ------------------------------------------------------------- other cases

#define SELF omp_get_thread_num()
// The body of a task.
#define BODY(task, before, ms)          \
  {                                     \
    const before_t needs = (before);    \
    begin(SELF, (task), &needs);        \
    rest(ms);                           \
    end(SELF, (task));                  \
  }
// Thread 0 does it, then all meet at the end of the region.
#define BY_ONE(block)                            \
  do {                                           \
    _Pragma("omp parallel num_threads(threads)") \
    {                                            \
      if (SELF == 0) block;                      \
      wait_begins(SELF);                         \
    }                                            \
    region_ends(threads);                        \
  } while (0)

static int x, y;

static void create_inout(void) {
  omp_depend_t object;
#pragma omp depobj(object) depend(inout : x)
  for (int task = 0; task < 3; task++) create(task);
#pragma omp task depend(inout : x)
  BODY(0, none, 60)
#pragma omp task depend(depobj : object)
  BODY(1, after(0), 40)
#pragma omp task depend(inout : x)
  BODY(2, after(1), 20)
#pragma omp depobj(object) destroy
}

static void inout(void) { BY_ONE(create_inout()); }

static int holder = -1;

static void create_exclusive(void) {
  for (int task = 0; task < 3; task++) {
    create(task);
#pragma omp task depend(mutexinoutset : x) firstprivate(task)
    {
      const before_t before = holder < 0 ? none : after(holder);
      BODY(task, before, 30)
      holder = task;
    }
  }
  create(3);
#pragma omp task depend(in : x)
  BODY(3, ((before_t){3, {0, 1, 2}}), 20)
}

static void exclusive(void) { BY_ONE(create_exclusive()); }

static void wait_for_one(void) {
  create(0);
#pragma omp task depend(out : x)
  BODY(0, none, 30)
  create(1);
#pragma omp task depend(out : y)
  BODY(1, none, 80)
  rest(5);
  wait_begins(0);
#pragma omp taskwait depend(in : x)
  wait_ends(0, 0);
}

static void dependent(void) { BY_ONE(wait_for_one()); }

static void do_undeferred(void) {
  create(0);
#pragma omp task depend(out : x)
  BODY(0, none, 50)
  rest(5);
  create(1);
  wait_begins(0);
#pragma omp task depend(in : x) if (0)
  BODY(1, after(0), 10)
  idle[0] = 0;
}

static void undeferred(void) { BY_ONE(do_undeferred()); }

static void do_loop(int group) {
  for (int task = 0; task < 4; task++) create(task);
  wait_begins(0);
  if (group) {
#pragma omp taskloop num_tasks(4)
    for (int task = 0; task < 4; task++) BODY(task, none, 10 + 10 * task)
  } else {
#pragma omp taskloop num_tasks(4) nogroup
    for (int task = 0; task < 4; task++) BODY(task, none, 10 + 10 * task)
    wait_begins(0);
#pragma omp taskwait
  }
  double last = 0;
  for (int task = 0; task < 4; task++) last = later(last, tasks[task].ended);
  wait_until(0, last);
}

static void loop(void) { BY_ONE(do_loop(1)); }
static void nogroup(void) { BY_ONE(do_loop(0)); }

static void children(void) {
  begin(SELF, 0, &none);
  rest(10);
  create(1);
#pragma omp task
  BODY(1, none, 40)
  create(2);
#pragma omp task
  BODY(2, none, 60)
  wait_begins(SELF);
#pragma omp taskwait
  wait_until(SELF, later(tasks[1].ended, tasks[2].ended));
  end(SELF, 0);
}

static void create_nested(void) {
  create(0);
#pragma omp task
  children();
}

static void nested(void) { BY_ONE(create_nested()); }

// Another thread can go on with it after each of its parts.
static void create_untied(void) {
  create(0);
#pragma omp task untied
  {
    begin(SELF, 0, &none);
    rest(10);
    create(1);
    double left = now();
    idle[SELF] = left;
#pragma omp task untied
    BODY(1, none, 40)
    wait_until(SELF, left);
    create(2);
    idle[SELF] = left = now();
#pragma omp task untied
    BODY(2, none, 60)
    wait_until(SELF, left);
    idle[SELF] = left = now();
#pragma omp taskwait
    wait_until(SELF, later(left, later(tasks[1].ended, tasks[2].ended)));
    rest(20);
    end(SELF, 0);
  }
}

static void untied(void) { BY_ONE(create_untied()); }

static void create_late(void) {
  rest(50);
  create(0);
#pragma omp task
  BODY(0, none, 20)
  rest(40);
}

static void late(void) { BY_ONE(create_late()); }

static void reduce(int* sum) {
  int inner = 0;
  for (int task = 0; task < 4; task++) create(task);
#pragma omp taskgroup task_reduction(+ : inner)
  {
    for (int task = 0; task < 4; task++) {
#pragma omp task in_reduction(+ : inner) firstprivate(task)
      {
        BODY(task, none, 10 + 10 * task)
        inner += task;
      }
    }
    wait_begins(0);
  }
  double last = 0;
  for (int task = 0; task < 4; task++) last = later(last, tasks[task].ended);
  wait_until(0, last);
  *sum += inner;
}

static void reduction(void) {
  int sum = 0;
  BY_ONE(reduce(&sum));
  printf("sum %d\n", sum);
}

static void do_yield(void) {
  volatile int* done = &x;
  create(0);
#pragma omp task
  {
    BODY(0, none, 40)
    __atomic_store_n(&x, 1, __ATOMIC_SEQ_CST);
  }
  create(1);
#pragma omp task
  BODY(1, none, 30)
  while (__atomic_load_n(done, __ATOMIC_SEQ_CST) == 0) {
#pragma omp taskyield
    idle[0] = 0;
    rest(1);
  }
}

static void yield(void) { BY_ONE(do_yield()); }

#ifndef ON_LLVM_14
PROCEDURE static void fulfill(omp_event_handle_t event) {
  rest(70);
  tasks[0].ended = now();
  omp_fulfill_event(event);
}

static void* fulfill_later(void* event) {
  fulfill(*(omp_event_handle_t*)event);
  return NULL;
}

static void create_detached(void) {
  pthread_t fulfiller;
  omp_event_handle_t event;
  create(0);
#pragma omp task depend(out : x) detach(event)
  {
    begin(SELF, 0, &none);
    rest(10);
    idle[SELF] = now();
  }
  create(1);
#pragma omp task depend(in : x)
  BODY(1, after(0), 20)
  pthread_create(&fulfiller, NULL, fulfill_later, &event);
  wait_begins(0);
#pragma omp taskwait
  wait_ends(0, 1);
  pthread_join(fulfiller, NULL);
}

static void detached(void) { BY_ONE(create_detached()); }
#endif

int main(int argc, char** argv) {
  static const struct {
    const char* name;
    void (*run)(void);
  } cases[] = {
      {"inout", inout}, {"exclusive", exclusive}, {"dependent", dependent}, {"undeferred", undeferred},
      {"loop", loop}, {"nogroup", nogroup}, {"nested", nested}, {"late", late}, {"reduction", reduction},
      {"untied", untied}, {"yield", yield},
#ifndef ON_LLVM_14
      {"detached", detached},
#endif
  };
  if (argc < 2) return 2;
  const int with_graph = strcmp(argv[1], "mirror") == 0 || strcmp(argv[1], "group") == 0 || strcmp(argv[1], "wait") == 0;
  const char* count = argc > 2 + with_graph ? argv[2 + with_graph] : "2";
  threads = atoi(count) > kMostThreads ? kMostThreads : atoi(count);
  int found = 0;
  if (make_graph(argv[with_graph ? 2 : 1])) {
    found = 1;
    if (strcmp(argv[1], "mirror") == 0) {
      mirror();
    } else {
      run_graph(strcmp(argv[1], "group") == 0 ? kGroup : strcmp(argv[1], "wait") == 0 ? kWait : kBarrier);
    }
  }
  for (size_t i = 0; !found && i < sizeof cases / sizeof cases[0]; i++) {
    if (strcmp(argv[1], cases[i].name) != 0) continue;
    cases[i].run();
    found = 1;
  }
  if (!found) return 2;
  printf("waits=%.6f\n", waits);
  return 0;
}
