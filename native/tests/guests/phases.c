/* phases events: two phases, one in the other, in two threads one after the other, with 3 marks and
 *   values of two metrics in each, then once more in a forked child; prints "done".
 * phases counters: a phase "sleeps" with 20 sleeps, and one "faults" that touches 512 fresh pages.
 * phases barriers: 5 times a spinning barrier of two threads and a forked child; prints the sum of what
 *   each found of the others behind it.
 * phases names N: marks of N names, one after the other, then the first one again; prints the ms of CPU time.
 * phases cost: prints the ns of a call, the least of many rounds, less those of an empty loop. */
#include <parallax/parallax.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static parallax_metric residual, packets;

static void* work(void* unused) {
  char name[16];
  int i;
  (void)unused;
  parallax_phase_begin("outer");
  parallax_phase_begin("inner");
  for (i = 0; i < 3; i++) {
    sprintf(name, "mark %d", i); /* the same memory with another name */
    parallax_mark(name);
    parallax_set_double(residual, 1.5 / (i + 1));
    parallax_set_uint64(packets, 0xfedcba9876543210ul + (unsigned long)i);
  }
  parallax_phase_end("inner");
  parallax_phase_end("outer");
  return NULL;
}

static void define_metrics(void) {
  residual = parallax_define("residual", "m/s", PARALLAX_GAUGE, PARALLAX_DOUBLE);
  packets = parallax_define("packets", "1", PARALLAX_COUNTER, PARALLAX_UINT64);
}

static int count(void) {
  const struct timespec moment = {0, 1000000};
  const size_t page = 4096, pages = 512;
  char* memory = mmap(NULL, page * pages, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
                      0);
  size_t i;
  if (memory == MAP_FAILED) return 1;
  madvise(memory, page * pages, MADV_NOHUGEPAGE);
  parallax_phase_begin("sleeps");
  for (i = 0; i < 20; i++) nanosleep(&moment, NULL);
  parallax_phase_end("sleeps");
  parallax_phase_begin("faults");
  for (i = 0; i < pages; i++) memory[i * page] = 1;
  parallax_phase_end("faults");
  return 0;
}

/* ---- a barrier that spins, in memory that processes share */
struct spinning {
  int arrived, generation, work[3];
};
static struct spinning* spinning;

static void spin(void* unused) {
  const int generation = __atomic_load_n(&spinning->generation, __ATOMIC_ACQUIRE);
  (void)unused;
  if (__atomic_add_fetch(&spinning->arrived, 1, __ATOMIC_ACQ_REL) == 3) {
    spinning->arrived = 0;
    __atomic_store_n(&spinning->generation, generation + 1, __ATOMIC_RELEASE);
  }
  while (__atomic_load_n(&spinning->generation, __ATOMIC_ACQUIRE) == generation) sched_yield();
}

static void* take_turns(void* number) {
  const int own = *(int*)number;
  long turn, sum = 0;
  for (turn = 1; turn <= 5; turn++) {
    spinning->work[own] = (int)turn;
    parallax_barrier("turn", spinning, 3, spin, NULL);
    sum += spinning->work[(own + 1) % 3];
    parallax_barrier("turn", spinning, 3, spin, NULL);
  }
  return (void*)sum;
}

static int barriers(void) {
  static int numbers[3] = {0, 1, 2};
  pthread_t thread;
  void* sum;
  int status;
  long own;
  spinning = mmap(NULL, sizeof *spinning, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (spinning == MAP_FAILED) return 1;
  if (fork() == 0) exit((int)(long)take_turns(&numbers[2]));
  pthread_create(&thread, NULL, take_turns, &numbers[1]);
  own = (long)take_turns(&numbers[0]);
  pthread_join(thread, &sum);
  wait(&status);
  printf("%ld\n", own + (long)sum + WEXITSTATUS(status));
  return 0;
}

static double now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now); /* others take none of it */
  return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static int names(int n) {
  char name[32];
  int i;
  const double begin = now_ns();
  for (i = 0; i <= n; i++) {
    sprintf(name, "step %d", i % n);
    parallax_mark(name);
  }
  printf("%.0f\n", (now_ns() - begin) / 1e6);
  return 0;
}

static double loop(int calls) {
  double least = 1e18;
  int round, i;
  for (round = 0; round < 200; round++) {
    const double begin = now_ns();
    double taken;
    for (i = 0; i < 100000; i++) {
      __asm__ volatile("" ::: "memory");
      if (calls) parallax_mark("x");
    }
    taken = now_ns() - begin;
    if (taken < least) least = taken;
  }
  return least / 100000;
}

int main(int argc, char** argv) {
  pthread_t thread;
  if (argc > 1 && strcmp(argv[1], "cost") == 0) {
    const double with = loop(1), without = loop(0);
    printf("%.2f\n", with - without);
    return 0;
  }
  if (argc > 1 && strcmp(argv[1], "counters") == 0) return count();
  if (argc > 1 && strcmp(argv[1], "barriers") == 0) return barriers();
  if (argc > 2 && strcmp(argv[1], "names") == 0) return names(atoi(argv[2]));
  define_metrics();
  define_metrics();
  work(NULL);
  pthread_create(&thread, NULL, work, NULL);
  pthread_join(thread, NULL);
  if (fork() == 0) {
    work(NULL);
    return 0;
  }
  wait(NULL);
  puts("done");
  return 0;
}
