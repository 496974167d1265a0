// What the readers of both formats find: slices, marks, counters and flows of tracks, in the order of the file.
// Needs at most kBytesPerByte bytes for each byte of the input, and kBytesAtLeast.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace parallax::perfetto {

inline constexpr uint64_t kBytesPerByte = 256;  // of damaged input; JSON takes 1 to 3, protobuf up to 7
inline constexpr uint64_t kBytesAtLeast = 128 << 20;

enum class Type : uint8_t { kBegin, kEnd, kSlice, kMark, kValue, kFlowOut, kFlowIn };

struct Record {
  int64_t ns;
  uint64_t value;  // kSlice: ns; kValue: bits of a double; kFlowOut, kFlowIn: number of the flow
  uint32_t name;   // kValue: metric; kEnd: kNoName if it does not tell
  Type type;
};
static_assert(sizeof(Record) == 24);

inline int64_t endOf(const Record& record) {
  return record.type == Type::kSlice ? record.ns + static_cast<int64_t>(record.value) : record.ns;
}

inline constexpr uint32_t kNoName = UINT32_MAX;
inline constexpr int64_t kMostNs = int64_t{1} << 61;  // times are between this and its negative

// What can be wrong with events. Each has a sentence in timeline.cpp.
enum class Fault : uint8_t {
  kNoPhase, kNoTime, kNoDuration, kBadTime, kEndWithoutBegin, kEndOfOuter, kNoEnd, kOverlap, kDeep, kNoValue,
  kLoneFlow, kOwnFlow, kManyFlows, kManyTracks, kManyLanes, kManyMarks, kNoName, kCompressed, kNoClock, kLostPackets,
  kNoState, kNoId, kCount,
};
inline constexpr size_t kFaults = static_cast<size_t>(Fault::kCount);

struct Track {
  uint32_t process;
  std::string name;
  std::vector<Record> records;
  bool isThread = false;
  int64_t tid = 0;
  bool isSorted = true;

  void add(const Record& record) {
    isSorted = isSorted && (records.empty() || records.back().ns <= record.ns);
    records.push_back(record);
  }
};

struct Process {
  int64_t pid = 0;
  std::string name;
  std::vector<Record> counters;
};

struct Count {
  uint64_t read = 0, left = 0;
};

class Timeline {
 public:
  static constexpr uint32_t kNone = UINT32_MAX;
  static constexpr uint32_t kMostTracks = 100'000;
  static constexpr size_t kMostNames = 10'000;  // of attributes and kinds of records in the report

  // Numbers names from 0.
  uint32_t name(std::string_view text);
  const std::string& text(uint32_t name) const { return names_[name]; }
  size_t names() const { return names_.size(); }

  // A process or thread by what names it. kNone if there are too many.
  uint32_t process(int64_t pid);
  uint32_t thread(uint32_t process, int64_t tid);
  uint32_t lane(uint32_t process, const std::string& name);  // a new track that is no thread

  // A metric of a process.
  uint32_t metric(std::string_view name, std::string_view unit = {});

  // An event at which a flow begins, goes on or ends. Two that follow one another in time are an arrow.
  enum class FlowStep : uint8_t { kBegin, kStep, kEnd };
  void flow(uint64_t key, uint32_t track, int64_t ns, FlowStep step);
  // An event of an asynchronous slice, whose key tells which.
  void async(uint32_t process, uint32_t group, uint64_t key, const Record& record);

  // Two tracks are one thread: moves what the first has, before finish().
  void unite(uint32_t from, uint32_t to);

  // All events are there: makes lanes of asynchronous slices, and arrows of flows.
  void finish();

  void fault(Fault fault, uint64_t count = 1) { faults[static_cast<size_t>(fault)] += count; }
  Count& attribute(std::string_view name) { return counted(&attributes, name); }
  Count& kind(std::string_view name) { return counted(&kinds, name); }
  void definition(std::string_view name) { counted(&definitions, name).left++; }
  void warn(const std::string& sentence);
  // Those of the faults, and then others.
  std::vector<std::string> sentences() const;

  struct Metric {
    std::string name, unit;
  };
  struct Arrow {
    uint32_t from, to;  // tracks
    int64_t fromNs, toNs;
    uint32_t stream;    // from 0
    uint64_t offset;    // in the stream
  };
  struct Stream {
    uint32_t from, to;
    int64_t lastNs;  // of its last receipt
    uint64_t arrows;
  };

  std::deque<Process> processes;
  std::deque<Track> tracks;
  std::vector<Metric> metrics;
  std::vector<Arrow> arrows;
  std::vector<Stream> streams;
  std::map<std::string, Count, std::less<>> attributes, kinds, definitions;
  std::array<uint64_t, kFaults> faults{};

 private:
  struct FlowEvent {
    uint64_t key;
    int64_t ns;
    uint32_t track;
    FlowStep step;
  };
  struct AsyncEvent {
    uint64_t key;
    uint32_t process, group;
    Record record;
  };
  struct Unit {  // an asynchronous slice with what is inside of it
    uint32_t process, group;
    size_t first, count;
    int64_t begin, end;
  };
  static Count& counted(std::map<std::string, Count, std::less<>>* in, std::string_view name);
  void makeLanes();
  void makeArrows();
  void addArrow(const FlowEvent& from, const FlowEvent& to);

  std::deque<std::string> names_;
  std::unordered_map<std::string_view, uint32_t> numbers_;
  std::unordered_map<int64_t, uint32_t> processNumbers_;
  std::map<std::pair<uint32_t, int64_t>, uint32_t> threadNumbers_;
  std::map<std::string, uint32_t, std::less<>> metricNumbers_;
  std::map<std::pair<uint32_t, uint32_t>, std::vector<uint32_t>> streamNumbers_;
  std::unordered_map<uint32_t, uint32_t> united_;
  std::vector<FlowEvent> flows_;
  std::vector<AsyncEvent> asyncs_;
  std::vector<std::string> warnings_;
  uint64_t moreWarnings_ = 0;
};

uint64_t hashOf(std::string_view text, uint64_t seed = 0);

}  // namespace parallax::perfetto
