// Places at lines of the source.
#include <filesystem>
#include <set>

#include "tools/points/points_resolve.h"
#include "tools/points/points_words.h"

namespace parallax::points {

void Resolver::resolveLine(Resolved* result, bool withRanges) {
  const Place& place = result->place;
  const std::vector<Module*> modules = modulesFor(place, &result->problem);
  if (modules.empty()) return;
  std::set<std::string> files;
  for (Module* module : modules) {
    DebugInfo* debug = module->debug();
    if (debug == nullptr) continue;
    std::set<uint64_t> seen;
    for (const LineCode& code : debug->find(place.file, place.line)) {
      const Function* function = module->code().functionAt(code.address);
      if (function == nullptr || !seen.insert(code.address).second) continue;
      // The line that a function begins with is what entering it is.
      const bool isEntry = code.address == function->entry;
      addPoint(result, module, *function, {code.address, !isEntry, true, isEntry});
      result->points.back().line = place.line;
      if (!code.function.empty()) result->points.back().function = withoutParameters(code.function);
      files.insert(result->points.back().file);
    }
    if (withRanges) {
      for (const CodeRange& range : debug->rangesOf(place.file, place.line)) {
        result->ranges.push_back({module->index(), range.begin, range.end});
      }
    }
  }
  if (files.size() > 1) {
    result->notes.push_back("several files have this line: " +
                            listed({files.begin(), files.end()}, 3) + "; to select one, write more "
                                "of the path");
  }
  if (result->points.empty()) result->problem = unknownLine(place, modules);
}

std::string Resolver::unknownLine(const Place& place, const std::vector<Module*>& modules) {
  std::vector<std::string> names;
  std::string without;  // debug information
  for (Module* module : modules) {
    DebugInfo* debug = module->debug();
    if (debug == nullptr) {
      without += (without.empty() ? "" : ", ") + module->fileName();
      continue;
    }
    if (debug->hasFile(place.file)) {
      std::vector<std::string> lines;
      for (const uint32_t line : debug->linesNear(place.file, place.line)) {
        lines.push_back(std::to_string(line));
      }
      return "line " + std::to_string(place.line) + " of " + place.file + " has no code" +
             (lines.empty() ? "" : "; the nearest lines with code: " + listed(lines, 2));
    }
    for (const std::string& file : debug->files()) {
      names.push_back(std::filesystem::path(file).filename().string());
    }
  }
  if (names.empty()) {
    return without + " has no debug information, so its lines are unknown: compile with -g, or "
        "install its debug package (functions and calls do not need it)";
  }
  const std::string file = std::filesystem::path(place.file).filename().string();
  return "no source file " + place.file + " in the debug information" + didYouMean(names, file) +
         (without.empty() ? "" : "; " + without + " has none: compile with -g");
}

}  // namespace parallax::points
