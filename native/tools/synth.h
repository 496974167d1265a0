// Synthetic traces of any size with a known content, for benchmarks and tests of readers.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace parallax::synth {

enum class Pattern { kRing, kBarrier, kMixed };

struct Options {
  std::string directory;
  uint32_t processes = 8;
  uint32_t threads = 1;
  uint64_t events = 1'000'000;
  uint64_t seed = 1;
  Pattern pattern = Pattern::kMixed;
};

// What the trace holds.
struct Truth {
  uint64_t events = 0;
  uint64_t samples = 0;
  uint64_t messages = 0;
  uint64_t bytes = 0;  // of the messages
  uint64_t collectives = 0;
  uint64_t elapsedNs = 0;  // from the start of the first process to the end of the last
  // Of all threads of rank 0: wall time within a routine but not within one it calls, and
  // for code outside routines the time outside since the sample before.
  std::map<std::string, uint64_t> exclusiveNs;
  // Of the same threads: time outside routines after their last samples.
  uint64_t unsampledNs = 0;
  uint64_t threadNs = 0;  // sum of all of the above
};

// Writes the trace into a directory that must not hold one yet; the same options give the
// same bytes. At least `events` events are written, and at most a step of the program more.
// Returns an empty string, or what went wrong.
std::string writeTrace(const Options& options, Truth* truth);

}  // namespace parallax::synth
