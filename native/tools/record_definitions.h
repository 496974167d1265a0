// The writer's part of definitions that are in memory while their processes run (transport/definitions_stage.h).
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "transport/trace_directory.h"

namespace parallax::record {

// Whether the process has ended, also if nobody has waited for it. The first thread of a process can end before the others.
bool hasEnded(uint32_t pid);

class DefinitionsStage {
 public:
  // `rings` is the path of the file of rings.
  DefinitionsStage(const std::string& rings, const TraceDirectory& trace);

  // Moves the definitions of processes that have ended into the trace, at most so many. Returns whether there may be more.
  bool moveEnded(size_t most);
  // Copies what is new of all others.
  void copyAlive();
  // Whether there are any but those of processes that have ended, and that could not be written.
  bool anyLeft();
  // Of how many processes the last attempt failed, and why the first of these.
  uint32_t failed() const { return static_cast<uint32_t>(failures_.size()); }
  int failure() const { return failures_.empty() ? 0 : failures_.begin()->second; }
  // Opens definitions, wherever they are; a descriptor or a negative reason.
  int open(const char* name) const;

 private:
  struct File {
    std::string name;
    uint32_t pid;
  };
  // Those that are not in the trace alone.
  std::vector<File> files();
  void settle(const std::string& name, int error);

  std::string path_;
  TraceDirectory stage_;
  bool isThere_;
  const TraceDirectory& trace_;
  std::set<std::string> moved_;
  std::map<std::string, uint64_t> copied_;  // up to where
  std::map<std::string, int> failures_;     // an errno each
};

}  // namespace parallax::record
