// What a trace of Paraver says, in memory: records of threads in the order of the file, messages, communicators.
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

#include "format/format.h"
#include "tools/paraver/labels.h"

namespace parallax::paraver {

inline constexpr uint64_t kBytesPerByte = 256;
inline constexpr uint64_t kBytesAtLeast = 128 << 20;
inline constexpr int64_t kMostNs = int64_t{1} << 61;
inline constexpr uint32_t kNone = UINT32_MAX;

// What can be wrong with records. Each has a sentence in trace.cpp.
enum class Fault : uint8_t {
  kBadObject, kBadTime, kManyThreads, kManyTypes, kEndBeforeBegin, kEndWithoutBegin, kNoEnd, kEndOfOuter, kSplit,
  kDeep, kManyMarks, kBetweenApplications, kOvertaken, kNoCall, kUndefinedCommunicator, kNotMember, kNoSizes, kNoStart,
  kInside, kUnequal, kUnsorted, kCount,
};
inline constexpr size_t kFaults = static_cast<size_t>(Fault::kCount);

// A value of an event type, or a state.
struct Record {
  int64_t ns;
  uint64_t value;  // of a state: ns of its end
  uint32_t type;   // index in Trace::types; of a state kStateBit and its index in Trace::states
};
inline constexpr uint32_t kStateBit = 0x80000000;

struct Message {
  int64_t sendNs, postNs, receiveNs;  // when the send and the receive began, and when the data was there
  uint64_t bytes;
  uint32_t from, to;  // threads
  uint32_t tag;
  uint32_t lane;  // messages that overtake others have lanes of their own
};

// Where a message begins, is expected, or ends.
struct MessageEnd {
  enum class Kind : uint8_t { kReceive, kPost, kSend };
  int64_t ns;
  uint32_t message;
  Kind kind;
};

struct Thread {
  uint32_t task;    // index in Trace::tasks
  uint32_t number;  // in the task, from 1
  std::vector<Record> records;
  std::vector<MessageEnd> ends;
  bool isSorted = true;
};

struct Task {
  uint32_t application;  // from 1
  uint32_t number;       // in the application, from 1
  uint32_t node = 0;     // from 1, 0 if the header does not tell
  uint32_t declared = 0;  // threads in the header
  uint64_t firstRow = 0;  // of its threads among those of all tasks, in the order of their numbers
  std::vector<uint32_t> threads;
};

struct Communicator {
  uint64_t id;
  uint32_t application;
  std::vector<uint32_t> tasks;  // numbers in the application
  bool isWorld = false;
};

// What the values of an event type are in the trace.
enum class Role : uint8_t { kLeft, kNothing, kCall, kCaller, kMark, kGauge, kCounter, kTotal, kCollective };

struct EventType {
  uint64_t number;
  uint64_t read = 0, left = 0;
  bool hasZero = false, hasNegative = false;
  Role role = Role::kLeft;
  bool nests = false;   // 0 ends the value before; else each value ends the one before
  bool endsItself = false;  // a value that is repeated is an end
  std::unordered_map<uint64_t, uint32_t> regions;  // of values
};

struct State {
  uint64_t number;
  uint64_t read = 0, left = 0;
  uint32_t region = kNone;
};

// A routine or function. Routines of MPI tell which ends of messages they can have.
struct Region {
  std::string name;
  format::Group group;
  bool sends = false, receives = false, posts = false, completes = false;
  uint8_t collective = 0;  // format::Collective, 0 for others
  bool isAbsence = false;  // the thread does not exist
  bool isRunning = false;
};

class Trace {
 public:
  // The first types are those that describe collectives, which have several numbers.
  static constexpr uint32_t kSendSize = 0, kReceiveSize = 1, kRoot = 2, kCommunicator = 3, kOwnTypes = 4;
  static constexpr uint32_t kMostThreads = 100'000, kMostTypes = 100'000;
  static constexpr size_t kMostKinds = 10'000;  // in the report

  Trace();

  // By numbers from 1. kNone if there are too many, or a number is 0.
  uint32_t thread(uint64_t application, uint64_t task, uint64_t thread) {
    const uint64_t at = (application * 0x9E3779B97F4A7C15 ^ task * 0xC2B2AE3D27D4EB4F ^ thread * 0x165667B19E3779F9) >> 54;
    const Known& known = known_[at];
    if (known.application == application && known.task == task && known.thread == thread) return known.index;
    return findThread(application, task, thread, at);
  }
  uint32_t type(uint64_t number) {
    const uint64_t at = number * 0x9E3779B97F4A7C15 >> 54;
    if (knownTypes_[at].number == number) return knownTypes_[at].index;
    return findType(number, at);
  }
  uint32_t state(uint64_t number);
  uint32_t region(const Region& region);  // the one with this name and group

  void fault(Fault fault, uint64_t count = 1) { faults[static_cast<size_t>(fault)] += count; }
  void definition(const std::string& name, uint64_t left = 1);
  void warn(const std::string& sentence);
  std::vector<std::string> sentences() const;

  // The number of tasks of an application, from 1.
  uint32_t size(uint32_t application) const;
  uint32_t applications() const { return static_cast<uint32_t>(sizes_.size()); }
  void setSize(uint32_t application, uint32_t tasks);
  uint32_t task(uint64_t application, uint64_t number);
  // All records are read: sorts those of each thread, and finds the rows of tasks.
  void finish();

  Labels labels;
  RowNames names;
  std::deque<Task> tasks;
  std::deque<Thread> threads;
  std::deque<EventType> types;
  std::deque<State> states;
  std::deque<Region> regions;
  std::vector<Message> messages;
  std::vector<Communicator> communicators;
  std::map<std::string, uint64_t> definitions;
  std::array<uint64_t, kFaults> faults{};
  uint64_t messagesLeft = 0, messagesRead = 0, collectivesRead = 0, comments = 0;
  uint32_t lanes = 0;

 private:
  struct Known {
    uint64_t application = UINT64_MAX, task = 0, thread = 0;
    uint32_t index = kNone;
  };
  struct KnownType {
    uint64_t number = UINT64_MAX;
    uint32_t index = kNone;
  };
  uint32_t findThread(uint64_t application, uint64_t task, uint64_t thread, uint64_t at);
  uint32_t findType(uint64_t number, uint64_t at);

  std::array<Known, 1024> known_;
  std::array<KnownType, 1024> knownTypes_;
  std::map<std::array<uint32_t, 3>, uint32_t> threadNumbers_;
  std::map<std::array<uint32_t, 2>, uint32_t> taskNumbers_;
  std::unordered_map<uint64_t, uint32_t> typeNumbers_, stateNumbers_;
  std::map<std::pair<std::string, format::Group>, uint32_t> regionNumbers_;
  std::vector<uint32_t> sizes_;
  std::vector<std::string> warnings_;
  uint64_t moreWarnings_ = 0;
};

}  // namespace parallax::paraver
