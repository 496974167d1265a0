// Places at functions.
#include <algorithm>
#include <map>
#include <set>

#include "tools/points/points_resolve.h"
#include "tools/points/points_words.h"

namespace parallax::points {
namespace {

constexpr size_t kMostListed = 4;

std::string nameOr(Module* module, const Function& function, const char* other) {
  const NamedFunction* named = module->functionAt(function.entry);
  return named == nullptr ? other : named->name.plain;
}

}  // namespace

// In which the name stands for each function once.
std::vector<const NamedFunction*> Resolver::functionsNamed(const Place& place, Module* module,
                                                           bool wholeOnly) {
  std::vector<const NamedFunction*> found;
  std::set<uint64_t> entries;
  for (const NamedFunction& f : module->functions()) {
    const bool fits = wholeOnly ? isNamed(f.name, place.name) : endsInName(f.name, place.name);
    if (!fits || f.name.isPart) continue;
    if (!place.file.empty() && f.symbol->file != place.file) {
      DebugInfo* debug = module->debug();
      if (debug == nullptr || !isFileNamed(debug->lineAt(f.symbol->begin).file, place.file)) continue;
    }
    if (entries.insert(f.symbol->begin).second) found.push_back(&f);
  }
  return found;
}

void Resolver::resolveFunction(Resolved* result, bool withRanges) {
  const Place& place = result->place;
  const std::vector<Module*> modules = modulesFor(place, &result->problem);
  if (modules.empty()) return;
  uint64_t address = 0;
  if (isAddress(place.name, &address)) {
    const Function* function = modules[0]->code().functionAt(address);
    if (function == nullptr) {
      result->problem = "no function is at " + place.name + " of " + modules[0]->fileName();
      return;
    }
    addEntryOrExits(result, modules[0], *function);
    if (!withRanges) return;
    for (const CodeRange& range : function->ranges) {
      result->ranges.push_back({modules[0]->index(), range.begin, range.end});
    }
    return;
  }
  for (const bool wholeOnly : {true, false}) {
    for (Module* module : modules) {
      const auto functions = functionsNamed(place, module, wholeOnly);
      if (functions.empty()) continue;
      if (functions[0]->symbol->isIndirect) {
        result->problem = indirectFunction(place, module, *functions[0]);
        return;
      }
      addFunctions(result, module, functions, withRanges);
      tellOfInlinedCalls(result, module, withRanges);
      return;
    }
  }
  for (Module* module : modules) {
    tellOfInlinedCalls(result, module, withRanges);
    if (!result->problem.empty() || !result->ranges.empty()) return;
  }
  result->problem = unknownFunction(place, modules);
}

void Resolver::addFunctions(Resolved* result, Module* module,
                            const std::vector<const NamedFunction*>& functions, bool withRanges) {
  std::set<std::string> overloads;
  std::map<std::string, std::set<std::string>> homes;  // of local functions of the same name
  for (const NamedFunction* f : functions) {
    overloads.insert(f->name.full);
    if (f->symbol->isLocal && !f->name.isClone) homes[f->name.full].insert(f->symbol->file);
  }
  if (overloads.size() > 1) {
    result->notes.push_back(
        "the name means " + counted(overloads.size(), "function", "functions") + ", the place "
        "stands for all of them: " +
        listed({overloads.begin(), overloads.end()}, kMostListed) +
        "; to select one, write more of its name, or its parameters");
  }
  for (const auto& [name, files] : homes) {
    if (files.size() < 2) continue;
    result->notes.push_back("static functions of this name are in " +
                            listed({files.begin(), files.end()}, kMostListed) +
                            ", the place stands for all of them; to select one, write FILE:" +
                            name);
  }
  for (const NamedFunction* f : functions) {
    const Function* function = module->code().functionAt(f->symbol->begin);
    if (function == nullptr) continue;
    addEntryOrExits(result, module, *function);
    if (!withRanges) continue;
    for (const CodeRange& range : function->ranges) {
      result->ranges.push_back({module->index(), range.begin, range.end});
    }
  }
  if (!withRanges) return;
  // Pieces that were split off and are called.
  for (const NamedFunction& part : module->functions()) {
    const auto isWhole = [&part](const NamedFunction* f) { return f->name.linked == part.name.linked; };
    if (part.name.isPart && std::any_of(functions.begin(), functions.end(), isWhole)) {
      result->ranges.push_back({module->index(), part.symbol->begin, part.symbol->end});
    }
  }
}

void Resolver::addEntryOrExits(Resolved* result, Module* module, const Function& function) {
  if (result->place.kind == PlaceKind::kEntry) {
    addPoint(result, module, function, {function.entry, false, true, true});
    return;
  }
  for (const uint64_t exit : function.exits) {
    addPoint(result, module, function, {exit, true, false, false});
  }
  if (!function.branchesOut.empty()) {
    result->notes.push_back(
        counted(function.branchesOut.size(), "exit", "exits") + " of " +
        nameOr(module, function, "the function") +
        " by a conditional jump to another function cannot be delayed, nor counted");
  } else if (function.exits.empty()) {
    result->problem = nameOr(module, function, "the function") + " never returns";
  }
}

void Resolver::tellOfInlinedCalls(Resolved* result, Module* module, bool withRanges) {
  const Place& place = result->place;
  DebugInfo* debug = module->debug();
  if (debug == nullptr) return;
  std::set<std::string> places;
  std::string name;
  for (const InlinedCall& call : debug->inlinedCalls(place.name)) {
    if (!place.file.empty() && call.ranges.size() > 0 &&
        !isFileNamed(debug->lineAt(call.ranges[0].begin).file, place.file)) {
      continue;
    }
    name = call.function;
    places.insert(lineText(call.file, call.line));
    if (!withRanges) continue;
    for (const CodeRange& range : call.ranges) {
      result->ranges.push_back({module->index(), range.begin, range.end});
    }
  }
  if (places.empty()) return;
  const std::string where = listed({places.begin(), places.end()}, kMostListed);
  constexpr char kRemedy[] = "__attribute__((noinline)) before the function prevents this";
  if (!result->points.empty()) {
    result->notes.push_back("the calls of " + name + " at " +
                            counted(places.size(), "place", "places") +
                            " were inlined, and the point does not act there: " + where + "; " +
                            kRemedy);
  } else if (withRanges) {
    result->notes.push_back(name + " was inlined everywhere: " + where);
  } else {
    result->problem = name + " was inlined everywhere, into " + where + "; " + kRemedy +
                      ", or name a line instead";
  }
}

// It has code, but only to choose other code.
std::string Resolver::indirectFunction(const Place& place, Module* module,
                                       const NamedFunction& indirect) {
  std::string text = indirect.name.plain + " is an indirect function: its callers call another "
      "function, which ";
  const NamedFunction* chooser = module->functionAt(indirect.symbol->begin);
  const bool isNamed = chooser != nullptr && !chooser->symbol->isIndirect;
  text += isNamed ? chooser->name.plain + " chooses" : "is chosen";
  std::vector<std::string> names;
  for (const NamedFunction& f : module->functions()) {
    if (f.symbol->begin != indirect.symbol->begin) names.push_back(f.name.simplest);
  }
  return text + " when the program starts; name that function" + didYouMean(names, place.name);
}

std::string Resolver::unknownFunction(const Place& place, const std::vector<Module*>& modules) {
  std::vector<std::string> names;
  bool isStripped = false;
  for (Module* module : modules) {
    isStripped |= module->image().isStripped();
    for (const NamedFunction& f : module->functions()) names.push_back(f.name.simplest);
  }
  std::string text = "no function " + place.name;
  if (!place.file.empty()) text += " of " + place.file;
  text += place.module.empty() ? " in the program" : " in " + place.module;
  text += didYouMean(names, place.name);
  if (isStripped) {
    text += "; " + modules[0]->fileName() +
            " is stripped, so only its exported functions have names: use the file before it was "
            "stripped, or install its debug package";
  }
  return text;
}

}  // namespace parallax::points
