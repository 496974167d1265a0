// The writer's part of definitions that are in memory while their processes run (transport/definitions_stage.h).
#pragma once

#include <sys/types.h>

#include <cstdint>
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

  // Moves the definitions of processes that have ended into the trace. With `atLast`, those that cannot be written are given
  // up. Returns whether there are any left.
  bool moveEnded(bool atLast);
  // Copies those of all. Returns 0, or the errno of the first that could not be written.
  int copyAll();
  // Of processes whose definitions were given up, and why.
  uint32_t lostFiles() const { return lostFiles_; }
  int failure() const { return failure_; }
  // Opens definitions, wherever they are; a descriptor or a negative reason.
  int open(const char* name) const;

 private:
  struct File {
    std::string name;
    uint32_t pid;
  };
  // Those that are not in the trace alone.
  std::vector<File> files() const;

  std::string path_;
  TraceDirectory stage_;
  bool isThere_;
  const TraceDirectory& trace_;
  uint32_t lostFiles_ = 0;
  int failure_ = 0;
};

}  // namespace parallax::record
