// A whole trace in memory, for tests of small programs.
#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include "format/reader.h"

namespace parallax::tests {

struct TracedEvent {
  format::Kind kind = format::Kind::kNone;
  uint64_t operand = 0;
  uint64_t ticks = 0;
  uint32_t payloadCount = 0;
  std::array<uint64_t, 6> payload = {};
  std::vector<uint64_t> morePayload = {};  // after these
};

struct TracedThread {
  format::ThreadRecord definition;
  bool hasFile = false;
  uint32_t blocks = 0;
  size_t missingBlocks = 0;  // before others
  uint32_t lost = 0;
  bool lastBlockClosed = false;
  std::vector<TracedEvent> events;

  size_t count(format::Kind kind) const;
  const TracedEvent* first(format::Kind kind) const;
};

struct TracedProcess {
  format::ProcessRecord process;
  std::string executable, command, host;
  std::vector<format::ProcessEndRecord> ends;
  std::map<uint32_t, TracedThread> threads;
  std::map<uint32_t, std::string> regions;
  std::map<uint32_t, format::CallPathRecord> paths;
  std::map<uint32_t, format::SyncObjectRecord> objects;
  std::vector<std::string> notes;
  std::map<std::string, std::string> settings;
  std::map<uint32_t, std::string> threadNames, files;
  std::map<uint32_t, format::MetricRecord> metrics;  // without their strings
  std::map<uint32_t, std::string> metricNames;
  std::map<uint32_t, format::StreamRecord> streams;  // without their names
  std::map<uint32_t, std::string> streamNames;
  std::vector<format::PvmRecord> pvm;
  format::LossesRecord losses;
  std::map<uint32_t, format::CommunicatorRecord> communicators;  // without members and names
  size_t modules = 0;

  std::string leafOf(uint64_t path) const;  // name of the region at the end of a path
  size_t count(format::Kind kind) const;    // in all threads
  // The events between an Enter of this routine and its Leave, both included.
  std::vector<std::vector<TracedEvent>> calls(const TracedThread& thread,
                                              const std::string& routine) const;
  size_t objectsOf(format::SyncKind kind) const;
};

struct Trace {
  std::map<std::string, std::string> manifest;
  std::vector<TracedProcess> processes;
  size_t unrecorded = 0;  // processes that found no space at all

  const TracedProcess* ofExecutable(const std::string& baseName) const;
};

// Reads a trace and expects of it what holds for every trace: records and blocks whole, times
// that do not decrease, Enter and Leave paired, definitions before their use.
//
// mayLackSpace: processes for which there was no space at all are counted; else they are failures.
Trace loadTrace(const std::string& directory, bool mayLackSpace = false);

// Expects the acquisitions of each mutex and spin lock to be numbered without gaps, and each to be
// released before the next. Of several processes, those that they share are one.
void expectLocksConsistent(const TracedProcess& process);
void expectLocksConsistent(const std::vector<const TracedProcess*>& processes);

}  // namespace parallax::tests
