// The definitions of a process whose events are exported, and what they became in the archive.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "format/reader.h"
#include "format/symbols_file.h"
#include "tools/otf2/export.h"
#include "tools/otf2/export_names.h"

namespace parallax::otf2 {

// The symbols of a trace, by module and offset.
class ExportSymbols {
 public:
  // Without the file, addresses have no names. Returns what is wrong with it.
  std::string read(const std::string& trace);
  const format::SymbolAddress* find(const std::string& buildId, const std::string& path, uint64_t offset) const;

 private:
  std::vector<format::SymbolModule> modules_;
  std::unordered_map<std::string, std::unordered_map<uint64_t, const format::SymbolAddress*>> addresses_;
};

class ProcessExport {
 public:
  // What a call path is in the archive.
  struct Path {
    uint32_t parent = 0;
    format::PathKind kind = format::PathKind::kRegion;
    uint64_t value = 0;
    bool isDefined = false, isResolved = false, isPause = false;
    OTF2_RegionRef region = OTF2_UNDEFINED_REGION;
    OTF2_CallingContextRef context = OTF2_UNDEFINED_CALLING_CONTEXT;
  };
  struct Communicator {
    bool isDefined = false;
    uint64_t globalId = 0;
    uint32_t size = 0, ownRank = 0, flags = 0;
    std::vector<format::RankRun> own, remote;
    std::string name;
    OTF2_CommRef ref = OTF2_UNDEFINED_COMM;  // undefined: its events have no records
  };
  struct Object {
    format::SyncKind kind = format::SyncKind::kMutex;
    bool isDefined = false;
  };
  struct Metric {
    OTF2_MetricRef ref = OTF2_UNDEFINED_METRIC;
    bool isDouble = false;
  };

  // Returns an empty string, or why the process cannot be read.
  std::string read(const format::ProcessFiles& files, ExportNames* names);

  // A path with its region and, if asked for, its context; null if it is not defined.
  const Path* path(uint64_t number, bool withContext);
  const Communicator* communicator(uint64_t number) const {
    return number < communicators.size() && communicators[number].isDefined ? &communicators[number] : nullptr;
  }
  bool isWalked() const { return isWalked_; }  // paths have functions that have no Enter
  uint32_t threadCount() const { return static_cast<uint32_t>(files.threads.size()); }
  std::string threadName(uint32_t thread) const;
  int64_t location(uint64_t thread) const {
    return thread < locations.size() ? locations[static_cast<size_t>(thread)] : -1;
  }

  format::ProcessFiles files;
  std::string host, executable, program;
  std::vector<std::string> arguments;
  uint32_t pid = 0, sampleHz = 0;
  uint64_t startTicks = 0, realtimeNs = 0, tickHz = 1'000'000'000;
  bool isMpi = false, hasExited = false;
  uint64_t job = 0;
  uint32_t rank = 0, worldSize = 0;
  int32_t status = 0;
  std::vector<Communicator> communicators;
  std::vector<Object> objects;
  std::vector<Metric> metrics;
  std::vector<int64_t> locations;  // of each thread, -1 for none
  OTF2_CommRef contingent = OTF2_UNDEFINED_COMM;  // its threads
  HostClock clock;
  const ExportSymbols* symbols = nullptr;

 private:
  struct Region {
    std::string name;
    format::Group group = format::Group::kUser;
    bool isDefined = false;
  };
  struct Module {
    uint64_t bias = 0, first = 0, end = 0;
    std::string buildId, path;
  };
  friend struct DefinitionReader;
  void resolve(Path* path, bool withContext);
  void resolveAddress(Path* path, OTF2_CallingContextRef parent, bool withContext);

  ExportNames* names_ = nullptr;
  bool isWalked_ = false;
  std::vector<Path> paths_;
  std::vector<Region> regions_;
  std::vector<Module> modules_;
  std::unordered_map<uint32_t, std::string> threadNames_;
};

}  // namespace parallax::otf2
