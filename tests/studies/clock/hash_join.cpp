#include <stdlib.h>
#include <string.h>

#include "join.h"

void partition(const Block* block, Exchange* exchange, Buffer** output, int workers) {
  for (uint32_t i = 0; i < block->count; i++) {
    const Tuple& tuple = block->tuples[i];
    const int to = static_cast<int>(hashOf(tuple) % static_cast<uint64_t>(workers));
    Block& out = output[to]->block;
    out.tuples[out.count++] = tuple;
    if (out.count < Block::kTuples) continue;
    exchange->exchange_buffers(to, output[to]);
    output[to] = exchange->get_output_buffers();
  }
}

HashTable::HashTable(const File* inner) : inner_(inner) {
  const size_t tuples = size_t{inner->count} * Block::kTuples;
  size_t buckets = 1;
  while (16 * buckets < tuples) buckets *= 2;  // chains of 8 to 16
  mask_ = static_cast<uint32_t>(buckets - 1);
  first_ = static_cast<uint32_t*>(calloc(buckets, sizeof *first_));
  entries_ = static_cast<Entry*>(malloc((tuples + 1) * sizeof *entries_));
  if (first_ == nullptr || entries_ == nullptr) abort();
}

HashTable::~HashTable() {
  free(first_);
  free(entries_);
}

void HashTable::build_table(const Block* block, uint32_t number) {
  for (uint32_t i = 0; i < block->count; i++) {
    uint32_t& first = first_[bucketOf(hashOf(block->tuples[i]))];
    entries_[++count_] = {first, number * Block::kTuples + i};
    first = count_;
  }
}

void HashTable::effect_join(const Block* block, Answer* answer) const {
  for (uint32_t i = 0; i < block->count; i++) {
    const Tuple& outer = block->tuples[i];
    for (uint32_t e = first_[bucketOf(hashOf(outer))]; e != 0; e = entries_[e].next) {
      const Tuple& inner = tupleAt(entries_[e].place);
      if (memcmp(inner.name, outer.name, sizeof inner.name) != 0) continue;
      answer->joined++;
      answer->keySum += inner.key;
      answer->payloadSum += inner.payload + outer.payload;
    }
  }
}
