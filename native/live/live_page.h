// The live page of a process: a file that the process and a monitor map, DIR/PID.live. The monitor writes what it asks for, and the
// process writes what it counts. The file has mode 0600, its directory mode 0700. Numbers are little endian:
//
//   0         header      4096            the identity of the process; the words that it checks at each call
//   4096      points      64 x 256        written by the monitor
//   20480     tunables    64 x 128        variables that the program declares
//   28672     actions     64 x 1536       asked by the monitor, answered by the process
//   126976    shards      65 x 262144     what the process counts
//
//   shard     rows        64 x 4096       one for each point
//   row       cells       64 x 64         one for each key
//
// The file is sparse: a row gets space on the disk when a thread first counts in it (`usedRows`). Each thread has a shard of its own. Once
// all shards are taken, further threads share the last one.
//
// Counts only grow. The monitor adds up all shards, and takes differences over time. Neither side waits for the other. If the monitor
// ends, the process goes on counting. If the process ends, its page stays as it was.
//
// `asked` has the number of points that are on, and of actions that are asked and not taken. While it is 0, the process loads this word
// and nothing else of the page.
//
// A process that executes another program makes a new page, which takes the name of the former one. A forked child has a page of its
// own.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace parallax::live {

inline constexpr char kMagic[8] = {'P', 'L', 'X', 'L', 'I', 'V', 'E', '1'};
inline constexpr uint32_t kVersion = 1;
inline constexpr char kEnding[] = ".live";

inline constexpr uint32_t kPoints = 64, kTunables = 64, kActions = 64;
inline constexpr uint32_t kOwnShards = 64, kShards = kOwnShards + 1, kSharedShard = kOwnShards;
inline constexpr uint32_t kCells = 64;

enum class ProcessState : uint32_t { kRuns = 1, kEnded = 2 };

struct Header {
  char magic[8];
  uint32_t version;
  int32_t pid;
  uint64_t startTicks;      // of the process: field 22 of /proc/PID/stat
  uint64_t madeNs;          // CLOCK_MONOTONIC, when this page was made
  uint64_t ticksPerSecond;  // of the times in cells
  std::atomic<uint32_t> state;  // ProcessState
  std::atomic<int32_t> rank;    // in MPI_COMM_WORLD; -1: none, or not known yet
  std::atomic<int32_t> task;    // of PVM; -1 as well
  std::atomic<uint32_t> places; // grows when rank, task or library changes

  // The low half: points that are on. The high half: actions that are asked and not taken.
  alignas(64) std::atomic<uint64_t> asked;
  // Grows after each change of the points, when they are valid again.
  std::atomic<uint32_t> pointsGeneration;
  uint32_t reserved;
  alignas(64) std::atomic<uint64_t> lost;  // visits that were not counted: there was no free cell, or no disk space for one
  std::atomic<uint64_t> tunables;          // how many there are
  std::atomic<uint32_t> owners[kShards];   // the thread that counts in a shard; 0: nobody
  alignas(64) std::atomic<uint64_t> usedRows[kShards];  // bit i: row i has space
  char program[1024];
  char library[256];  // such as "Open MPI 4.1.4", "pvm 3.4.6"; empty: none, or not known yet
  // Where the output of a task of PVM goes: task, context and tag, as in `pvmtrc` of libpvm3. Written before `task`.
  std::atomic<int32_t> output[3];
  // OutputState. Written by the tasker, which has started the task in place of PVM's daemon and passes on what it prints.
  std::atomic<uint32_t> outputState;
};
static_assert(sizeof(Header) <= 4096);

// kReads: the tasker may have read output that it has not sent yet.
enum class OutputState : uint32_t { kNobody, kReads, kSent };

inline constexpr uint64_t oneActionAsked = uint64_t{1} << 32;

// ------------------------------------------------------------------ points

enum class Key : uint32_t { kNone, kPeer, kSize };

// To change a point, the monitor switches its place off, writes the point, switches it on, and raises pointsGeneration. A point that does
// not change keeps its place, its epoch and its counts.
struct Point {
  std::atomic<uint32_t> epoch;  // of its cells; grows each time the place gets another point
  std::atomic<uint32_t> on;     // 0 or 1
  uint32_t key;                 // Key
  std::atomic<uint32_t> since;  // the pointsGeneration from which on this place has this point
  // Routines and groups, separated by commas: "pvm_send,pvm_mcast", "mpi:*", "pthread:*", "pvm:*", "process:*". Only the first
  // kMostPointsOfRoutine points that name a routine count it.
  char routines[240];
};
static_assert(sizeof(Point) == 256);
inline constexpr uint32_t kMostPointsOfRoutine = 5;

// Counts messages, and visits of routines that move none. Of a visit with several messages, each counts with its bytes, and the first
// one gets the time of the visit.
struct Cell {
  std::atomic<uint32_t> sequence;  // odd while it is written
  std::atomic<uint32_t> epoch;     // of the point; if the point has another one, the cell is of a former point and counts as empty
  std::atomic<uint32_t> key;       // kPeer: the peer, or kOthers where no cell is left; kSize: the class; kNone: 0
  uint32_t reserved;
  std::atomic<uint64_t> count;
  std::atomic<uint64_t> bytes;
  std::atomic<double> squares;  // sum of the squares of the bytes
  std::atomic<uint64_t> ticks;  // in the routine
  std::atomic<uint64_t> leastTicks, mostTicks;  // of a visit; 0 until one has ended
};
static_assert(sizeof(Cell) == 64);
inline constexpr uint32_t kOthers = UINT32_MAX;

// 0: no bytes; else 2^(class - 1) <= bytes < 2^class.
constexpr uint32_t sizeClass(uint64_t bytes) {
  const uint32_t bits = bytes == 0 ? 0 : 64 - static_cast<uint32_t>(__builtin_clzll(bytes));
  return bits < kCells ? bits : kCells - 1;
}
constexpr uint64_t leastBytes(uint32_t sizeClass) { return sizeClass == 0 ? 0 : uint64_t{1} << (sizeClass - 1); }

// --------------------------------------------------------------- tunables

enum class ValueType : uint32_t { kI32, kU32, kI64, kU64, kF32, kF64 };

// Values are bits of a 64-bit number of the type's kind: int64_t, uint64_t or double.
struct Tunable {
  std::atomic<uint32_t> state;  // 1: all others are written
  uint32_t type;                // ValueType
  std::atomic<uint64_t> value;  // as it was declared, or as an action has set it last
  uint64_t least, most;
  uint64_t address;             // in the process
  char name[88];
};
static_assert(sizeof(Tunable) == 128);

// ---------------------------------------------------------------- actions

enum class ActionKind : uint32_t {
  kCall = 1,       // the function `name`, or at `address`
  kSetVariable,    // the variable `name`, or at `address`, of the type valueType: arguments[0]
  kMpiVariable,    // the control variable `name` of MPI_T: `text`
  kTunable,        // the variable that the program declares as `name`: arguments[0] of its type
  kArgument,       // these three change code: `text` is the path of a prepared patch
  kInsertCall,
  kReplace,
  kUndo,           // the action with the id `undoes`
  kCollective,     // the method `text` of the collective `name`, for arguments[0] to arguments[1] bytes (live_job.h)
};

// free ──monitor──▶ asked ──process──▶ taken ──▶ done | refused ──monitor──▶ free
//                     └────monitor (takes it back)──────────────────────────▶ free
// Each arrow is one atomic exchange of `place`, which also holds the id. So a process never takes another action that has come into the
// same place meanwhile. The monitor raises Header::asked before the first arrow; a process that looks in between finds nothing, and
// looks again at its next call. The side that ends the state `asked` lowers Header::asked.
enum class ActionState : uint32_t { kFree, kAsked, kTaken, kDone, kRefused };
constexpr uint64_t actionWord(ActionState state, uint32_t id) { return uint64_t{id} << 32 | static_cast<uint32_t>(state); }
constexpr ActionState actionState(uint64_t word) { return static_cast<ActionState>(static_cast<uint32_t>(word)); }
constexpr uint32_t actionId(uint64_t word) { return static_cast<uint32_t>(word >> 32); }

// What a called function returns: in the answer as int64_t, or as a double.
enum class ReturnType : uint8_t { kInt, kLong, kDouble };
enum class ArgumentType : uint8_t { kInteger, kDouble, kString };  // kString: the word is an offset in `text`

inline constexpr uint32_t kMostArguments = 6;

struct Action {
  // The low half: ActionState. The high half: the id, which is above 0 and never used again.
  std::atomic<uint64_t> place;
  uint32_t kind;                // ActionKind
  uint32_t undoes;
  uint32_t argumentCount;
  uint32_t valueType;           // ValueType
  uint8_t argumentTypes[kMostArguments];  // ArgumentType
  uint8_t returns;              // kCall: ReturnType
  uint8_t reserved;
  uint64_t arguments[kMostArguments];  // a double by its bits
  // Used if `name` is empty. If `module` has a part of the path of a loaded object, it is an address of that ELF file.
  uint64_t address;
  // The answer. A double has its bits here.
  uint64_t result;              // what the call returned; the value that a variable has now
  uint64_t old;                 // the value before
  uint64_t answeredNs;          // CLOCK_MONOTONIC
  // The safe moment, at which the action is taken: the begin of a call of a routine, by its name or its group ("mpi:*", "pvm:*", "pthread:*",
  // "process:*"). "any" stands for all routines of MPI and PVM, and parallax_tuning_point(). Only calls by the program count, not those by
  // other routines or in handlers of signals.
  char at[128];
  char name[128];
  char module[256];
  char text[512];
  char answer[256];             // a sentence: why it was refused, or which value a variable of MPI had and has
};
inline constexpr uint64_t kActionBytes = 1536;
static_assert(sizeof(Action) <= kActionBytes);

// ------------------------------------------------------------------ places

inline constexpr uint64_t kPointsOffset = 4096;
inline constexpr uint64_t kTunablesOffset = kPointsOffset + kPoints * sizeof(Point);
inline constexpr uint64_t kActionsOffset = kTunablesOffset + kTunables * sizeof(Tunable);
inline constexpr uint64_t kShardsOffset = kActionsOffset + kActions * kActionBytes;
inline constexpr uint64_t kRowBytes = kCells * sizeof(Cell);
inline constexpr uint64_t kShardBytes = kPoints * kRowBytes;
inline constexpr uint64_t kPageBytes = kShardsOffset + kShards * kShardBytes;
static_assert(kTunablesOffset == 20480 && kActionsOffset == 28672 && kShardsOffset == 126976 && kRowBytes == 4096);
static_assert(std::atomic<double>::is_always_lock_free && std::atomic<uint64_t>::is_always_lock_free);

// The parts of a mapped page.
class Page {
 public:
  explicit Page(void* at = nullptr) : at_(static_cast<char*>(at)) {}
  explicit operator bool() const { return at_ != nullptr; }
  void* address() const { return at_; }
  Header& header() const { return *reinterpret_cast<Header*>(at_); }
  Point& point(uint32_t i) const { return reinterpret_cast<Point*>(at_ + kPointsOffset)[i]; }
  Tunable& tunable(uint32_t i) const { return reinterpret_cast<Tunable*>(at_ + kTunablesOffset)[i]; }
  Action& action(uint32_t i) const { return *reinterpret_cast<Action*>(at_ + kActionsOffset + i * kActionBytes); }
  static uint64_t rowOffset(uint32_t shard, uint32_t point) { return kShardsOffset + shard * kShardBytes + point * kRowBytes; }
  Cell* row(uint32_t shard, uint32_t point) const { return reinterpret_cast<Cell*>(at_ + rowOffset(shard, point)); }

 private:
  char* at_;
};

}  // namespace parallax::live
