// Writes the events of one thread of a trace.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "tools/conversion/event_output.h"
#include "tools/paraver/process_output.h"

namespace parallax::paraver {

class ThreadOutput {
 public:
  // `thread` is the index in Trace::threads, `number` that in the process.
  ThreadOutput(ProcessOutput* process, uint32_t thread, uint32_t number);

  // Returns an empty string, or what went wrong.
  std::string write(int64_t firstNs, int64_t lastNs);

 private:
  struct Frame {
    uint32_t path, region;
    uint32_t type;   // index; kStateBit for states
    uint64_t value;
    uint32_t use;    // index of the collective, kNone for none
  };
  // The state that holds, until another one begins or `endNs`.
  struct Current {
    uint32_t state = kNone;
    int64_t endNs = INT64_MIN;
    bool isShown = false;
  };

  // All that happens at one time.
  void moment(int64_t ns, size_t from, size_t to);
  void findCallers(size_t from, size_t to);
  void event(int64_t ns, uint32_t index, bool sendBegins);
  void call(int64_t ns, uint32_t index, bool sendBegins);
  void value(int64_t ns, const Record& record);
  bool beginsSend(size_t from, size_t to);
  bool hasFunctions();

  void showState(int64_t ns);
  void endState(int64_t ns);
  void leaveState();
  void push(int64_t ns, uint32_t region, uint32_t type, uint64_t value, uint32_t use);
  void end(int64_t ns, uint32_t type, bool sendBegins);
  void split(int64_t ns, size_t at);
  void pop(int64_t ns);
  uint32_t top() const { return stack_.empty() ? 0 : stack_.back().path; }
  bool isState(const Frame& frame) const { return frame.type == kStateBit; }
  const Region& regionOf(const Frame& frame) const { return trace_.regions[frame.region]; }
  const Region* mpi() const;  // the innermost call of MPI, null if there is none

  void send(int64_t ns);
  void post(int64_t ns, bool isBlocking);
  void receive(int64_t ns);
  void loose(int64_t ns);  // what is left at the end of a moment

  ProcessOutput& process_;
  Trace& trace_;
  Thread& thread_;
  const std::vector<CollectiveUse>& uses_;
  conversion::EventOutput output_;
  std::vector<Frame> stack_;
  Current current_;
  std::vector<std::pair<uint64_t, uint32_t>> callers_;  // of calls of MPI at this time: numbers of types, and regions
  size_t nextUse_ = 0;
  bool hasFunctions_ = false;
  uint64_t tooDeep_ = 0;
  // Messages that have begun, are expected and have come, and of which no event is written yet.
  std::vector<uint32_t> sends_, posts_, receives_;
  std::unordered_map<uint32_t, bool> posted_;           // with a request or not, by message
  std::unordered_map<uint32_t, uint64_t> sums_;         // of counters, by type
};

}  // namespace parallax::paraver
