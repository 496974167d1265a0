// The live page of a process: what a monitor asks of it, and what the process counts for it. A file that both map, DIR/PID.live,
// of mode 0600 in a directory of mode 0700. Little endian:
//
//   0         header      4096            who the process is; the words that it looks at
//   4096      points      64 x 256        written by the monitor
//   20480     tunables    64 x 128        variables that the program declares
//   28672     actions     64 x 1536       asked by the monitor, answered by the process
//   126976    shards      65 x 262144     what the process counts
//
//   shard     rows        64 x 4096       one for each point
//   row       cells       64 x 64         one for each key
//
// The file is sparse: a row has space on the disk once a thread has counted in it (`usedRows`). A thread has a shard of its
// own. The last shard is shared by all threads that find none.
//
// Values only grow. The monitor takes differences, and adds up all shards. Neither side waits for the other: if the monitor
// is gone, the process goes on counting; if the process is gone, the page stays as it was.
//
// The process looks at `asked` alone, one load, while that is 0. It is the number of points that are on, and of actions that
// are asked and not taken.
//
// A process that executes another program begins another page, which takes the name of the first one. A forked child has a
// page of its own.
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
  std::atomic<uint32_t> places; // grows when rank, task or library change

  // The low half: points that are on. The high half: actions that are asked and not taken.
  alignas(64) std::atomic<uint64_t> asked;
  // Grows after the points were changed. Before it does, the points are in order.
  std::atomic<uint32_t> pointsGeneration;
  uint32_t reserved;
  alignas(64) std::atomic<uint64_t> lost;  // visits that found no cell, or no space on the disk for one
  std::atomic<uint64_t> tunables;          // how many there are
  std::atomic<uint32_t> owners[kShards];   // the thread that counts in a shard; 0: nobody
  alignas(64) std::atomic<uint64_t> usedRows[kShards];  // bit i: row i has space
  char program[1024];
  char library[256];  // such as "Open MPI 4.1.4", "pvm 3.4.6"; empty: none, or not known yet
  // Of a task of PVM: where its output goes (task, context, tag; as libpvm3's `pvmtrc` has it), before `task` is known.
  std::atomic<int32_t> output[3];
  // Written by who started the task in the place of PVM's daemon and passes on what it prints: OutputState.
  std::atomic<uint32_t> outputState;
};
static_assert(sizeof(Header) <= 4096);

// kReads: something may have been read that was not sent yet.
enum class OutputState : uint32_t { kNobody, kReads, kSent };

inline constexpr uint64_t oneActionAsked = uint64_t{1} << 32;

// ------------------------------------------------------------------ points

enum class Key : uint32_t { kNone, kPeer, kSize };

// The monitor switches a place off, writes the point, and switches it on; then it raises pointsGeneration. A point that stays as it is keeps
// its place and its epoch, and so its counts.
struct Point {
  std::atomic<uint32_t> epoch;  // of its cells; grows each time that this place gets another point
  std::atomic<uint32_t> on;     // 0 or 1
  uint32_t key;                 // Key
  std::atomic<uint32_t> since;  // the pointsGeneration from which on this place has this point
  // Routines and groups, separated by commas: "pvm_send,pvm_mcast", "mpi:*", "pthread:*", "pvm:*", "process:*". A routine counts in the
  // first kMostPointsOfRoutine points that name it.
  char routines[240];
};
static_assert(sizeof(Point) == 256);
inline constexpr uint32_t kMostPointsOfRoutine = 5;

// One message, or a visit of a routine that moves none. A visit that moves several counts each with its bytes; its time goes to the
// first.
struct Cell {
  std::atomic<uint32_t> sequence;  // odd while it is written
  std::atomic<uint32_t> epoch;     // of the point; another one: the cell is of a former point, and counts as empty
  std::atomic<uint32_t> key;       // kPeer: the peer, kOthers for all beyond; kSize: the class; kNone: 0
  uint32_t reserved;
  std::atomic<uint64_t> count;
  std::atomic<uint64_t> bytes;
  std::atomic<double> squares;  // sum of the squares of the bytes
  std::atomic<uint64_t> ticks;  // in the routine
  std::atomic<uint64_t> leastTicks, mostTicks;  // of a visit; least 0: no visit has ended yet
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
  std::atomic<uint64_t> value;  // when it was declared or changed by an action
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
// Each arrow is one exchange of `place`, which also holds the id: a process that has looked at an action takes no other one that has
// come into its place meanwhile. The monitor raises Header::asked before the first arrow: a process that looks between the two looks
// in vain, and looks again. Who ends the state `asked` lowers it.
enum class ActionState : uint32_t { kFree, kAsked, kTaken, kDone, kRefused };
constexpr uint64_t actionWord(ActionState state, uint32_t id) { return uint64_t{id} << 32 | static_cast<uint32_t>(state); }
constexpr ActionState actionState(uint64_t word) { return static_cast<ActionState>(static_cast<uint32_t>(word)); }
constexpr uint32_t actionId(uint64_t word) { return static_cast<uint32_t>(word >> 32); }

// What a called function returns: in the answer as int64_t, or as a double.
enum class ReturnType : uint8_t { kInt, kLong, kDouble };
enum class ArgumentType : uint8_t { kInteger, kDouble, kString };  // kString: the word is an offset in `text`

inline constexpr uint32_t kMostArguments = 6;

struct Action {
  // The low half: ActionState. The high half: the id, greater than 0, never used again for another one.
  std::atomic<uint64_t> place;
  uint32_t kind;                // ActionKind
  uint32_t undoes;
  uint32_t argumentCount;
  uint32_t valueType;           // ValueType
  uint8_t argumentTypes[kMostArguments];  // ArgumentType
  uint8_t returns;              // kCall: ReturnType
  uint8_t reserved;
  uint64_t arguments[kMostArguments];  // a double by its bits
  // Where `name` is empty. With a `module`, a part of the path of a loaded object, it is the address as in the ELF file.
  uint64_t address;
  // Answers. Doubles by their bits.
  uint64_t result;              // what the call returned; the value that a variable has now
  uint64_t old;                 // the value before
  uint64_t answeredNs;          // CLOCK_MONOTONIC
  // The safe moment: the begin of a call of a routine, by its name, of a group ("mpi:*", "pvm:*", "pthread:*", "process:*"), or "any": of MPI
  // or PVM, or parallax_tuning_point(). The routine is called by the program, not by another routine or a handler of a signal.
  char at[128];
  char name[128];
  char module[256];
  char text[512];
  char answer[256];             // in plain words: why it was refused, or what a variable of MPI had and has
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
