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

class DefinitionsStage {
 public:
  // `rings` is the path of the file of rings.
  DefinitionsStage(const std::string& rings, const TraceDirectory& trace);

  // Moves the definitions of processes that have ended into the trace, at most so many. Returns whether there may be more.
  // One that failed is tried again after a while, which is longer each time.
  bool moveEnded(size_t most);
  // The same of all, also of those that have failed.
  void moveAllEnded();
  // Copies what is new of all others.
  void copyAlive();
  // Whether there are any but those of processes that have ended, and that could not be moved.
  bool anyLeft();
  // Of how many processes the last attempt failed, and why the first of these, an errno; without those of which the trace tells.
  uint32_t failed() const;
  int failure() const;
  // Whether any could not be moved because there was no space.
  bool lacksSpace() const;
  // Opens definitions, wherever they are; a descriptor or a negative reason.
  int open(const char* name) const;

 private:
  struct File {
    std::string name;
    uint32_t pid;
    uint64_t sinceMs;  // a time when the process was running; 0 if that is not known
  };
  // Those that are not in the trace alone.
  std::vector<File> files();
  // The result of an attempt at `nowNs`.
  void settle(const File& file, int error, bool isTold, bool isWhole, uint64_t nowNs);
  bool moveEnded(size_t most, bool alsoEarly);
  bool couldNotBeMoved(const std::string& name) const;

  std::string path_;
  TraceDirectory stage_;
  bool isThere_;
  const TraceDirectory& trace_;
  std::set<std::string> moved_;
  std::map<std::string, uint64_t> copied_;  // up to where
  struct Failure {
    int error;  // an errno, or a reason of trace_space.h
    bool isTold;
    bool isWhole;  // of a process that has ended
    uint64_t againNs, pauseNs;  // not before that; since the last attempt
  };
  std::map<std::string, Failure> failures_;
};

}  // namespace parallax::record
