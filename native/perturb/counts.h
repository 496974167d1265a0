// The counts of a trial, in a file that all its processes share. Little endian:
//
//   0   8 bytes  PLXPERT1
//   8   u32      points: greater than every ID
//   12  u32      shards
//   16  u64      ticks a second
//   24  u64      virtual delay in all, ns (speed-up)
//   32  u32      claims of shards so far
//   36  u32      reserved
//   40  u64      who let another thread go on last (speedup_releases.h)
//   48  16 bytes reserved
//   64  shards, of 16 + 32 * points bytes each:
//       0   u32 pid, u32 tid of who has claimed it; 0: nobody
//       8   u64 reserved
//       16  for each ID: u64 count, u64 requested ns, u64 achieved ns, u64 skipped
//
// In a plan with ranges, whose IDs end before N, ID N + FACTOR tells of the factor's ranges: the
// samples in them, the ns that other threads are delayed for them, the ns that the samples stand
// for, and 0.
//
// A thread counts in its own shard, without atomic instructions. Every second shard stays unused,
// so that two threads never write to the same cache line. The last shard is shared, with atomic
// instructions, by all threads that find no free shard. A thread that ends leaves its shard
// unchanged.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/fork_generation.h"
#include "core/agent.h"

namespace parallax::perturb {

struct Cell {
  uint64_t count, requestedNs, achievedNs, skipped;
};
static_assert(sizeof(Cell) == 32);

// Where the calling thread counts.
struct ThreadCells {
  Cell* cells;          // by ID
  uint32_t generation;  // fork generation in which they were claimed; 0: none yet
  uint32_t tid;
  bool shared;
  bool treated;         // inside a lock or message of ours
  bool treats;          // inside any treatment: time that is no code's of the program
};
extern __thread ThreadCells threadCells __attribute__((tls_model("initial-exec")));

constexpr uint64_t kCountsHeaderBytes = 64, kShardHeaderBytes = 16;

// Creates the file, or opens the file of the other processes. Returns null, or the problem; the
// counts then go to memory that nobody reads. Once per process.
const char* openCounts(const char* path, uint32_t points, uint64_t ticksPerSecond);
// For the calling thread. Signal handlers may call it.
void claimCells();
// The total of virtual delay in the file's header, or in memory that nobody reads.
std::atomic<uint64_t>& virtualDelayNs();
// The last release in it, likewise.
std::atomic<uint64_t>& lastReleaseWord();

// Adds to a number in the cells of this thread. It must be one instruction: otherwise a signal
// handler that adds to the same number in between would be lost.
inline void add(uint64_t* number, uint64_t value, bool shared) {
  if (__builtin_expect(shared, false)) {
    __atomic_fetch_add(number, value, __ATOMIC_RELAXED);
  } else {
    asm("addq %1, %0" : "+m"(*number) : "er"(value) : "cc");
  }
}

// Writes one line into PATH.problems beside the counts file: `ID<TAB>text`, with `-` as the ID of a
// problem of all points. If the file cannot be written, the line is printed. Signal handlers may
// call both functions.
constexpr uint32_t kAllPoints = UINT32_MAX;
void tellProblem(uint32_t id, const char* text);
// Prints one line on stderr, which launchers forward from hosts that do not share our files.
// Without it, the trial would look like one without treatments.
void printProblem(const char* text);
// Where problems go from now on: beside this file.
void tellProblemsBeside(const char* path);

}  // namespace parallax::perturb
