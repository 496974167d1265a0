// Programs of several shapes whose gain from a faster hotLoop() is known, because it can really be
// made faster: by PERCENT, of all that it would do. In some, the code that is faster is hotCaller(), all
// of whose time is in a function that other code calls, too.
//
//   speedup SHAPE PERCENT ITERATIONS SCALE   ITERATIONS of a loop are a millisecond; SCALE 1 makes
//                                            it run for some 300 ms. Prints how long it ran, in
//                                            nanoseconds.
//   speedup                                  Prints ITERATIONS of this machine, and where hotLoop()
//                                            begins and ends in the file (hex).
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <parallax/parallax.h>

#ifdef WITH_MPI
#include <mpi.h>
#endif
#ifdef _OPENMP
#include <omp.h>
#endif

static uint64_t perMs;
static double share;  // of its work that hot() does
static double scale;  // of how often everything is done

// The two differ, so that no compiler makes one function of them. Their sections have names that the
// linker makes symbols of.
#define WORK(name, increment)                                       \
  __attribute__((noinline, section(#name "_code")))                 \
  static void name##Loop(uint64_t n) {                              \
    uint64_t x = n;                                                 \
    parallax_delay_point("in " #name " code");                      \
    for (uint64_t i = 0; i < n; i++) {                              \
      x = x * 6364136223846793005u + increment;                     \
      __asm__ volatile("" : "+r"(x));                               \
    }                                                               \
  }
WORK(hot, 1442695040888963407u)
WORK(cold, 1013904223u)
extern const char __start_hot_code[], __stop_hot_code[], __executable_start[];
static int times(int count) { return (int)(count * scale); }
static void hot(double ms) { hotLoop((uint64_t)(ms * share * (double)perMs)); }
static void cold(double ms) { coldLoop((uint64_t)(ms * (double)perMs)); }

static uint64_t nowNs(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

#ifdef _OPENMP
// ---- regions: of two threads. The longer share is hot.
static void regions(void) {
  for (int i = 0; i < times(30); i++) {
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 0) hot(10);
    else cold(6);
  }
}
// ---- rounds: the same in one region.
static void roundsOfRegion(void) {
#pragma omp parallel num_threads(2)
  for (int i = 0; i < times(30); i++) {
    if (omp_get_thread_num() == 0) hot(10);
    else cold(6);
#pragma omp barrier
  }
}
// ---- tasks: a quarter of them is hot, and each thread takes the next one.
static void tasks(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
  for (int i = 0; i < times(120); i++) {
#pragma omp task
    if (i % 4 == 0) hot(8);
    else cold(4);
  }
}
#elif !defined(WITH_MPI)
WORK(shared, 3037000493u)
// What follows the calls keeps them on the stack.
static int recursion;  // frames between hotCaller() and what it calls
__attribute__((noinline)) static void descend(int frames, uint64_t n) {
  if (frames > 0) descend(frames - 1, n);
  else sharedLoop(n);
  __asm__ volatile("");
}
__attribute__((noinline, section("hot_code"))) static void hotCaller(double ms) {
  descend(recursion, (uint64_t)(ms * share * (double)perMs));
  __asm__ volatile("");
}
__attribute__((noinline)) static void coldCaller(double ms) {
  sharedLoop((uint64_t)(ms * (double)perMs));
  __asm__ volatile("");
}

static void together(void* (*first)(void*), void* (*second)(void*)) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, first, NULL);
  pthread_create(&threads[1], NULL, second, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
}

// ---- halves: the toy of coz. The longer half is hot.
static void* hotHalf(void* unused) {
  hot(300 * scale);
  return unused;
}
static void* coldHalf(void* unused) {
  cold(200 * scale);
  return unused;
}
static void halves(void) { together(hotHalf, coldHalf); }

// ---- aside: the shorter half is hot: nothing is gained.
static void* longHalf(void* unused) {
  cold(300 * scale);
  return unused;
}
static void* hotAside(void* unused) {
  hot(200 * scale);
  return unused;
}
static void aside(void) { together(longHalf, hotAside); }

// ---- queue: a producer and a consumer, which is the bottleneck and hot.
enum { kItems = 150, kRoom = 4 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int queued;
static void put(void) {
  pthread_mutex_lock(&lock);
  while (queued == kRoom) pthread_cond_wait(&changed, &lock);
  queued++;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
}
static void take(void) {
  pthread_mutex_lock(&lock);
  while (queued == 0) pthread_cond_wait(&changed, &lock);
  queued--;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
}
static void* producer(void* unused) {
  for (int i = 0; i < times(kItems); i++) {
    cold(1.2);
    put();
  }
  return unused;
}
static void* consumer(void* unused) {
  for (int i = 0; i < times(kItems); i++) {
    take();
    hot(2);
  }
  return unused;
}
static void queue(void) { together(producer, consumer); }

// ---- barriers: rounds of two threads. The longer share is hot.
static pthread_barrier_t barrier;
static int rounds;
static double longMs, shortMs;
static void (*longWork)(double);
static void (*shortWork)(double);
static void* longShares(void* unused) {
  for (int i = 0; i < times(rounds); i++) {
    longWork(longMs);
    pthread_barrier_wait(&barrier);
  }
  return unused;
}
static void* shortShares(void* unused) {
  for (int i = 0; i < times(rounds); i++) {
    shortWork(shortMs);
    pthread_barrier_wait(&barrier);
  }
  return unused;
}
static void inRounds(int count, void (*first)(double), double longer, void (*second)(double),
                     double shorter) {
  rounds = count;
  longMs = longer;
  shortMs = shorter;
  longWork = first;
  shortWork = second;
  pthread_barrier_init(&barrier, NULL, 2);
  together(longShares, shortShares);
}
static void barriers(void) { inRounds(30, hot, 10, cold, 6); }
static void fine(void) { inRounds(1500, hot, 0.2, cold, 0.12); }
static void both(void) { inRounds(30, hot, 10, hot, 10); }
static void bothFine(void) { inRounds(1500, hot, 0.2, hot, 0.2); }
// ---- callees: the same, all in one function that both call: 10, 20, 30 % faster gain 10, 20, 20 %.
static void callees(void) { inRounds(30, hotCaller, 10, coldCaller, 8); }
// ---- calleesaside: the shorter share is hot: nothing is gained.
static void calleesAside(void) { inRounds(30, coldCaller, 10, hotCaller, 8); }
// ---- deep, deeper: the same as callees, below a recursion of 1,000 and of 10,000 frames.
static void deep(void) {
  recursion = 1000;
  callees();
}
static void deeper(void) {
  recursion = 10000;
  callees();
}

// ---- locks: two threads, three quarters of whose work is hot and under one lock.
static void* locker(void* unused) {
  for (int i = 0; i < times(60); i++) {
    pthread_mutex_lock(&lock);
    hot(2.25);
    pthread_mutex_unlock(&lock);
    cold(0.75);
  }
  return unused;
}
static void locks(void) { together(locker, locker); }

// ---- pipe: a child process, whose part is hot, answers through pipes while the parent works.
static void parts(void) {
  int ask[2], answer[2];
  if (pipe(ask) != 0 || pipe(answer) != 0) exit(2);
  const pid_t child = fork();
  char byte = 0;
  if (child == 0) {
    close(ask[1]);
    while (read(ask[0], &byte, 1) == 1) {
      hot(6);
      if (write(answer[1], &byte, 1) != 1) exit(2);
    }
    exit(0);
  }
  for (int i = 0; i < times(40); i++) {
    if (write(ask[1], &byte, 1) != 1) exit(2);
    cold(4);
    if (read(answer[0], &byte, 1) != 1) exit(2);
    cold(1);
  }
  close(ask[1]);
  waitpid(child, NULL, 0);
}

#else
// ---- ranks: the first one, whose part is hot, sends; the second one has less to do.
static void ranks(int rank) {
  int value = 0;
  for (int i = 0; i < times(40); i++) {
    if (rank == 0) {
      hot(6);
      MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
      cold(4);
      MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      cold(1);
    }
  }
}
// ---- reduce: rounds that end with a collective.
static void reduce(int rank) {
  double mine = 1, sum;
  for (int i = 0; i < times(40); i++) {
    if (rank == 0) hot(6);
    else cold(4);
    MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  }
}
#endif

int main(int count, char** words) {
  if (count < 5) {
    perMs = 1000000;
    const uint64_t begin = nowNs();
    cold(100);
    printf("%.0f %lx %lx\n", 1e8 / ((double)(nowNs() - begin) / 1e6),
           (unsigned long)(__start_hot_code - __executable_start),
           (unsigned long)(__stop_hot_code - __executable_start));
    return 0;
  }
  const char* shape = words[1];
  share = 1 - atof(words[2]) / 100;
  perMs = strtoull(words[3], NULL, 10);
  scale = atof(words[4]);
#ifdef WITH_MPI
  int rank;
  MPI_Init(&count, &words);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Barrier(MPI_COMM_WORLD);
  const uint64_t begin = nowNs();
  if (strcmp(shape, "ranks") == 0) ranks(rank);
  else if (strcmp(shape, "reduce") == 0) reduce(rank);
  else return 2;
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) printf("%llu\n", (unsigned long long)(nowNs() - begin));
  MPI_Finalize();
#else
  static const struct {
    const char* name;
    void (*run)(void);
#ifdef _OPENMP
  } shapes[] = {{"regions", regions}, {"rounds", roundsOfRegion}, {"tasks", tasks}};
#else
  } shapes[] = {{"halves", halves}, {"aside", aside},  {"queue", queue},     {"barriers", barriers},
                {"fine", fine},     {"both", both},    {"bothfine", bothFine}, {"locks", locks},
                {"pipe", parts},      {"callees", callees}, {"calleesaside", calleesAside},
                {"deep", deep},       {"deeper", deeper}};
#endif
  const uint64_t begin = nowNs();
  size_t i = 0;
  while (i < sizeof shapes / sizeof *shapes && strcmp(shape, shapes[i].name) != 0) i++;
  if (i == sizeof shapes / sizeof *shapes) return 2;
  shapes[i].run();
  printf("%llu\n", (unsigned long long)(nowNs() - begin));
#endif
  return 0;
}
