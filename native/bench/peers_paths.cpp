#include "bench/peers_paths.h"

#include <fstream>
#include <sstream>
#include <vector>

#include "bench/peers_run.h"
#include "bench/peers_tools.h"

namespace parallax::bench {
namespace {

// The rows of an intercepted routine, as a program under the agent has it.
constexpr char kWith[] = "routine with call path";
constexpr char kWithout[] = "routine without";
constexpr size_t kNameWidth = 24;

bool startsWith(const std::string& text, const std::string& with) {
  return text.compare(0, with.size(), with) == 0;
}

std::vector<double> numbersAfterName(const std::string& line) {
  std::vector<double> numbers;
  std::istringstream rest(line.size() > kNameWidth ? line.substr(kNameWidth) : "");
  for (double number; rest >> number;) numbers.push_back(number);
  return numbers;
}

}  // namespace

PathCosts readPaths(const std::string& printed) {
  PathCosts costs;
  std::istringstream lines(printed);
  std::string line, place;
  std::vector<double> depths, with;
  bool found = false;
  while (std::getline(lines, line)) {
    if (startsWith(line, "same place") || startsWith(line, "other place")) {
      place = line.substr(0, line.find("  "));
      depths = numbersAfterName(line);
    } else if (line.empty() || startsWith(line, "new subtree")) {
      depths.clear();
    } else if (startsWith(line, kWith)) {
      with = numbersAfterName(line);
    } else if (startsWith(line, kWithout)) {
      const std::vector<double> without = numbersAfterName(line);
      for (size_t i = 0; i < depths.size() && i < with.size() && i < without.size(); i++) {
        const double ns = with[i] - without[i];
        if (found && ns <= costs.mostNs) continue;
        found = true;
        costs.mostNs = ns;
        costs.mostWhere = place + ", " + std::to_string(static_cast<int>(depths[i])) + " frames";
      }
    }
  }
  costs.table = printed;
  if (!found) costs.failure = "it printed no costs of call paths";
  return costs;
}

PathCosts measurePaths(bool quick, const std::string& scratch, const std::string& lockFile) {
  constexpr char kProgram[] = "{build}/parallax-bench-unwind";
  PathCosts costs;
  costs.failure = missingTool(kProgram, "");
  if (!costs.failure.empty()) return costs;
  const Turn turn(lockFile);
  const std::string arguments = quick ? " 40" : "";
  const Run run = runCommand(filledIn(kProgram + arguments, false, "", ""), scratch, 120);
  if (!run.failure.empty()) {
    costs.failure = run.failure;
    return costs;
  }
  std::ostringstream printed;
  printed << std::ifstream(scratch + "/out").rdbuf();
  return readPaths(printed.str());
}

}  // namespace parallax::bench
