// What a trace says of the functions that were instrumented: the base of an automatic filter.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace parallax::filter {

struct Function {
  uint64_t measured = 0;      // calls with Enter and Leave
  uint64_t counted = 0;       // calls by Visits: it was throttled
  double inclusiveNs = 0;     // of the measured ones, with what they called
  bool callsIntercepted = false;  // an intercepted routine was called in it, however far down

  uint64_t calls() const { return measured + counted; }
  double meanNs() const { return measured > 0 ? inclusiveNs / static_cast<double>(measured) : 0; }
};

struct Profile {
  std::map<std::string, Function> functions;  // by name
  uint64_t unnamed = 0;                       // functions that have none
};

// Adds up all processes and threads. Returns an empty string, or why the trace cannot be read.
std::string profileOf(const std::string& directory, Profile* profile);

}  // namespace parallax::filter
