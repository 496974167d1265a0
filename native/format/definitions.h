// The records of definitions files, each described once for both directions: its fields in
// the order of the file. Header-only; RecordWriter calls nothing but memcpy and is fit for
// the agent.
//
//   char buffer[512];
//   RecordWriter writer(buffer, sizeof buffer);
//   size_t size = writer.encode(RegionRecord{1, Group::kMpi, "MPI_Send"});
//   if (size > 0) publishRecord(reserve(size), buffer, size);
#pragma once

#include <cstring>
#include <string_view>
#include <type_traits>

#include "format/crc32c.h"
#include "format/format.h"

namespace parallax::format {

struct ProcessRecord {
  static constexpr Record kType = Record::kProcess;
  uint64_t startTicks = 0, monotonicNs = 0, realtimeNs = 0, tickHz = 0;
  uint32_t pid = 0, parentPid = 0;
  Clock clock = Clock::kMonotonic;
  CpuClock cpuClock = CpuClock::kNone;
  uint32_t sampleHz = 0;
  std::string_view host, executable;
  std::string_view command;  // NUL between arguments
  std::string_view directory;

  template <class Self, class Fields>
  static void visit(Self& r, Fields& f) {
    f(r.startTicks, r.monotonicNs, r.realtimeNs, r.tickHz, r.pid, r.parentPid, r.clock,
      r.cpuClock, r.sampleHz, r.host, r.executable, r.command, r.directory);
  }
};

struct ProcessEndRecord {
  static constexpr Record kType = Record::kProcessEnd;
  uint64_t ticks = 0, monotonicNs = 0, cpuNs = 0;
  EndReason reason = EndReason::kExit;
  uint16_t zero = 0;
  int32_t status = 0;

  template <class Self, class Fields>
  static void visit(Self& r, Fields& f) {
    f(r.ticks, r.monotonicNs, r.cpuNs, r.reason, r.zero, r.status);
  }
};

struct ClockSyncRecord {
  static constexpr Record kType = Record::kClockSync;
  uint64_t ticks = 0, monotonicNs = 0, realtimeNs = 0;

  template <class Self, class Fields>
  static void visit(Self& r, Fields& f) {
    f(r.ticks, r.monotonicNs, r.realtimeNs);
  }
};

struct ThreadRecord {
  static constexpr Record kType = Record::kThread;
  uint32_t thread = 0, kernelTid = 0, creatorPlusOne = 0, flags = 0;
  uint64_t ticks = 0;
  std::string_view name;

  template <class Self, class Fields>
  static void visit(Self& r, Fields& f) {
    f(r.thread, r.kernelTid, r.creatorPlusOne, r.flags, r.ticks, r.name);
  }
};
inline constexpr uint32_t kThreadNotRecorded = 1;  // ThreadRecord::flags

struct ModuleRecord {
  static constexpr Record kType = Record::kModule;
  uint32_t module = 0, zero = 0;
  uint64_t ticks = 0, loadBias = 0, firstAddress = 0, endAddress = 0;
  std::string_view buildId, path;

  template <class Self, class Fields>
  static void visit(Self& r, Fields& f) {
    f(r.module, r.zero, r.ticks, r.loadBias, r.firstAddress, r.endAddress, r.buildId, r.path);
  }
};

struct ModuleUnloadRecord {
  static constexpr Record kType = Record::kModuleUnload;
  uint32_t module = 0, zero = 0;
  uint64_t ticks = 0;

  template <class Self, class Fields>
  static void visit(Self& r, Fields& f) {
    f(r.module, r.zero, r.ticks);
  }
};

struct RegionRecord {
  static constexpr Record kType = Record::kRegion;
  uint32_t region = 0;
  Group group = Group::kUser;
  std::string_view name;
  uint16_t zero = 0;

  template <class Self, class Fields>
  static void visit(Self& r, Fields& f) {
    f(r.region, r.group, r.zero, r.name);
  }
};

struct CallPathRecord {
  static constexpr Record kType = Record::kCallPath;
  uint32_t path = 0, parent = 0;
  PathKind kind = PathKind::kRegion;
  uint64_t value = 0;
  uint16_t zero = 0;
  uint32_t zero2 = 0;

  template <class Self, class Fields>
  static void visit(Self& r, Fields& f) {
    f(r.path, r.parent, r.kind, r.zero, r.zero2, r.value);
  }
};

struct MpiRecord {
  static constexpr Record kType = Record::kMpi;
  uint64_t job = 0;
  uint32_t worldRank = 0, worldSize = 0, threadLevel = 0;
  std::string_view library;
  uint32_t zero = 0;

  template <class Self, class Fields>
  static void visit(Self& r, Fields& f) {
    f(r.job, r.worldRank, r.worldSize, r.threadLevel, r.zero, r.library);
  }
};

struct RankRun {
  uint32_t first;  // world rank
  int32_t stride;
  uint32_t count;
};
static_assert(sizeof(RankRun) == 12);

struct RankRuns {
  const RankRun* data = nullptr;  // those of the own group, then those of the remote group
  uint32_t ownCount = 0, remoteCount = 0;
};

struct CommunicatorRecord {
  static constexpr Record kType = Record::kCommunicator;
  uint32_t communicator = 0, size = 0;
  uint64_t globalId = 0;
  uint32_t ownRank = 0, flags = 0;
  RankRuns runs;
  std::string_view name;

  template <class Self, class Fields>
  static void visit(Self& r, Fields& f) {
    f(r.communicator, r.size, r.globalId, r.ownRank, r.flags, r.runs, r.name);
  }
};
inline constexpr uint32_t kIntercommunicator = 1;  // CommunicatorRecord::flags
inline constexpr uint32_t kMembersUnknown = 2;
inline constexpr uint32_t kPvmTasks = 4;
inline constexpr uint32_t kWindowMembers = 8;
inline constexpr uint32_t kSecondGroup = 16;
inline constexpr uint32_t kParentGroup = 32;

struct SyncObjectRecord {
  static constexpr Record kType = Record::kSyncObject;
  uint32_t object = 0;
  SyncKind kind = SyncKind::kMutex;
  uint64_t address = 0;
  uint64_t key = 0;
  uint16_t zero = 0;

  template <class Self, class Fields>
  static void visit(Self& r, Fields& f) {
    f(r.object, r.kind, r.zero, r.address, r.key);
  }
};

struct NoteRecord {
  static constexpr Record kType = Record::kNote;
  std::string_view text;
  uint32_t zero = 0;

  template <class Self, class Fields>
  static void visit(Self& r, Fields& f) {
    f(r.zero, r.text);
  }
};

struct SettingRecord {
  static constexpr Record kType = Record::kSetting;
  std::string_view key, value;
  uint32_t zero = 0;

  template <class Self, class Fields>
  static void visit(Self& r, Fields& f) {
    f(r.zero, r.key, r.value);
  }
};

struct ThreadNameRecord {
  static constexpr Record kType = Record::kThreadName;
  uint32_t thread = 0;
  std::string_view name;
  uint32_t zero = 0;

  template <class Self, class Fields>
  static void visit(Self& r, Fields& f) {
    f(r.thread, r.zero, r.name);
  }
};

struct MetricRecord {
  static constexpr Record kType = Record::kMetric;
  uint32_t metric = 0;
  MetricKind kind = MetricKind::kGauge;
  MetricType type = MetricType::kUnsigned;
  std::string_view name, unit;

  template <class Self, class Fields>
  static void visit(Self& r, Fields& f) {
    f(r.metric, r.kind, r.type, r.name, r.unit);
  }
};

struct StreamRecord {
  static constexpr Record kType = Record::kStream;
  uint32_t stream = 0;
  StreamKind kind = StreamKind::kPipe;
  uint64_t keyHigh = 0, keyLow = 0;
  std::string_view name;
  uint16_t flags = 0;

  template <class Self, class Fields>
  static void visit(Self& r, Fields& f) {
    f(r.stream, r.kind, r.flags, r.keyHigh, r.keyLow, r.name);
  }
};
inline constexpr uint16_t kStreamUntrusted = 1;  // StreamRecord::flags

struct FileRecord {
  static constexpr Record kType = Record::kFile;
  uint32_t file = 0;
  std::string_view path;
  uint32_t zero = 0;

  template <class Self, class Fields>
  static void visit(Self& r, Fields& f) {
    f(r.file, r.zero, r.path);
  }
};

struct PvmRecord {
  static constexpr Record kType = Record::kPvm;
  uint64_t machine = 0;
  uint32_t task = 0, parentTask = 0;

  template <class Self, class Fields>
  static void visit(Self& r, Fields& f) {
    f(r.machine, r.task, r.parentTask);
  }
};

// What the clock of another host showed when this host's showed `monotonicNs`.
struct ClockOffsetRecord {
  static constexpr Record kType = Record::kClockOffset;
  uint64_t monotonicNs = 0, otherMonotonicNs = 0, errorNs = 0;
  std::string_view otherHost;

  template <class Self, class Fields>
  static void visit(Self& r, Fields& f) {
    f(r.monotonicNs, r.otherMonotonicNs, r.errorNs, r.otherHost);
  }
};

// What could not be recorded. Numbers in it grow while the process runs: its `check` is not one.
struct LossesRecord {
  static constexpr Record kType = Record::kLosses;
  uint64_t firstTicks = 0, lastTicks = 0;  // of what was lost; 0 when nothing was
  uint64_t events = 0, definitions = 0, callPaths = 0;
  LossCause cause = LossCause::kNone;  // of the first loss
  uint16_t zero = 0;
  uint32_t error = 0;  // errno, 0 when there was none

  template <class Self, class Fields>
  static void visit(Self& r, Fields& f) {
    f(r.firstTicks, r.lastTicks, r.events, r.definitions, r.callPaths, r.cause, r.zero, r.error);
  }
};

// The body of a Losses record, as it stands in the file.
struct LossesBody {
  uint64_t firstTicks, lastTicks, events, definitions, callPaths;
  LossCause cause;
  uint16_t zero;
  uint32_t error;
};

// Adds to one of the counters in a file that several threads and processes have mapped. `cause` and `error` are those of
// the first loss.
inline void addLosses(LossesBody* body, uint64_t LossesBody::*counter, uint64_t count, LossCause cause, uint32_t error,
                      uint64_t ticks) {
  uint64_t none = 0;
  if (__atomic_compare_exchange_n(&body->firstTicks, &none, ticks, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
    __atomic_store_n(&body->error, error, __ATOMIC_RELAXED);
    __atomic_store_n(&body->cause, cause, __ATOMIC_RELEASE);
  }
  __atomic_store_n(&body->lastTicks, ticks, __ATOMIC_RELAXED);
  __atomic_fetch_add(&(body->*counter), count, __ATOMIC_RELAXED);
}

// Encodes one record into memory of the caller. Never allocates.
class RecordWriter {
 public:
  RecordWriter(void* buffer, size_t capacityBytes)
      : start_(static_cast<char*>(buffer)), capacity_(capacityBytes) {}

  // Returns the size of the record in bytes, or 0 when it does not fit.
  template <class R>
  size_t encode(const R& record) {
    used_ = sizeof(RecordHeader);
    fits_ = used_ <= capacity_;
    R::visit(record, *this);
    while (used_ % 8 != 0) put("", 1);
    if (!fits_ || used_ > UINT32_MAX) return 0;
    RecordHeader header;
    header.size = static_cast<uint32_t>(used_);
    header.type = static_cast<uint16_t>(R::kType);
    header.check = static_cast<uint16_t>(crc32c(start_ + sizeof header, used_ - sizeof header));
    memcpy(start_, &header, sizeof header);
    return used_;
  }

  template <class... Values>
  void operator()(const Values&... values) {
    (field(values), ...);
  }

 private:
  template <class T>
  std::enable_if_t<std::is_integral_v<T> || std::is_enum_v<T>> field(const T& value) {
    put(&value, sizeof value);
  }
  void field(std::string_view text) {
    field(static_cast<uint32_t>(text.size()));
    put(text.data(), text.size());
  }
  void field(const RankRuns& runs) {
    field(runs.ownCount);
    field(runs.remoteCount);
    put(runs.data, (size_t{runs.ownCount} + runs.remoteCount) * sizeof(RankRun));
  }
  void put(const void* data, size_t size) {
    if (!fits_ || size > capacity_ - used_) {
      fits_ = false;
      used_ = 0;  // ends the padding loop
    } else if (size > 0) {
      memcpy(start_ + used_, data, size);
      used_ += size;
    }
  }

  char* start_;
  size_t capacity_;
  size_t used_ = 0;
  bool fits_ = false;
};

// Copies an encoded record into reserved, zeroed space so that no reader, and no reader of
// what a kill leaves behind, takes a half-written record for a whole one. `target` is aligned
// to 8 bytes. Whoever reserves must store the size at once; storing it again is harmless.
inline void publishRecord(void* target, const void* record, size_t size) {
  auto* words = static_cast<uint32_t*>(target);
  uint32_t typeAndCheck;
  memcpy(&typeAndCheck, static_cast<const char*>(record) + 4, sizeof typeAndCheck);
  __atomic_store_n(&words[0], static_cast<uint32_t>(size), __ATOMIC_RELEASE);
  memcpy(words + 2, static_cast<const char*>(record) + 8, size - 8);
  __atomic_store_n(&words[1], typeAndCheck, __ATOMIC_RELEASE);
}

// Decodes the body of one record; strings and runs point into it.
class RecordParser {
 public:
  RecordParser(const void* body, size_t size)
      : at_(static_cast<const char*>(body)), left_(size) {}

  // Returns whether the body held all the fields.
  template <class R>
  bool decode(R* record) {
    R::visit(*record, *this);
    return fits_;
  }

  template <class... Values>
  void operator()(Values&... values) {
    (field(values), ...);
  }

 private:
  template <class T>
  std::enable_if_t<std::is_integral_v<T> || std::is_enum_v<T>> field(T& value) {
    if (const char* p = take(sizeof value)) memcpy(&value, p, sizeof value);
  }
  void field(std::string_view& text) {
    uint32_t size = 0;
    field(size);
    if (const char* p = take(size)) text = std::string_view(p, size);
  }
  void field(RankRuns& runs) {
    field(runs.ownCount);
    field(runs.remoteCount);
    const size_t count = size_t{runs.ownCount} + runs.remoteCount;
    // The records stand at multiples of 8 in the file, and so do the runs in their record.
    runs.data = reinterpret_cast<const RankRun*>(take(count * sizeof(RankRun)));
    if (runs.data == nullptr) runs.ownCount = runs.remoteCount = 0;
  }
  const char* take(size_t size) {
    if (!fits_ || size > left_) {
      fits_ = false;
      return nullptr;
    }
    const char* p = at_;
    at_ += size;
    left_ -= size;
    return p;
  }

  const char* at_;
  size_t left_;
  bool fits_ = true;
};

}  // namespace parallax::format
