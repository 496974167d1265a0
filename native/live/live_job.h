// What the processes of one MPI job on this machine agree on while they are tuned: a file that all of them map, DIR/JOB.job, of
// mode 0600. The monitor does not use it.
//
// Another algorithm of a collective must be taken by all processes at the same call, or they wait for each other for ever.
// Nobody stops a process to ask. Instead, the first process that begins call N of those that are counted *decides* for
// call N by one exchange of `decision`, and all others find it there:
//
//   - Counted are calls of which no process can leave one before all have begun it, because each needs the data of all others, on
//     one communicator. So no process is further ahead of another than the next call, and one word is enough for the decision.
//   - Each process says by `wishes` what it wants, and from which of its calls on; no two begin with the same call. It is decided
//     for a method if all want it for this call; otherwise for the library's own.
//   - A process that has never wished anything when it begins call N takes the library's own without looking: its wishes
//     begin with call N + 1 at the earliest, so nobody can have decided otherwise. A process that has wished always looks.
//
//   - A call that fails is not counted. It may have been decided for, so the others can find a decision that was made for other
//     arguments: all of them know whether it is possible for theirs.
//
// So a process that refuses, is late, or takes its wish back keeps all others at, or brings them back to, the library's own.
#pragma once

#include <atomic>
#include <cstdint>

namespace parallax::live {

inline constexpr char kJobEnding[] = ".job";
inline constexpr uint32_t kMostMembers = 64;     // processes of a job that can agree
inline constexpr uint32_t kChoiceRoutines = 2;   // collectives that can be chosen for
inline constexpr uint32_t kWishes = 8;           // of a process for a routine; of those that fit a call, the one that begins last counts

//    63       24 23    16 15     8 7      0
//   +-----------+--------+--------+--------+
//   | from call | method | least  | most   |   0: none
//   +-----------+--------+--------+--------+    least, most: classes of sizes (sizeClass in live_page.h)
struct Wish {
  uint64_t word = 0;

  static constexpr uint64_t kLastCall = (uint64_t{1} << 40) - 1;
  static Wish of(uint64_t from, uint8_t method, uint8_t least, uint8_t most) {
    return {from << 24 | uint64_t{method} << 16 | uint64_t{least} << 8 | most};
  }
  uint64_t from() const { return word >> 24; }
  uint8_t method() const { return static_cast<uint8_t>(word >> 16); }
  bool holdsFor(uint32_t sizeClass) const { return word != 0 && (word >> 8 & 0xff) <= sizeClass && sizeClass <= (word & 0xff); }
};

struct Member {
  alignas(64) std::atomic<uint64_t> wishes[kChoiceRoutines][kWishes];
};

struct JobPage {
  std::atomic<uint64_t> members;  // bit i: rank i has mapped it
  //    63      8 7      0
  //   +---------+--------+
  //   | call    | method |   of the last call that is decided
  //   +---------+--------+
  alignas(64) std::atomic<uint64_t> decision;
  // When a process began a call last, in ticks; of even calls and of odd ones. Nobody begins call N + 2 before all have left call N,
  // so whoever leaves N still finds the time of N.
  struct alignas(64) Time {
    std::atomic<uint64_t> ticks;
  };
  Time begun[2];
  Member member[kMostMembers];
};

// Maps the page of a job and makes it if need be, in the directory of the live pages; null: there is none, or no space. It stays mapped.
JobPage* mapJobPage(uint64_t job);

// The method that all `size` members want for this call; 0: the library's own.
uint8_t commonWish(const JobPage& page, uint32_t size, uint32_t routine, uint32_t sizeClass, uint64_t call);

// Adds a wish of the own process, from the call after `calls` on or later, and sets `from` to this. Returns its place, where 0 takes it
// back; null: all places are in use.
std::atomic<uint64_t>* addWish(Member& member, uint32_t routine, uint64_t calls, uint8_t method, uint8_t least, uint8_t most, uint64_t* from);

// The method of a call of the own process, whose wishes `member` has had one of. The same in all processes.
uint8_t decide(JobPage& page, uint32_t size, uint32_t routine, uint32_t sizeClass, uint64_t call, bool isPossible);

// The own process begins a call: the time counts if no other one is later.
void tellBegin(JobPage& page, uint64_t call, uint64_t ticks);
// When the last process began the call that the own process leaves.
inline uint64_t lastBegin(const JobPage& page, uint64_t call) { return page.begun[call & 1].ticks.load(std::memory_order_acquire); }

}  // namespace parallax::live
