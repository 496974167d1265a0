// The parts of shm_join, a parallel hash join in shared memory after the application of Irvin and
// Miller 1993, section 5.1, whose procedures have their names in the paper's Figures 6 and 7.
#ifndef PARALLAX_STUDIES_JOIN_H
#define PARALLAX_STUDIES_JOIN_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

// Seen as a procedure: not inlined, and not folded with another one.
#define PROCEDURE __attribute__((noinline, noclone, no_icf))
// Part of the procedure that calls it, for the compiler's hooks too.
#define PART_OF_CALLER __attribute__((always_inline, no_instrument_function)) inline

struct Tuple {
  uint64_t key;
  uint64_t payload;
  char name[48];  // the join attribute, made of the key
};

struct Block {
  static constexpr uint32_t kTuples = 15;
  uint32_t count;
  uint32_t unused;
  Tuple tuples[kTuples];
};
static_assert(sizeof(Block) <= 1024, "a block of the volume");

// A file of blocks on a volume, which is shared memory.
struct File {
  Block* blocks;
  uint32_t count, room;
};

// A block on its way between workers: that of `owner`, to whom it is returned when it is empty.
struct Buffer {
  Buffer* next;
  int owner;
  bool last;  // nothing follows from this worker
  Block block;
};

// Where a worker gets buffers: full ones of others, and its own ones back.
struct Station {
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  Buffer* first;  // inbox
  Buffer* end;
  Buffer* empty;
};

constexpr int kMostWorkers = 32;
enum { kInner, kOuter, kRelations };

// What a join gives: tuples, and the sums of their keys and payloads.
struct Answer {
  uint64_t joined, keySum, payloadSum;
};

struct Shared {
  int workers, rounds;
  uint64_t tuples;  // of the inner relation; the outer one has twice as many
  File relations[kRelations];
  File buckets[kRelations][kMostWorkers];  // what each worker joins
  Station stations[kMostWorkers];
  pthread_barrier_t barrier;
  pthread_mutex_t mutex;  // of the answer
  Answer answer;
};

// Memory that the workers share, whether they are threads or processes: zeroed, and there, so that
// no procedure of theirs has to wait for a page.
void* share(size_t bytes);
uint64_t blocksOf(uint64_t tuples);

// ---- relation.cpp
PROCEDURE void init_relation(File* relation, int which, uint64_t tuples);
PROCEDURE void random_shuffle(File* relation, uint64_t seed);
PROCEDURE void readblk(const File* file, uint32_t number, Block* block);
PROCEDURE void writeblk(File* file, const Block* block);
// What one join must give.
Answer plantedAnswer(uint64_t tuples);

// ---- exchange.cpp: buffers between workers
void openStations(Shared* shared, int buffersEach);

class Exchange {
 public:
  Exchange(Shared* shared, int worker) : shared_(shared), worker_(worker) {}
  // Begins to partition a relation: the buffers that come are written to this file, anew.
  void open(File* file);
  // An empty buffer of this worker; while there is none it takes what others have sent.
  PROCEDURE Buffer* get_output_buffers();
  // Gives a full buffer to another worker, and takes what has come for this one.
  PROCEDURE void exchange_buffers(int to, Buffer* full);
  // Takes what comes until all have said that nothing follows.
  void close();

 private:
  PROCEDURE void return_buffer(Buffer* buffer);
  void take(Buffer* received);
  void waitForMore();

  Shared* shared_;
  int worker_;
  File* file_ = nullptr;
  int ended_ = 0;
};

// ---- hash_join.cpp
PROCEDURE void partition(const Block* block, Exchange* exchange, Buffer** output, int workers);

class HashTable {
 public:
  explicit HashTable(const File* inner);
  ~HashTable();
  PROCEDURE void build_table(const Block* block, uint32_t number);
  PROCEDURE void effect_join(const Block* block, Answer* answer) const;

 private:
  struct Entry {
    uint32_t next;  // 0 ends the chain
    uint32_t place;
  };
  PART_OF_CALLER uint32_t bucketOf(uint64_t hash) const {
    return static_cast<uint32_t>(hash >> 20) & mask_;
  }
  PART_OF_CALLER const Tuple& tupleAt(uint32_t place) const {
    return inner_->blocks[place / Block::kTuples].tuples[place % Block::kTuples];
  }

  const File* inner_;
  uint32_t mask_;
  uint32_t* first_;
  Entry* entries_;
  uint32_t count_ = 0;
};

PART_OF_CALLER uint64_t hashOf(const Tuple& tuple) {
  uint64_t hash = 0xCBF29CE484222325u;  // FNV-1a
  for (char c : tuple.name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3u;
  return hash;
}

#endif
