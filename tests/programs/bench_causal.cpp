// A program of two threads whose functions differ in what the whole gains when one of them alone
// is faster, and not in the order of the time that they take. In each round
//
//   parse           2 units, alone
//   compress, hash  7 and 3 units side by side, on one thread each, which meet at a barrier
//   emit, store     a pipeline of two stages for two blocks, 0.8 and 1.8 units for each
//
// so that a round takes 2 + 7 + 0.8 + 2 * 1.8 = 13.4 units. With one function twice as fast it takes
// less by 3.5 (compress), 1.8 (store), 1 (parse), 0.4 (emit: the first block) and 0 (hash: the other
// thread is later). With several of them twice as fast the gains add up. The delay of a call is on
// the path of a round once, twice, once, once and never, if it is short.
//
//   bench_causal ROUNDS [FUNCTION=PERCENT]...
//
// really makes functions faster: compress=50 is twice as fast. A round is a progress point for coz,
// where its header is there. Each function is one line of work, as coz looks at lines.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef WITH_COZ
#include <coz.h>
#else
#define COZ_PROGRESS_NAMED(name)
#endif

#define PROCEDURE extern "C" __attribute__((noinline, noclone, no_icf))

namespace {

constexpr long kStepsPerUnit = 750000;  // about a millisecond
constexpr int kBlocks = 2;
constexpr int kLine = 128;  // what two threads write is on different cache lines

enum Function { kParse, kCompress, kHash, kEmit, kStore, kFunctions };
constexpr const char* kNames[kFunctions] = {"parse", "compress", "hash", "emit", "store"};
constexpr double kUnits[kFunctions] = {2, 7, 3, 0.8, 1.8};

struct alignas(kLine) Work {
  long steps;
  volatile unsigned long result;
};
Work work[kFunctions];

struct alignas(kLine) Queue {
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
  int blocks = 0;
};
Queue queue;
alignas(kLine) pthread_barrier_t barrier;
alignas(kLine) int rounds;

}  // namespace

#define STEPS(of) for (long i = work[of].steps; i > 0; --i) x = x * 6364136223846793005u + 1442695040888963407u

PROCEDURE void parse() {
  unsigned long x = 1;
  STEPS(kParse);
  work[kParse].result = x;
}

PROCEDURE void compress() {
  unsigned long x = 2;
  STEPS(kCompress);
  work[kCompress].result = x;
}

PROCEDURE void hash() {
  unsigned long x = 3;
  STEPS(kHash);
  work[kHash].result = x;
}

PROCEDURE void emit() {
  unsigned long x = 4;
  STEPS(kEmit);
  work[kEmit].result = x;
}

PROCEDURE void store() {
  unsigned long x = 5;
  STEPS(kStore);
  work[kStore].result = x;
}

static void put() {
  pthread_mutex_lock(&queue.lock);
  queue.blocks++;
  pthread_cond_signal(&queue.changed);
  pthread_mutex_unlock(&queue.lock);
}

static void take() {
  pthread_mutex_lock(&queue.lock);
  while (queue.blocks == 0) pthread_cond_wait(&queue.changed, &queue.lock);
  queue.blocks--;
  pthread_mutex_unlock(&queue.lock);
}

static void* helper(void*) {
  for (int round = 0; round < rounds; ++round) {
    pthread_barrier_wait(&barrier);
    hash();
    pthread_barrier_wait(&barrier);
    for (int block = 0; block < kBlocks; ++block) {
      take();
      store();
    }
    pthread_barrier_wait(&barrier);
  }
  return nullptr;
}

int main(int argc, char** argv) {
  if (argc < 2 || (rounds = atoi(argv[1])) <= 0) {
    fprintf(stderr, "usage: bench_causal ROUNDS [FUNCTION=PERCENT]...\n");
    return 2;
  }
  for (int f = 0; f < kFunctions; ++f) work[f].steps = static_cast<long>(kStepsPerUnit * kUnits[f]);
  for (int i = 2; i < argc; ++i) {
    const char* equals = strchr(argv[i], '=');
    int f = 0;
    while (f < kFunctions && (equals == nullptr || strlen(kNames[f]) != size_t(equals - argv[i]) ||
                              strncmp(argv[i], kNames[f], equals - argv[i]) != 0)) {
      ++f;
    }
    if (f == kFunctions) {
      fprintf(stderr, "bench_causal: what is %s?\n", argv[i]);
      return 2;
    }
    work[f].steps = work[f].steps * (100 - atol(equals + 1)) / 100;
  }
  pthread_barrier_init(&barrier, nullptr, 2);
  pthread_t thread;
  if (pthread_create(&thread, nullptr, helper, nullptr) != 0) return 1;
  for (int round = 0; round < rounds; ++round) {
    parse();
    pthread_barrier_wait(&barrier);
    compress();
    pthread_barrier_wait(&barrier);
    for (int block = 0; block < kBlocks; ++block) {
      emit();
      put();
    }
    pthread_barrier_wait(&barrier);
    COZ_PROGRESS_NAMED("round");
  }
  pthread_join(thread, nullptr);
  return 0;
}
