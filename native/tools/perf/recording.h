// What the readers of perf's files find: samples and context switches of threads, in the order of the file.
// Needs at most kBytesPerByte bytes for each byte of the input, and kBytesAtLeast.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tools/conversion/call_path_table.h"

namespace parallax::perf {

inline constexpr uint64_t kBytesPerByte = 64;  // of damaged input; sound files take 1 to 4
inline constexpr uint64_t kBytesAtLeast = 128 << 20;

enum class Type : uint8_t {
  kSample,
  kOut,     // the thread loses its processor; value: kBlocked, kPreempted or kUnknown
  kIn,      // the thread gets a processor
  kWoken,   // the thread can run again
  kCreate,  // value: number of the thread that it created
  kEnd,
};
inline constexpr uint64_t kBlocked = 0, kPreempted = 1;

struct Record {
  int64_t ns;
  uint64_t value;  // kSample: the period
  uint32_t stack;  // a node of Recording::stacks; 0 if it is not known
  uint16_t event;
  Type type;
};
static_assert(sizeof(Record) == 24);

inline constexpr int64_t kNoTime = INT64_MIN;
inline constexpr int64_t kMostNs = int64_t{1} << 61;  // times are between 0 and it
inline constexpr uint32_t kNone = UINT32_MAX;

struct Event {
  std::string name;
  uint64_t samples = 0, periods = 0;
  bool hasPeriod = false;
  // Whether the period is a time on a processor, in nanoseconds.
  bool isTime() const;
  // Whether it counts what a processor does, which is about proportional to time.
  bool isProcessor() const;
  bool isSwitch() const { return name == "sched:sched_switch" || name == "context-switches" || name == "cs"; }
};

struct Thread {
  int64_t pid = -1;  // -1: not known
  int64_t tid = 0;
  int64_t parentPid = -1;
  int32_t cpu = -1;  // of an idle thread: each processor has one
  uint32_t creator = kNone;
  std::string name;
  int64_t beginNs = kNoTime;  // when it was created
  std::vector<Record> records;
  bool isSorted = true;
  bool hasSwitches = false;

  void add(const Record& record) {
    isSorted = isSorted && (records.empty() || records.back().ns <= record.ns);
    hasSwitches = hasSwitches || record.type == Type::kOut || record.type == Type::kIn;
    records.push_back(record);
  }
};

// A file of code, whose addresses are those of the file or, if `names` has them, stand for functions.
struct Module {
  std::string path, buildId;
  std::vector<std::string> names;  // functions, the inlined ones first, separated by '\n'; empty for a file
  std::unordered_map<std::string, uint32_t> numbers;
  bool isNamed = false;
};

struct Frame {
  uint32_t module;
  uint64_t offset;
};

// What can be wrong. Each has a sentence in recording.cpp.
enum class Fault : uint8_t {
  kLine, kBadTime, kNoStack, kDeep, kManyEvents, kManyThreads, kManyModules, kThrottled, kLost, kRecord, kCompressed, kUserStack, kNoMapping,
  kCount,
};
inline constexpr size_t kFaults = static_cast<size_t>(Fault::kCount);

struct Counts {
  uint64_t read = 0, left = 0;
};

class Recording {
 public:
  static constexpr size_t kMostDepth = 1024;

  // The number of the event, kNone if there are too many.
  uint32_t event(std::string_view name);
  uint32_t thread(int64_t pid, int64_t tid, int32_t cpu, std::string_view name);
  uint32_t find(int64_t tid, int32_t cpu) const;
  // The thread of this number begins anew: numbers of threads are used again.
  void forget(int64_t tid) { threadNumbers_.erase(uint64_t(tid) << 20); }
  uint32_t module(std::string_view path, std::string_view buildId, bool isNamed);
  // The function in a module whose addresses stand for functions.
  uint32_t frame(uint32_t module, const std::string& function);
  uint32_t frame(uint32_t module, uint64_t offset);
  // The call path of frames, the innermost one first.
  uint32_t stack(const std::vector<uint32_t>& innermostFirst);

  Counts* kind(const std::string& name) { return &kinds[name]; }
  void fault(Fault fault, uint64_t count = 1) { faults_[static_cast<size_t>(fault)] += count; }
  // `where` is the file and the place in it. Of warnings beyond a few, only the number is told.
  void warn(const std::string& sentence);
  std::vector<std::string> sentences() const;

  std::vector<Event> events;
  std::vector<Thread> threads;
  std::vector<Module> modules;
  std::vector<Frame> frames;
  // The region of a node is 2 * frame, and 1 more for the innermost frame of a sample.
  conversion::CallPathTable stacks;
  std::string host;
  std::string lostKind;
  bool hasTimes = true;   // whether times are known
  bool hasPids = true;    // whether it is known which threads are of one process
  bool hasSwitchRecords = false;
  std::map<std::string, Counts> kinds, attributes;

 private:
  uint64_t faults_[kFaults] = {};
  std::vector<std::string> warnings_;
  uint64_t moreWarnings_ = 0;
  std::unordered_map<std::string, uint32_t> eventNumbers_, moduleNumbers_;
  std::unordered_map<uint64_t, uint32_t> threadNumbers_, frameNumbers_;
};

}  // namespace parallax::perf
