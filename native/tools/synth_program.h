// The program that a synthetic trace pretends to have measured: its procedures, where they
// lie in its modules, and the call paths that samples and intercepted calls hang on.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "format/writer.h"

namespace parallax::synth {

// SplitMix64: the same numbers on every machine for the same seed.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  uint64_t next() {
    state_ += 0x9E3779B97F4A7C15;
    uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
  }
  // From 0 to bound - 1.
  uint64_t below(uint64_t bound) {
    return static_cast<uint64_t>((static_cast<unsigned __int128>(next()) * bound) >> 64);
  }

 private:
  uint64_t state_;
};

// Intercepted routines, in the order of their regions, which count from 1.
enum Routine : uint32_t {
  kMpiInit, kMpiSend, kMpiIrecv, kMpiRecv, kMpiWaitall, kMpiAllreduce, kMpiBarrier, kMpiFinalize,
  kCreate, kJoin, kLock, kBarrierWait,
  kExchange, kSmooth, kResidual, kFlux,  // user regions
  kRoutineCount
};
inline constexpr Routine kUserRoutines[] = {kExchange, kSmooth, kResidual, kFlux};

class Program {
 public:
  Program();

  // Call path of a routine entered by the main thread, or by a worker.
  uint32_t routinePath(Routine routine, bool worker) const {
    return firstRoutinePath_ + routine * 2 + (worker ? 1 : 0);
  }
  // Call paths of samples, the hottest first.
  const std::vector<uint32_t>& samplePaths(bool worker) const {
    return worker ? workerSamples_ : mainSamples_;
  }
  uint32_t pathCount() const { return static_cast<uint32_t>(paths_.size()); }
  // The procedure that time under a call path belongs to exclusively.
  const std::string& procedureOf(uint32_t path) const { return paths_[path].procedure; }

  // Writes modules, loaded at addresses drawn from `random`, regions and call paths.
  void define(format::DefinitionsWriter* definitions, uint64_t ticks, Random* random) const;
  // The text of the file `symbols`.
  std::string symbols() const;

 private:
  struct Path {
    uint32_t parent = 0;
    format::PathKind kind = format::PathKind::kRegion;
    uint32_t function = 0;  // of an address
    uint64_t value = 0;     // a region, or an offset in the module of the function
    std::string procedure;
  };

  uint32_t addAddress(uint32_t parent, format::PathKind kind, uint32_t function, uint64_t within);
  void addSamples(uint32_t parent, uint32_t firstFunction, uint32_t count,
                  std::vector<uint32_t>* samples);

  std::vector<Path> paths_;
  uint32_t firstRoutinePath_ = 0;
  std::vector<uint32_t> mainSamples_, workerSamples_;
};

}  // namespace parallax::synth
