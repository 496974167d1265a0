//   shm_join [--threads] [WORKERS [TUPLES [ROUNDS]]]        defaults 4, 200000, 5
//
// Joins a relation of TUPLES tuples with one of twice as many, ROUNDS times, shuffled anew each time:
// WORKERS processes (or threads) that share memory partition both by hash, exchanging buffers, then
// each joins its part.
//
// Planted: half of the outer tuples match, so that TUPLES tuples come out of each round, with sums of
// keys and payloads that are known. Prints `joined` and whether the `answer` is right; exit status 1 if not.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "join.h"

namespace {

[[noreturn]] void fail(const char* what) {
  perror(what);
  exit(1);
}

// One worker of each relation.
void shuffleRelation(Shared* shared, int which, int round) {
  if (round == 0) init_relation(&shared->relations[which], which, shared->tuples);
  random_shuffle(&shared->relations[which],
                 88172645463325252u + static_cast<uint64_t>(2 * round + which));
}

void partitionRelation(Shared* shared, int worker, int which) {
  const File& relation = shared->relations[which];
  Exchange exchange(shared, worker);
  exchange.open(&shared->buckets[which][worker]);
  Buffer* output[kMostWorkers];
  for (int w = 0; w < shared->workers; w++) output[w] = exchange.get_output_buffers();
  Block block;
  for (uint32_t b = static_cast<uint32_t>(worker); b < relation.count;
       b += static_cast<uint32_t>(shared->workers)) {
    readblk(&relation, b, &block);
    partition(&block, &exchange, output, shared->workers);
  }
  for (int w = 0; w < shared->workers; w++) {
    output[w]->last = true;
    exchange.exchange_buffers(w, output[w]);
  }
  exchange.close();
}

Answer joinBuckets(const File& inner, const File& outer) {
  HashTable table(&inner);
  Answer answer = {};
  Block block;
  for (uint32_t b = 0; b < inner.count; b++) {
    readblk(&inner, b, &block);
    table.build_table(&block, b);
  }
  for (uint32_t b = 0; b < outer.count; b++) {
    readblk(&outer, b, &block);
    table.effect_join(&block, &answer);
  }
  return answer;
}

void joinOnce(Shared* shared, int worker, int round) {
  if (worker == 0) shuffleRelation(shared, kInner, round);
  if (worker == (shared->workers > 1 ? 1 : 0)) shuffleRelation(shared, kOuter, round);
  for (int which = 0; which < kRelations; which++) {
    pthread_barrier_wait(&shared->barrier);
    partitionRelation(shared, worker, which);
  }
  pthread_barrier_wait(&shared->barrier);
  const Answer answer =
      joinBuckets(shared->buckets[kInner][worker], shared->buckets[kOuter][worker]);
  pthread_mutex_lock(&shared->mutex);
  shared->answer.joined += answer.joined;
  shared->answer.keySum += answer.keySum;
  shared->answer.payloadSum += answer.payloadSum;
  pthread_mutex_unlock(&shared->mutex);
}

void work(Shared* shared, int worker) {
  for (int round = 0; round < shared->rounds; round++) joinOnce(shared, worker, round);
}

struct ThreadArgument {
  Shared* shared;
  int worker;
};

void* workInThread(void* argument) {
  const auto* own = static_cast<ThreadArgument*>(argument);
  work(own->shared, own->worker);
  return nullptr;
}

// True when all workers have ended well.
bool runThreads(Shared* shared) {
  pthread_t threads[kMostWorkers];
  ThreadArgument arguments[kMostWorkers];
  for (int w = 0; w < shared->workers; w++) {
    arguments[w] = {shared, w};
    if (pthread_create(&threads[w], nullptr, workInThread, &arguments[w]) != 0) return false;
  }
  for (int w = 0; w < shared->workers; w++) pthread_join(threads[w], nullptr);
  return true;
}

bool runProcesses(Shared* shared) {
  for (int w = 0; w < shared->workers; w++) {
    const pid_t pid = fork();
    if (pid < 0) fail("shm_join: fork");
    if (pid == 0) {
      work(shared, w);
      _exit(0);
    }
  }
  bool well = true;
  for (int w = 0; w < shared->workers; w++) {
    int status = 0;
    wait(&status);
    well = well && status == 0;
  }
  return well;
}

File makeFile(uint64_t blocks) {
  return {static_cast<Block*>(share(blocks * sizeof(Block))), 0, static_cast<uint32_t>(blocks)};
}

Shared* makeShared(int workers, uint64_t tuples, int rounds) {
  auto* shared = static_cast<Shared*>(share(sizeof(Shared)));
  shared->workers = workers;
  shared->tuples = tuples;
  shared->rounds = rounds;
  for (int which = 0; which < kRelations; which++) {
    const uint64_t blocks = blocksOf(which == kInner ? tuples : 2 * tuples);
    shared->relations[which] = makeFile(blocks);
    // More than a worker gets, with a part of a block from each.
    for (int w = 0; w < workers; w++) {
      const auto parts = static_cast<uint64_t>(workers);
      shared->buckets[which][w] = makeFile(blocks / parts + blocks / parts / 8 + 16 + 2 * parts);
    }
  }
  openStations(shared, 3 * workers);
  pthread_barrierattr_t attributes;
  pthread_barrierattr_init(&attributes);
  pthread_barrierattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
  pthread_barrier_init(&shared->barrier, &attributes, static_cast<unsigned>(workers));
  return shared;
}

}  // namespace

void* share(size_t bytes) {
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
  if (memory == MAP_FAILED) fail("shm_join: mmap");
  return memory;
}

int main(int count, char** arguments) {
  const bool threads = count > 1 && strcmp(arguments[1], "--threads") == 0;
  if (threads) {
    count--;
    arguments++;
  }
  const int workers = count > 1 ? atoi(arguments[1]) : 4;
  const long tuples = count > 2 ? atol(arguments[2]) : 200000;
  const int rounds = count > 3 ? atoi(arguments[3]) : 5;
  if (workers < 1 || workers > kMostWorkers || tuples < 2 || tuples % 2 != 0 || rounds < 1 ||
      count > 4) {
    fprintf(stderr, "usage: shm_join [--threads] [WORKERS (to %d) [TUPLES (even) [ROUNDS]]]\n",
            kMostWorkers);
    return 2;
  }
  Shared* shared = makeShared(workers, static_cast<uint64_t>(tuples), rounds);
  if (!(threads ? runThreads(shared) : runProcesses(shared))) {
    fprintf(stderr, "shm_join: a worker failed\n");
    return 1;
  }
  const Answer planted = plantedAnswer(shared->tuples), answer = shared->answer;
  const auto times = static_cast<uint64_t>(rounds);
  const bool right = answer.joined == times * planted.joined &&
                     answer.keySum == times * planted.keySum &&
                     answer.payloadSum == times * planted.payloadSum;
  printf("joined=%llu answer=%s\n", static_cast<unsigned long long>(answer.joined),
         right ? "right" : "wrong");
  return right ? 0 : 1;
}
