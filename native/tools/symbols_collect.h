// Collects the code addresses of a trace by module.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace parallax::symbols {

// The addresses of all processes in one file. The same path with another build id is another
// module: the program was built anew between two processes.
struct ModuleAddresses {
  std::string buildId;  // as recorded, may be empty
  std::string path;
  std::set<uint64_t> offsets;  // from the load bias, one less for return addresses
};

struct Collected {
  std::vector<ModuleAddresses> modules;  // in the order of the definitions
  uint64_t outsideModules = 0;           // addresses that no module held
  std::vector<std::string> warnings;     // definitions files that could not be read
};

// Returns an empty string, or why `directory` is not a trace that can be read.
std::string collect(const std::string& directory, Collected* collected);

}  // namespace parallax::symbols
