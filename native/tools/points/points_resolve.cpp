#include "tools/points/points_resolve.h"

#include <algorithm>

#include "tools/points/points_words.h"

namespace parallax::points {
namespace {

void addStrings(const char* begin, const char* end, size_t mostBytes,
                std::vector<std::string>* strings) {
  for (const char* at = begin; at < end;) {
    const char* stop = std::find_if(at, end, [](char c) { return c < ' ' || c > '~'; });
    const auto size = static_cast<size_t>(stop - at);
    if (size >= 2 && size <= mostBytes && stop < end && *stop == 0) strings->emplace_back(at, size);
    at = stop + 1;
  }
}

}  // namespace

std::vector<Resolved> Resolver::resolve(const std::vector<Request>& requests) {
  std::vector<Resolved> results;
  for (const Request& request : requests) {
    results.push_back(resolve(request.place, request.withRanges));
  }
  for (const auto& module : modules_) {
    if (module->hasPatcher()) module->patcher().solve();
  }
  for (Resolved& result : results) takePatches(&result);
  return results;
}

Resolved Resolver::resolve(const std::string& text, bool withRanges) {
  Resolved result;
  result.place = parsePlace(text);
  result.problem = result.place.problem;
  if (!result.problem.empty()) return result;
  switch (result.place.kind) {
    case PlaceKind::kEntry:
    case PlaceKind::kExit:
      resolveFunction(&result, withRanges);
      break;
    case PlaceKind::kLine:
      resolveLine(&result, withRanges);
      break;
    case PlaceKind::kBefore:
    case PlaceKind::kAfter:
      resolveCalls(&result);
      break;
    case PlaceKind::kMacro:
      resolveMacro(&result);
      break;
  }
  return result;
}

std::vector<Module*> Resolver::modulesFor(const Place& place, std::string* problem) {
  std::vector<Module*> chosen;
  for (const auto& module : modules_) {
    if (place.module.empty() || module->isCalled(place.module)) chosen.push_back(module.get());
  }
  if (!chosen.empty()) return chosen;
  // A library of the system, on explicit wish.
  std::string reason = "the program does not load it at its start; name the file with --library";
  const std::string path = libraryPath(modules_[0]->image(), place.module);
  auto image = path.empty() ? nullptr : Image::open(path, &reason);
  if (image != nullptr) {
    modules_.push_back(std::make_unique<Module>(std::move(image),
                                                static_cast<uint32_t>(modules_.size())));
    return {modules_.back().get()};
  }
  *problem = "no module " + place.module + ": " + reason;
  return {};
}

void Resolver::addPoint(Resolved* result, Module* module, const Function& function,
                        const Anchor& anchor) {
  Point point;
  point.id = nextId_++;
  point.module = module->index();
  point.patch = nullptr;
  point.address = anchor.address;
  point.asked = module->patcher().ask(function, anchor);
  const NamedFunction* named = module->functionAt(function.entry);
  if (named != nullptr) point.function = named->name.plain;
  if (DebugInfo* debug = module->debug()) {
    const SourceLine line = debug->lineAt(anchor.address);
    point.file = line.file;
    point.line = line.line;
  }
  result->points.push_back(std::move(point));
}

void Resolver::takePatches(Resolved* result) {
  std::vector<Point> kept;
  size_t traps = 0;
  for (Point& point : result->points) {
    Patcher& patcher = modules_[point.module]->patcher();
    point.patch = patcher.patch(point.asked);
    if (point.patch != nullptr) {
      traps += point.patch->method == Method::kTrap ? 1 : 0;
      kept.push_back(std::move(point));
    } else if (result->problem.empty()) {
      result->problem = "no point can be set in " +
                        (point.function.empty() ? "the function" : point.function) + " at " +
                        hexText(point.address) + ": " + patcher.problem(point.asked);
    }
  }
  result->points = std::move(kept);
  if (traps > 0) {
    result->notes.push_back(std::to_string(traps) + " of its " +
                            counted(result->points.size(), "point", "points") +
                            (traps == 1 ? " is a trap" : " are traps") +
                            ", which costs about 2.5 us at each visit, at every level");
  }
}

void Resolver::resolveMacro(Resolved* result) {
  const Place& place = result->place;
  const std::vector<Module*> modules = modulesFor(place, &result->problem);
  if (modules.empty()) return;
  // Its name is a string of the program, or the end of one: linkers merge them.
  const std::string wanted = place.name + std::string(1, '\0');
  std::vector<std::string> strings;
  for (Module* module : modules) {
    for (const Section& section : module->image().sections()) {
      if (section.bytes == nullptr || section.isCode) continue;
      const auto* begin = reinterpret_cast<const char*>(section.bytes);
      const auto* end = begin + (section.end - section.begin);
      if (std::search(begin, end, wanted.begin(), wanted.end()) != end) return;
      if (!section.isWritable) addStrings(begin, end, place.name.size() * 2, &strings);
    }
  }
  result->problem = "no parallax_delay_point(\"" + place.name + "\") in the program: the program "
      "does not contain this name" +
                    didYouMean(strings, place.name);
}

}  // namespace parallax::points
