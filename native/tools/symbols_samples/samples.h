// What the tests of symbols share: sample programs and what other tools say about them.
#pragma once

#include <stdio.h>
#include <stdlib.h>

#include <set>
#include <sstream>
#include <string>

#include "tools/symbols_files.h"
#include "tools/symbols_resolve.h"

namespace parallax::symbols {

inline const std::string kSamples = PARALLAX_SYMBOLS_SAMPLES;

inline std::string shellWord(const std::string& text) { return "'" + text + "'"; }

inline bool run(const std::string& command) { return system(command.c_str()) == 0; }

inline std::string output(const std::string& command) {
  std::string text;
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return text;
  char buffer[4096];
  size_t size;
  while ((size = fread(buffer, 1, sizeof buffer, pipe)) > 0) text.append(buffer, size);
  pclose(pipe);
  return text;
}

inline std::string buildIdOf(const std::string& path) {
  std::string reason;
  const auto file = ElfFile::open(path, &reason);
  return file == nullptr ? std::string() : file->buildId();
}

// Every `step`-th address of the functions of a file by nm: not the padding between them, to
// which addr2line gives the line before it.
inline std::set<uint64_t> codeAddresses(const std::string& path, uint64_t step,
                                 const std::string& nmOptions = "") {
  std::set<uint64_t> addresses;
  std::istringstream lines(output("nm -S --defined-only " + nmOptions + " " + shellWord(path)));
  for (std::string line; std::getline(lines, line);) {
    std::istringstream fields(line);
    uint64_t start = 0, size = 0;
    std::string type;
    if (!(fields >> std::hex >> start >> size >> type)) continue;
    if (type.size() != 1 || type.find_first_of("tTwWiu") == std::string::npos) continue;
    for (uint64_t a = start; a < start + size; a += step) addresses.insert(a);
  }
  return addresses;
}

// The address of a function by nm.
inline uint64_t addressOf(const std::string& path, const std::string& name) {
  std::istringstream lines(
      output("nm " + shellWord(path) + "; nm -D " + shellWord(path) + " 2>/dev/null"));
  for (std::string line; std::getline(lines, line);) {
    std::istringstream fields(line);
    std::string address, type, found;
    if (fields >> address >> type >> found && found.substr(0, found.find('@')) == name) {
      return std::stoull(address, nullptr, 16);
    }
  }
  return 0;
}

inline format::SymbolModule resolve(const std::string& path, const std::set<uint64_t>& offsets,
                     const std::string& buildId = "", const ResolveOptions& options = {}) {
  ModuleStatistics statistics;
  return resolveModule(0, {buildId, path, offsets}, options, &statistics);
}

inline std::string functionAt(const std::string& path, const std::string& symbol) {
  const format::SymbolModule module = resolve(path, {addressOf(path, symbol) + 1});
  return module.addresses[0].frames.empty() ? "" : module.addresses[0].frames.back().function;
}

}  // namespace parallax::symbols
