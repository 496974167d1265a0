#include "tools/golden.h"

#include <filesystem>

#include "format/dump.h"

namespace parallax::golden {

using namespace format;

ProcessRecord Process::processRecord(uint32_t pid, uint32_t parentPid, uint64_t us) const {
  ProcessRecord record;
  record.startTicks = machine_.ticks(us);
  record.monotonicNs = machine_.monotonicNs(us);
  record.realtimeNs = Machine::realtimeNs(us);
  record.tickHz = machine_.tickHz;
  record.pid = pid;
  record.parentPid = parentPid;
  record.clock = machine_.clock;
  record.cpuClock = CpuClock::kThreadClock;
  record.sampleHz = 100;
  record.host = machine_.host;
  return record;
}

void Process::end(uint64_t us, uint64_t cpuUs, EndReason reason, int32_t status) {
  ProcessEndRecord record;
  record.ticks = machine_.ticks(us);
  record.monotonicNs = machine_.monotonicNs(us);
  record.cpuNs = cpuUs * 1000;
  record.reason = reason;
  record.status = status;
  definitions_.add(record);
}

void Process::thread(uint32_t thread, uint32_t kernelTid, uint32_t creatorPlusOne, uint64_t us,
                     std::string_view name, uint32_t flags) {
  ThreadRecord record;
  record.thread = thread;
  record.kernelTid = kernelTid;
  record.creatorPlusOne = creatorPlusOne;
  record.flags = flags;
  record.ticks = machine_.ticks(us);
  record.name = name;
  definitions_.add(record);
}

void Process::region(uint32_t region, Group group, std::string_view name) {
  RegionRecord record;
  record.region = region;
  record.group = group;
  record.name = name;
  definitions_.add(record);
}

void Process::path(uint32_t path, uint32_t parent, PathKind kind, uint64_t value) {
  CallPathRecord record;
  record.path = path;
  record.parent = parent;
  record.kind = kind;
  record.value = value;
  definitions_.add(record);
}

std::string writeGoldenTraces(const std::string& directory) {
  for (const GoldenTrace& trace : kGoldenTraces) {
    const std::string path = directory + "/" + trace.name;
    std::error_code error;
    std::filesystem::remove_all(path, error);
    if (!std::filesystem::create_directories(path, error)) {
      return "cannot create " + path + ": " + error.message();
    }
    trace.write(path);
    std::string text;
    std::string problem = dumpTrace(path, [&text](std::string_view piece) {
      text += piece;
      return true;
    });
    if (problem.empty()) problem = replaceFile(path + "/expected.txt", text);
    if (!problem.empty()) return problem;
  }
  return {};
}

}  // namespace parallax::golden
