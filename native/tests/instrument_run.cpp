#include "tests/instrument_run.h"

#include <unistd.h>

#include <iterator>
#include <sstream>

namespace parallax::tests {
namespace {

using format::Kind;
using format::PathKind;

std::map<uint64_t, std::string> functionsOf(const std::string& program) {
  std::map<uint64_t, std::string> functions;
  std::istringstream lines(run({"nm", "-C", "--defined-only", program}).output);
  for (std::string line; std::getline(lines, line);) {
    const std::string name = line.substr(19);
    functions.emplace(std::stoull(line, nullptr, 16), name.substr(0, name.find('(')));
  }
  return functions;
}

}  // namespace

std::string RecordedRun::nameOf(const TracedProcess& process, uint32_t path) const {
  const format::CallPathRecord& p = process.paths.at(path);
  if (p.kind == PathKind::kRegion) return process.regions.at(static_cast<uint32_t>(p.value));
  if (p.kind == PathKind::kFunction) {
    const auto name = functions.find(p.value);
    return name != functions.end() ? name->second : "?";
  }
  const auto after = functions.upper_bound(p.value - (p.kind == PathKind::kReturnAddress ? 1 : 0));
  return after != functions.begin() ? std::prev(after)->second : "?";
}

std::string RecordedRun::pathOf(const TracedProcess& process, uint32_t path) const {
  const uint32_t parent = process.paths.at(path).parent;
  const std::string name = nameOf(process, path);
  return parent == 0 ? name : pathOf(process, parent) + " > " + name;
}

CallCounts RecordedRun::calls(const TracedProcess& process, uint32_t thread, Kind kind) const {
  CallCounts counts;
  for (const TracedEvent& e : process.threads.at(thread).events) {
    if (e.kind != kind) continue;
    counts[pathOf(process, static_cast<uint32_t>(e.operand))] +=
        kind == Kind::kEnter ? 1 : e.payload[0];
  }
  return counts;
}

RecordedRun recordFunctions(const std::string& directory, const Words& command,
                            const Words& options) {
  RecordedRun r;
  r.outcome = run(recorded(directory, command, options));
  r.functions = functionsOf(command[0]);
  if (access(directory.c_str(), F_OK) == 0) r.trace = loadTrace(directory);
  return r;
}

}  // namespace parallax::tests
