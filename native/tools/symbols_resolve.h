// Resolves the addresses of modules, several modules at a time.
#pragma once

#include <string>
#include <vector>

#include "format/symbols_file.h"
#include "tools/symbols_collect.h"

namespace parallax::symbols {

struct ResolveOptions {
  std::vector<std::string> debugDirectories = {"/usr/lib/debug"};
  bool useDebugInformation = true;  // else symbol tables alone
};

struct ModuleStatistics {
  uint64_t elapsedNs = 0;
  std::string debugFile;  // a separate file that was used
  std::string failure;    // how reading the debug information ended, if it did not go well
};

// In this process: nothing guards against what damaged debug information makes libdw do.
format::SymbolModule resolveModule(uint32_t number, const ModuleAddresses& addresses,
                                   const ResolveOptions& options, ModuleStatistics* statistics);

// Each module in a process of its own with bounds on memory and CPU time, as many at a time as
// there are processors. A module whose debug information makes its process fail is resolved
// by symbol tables alone, and if that fails too, not at all. `statistics` gets one entry for
// each module.
std::vector<format::SymbolModule> resolveModules(const std::vector<ModuleAddresses>& modules,
                                                 const ResolveOptions& options,
                                                 std::vector<ModuleStatistics>* statistics);

}  // namespace parallax::symbols
