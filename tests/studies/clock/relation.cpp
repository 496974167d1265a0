#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <utility>

#include "join.h"

namespace {

// Half of the outer tuples match: each inner tuple with an even key two of them.
PART_OF_CALLER uint64_t keyOf(int which, uint64_t number, uint64_t tuples) {
  if (which == kInner) return number;
  return number % 2 == 0 ? number / 2 % (tuples / 2) * 2 : tuples + number;
}

PART_OF_CALLER uint64_t payloadOf(uint64_t key) { return key * 2654435761u % 1000003; }

PART_OF_CALLER void fill(Tuple* tuple, uint64_t key) {
  tuple->key = key;
  tuple->payload = payloadOf(key);
  uint64_t x = key * 0x9E3779B97F4A7C15u + 1;
  for (size_t i = 0; i < sizeof tuple->name; i++) {
    if (i % 8 == 0) x = x * 6364136223846793005u + 1442695040888963407u;
    tuple->name[i] = static_cast<char>('A' + (x >> (20 + 5 * (i % 8)) & 15));
  }
}

PART_OF_CALLER Tuple& tupleAt(const File& file, uint64_t number) {
  return file.blocks[number / Block::kTuples].tuples[number % Block::kTuples];
}

}  // namespace

uint64_t blocksOf(uint64_t tuples) { return (tuples + Block::kTuples - 1) / Block::kTuples; }

void init_relation(File* relation, int which, uint64_t tuples) {
  const uint64_t count = which == kInner ? tuples : 2 * tuples;
  relation->count = static_cast<uint32_t>(blocksOf(count));
  for (uint64_t i = 0; i < count; i++) {
    fill(&tupleAt(*relation, i), keyOf(which, i, tuples));
    relation->blocks[i / Block::kTuples].count++;
  }
}

void random_shuffle(File* relation, uint64_t seed) {
  uint64_t count = 0;
  for (uint32_t b = 0; b < relation->count; b++) count += relation->blocks[b].count;
  uint64_t x = seed;
  for (uint64_t i = count; i > 1; i--) {
    x = x * 6364136223846793005u + 1442695040888963407u;
    std::swap(tupleAt(*relation, i - 1), tupleAt(*relation, (x >> 16) % i));
  }
}

void readblk(const File* file, uint32_t number, Block* block) {
  memcpy(block, &file->blocks[number], sizeof *block);
}

void writeblk(File* file, const Block* block) {
  if (file->count == file->room) {
    fputs("shm_join: the tuples are not spread as they should be\n", stderr);
    abort();
  }
  memcpy(&file->blocks[file->count++], block, sizeof *block);
}

Answer plantedAnswer(uint64_t tuples) {
  Answer answer = {};
  for (uint64_t i = 0; i < 2 * tuples; i += 2) {
    const uint64_t key = keyOf(kOuter, i, tuples);
    answer.joined++;
    answer.keySum += key;
    answer.payloadSum += 2 * payloadOf(key);
  }
  return answer;
}
