// Programs of OpenMP whose answer is planted.
//
//   cases CASE [THREADS]           default 2 threads
//
// Work is a sleep where its length matters, so that it takes as long on a busy machine.
//
//   imbalance   thread t works (t + 1) * 40 ms in a loop: it waits (THREADS - 1 - t) * 40 ms
//   regions     three regions in which the last thread comes last; prints how long the others waited by the
//               clock ("waits=", s)
//   spin        thread 0 works until 120 ms of its CPU time are over; the others wait for it
//   critical    each thread is 5 times in a critical section, 4 ms each: these follow one another
//   chain       4 tasks of 5 ms, each needing the one before
//   taskwait    one task of 40 ms is executed by another thread than the one that waits for it
//   detached    a task that is over when its event says so, 15 ms after its body
//   alone       a team of one thread, which executes 300 tasks
//   nested      2 threads, each the master of a team of 2; 3 times
//   idle        two regions of 1 ms with 60 ms of the master alone between
//   exit        ends inside a region, by exit(3)
//   work        each thread computes; prints for each how long it was in its share by the clock (ns),
//               and where in the region's function it called from
//   pause       the runtime gives up its threads between two regions
//   paused      a region, and then the recording is paused until the end
//   fork        a child after a region, which can begin another one under LLVM's runtime only
//   churn       150 children that exit, while teams change their size: GNU's runtime begins and ends
//               threads all the time
//   locks       locks of every kind
//   stack       a thread with the smallest stack is the first that calls the runtime
//   results     all constructs; prints what they computed
#include <omp.h>
#include <parallax/parallax.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PROCEDURE __attribute__((noinline))

static int threads = 2;

PROCEDURE static void rest(int ms) { usleep((useconds_t)ms * 1000); }

static void imbalance(void) {
#pragma omp parallel num_threads(threads)
  {
#pragma omp for schedule(static, 1)
    for (int i = 0; i < threads; i++) rest(40 * (i + 1));
  }
}

static void regions(void) {
  double waits = 0;
  for (int region = 0; region < 3; region++) {
    double arrived[threads], last = 0;
#pragma omp parallel num_threads(threads)
    {
      const int own = omp_get_thread_num();
      rest(20 * (own + 1));
      arrived[own] = omp_get_wtime();
    }
    for (int i = 0; i < threads; i++) last = arrived[i] > last ? arrived[i] : last;
    for (int i = 0; i < threads; i++) waits += last - arrived[i];
  }
  printf("waits=%.6f\n", waits);
}

PROCEDURE static double burn(int ms) {
  struct timespec from, now;
  double sum = 0;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &from);
  do {
    for (int i = 1; i < 20000; i++) sum += 1.0 / i;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  } while ((now.tv_sec - from.tv_sec) * 1000 + (now.tv_nsec - from.tv_nsec) / 1000000 < ms);
  return sum;
}

static void spin(void) {
  double sum = 0;
#pragma omp parallel num_threads(threads) reduction(+ : sum)
  if (omp_get_thread_num() == 0) sum += burn(120);
  printf("sum %d\n", sum > 0);
}

static void critical(void) {
  int turns = 0;
#pragma omp parallel num_threads(threads)
  for (int i = 0; i < 5; i++) {
#pragma omp critical(door)
    {
      rest(4);
      turns++;
    }
  }
  printf("turns %d\n", turns);
}

static void chain(void) {
  int value = 1;
#pragma omp parallel num_threads(threads)
#pragma omp single
  for (int i = 0; i < 4; i++) {
#pragma omp task depend(inout : value) shared(value)
    {
      rest(5);
      value = value * 2 + i;
    }
  }
  printf("value %d\n", value);
}

static void taskwait(void) {
  int taken = 0;
#pragma omp parallel num_threads(2) shared(taken)
#pragma omp single
  {
#pragma omp task shared(taken)
    {
#pragma omp atomic write
      taken = 1;
      rest(40);
    }
    // LLVM's runtime can forget to wake the other thread, which is asleep.
    for (int seen = 0, tries = 0; !seen && tries < 1000; tries++) {
      rest(1);
#pragma omp atomic read
      seen = taken;
    }
#pragma omp taskwait
  }
}

#ifndef ON_LLVM_14
static void detached(void) {
  int done = 0;
#pragma omp parallel num_threads(2)
#pragma omp master
  {
    omp_event_handle_t event;
#pragma omp task detach(event) shared(done)
    done++;
    rest(15);
    omp_fulfill_event(event);
#pragma omp taskwait
    done += 10;
  }
  printf("done %d\n", done);
}
#endif

static void alone(void) {
  int sum = 0;
#pragma omp parallel num_threads(1)
  for (int i = 0; i < 100; i++) {
#pragma omp task shared(sum) depend(inout : sum)
    sum++;
#pragma omp task shared(sum) depend(inout : sum)
    sum++;
#pragma omp taskwait
#pragma omp taskgroup
    {
#pragma omp task shared(sum)
      sum++;
    }
  }
  printf("sum %d\n", sum);
}

static void nested(void) {
  int sum = 0;
  omp_set_max_active_levels(2);
  for (int round = 0; round < 3; round++) {
#pragma omp parallel num_threads(2) reduction(+ : sum)
    {
      const int outer = omp_get_thread_num();
#pragma omp parallel num_threads(2) reduction(+ : sum)
      {
        sum += 10 * outer + omp_get_thread_num();
#pragma omp barrier
        sum += omp_get_level();
      }
    }
  }
  printf("sum %d\n", sum);
}

static void idle(void) {
#pragma omp parallel num_threads(threads)
  rest(1);
  rest(60);
#pragma omp parallel num_threads(threads)
  rest(1);
}

static void leave(void) {
#pragma omp parallel num_threads(threads)
  {
    rest(1);
#pragma omp barrier
#pragma omp master
    exit(3);
#pragma omp barrier
  }
}

static long long now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000LL + now.tv_nsec;
}

enum { MOST_THREADS = 16 };
static long long shares[MOST_THREADS];
static void* callers[MOST_THREADS];

PROCEDURE static double share(long long begin) {
  const int self = omp_get_thread_num();
  const double sum = burn(50);
  callers[self] = __builtin_return_address(0);
  shares[self] = now() - begin;
  return sum;
}

static void work(void) {
  double sum = 0;
#pragma omp parallel num_threads(threads) reduction(+ : sum)
  {
    const long long begin = now();
    sum += share(begin);
  }
  for (int i = 0; i < threads; i++) printf("%d %lld %p\n", i, shares[i], callers[i]);
}

PROCEDURE static int teamSize(void) {
  int size = 0;
#pragma omp parallel num_threads(threads)
#pragma omp atomic
  size++;
  return size;
}

static void pause_(void) {
  const int before = teamSize();
  const int soft = omp_pause_resource_all(omp_pause_soft);
  const int between = teamSize();
  const int hard = omp_pause_resource_all(omp_pause_hard);
  printf("pause %d %d %d %d %d\n", before, soft, between, hard, teamSize());
}

static void paused(void) {
  printf("team %d\n", teamSize());
  parallax_pause();
}

static void forks(void) {
  int status = 0;
  const int before = teamSize();
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
#if defined __clang__ || defined ON_LLVM_14
    _exit(teamSize());
#else
    _exit(threads);
#endif
  }
  waitpid(child, &status, 0);
  printf("fork %d %d %d\n", before, WEXITSTATUS(status), teamSize());
}

static volatile int churning = 1;

static void* changeTeams(void* unused) {
  while (churning) {
    for (int size = 1; size <= 4; size++) {
#pragma omp parallel num_threads(size)
      __asm__ volatile("");
    }
  }
  return unused;
}

static void churn(void) {
  pthread_t masters[2];
  for (int i = 0; i < 2; i++) pthread_create(&masters[i], NULL, changeTeams, NULL);
  int failed = 0;
  for (int i = 0; i < 150; i++) {
    const pid_t child = fork();
    if (child == 0) {
      alarm(10);
      exit(0);
    }
    int status = -1;
    waitpid(child, &status, 0);
    failed += status != 0;
  }
  churning = 0;
  for (int i = 0; i < 2; i++) pthread_join(masters[i], NULL);
  printf("failed %d\n", failed);
}

// ------------------------------------------------------------------- results

static long fib(int n) {
  if (n < 2) return n;
  long a, b;
#pragma omp task shared(a)
  a = fib(n - 1);
#pragma omp task shared(b) if (n > 6)
  b = fib(n - 2);
#pragma omp taskwait
  return a + b;
}

static void locks(void) {
  omp_lock_t lock;
  omp_nest_lock_t nest;
  omp_init_lock(&lock);
  omp_init_nest_lock(&nest);
  int plain = 0, tried = 0, twice = 0, unnamed = 0, together = 0;
#pragma omp parallel num_threads(threads)
  for (int i = 0; i < 20; i++) {
    omp_set_lock(&lock);
    plain++;
    omp_unset_lock(&lock);
    if (omp_test_lock(&lock)) {
#pragma omp atomic
      tried++;
      omp_unset_lock(&lock);
    }
    omp_set_nest_lock(&nest);
    omp_set_nest_lock(&nest);
    twice += omp_test_nest_lock(&nest);
    omp_unset_nest_lock(&nest);
    omp_unset_nest_lock(&nest);
    omp_unset_nest_lock(&nest);
#pragma omp critical
    unnamed++;
#pragma omp atomic
    together++;
  }
  omp_destroy_lock(&lock);
  omp_destroy_nest_lock(&nest);
  printf("locks %d %d %d %d %d\n", plain, tried > 0, twice, unnamed, together);
#ifdef __clang__  // which would need a library for it
  long wide = 0;
#else
  long double wide = 0;  // too wide for an instruction
#endif
#pragma omp parallel num_threads(threads)
  for (int i = 0; i < 20; i++) {
#pragma omp atomic
    wide += i;
  }
  printf("atomic %d\n", (int)wide);
}

static void loops(void) {
  long sums[6] = {0};
#pragma omp parallel num_threads(threads)
  {
#pragma omp for schedule(static) reduction(+ : sums[ : 1])
    for (int i = 0; i < 1000; i++) sums[0] += i;
#pragma omp for schedule(dynamic, 7) reduction(+ : sums[1 : 1])
    for (int i = 0; i < 1000; i++) sums[1] += i;
#pragma omp for schedule(guided) reduction(+ : sums[2 : 1])
    for (int i = 0; i < 1000; i++) sums[2] += i;
#pragma omp for schedule(runtime) reduction(+ : sums[3 : 1])
    for (int i = 0; i < 1000; i++) sums[3] += i;
  }
#pragma omp parallel for schedule(dynamic) num_threads(threads) reduction(+ : sums[4 : 1])
  for (int i = 0; i < 100; i++) sums[4] += i;
#pragma omp parallel for schedule(runtime) num_threads(threads) reduction(+ : sums[5 : 1])
  for (unsigned long long i = 0; i < 100; i++) sums[5] += (long)i;
  printf("loops %ld %ld %ld %ld %ld %ld\n", sums[0], sums[1], sums[2], sums[3], sums[4], sums[5]);
}

static void order(void) {
  long hash = 0;
  long wave[16][16];
  memset(wave, 0, sizeof wave);
#pragma omp parallel num_threads(threads)
  {
#pragma omp for ordered schedule(dynamic)
    for (int i = 0; i < 50; i++) {
#pragma omp ordered
      hash = hash * 31 + i;
    }
#pragma omp for ordered(2) schedule(static, 1)
    for (int i = 1; i < 16; i++) {
      for (int j = 1; j < 16; j++) {
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
        wave[i][j] = 1 + wave[i - 1][j] + wave[i][j - 1];
#pragma omp ordered depend(source)
      }
    }
  }
  printf("order %ld %ld\n", hash, wave[15][15]);
}

static void blocks(void) {
  int one = 0, other = 0, copied = 0, given = 0;
#pragma omp parallel num_threads(threads) private(given)
  {
#pragma omp sections
    {
#pragma omp section
      one = 1;
#pragma omp section
      other = 2;
    }
#pragma omp single copyprivate(given)
    given = 17;
#pragma omp atomic
    copied += given;
  }
#pragma omp parallel sections num_threads(threads)
  {
#pragma omp section
    one += 10;
#pragma omp section
    other += 20;
  }
  printf("blocks %d %d %d\n", one, other, copied);
}

struct wide {
  _Alignas(64) char bytes[200];
};

static void tasks(void) {
  long answer = 0, total = 0, group = 0, chosen = 0;
  struct wide wide;
  memset(&wide, 3, sizeof wide);
#pragma omp parallel num_threads(threads)
  {
#pragma omp single
    {
      answer = fib(12);
#pragma omp taskgroup task_reduction(+ : group)
      {
        for (int i = 0; i < 10; i++) {
#pragma omp task in_reduction(+ : group) firstprivate(i, wide)
          group += i + wide.bytes[i];
        }
      }
#pragma omp taskloop num_tasks(5) reduction(+ : total)
      for (int i = 0; i < 100; i++) total += i;
#pragma omp taskloop grainsize(9) shared(chosen)
      for (unsigned long long i = 0; i < 100; i++) {
#pragma omp atomic
        chosen += (long)i;
      }
#pragma omp taskyield
    }
  }
  printf("tasks %ld %ld %ld %ld\n", answer, total, group, chosen);
}

static void cancelled(void) {
  int found = 0;
#pragma omp parallel num_threads(threads)
  {
#pragma omp for
    for (int i = 0; i < 1000; i++) {
      if (i == 500) {
#pragma omp atomic write
        found = 1;
#pragma omp cancel for
      }
#pragma omp cancellation point for
    }
  }
  int passed = 0;
  // By all: LLVM's threads wait for each other for ever where one has missed it.
#pragma omp parallel num_threads(threads)
  {
#pragma omp cancel parallel
#pragma omp atomic
    passed++;
  }
  printf("cancelled %d %d\n", found, passed);
}

static void elsewhere(void) {
  int n = 5, sum = 0;
#ifndef ON_LLVM_14  // libgomp's entry point for it is not in that
#pragma omp target map(tofrom : sum) map(to : n)
#endif
#pragma omp parallel for num_threads(2) reduction(+ : sum)
  for (int i = 0; i < n; i++) sum += i;
#ifndef ON_LLVM_14
#pragma omp teams num_teams(2) thread_limit(2)
#endif
  {
#pragma omp parallel num_threads(2)
#pragma omp atomic
    n++;
  }
  printf("elsewhere %d %d\n", sum, n);
}

static void results(void) {
  loops();
  locks();
  order();
  blocks();
  tasks();
  cancelled();
  elsewhere();
  nested();
  long sizes = 0;
  for (int n = 1; n <= 4; n++) {
    omp_set_num_threads(n);
#pragma omp parallel reduction(+ : sizes)
    sizes += omp_get_num_threads();
  }
  printf("sizes %ld\n", sizes);
}

static void* lockOnce(void* lock) {
  omp_init_lock(lock);
  omp_set_lock(lock);
  omp_unset_lock(lock);
  return lock;
}

// What is below cannot be touched.
static void stack(void) {
  enum { kBelow = 1 << 20, kBytes = 16 << 10 };
  char* memory =
      mmap(NULL, kBelow + kBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  mprotect(memory + kBelow, kBytes, PROT_READ | PROT_WRITE);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  omp_lock_t lock;
  pthread_t thread;
  if (pthread_attr_setstack(&attributes, memory + kBelow, kBytes) != 0 ||
      pthread_create(&thread, &attributes, lockOnce, &lock) != 0) {
    exit(1);
  }
  pthread_join(thread, NULL);
  puts("locked");
}

int main(int argc, char** argv) {
  static const struct {
    const char* name;
    void (*run)(void);
  } cases[] = {{"imbalance", imbalance}, {"regions", regions}, {"spin", spin},     {"critical", critical},
               {"chain", chain},         {"nested", nested}, {"idle", idle},
               {"exit", leave},          {"results", results}, {"taskwait", taskwait},
               {"work", work},           {"pause", pause_},  {"fork", forks},
               {"locks", locks},         {"churn", churn},
               {"stack", stack},         {"paused", paused},
               {"alone", alone},
#ifndef ON_LLVM_14
               {"detached", detached},
#endif
  };
  if (argc > 2) threads = atoi(argv[2]);
  for (size_t i = 0; argc > 1 && i < sizeof cases / sizeof cases[0]; i++) {
    if (strcmp(argv[1], cases[i].name) != 0) continue;
    cases[i].run();
    return 0;
  }
  return 2;
}
