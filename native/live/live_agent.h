// The live page of this process, from its own side (live_page.h).
//
// Signal handlers may call all functions but begin() and end(). Without a page they do nothing.
#pragma once

#include <atomic>
#include <cstdint>

#include "format/format.h"
#include "live/live_page.h"

namespace parallax::live {

// Of the page, or a word that stays 0.
extern std::atomic<const std::atomic<uint64_t>*> askedWord;
// Whether anything is asked of this process: points or actions. Two loads of memory that changes only then.
inline bool isAsked() { return askedWord.load(std::memory_order_relaxed)->load(std::memory_order_relaxed) != 0; }

// Makes the page in `directory`, and again in a child after fork. Returns null, or what went wrong; the program then cannot be tuned.
// `program` must last.
const char* begin(const char* directory, const char* program, uint64_t ticksPerSecond);
// In a child after fork, which until then counts nothing.
void beginInChild();
// The process ends, or executes another program.
void end();
// The execution has failed.
void goOn();

// The page, which is null in a child that has none of its own yet.
Page page();

// ---- what is known of the process
void tellRank(int rank);
void tellTask(int task);
// Before tellTask().
void tellOutput(const int (&output)[3]);
void tellLibrary(const char* text);
// Whether that was told already.
bool knowsLibrary();

// ---- points (live_points.cpp)

// The points that a routine counts in, as they are now.
//
//    63         40 39      32      8 7      0
//   +-------------+---------+- ... -+--------+
//   | generation  | fifth   |       | first  |   place + 1; 0: none
//   +-------------+---------+- ... -+--------+
struct RoutinePoints {
  static constexpr int kGenerationShift = 40;
  uint64_t word = 0;

  bool isEmpty() const { return (word << (64 - kGenerationShift)) == 0; }
  uint32_t generation() const { return static_cast<uint32_t>(word >> kGenerationShift); }
};
// `known` keeps the answer until the points change; 0 at first.
RoutinePoints pointsOf(const char* routine, format::Group group, std::atomic<uint64_t>& known);
// Whether a point that is on names a routine of the group.
bool isMeasured(format::Group group);
// Whether a text as in Point::routines or Action::at names a routine.
bool names(const char* list, size_t capacity, const char* routine, format::Group group);

// ---- cells (live_cells.cpp)

// Counts a message or a visit in the points that its routine had when it began. `timed`: the visit has ended, after so many
// ticks.
void count(RoutinePoints points, uint32_t peer, uint64_t bytes, uint64_t ticks, bool timed);
// The calling thread ends: its shard is another's.
void leaveShard();

}  // namespace parallax::live
