// Writes one task of a trace as a process: its definitions, and the events of its threads.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "format/definitions.h"
#include "format/writer.h"
#include "tools/conversion/call_path_table.h"
#include "tools/paraver/interactions.h"
#include "tools/paraver/trace.h"

namespace parallax::paraver {

// What all processes of the trace share.
struct Target {
  std::string directory;
  std::string modulePath;  // stands for the program: its symbols are the names of functions
  std::string name;        // of programs that the trace does not name
  uint64_t job = 1;
  int64_t baseNs = 0;  // time of the original at clock.ticks
  format::ClockLine clock;

  uint64_t ticks(int64_t ns) const { return clock.ticks + (static_cast<uint64_t>(ns) - static_cast<uint64_t>(baseNs)); }
};

// The address that stands for a function in the module of the trace.
inline uint64_t addressOf(uint32_t region) { return 0x1000 + uint64_t{region} * 16; }

class ProcessOutput {
 public:
  // `number` makes the names of files unique.
  ProcessOutput(Trace* trace, const Interactions& interactions, uint32_t task, uint32_t number, const Target& target);

  // Returns an empty string, or what went wrong. Releases the records of the threads.
  std::string write();
  size_t threads() const { return threads_.size(); }
  int64_t firstNs() const { return firstNs_; }
  int64_t lastNs() const { return lastNs_; }

  // For the output of threads.
  uint32_t path(uint32_t parent, uint32_t region) { return paths_.child(parent, region); }
  uint32_t communicator(uint32_t index);  // the number of one in Trace::communicators
  uint32_t lane(uint32_t lane);           // that of messages
  uint32_t rank() const { return trace.tasks[task_].number - 1; }
  uint32_t mark(uint32_t type, uint64_t value);  // 0 if there are too many
  uint32_t metric(uint32_t type);
  std::string eventFile(uint32_t thread) const { return stem() + "." + std::to_string(thread) + ".evt"; }

  Trace& trace;
  const Interactions& interactions;
  const Target& target;

 private:
  std::string host() const;
  std::string threadName(uint32_t thread) const;
  std::string stem() const;
  std::string writeDefinitions();
  void writeCommunicators(format::DefinitionsWriter* file) const;
  void writePaths(format::DefinitionsWriter* file) const;

  const uint32_t task_, number_;
  std::vector<uint32_t> threads_;  // that have records, in their order
  std::vector<int64_t> begins_;
  conversion::CallPathTable paths_;
  // Communicators of the trace, and lanes after kLane.
  static constexpr uint64_t kLane = uint64_t{1} << 32;
  std::unordered_map<uint64_t, uint32_t> communicatorNumbers_;
  std::vector<uint64_t> communicatorOrder_;
  std::map<std::pair<uint32_t, uint64_t>, uint32_t> markNumbers_;
  std::vector<std::string> marks_;
  std::unordered_map<uint32_t, uint32_t> metricNumbers_;
  std::vector<uint32_t> metrics_;
  int64_t firstNs_ = INT64_MAX, lastNs_ = INT64_MIN;
};

}  // namespace parallax::paraver
