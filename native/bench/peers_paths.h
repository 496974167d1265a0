// What the call path of an intercepted call costs, by depth: as parallax-bench-unwind prints it.
#pragma once

#include <string>

namespace parallax::bench {

struct PathCosts {
  std::string table;    // the whole of it
  std::string failure;  // why there is none
  // The most that it adds to an intercepted routine, of all depths.
  double mostNs = 0;
  std::string mostWhere;  // such as "same place, 10 frames"
};

PathCosts measurePaths(bool quick, const std::string& scratch, const std::string& lockFile);
// From what was printed.
PathCosts readPaths(const std::string& printed);

}  // namespace parallax::bench
