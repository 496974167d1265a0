// The golden traces: small traces that hold all of the format, as programs that write them.
#pragma once

#include <string>
#include <vector>

#include "format/writer.h"

namespace parallax::golden {

// A machine whose clocks are lines over the microseconds since the run began.
struct Machine {
  const char* host;
  format::Clock clock;
  uint64_t tickHz;
  uint64_t startTicks;
  uint64_t startMonotonicNs;

  uint64_t ticks(uint64_t us) const { return startTicks + us * (tickHz / 1'000'000); }
  uint64_t monotonicNs(uint64_t us) const { return startMonotonicNs + us * 1000; }
  // The realtime clocks of all machines agree.
  static uint64_t realtimeNs(uint64_t us) { return 1'790'000'000'000'000'000 + us * 1000; }
  format::ClockLine line(uint64_t us) const { return {ticks(us), monotonicNs(us), tickHz}; }
};

// Writes the definitions of one process and gives out its thread files; every time is in
// microseconds since the run began.
class Process {
 public:
  Process(const std::string& directory, const Machine& machine, uint32_t pid, uint32_t seq = 0)
      : machine_(machine),
        prefix_(directory + "/" + format::processFileName(machine.host, pid, seq)),
        definitions_(prefix_ + ".def") {}

  const Machine& machine() const { return machine_; }
  format::DefinitionsWriter& definitions() { return definitions_; }

  // A Process record with the clocks of this machine filled in.
  format::ProcessRecord processRecord(uint32_t pid, uint32_t parentPid, uint64_t us) const;
  void end(uint64_t us, uint64_t cpuUs, format::EndReason reason, int32_t status);
  void thread(uint32_t thread, uint32_t kernelTid, uint32_t creatorPlusOne, uint64_t us,
              std::string_view name, uint32_t flags = 0);
  void region(uint32_t region, format::Group group, std::string_view name);
  void path(uint32_t path, uint32_t parent, format::PathKind kind, uint64_t value);
  std::string eventsPath(uint32_t thread) const {
    return prefix_ + "." + std::to_string(thread) + ".evt";
  }

 private:
  Machine machine_;
  std::string prefix_;
  format::DefinitionsWriter definitions_;
};

// Events of one thread at times in microseconds.
class Thread {
 public:
  Thread(const Process& process, uint32_t thread, uint64_t startUs)
      : machine_(process.machine()),
        writer_(process.eventsPath(thread), thread, machine_.line(startUs)) {}

  void event(uint64_t us, format::Kind kind, uint64_t operand = 0,
             std::initializer_list<uint64_t> payload = {}) {
    writer_.event(kind, operand, machine_.ticks(us), payload);
  }
  void enter(uint64_t us, uint32_t path) { writer_.enter(path, machine_.ticks(us)); }
  void leave(uint64_t us, uint32_t path) { writer_.leave(path, machine_.ticks(us)); }
  void cpu(uint64_t us, uint64_t lostUs) { writer_.cpu(machine_.ticks(us), lostUs * 1000); }
  format::EventWriter& writer() { return writer_; }

 private:
  Machine machine_;
  format::EventWriter writer_;
};

struct GoldenTrace {
  const char* name;
  void (*write)(const std::string& directory);
};

void writeMessages(const std::string& directory);  // two machines, all of MPI
void writeThreads(const std::string& directory);   // all of pthreads, modules, samples
void writeAdapters(const std::string& directory);  // processes, streams, files, OpenMP, PVM, phases
void writeWindows(const std::string& directory);   // one-sided MPI
void writeExec(const std::string& directory);      // fork, exec, strings that need care
void writeKilled(const std::string& directory);    // what SIGKILL leaves behind
void writeHoles(const std::string& directory);     // blocks of zeros before, between and behind others
void writeCorners(const std::string& directory);   // blocks, escapes, unknown kinds and types
void writeDamaged(const std::string& directory);   // files that were damaged later
void writeSmall(const std::string& directory);     // first blocks in the definitions file

inline constexpr GoldenTrace kGoldenTraces[] = {
    {"messages", writeMessages}, {"threads", writeThreads}, {"adapters", writeAdapters},
    {"exec", writeExec},         {"killed", writeKilled},   {"corners", writeCorners},
    {"damaged", writeDamaged},   {"small", writeSmall},   {"windows", writeWindows},
    {"holes", writeHoles},
};

// Writes every golden trace and its expected.txt below `directory`, replacing what is there.
// Returns an empty string, or what went wrong.
std::string writeGoldenTraces(const std::string& directory);

}  // namespace parallax::golden
