// Runs of programs whose functions are instrumented, with the names of what is on their paths.
#pragma once

#include <map>
#include <string>

#include "tests/guest_runner.h"
#include "tests/guest_trace.h"

namespace parallax::tests {

using CallCounts = std::map<std::string, uint64_t>;  // by path, "main > middle > leaf"

struct RecordedRun {
  Outcome outcome;
  Trace trace;
  std::map<uint64_t, std::string> functions;  // of the program, by address

  std::string nameOf(const TracedProcess& process, uint32_t path) const;
  std::string pathOf(const TracedProcess& process, uint32_t path) const;
  // What the Enters, or the counts of another kind, of a thread add up to.
  CallCounts calls(const TracedProcess& process, uint32_t thread,
                   format::Kind kind = format::Kind::kEnter) const;
  CallCounts calls() const { return calls(trace.processes.at(0), 0); }
};

// Records a program that is not position-independent.
RecordedRun recordFunctions(const std::string& directory, const Words& command,
                            const Words& options);

}  // namespace parallax::tests
