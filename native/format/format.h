// Trace format 1: layout of event files and definitions files.
// FORMAT.md beside this file is the specification; this header is its C++ form.
#pragma once

#include <cstddef>
#include <cstdint>

namespace parallax::format {

inline constexpr uint32_t kVersion = 1;

// ---------------------------------------------------------------- event files

inline constexpr size_t kBlockBytes = 65536;
inline constexpr uint32_t kBlockMagic = 0x424B4C50;  // "PLKB" as bytes in the file
inline constexpr uint16_t kBlockClosed = 1;          // flags: `used` and `crc` are valid

//  byte 0        4        6        8           12
//  +------------+--------+--------+-----------+-----------+
//  |   magic    | version| flags  |  thread   |   used    |  0
//  +------------+--------+--------+-----------+-----------+
//  |         base ticks           |        number         |  16
//  +------------------------------+-----------------------+
//  |  CLOCK_MONOTONIC ns at base  | thread CPU ns at base |  32
//  +------------+-----------------+-----------+-----------+
//  |   lost     |   open path     | kept from |   crc32c  |  48
//  +------------+-----------------+-----------+-----------+
//  |  up to 8184 slots of 8 bytes                         |  64
//  +------------------------------------------------------+
struct BlockHeader {
  uint32_t magic;
  uint16_t version;
  uint16_t flags;
  uint32_t thread;       // id of the thread in its process
  uint32_t used;         // slots in use; valid when closed, else scan to the first zero slot
  uint64_t baseTicks;    // slots hold their distance from this
  uint64_t number;       // ordinal among the blocks of its thread, from 0
  uint64_t monotonicNs;  // CLOCK_MONOTONIC read together with baseTicks
  uint64_t cpuNs;        // CPU time of the thread at baseTicks
  uint32_t lost;         // events dropped between the previous block and this one
  uint32_t openPath;     // call path of the innermost open Enter at the base, 0 for none
  uint32_t keptFrom;     // of the first block of a file: the place in it of the first kept block, 0: all are kept
  uint32_t crc;          // CRC-32C of header (this field zero) and used slots; valid when closed
};
static_assert(sizeof(BlockHeader) == 64);

inline constexpr size_t kBlockSlots = (kBlockBytes - sizeof(BlockHeader)) / sizeof(uint64_t);

//   63 62      57 56                   37 36                             0
//  +--+----------+-----------------------+-------------------------------+
//  | 0|   kind   |        operand        |    ticks since base ticks     |   event
//  +--+----------+-----------------------+-------------------------------+
//  +--+------------------------------------------------------------------+
//  | 1|                       value (63 bits)                            |   payload
//  +--+------------------------------------------------------------------+
inline constexpr int kTimeBits = 37;
inline constexpr int kOperandBits = 20;
inline constexpr uint64_t kPayloadBit = 1ull << 63;
inline constexpr uint64_t kTimeMask = (1ull << kTimeBits) - 1;
inline constexpr uint32_t kOperandMask = (1u << kOperandBits) - 1;
// An operand that does not fit is written as this, and its value as the first payload slot.
inline constexpr uint32_t kOperandEscape = kOperandMask;

enum class Kind : uint8_t {
  kNone = 0,           // an unused slot
  kEnter = 1,          // operand: call path, whose leaf is the routine entered
  kLeave = 2,          // operand: that of the Enter it ends
  kSample = 3,         // operand: call path
  kCpu = 4,            // payload: thread CPU time, ns; lost since the event before, ns [, runnable, ns]
  kSend = 5,           // operand: communicator; payload: peer<<32|tag, bytes [, request]
  kReceivePost = 6,    // operand: communicator; payload: peer<<32|tag (wildcards allowed), request
  kReceive = 7,        // operand: communicator; payload: peer<<32|tag, bytes [, request]
  kRequestDone = 8,    // payload: request (of a send)
  kRequestCancel = 9,  // payload: request
  kCollectivePost = 10,  // operand: communicator; payload: op<<31|root, sent, received, sequence [, providers]
  kCollective = 11,      // as kCollectivePost; at completion
  kAcquire = 12,       // operand: sync object; payload: sequence<<1|waited
  kRelease = 13,       // operand: sync object; payload: sequence
  kSignal = 14,        // operand: sync object; payload: sequence
  kWake = 15,          // operand: sync object; payload: sequence of the last signal, 0: none
  kBarrier = 16,       // operand: sync object; payload: generation, participants
  kThreadBegin = 17,   // payload: creating thread + 1, 0: none
  kThreadEnd = 18,
  kThreadCreate = 19,  // payload: created thread
  kThreadJoin = 20,    // payload: joined thread
  kProbe = 21,         // operand: communicator; payload: peer<<32|tag, bytes
  kVisits = 22,        // operand: call path; payload: visits of its leaf since the last of these
  kThrottled = 23,     // operand: call path; payload: calls so far
  kPhaseBegin = 24,    // operand: region
  kPhaseEnd = 25,      // operand: region
  kMark = 26,          // operand: region
  kValue = 27,         // operand: metric; payload: value, lower and upper 32 bits
  kThreadCounters = 28,  // payload: context switches voluntary, involuntary; faults minor, major
  kProcessCreate = 29,   // payload: id, how
  kProcessWait = 30,     // payload: id, how, status
  kStreamSend = 31,      // operand: stream; payload: offset of the first byte, bytes
  kStreamReceive = 32,   // operand: stream; payload: offset of the first byte, bytes
  kFile = 33,            // operand: file; payload: op, bytes
  kWindow = 34,          // operand: window; payload: op<<31|rank [, sent, received [, request]]
  kKeptState = 35,       // operand: call path of what stands for the time before; Kept events follow
  kKept = 36,            // operand and payload: see KeptWhat
  kPoll = 37,            // operand: 1 with success, 0 without; payload: attempts without success, ns of work
  kPartitionedSend = 38,     // operand: communicator; payload: peer<<32|tag, ordinal<<32|start, op<<32|partitions,
                             // first<<32|count, bytes
  kPartitionedReceive = 39,  // the same
};

// What a Kept event tells of the events of the thread before it, in its first payload slot.
enum class KeptWhat : uint8_t {
  kNone = 0,
  kCall = 1,        // operand: call path; ticks of its Enter, CPU ns of the thread at an earlier time, ticks of that
  kPhase = 2,       // operand: region
  kSends = 3,       // operand: communicator; peer<<32|tag, count
  kReceives = 4,    // the same
  kOvertaking = 5,  // operand: communicator; peer<<32|tag, count, request
  kPosted = 6,      // operand: communicator; peer<<32|tag (wildcards allowed), request
  kCollective = 7,  // operand: communicator; op<<31|root, sent, received, sequence
  kEpochs = 8,      // operand: window; op<<31|rank, count
};

inline constexpr uint32_t kAnySource = 0x7fffffff;
inline constexpr uint32_t kAnyTag = 0xffffffff;
inline constexpr uint32_t kNoRoot = 0x7fffffff;

// The op of a collective. What it makes wait for what is in FORMAT.md.
enum class Collective : uint8_t {
  kBarrier = 1, kBcast, kGather, kGatherv, kScatter, kScatterv, kAllgather, kAllgatherv,
  kAlltoall, kAlltoallv, kAlltoallw, kReduce, kAllreduce, kReduceScatter, kReduceScatterBlock,
  kScan, kExscan, kNeighborAllgather, kNeighborAllgatherv, kNeighborAlltoall,
  kNeighborAlltoallv, kNeighborAlltoallw, kCommCreate, kInit, kFinalize, kWinCreate, kWinFree,
  kWinFence, kWinFenceOpen,
  kCommSpawn = 30, kCommConnect, kCommDisconnect, kFileOpen, kFileClose, kFileSetSize, kFileSetView,
  kFileSync, kFileSeek, kFileRead, kFileWrite, kSessionInit, kSessionFinalize,
};

// Whose data a participant of a collective receives, in the payload after its sequence.
enum class Providers : uint8_t {
  kRuns = 1,    // each further slot: first rank<<31|count
  kBits = 2,    // bit i % 63 of further slot i / 63 is rank i
  kUnknown = 3,
};
inline constexpr uint32_t kRanksPerSlot = 63;

// The op of a Window event. What waits for what is in FORMAT.md.
enum class WindowOp : uint8_t {
  kPut = 1, kGet, kAccumulate, kGetAccumulate, kFetchAndOp, kCompareAndSwap, kDone, kPost, kStart,
  kComplete, kWait, kLockShared, kLockExclusive, kUnlock, kFlush, kFlushLocal,
};

// What a process says of a partitioned send or receive.
enum class PartitionOp : uint8_t {
  kStart = 1,
  kPartitions = 2,  // sent: these are ready; received: these were seen to be there
  kDone = 3,
};

// ----------------------------------------------------------- definitions files

//  +--------+--------+----------------+-----------------------------------+
//  | 'P' 'L' 'K' 'D' 'E' 'F' 'S' '\0' |  version (u32)  |  0x01020304      |  file header
//  +--------+--------+----------------+-----------------------------------+
//  |  size (u32)     | type | check   |  body: size - 8 bytes             |  record, repeated
//  +--------+--------+----------------+-----------------------------------+
inline constexpr char kDefinitionsMagic[8] = {'P', 'L', 'K', 'D', 'E', 'F', 'S', '\0'};
inline constexpr uint32_t kByteOrderMark = 0x01020304;
// The mode of an empty definitions file for which there was no space. Another empty one is of a process that was
// killed while it made it.
inline constexpr int kNoSpaceMode = 01600;

struct RecordHeader {
  uint32_t size;   // bytes of the record, header included; a multiple of 8
  uint16_t type;   // Record; 0 while the body is being written
  uint16_t check;  // lower half of the CRC-32C of the body
};
static_assert(sizeof(RecordHeader) == 8);

enum class Record : uint16_t {
  kPending = 0,
  kProcess = 1,
  kProcessEnd = 2,
  kClockSync = 3,
  kThread = 4,
  kModule = 5,
  kModuleUnload = 6,
  kRegion = 7,
  kCallPath = 8,
  kMpi = 9,
  kCommunicator = 10,
  kSyncObject = 11,
  kNote = 12,
  kSetting = 13,
  kThreadName = 14,
  kMetric = 15,
  kStream = 16,
  kFile = 17,
  kPvm = 18,
  kLosses = 19,
  kReserved = 20,
  kEvents = 21,  // the first block of a thread, a small one; its check is that of the block
  kClockOffset = 22,
};

enum class Clock : uint16_t { kMonotonic = 0, kTsc = 1 };
// What tells a thread that it has lost the processor: its clock at the ends of waits, the page of
// a perf event, or the mark that the kernel clears.
enum class CpuClock : uint16_t { kNone = 0, kThreadClock = 1, kPerfPage = 2, kSwitchMark = 3, kSamples = 4 };
// What kept something from being recorded.
enum class LossCause : uint16_t {
  kNone = 0, kDiskFull = 1, kDiskReserved = 2, kTraceTooLarge = 3, kFileTooLarge = 4, kMemory = 5,
  kDescriptors = 6, kOther = 7, kForbidden = 8, kBehind = 9, kProcessTooLarge = 10,
};
enum class Group : uint16_t {
  kUser = 0, kMpi = 1, kPthread = 2, kAgent = 3, kOpenMp = 4, kProcess = 5, kStream = 6, kFile = 7,
  kPvm = 8, kPhase = 9,
};
enum class PathKind : uint16_t { kRegion = 0, kReturnAddress = 1, kAddress = 2, kFunction = 3 };
enum class SyncKind : uint16_t {
  kMutex = 1, kCondition = 2, kBarrier = 3, kReadWriteLock = 4, kSpinLock = 5, kSemaphore = 6,
  kOpenMpLock = 7, kOpenMpTasks = 8, kSignal = 9, kFutex = 10,
  kOpenMpTaskEnds = 14,
  kEventfd = 16, kTimer = 17, kSystemVSemaphore = 18, kMessageQueue = 19, kQueueRoom = 20, kFileLock = 21,
  kEventSource = 22,
};
enum class MetricKind : uint16_t { kGauge = 0, kCounter = 1 };
enum class MetricType : uint16_t { kUnsigned = 0, kDouble = 1 };
enum class StreamKind : uint16_t {
  kPipe = 1, kUnixStream = 2, kTcp = 3, kUnixPacket = 4, kUdp = 5,
};
enum class Creation : uint16_t { kFork = 0, kVfork = 1, kSpawn = 2, kPvmSpawn = 3, kMpiSpawn = 4 };
enum class FileOp : uint16_t { kOpen = 1, kClose, kRead, kWrite, kSync, kSeek, kOther };
enum class EndReason : uint16_t {
  kExit = 0,
  kExec = 1,
  kSandbox = 2,  // it goes on, but has forbidden itself what recording takes
  kDetached = 3,  // it goes on without the agent
};

}  // namespace parallax::format
