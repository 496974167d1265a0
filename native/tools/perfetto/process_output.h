// Writes one process of a timeline: its definitions, and the events of its threads.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "format/definitions.h"
#include "format/writer.h"
#include "tools/conversion/event_output.h"
#include "tools/perfetto/timeline.h"

namespace parallax::perfetto {

// What all processes of the trace share.
struct Target {
  std::string directory;
  std::string modulePath;  // stands for the program: its symbols are the names of slices
  std::string host = "localhost";  // these formats name no machine
  int64_t baseNs = 0;              // time of the original at clock.ticks
  format::ClockLine clock;

  uint64_t ticks(int64_t ns) const { return clock.ticks + (static_cast<uint64_t>(ns) - static_cast<uint64_t>(baseNs)); }
};

// The address that stands for a name in the module of the trace.
inline uint64_t addressOf(uint32_t name) { return 0x1000 + uint64_t{name} * 16; }
// The group of a routine, in which a thread can wait; kUser for functions.
format::Group groupOf(const std::string& name);

class ProcessOutput {
 public:
  // `tracks` are its threads, the main thread first. `number` makes the names of files unique.
  ProcessOutput(Timeline* timeline, uint32_t process, const std::vector<uint32_t>& tracks, uint32_t number,
                const Target& target);

  // Returns an empty string, or what went wrong.
  std::string write();

 private:
  struct Frame {
    uint32_t path, name;
    int64_t end;  // INT64_MAX if it has not ended
  };
  struct Node {
    uint32_t parent, name;
  };
  static constexpr uint32_t kFlow = kNoName;  // the name of the routine in which flows begin and end

  std::string writeThread(uint32_t thread, Track* track);
  void record(conversion::EventOutput* output, const Record& record);
  void endUntil(conversion::EventOutput* output, int64_t ns);
  void begin(conversion::EventOutput* output, int64_t ns, uint32_t name, int64_t end);
  void end(conversion::EventOutput* output, const Record& record);
  void pop(conversion::EventOutput* output, int64_t ns);
  void arrow(conversion::EventOutput* output, const Record& record);
  uint32_t top() const { return stack_.empty() ? 0 : stack_.back().path; }
  uint32_t child(uint32_t parent, uint32_t name);
  std::string writeDefinitions();
  void writePaths(format::DefinitionsWriter* file);
  std::string stem() const { return target_.directory + "/" + format::processFileName(target_.host, pid_, number_); }

  Timeline& timeline_;
  const Process& process_;
  const std::vector<uint32_t>& tracks_;
  const uint32_t number_;
  const Target& target_;
  uint32_t pid_;
  std::vector<Frame> stack_;
  uint64_t tooDeep_ = 0;  // slices that began below kMostDepth and have not ended
  std::vector<Node> nodes_{1};
  std::unordered_map<uint64_t, uint32_t> children_;  // by parent << 32 | name
  std::unordered_map<uint32_t, uint32_t> marks_, metrics_, streams_;  // numbers in this process, from 1
  std::vector<uint32_t> markOrder_, metricOrder_, streamOrder_;
  std::vector<int64_t> begins_;
  int64_t firstNs_ = INT64_MAX, lastNs_ = INT64_MIN;
};

}  // namespace parallax::perfetto
