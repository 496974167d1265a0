// Places at calls.
#include <algorithm>
#include <cctype>
#include <set>

#include "tools/points/points_resolve.h"
#include "tools/points/points_words.h"

namespace parallax::points {
namespace {

// Fortran has the routines of C in small letters, with underscores behind.
bool isRoutine(const std::string& symbol, const std::string& typed) {
  const FunctionName name = nameOf(symbol);
  if (isNamed(name, typed)) return true;
  std::string lower = typed;
  for (char& c : lower) c = static_cast<char>(tolower(static_cast<unsigned char>(c)));
  return symbol == lower + "__" || symbol == lower + "_f08_";
}

struct CallSites {
  std::set<uint64_t> at;           // calls and jumps
  std::vector<std::string> names;  // of all that is called
};

CallSites findCalls(Module* module, const std::string& routine) {
  CallSites found;
  const Targets& targets = module->code().targets();
  std::set<uint64_t> wanted;  // functions, stubs and slots
  for (const auto& [address, name] : module->image().imports()) {
    found.names.push_back(nameOf(name).simplest);
    if (isRoutine(name, routine)) wanted.insert(address);
  }
  for (const NamedFunction& f : module->functions()) {
    if (!f.name.isPart) found.names.push_back(f.name.simplest);
    if (!f.name.isPart && isRoutine(f.name.linked, routine)) wanted.insert(f.symbol->begin);
    if (!f.name.isPart && isNamed(f.name, routine)) wanted.insert(f.symbol->begin);
  }
  for (const uint64_t address : wanted) {
    const auto [first, last] = targets.into(address, address + 1);
    for (const Transfer* t = first; t != last; ++t) {
      if (module->image().isCode(t->from)) found.at.insert(t->from);
    }
  }
  for (const Targets::ThroughSlot& through : targets.throughSlots()) {
    if (wanted.count(through.slot) != 0) found.at.insert(through.from);
  }
  return found;
}

}  // namespace

bool Resolver::isWanted(const Place& place, Module* module, const Function& function,
                        uint64_t call) {
  if (place.inFunction.empty() && place.inLine == 0) return true;
  DebugInfo* debug = module->debug();
  std::vector<format::SymbolFrame> frames;
  if (debug != nullptr) frames = debug->framesAt(call);
  if (place.inLine != 0) {
    return std::any_of(frames.begin(), frames.end(), [&place](const format::SymbolFrame& f) {
      return f.line == place.inLine && isFileNamed(f.file, place.inFile);
    });
  }
  if (!place.inFile.empty() &&
      std::none_of(frames.begin(), frames.end(), [&place](const format::SymbolFrame& f) {
        return isFileNamed(f.file, place.inFile);
      })) {
    return false;
  }
  const NamedFunction* named = module->functionAt(function.entry);
  if (named != nullptr && endsInName(named->name, place.inFunction)) return true;
  // Inlined ones, too.
  return std::any_of(frames.begin(), frames.end(), [&place](const format::SymbolFrame& f) {
    FunctionName name;
    name.linked = name.full = f.function;
    name.plain = withoutParameters(f.function);
    name.simplest = withoutTemplates(name.plain);
    return endsInName(name, place.inFunction);
  });
}

void Resolver::resolveCalls(Resolved* result) {
  const Place& place = result->place;
  const std::vector<Module*> modules = modulesFor(place, &result->problem);
  if (modules.empty()) return;
  const bool isAfter = place.kind == PlaceKind::kAfter;
  size_t all = 0, tails = 0, conditional = 0, lacking = 0, joined = 0;
  std::vector<std::string> names;
  for (Module* module : modules) {
    const CallSites calls = findCalls(module, place.name);
    names.insert(names.end(), calls.names.begin(), calls.names.end());
    for (const uint64_t at : calls.at) {
      const Function* function = module->code().functionAt(at);
      const size_t index = function == nullptr ? 0 : function->at(at);
      // Stubs of the linkage table are no calls of the program's.
      if (function == nullptr || index >= function->instructions.size()) continue;
      const Instruction& call = function->instructions[index];
      if (!call.isCall() && function->contains(call.target)) continue;  // a loop
      all++;
      if (place.inLine != 0 && module->debug() == nullptr) lacking++;
      if (!isWanted(place, module, *function, at)) continue;
      if (call.kind == Kind::kBranch) {
        conditional++;
      } else if (!isAfter) {
        addPoint(result, module, *function, {at, true, false, false});
      } else if (!call.isCall()) {
        tails++;
      } else if (index + 1 < function->instructions.size() &&
                 function->instructions[index + 1].address == call.end()) {
        addPoint(result, module, *function, {call.end(), false, true, false});
        if (module->code().targets().any(call.end(), call.end() + 1)) joined++;
      }
    }
  }
  if (tails > 0) {
    result->notes.push_back(counted(tails, "call", "calls") + " of " + place.name +
                            " end" + (tails == 1 ? "s" : "") +
                            " a function by a jump (tail call), so no code runs after the call; "
                            "-fno-optimize-sibling-calls avoids this");
  }
  if (conditional > 0) {
    result->notes.push_back(counted(conditional, "call", "calls") + " of " + place.name +
                            " by a conditional jump cannot be delayed");
  }
  if (joined > 0) {
    result->notes.push_back("the code after " + counted(joined, "call", "calls") + " of " +
        place.name +
                            " is also reached without the call; the point acts in that case, too");
  }
  if (!result->points.empty()) return;
  const std::string where = place.inLine != 0       ? place.inFile + ":" + std::to_string(place.inLine)
                            : place.inFunction;
  if (all == 0) {
    result->problem = "no call of " + place.name + " in the program" + didYouMean(names, place.name);
  } else if (tails + conditional > 0) {
    result->problem = result->notes.back();
    result->notes.pop_back();
  } else if (lacking == all) {
    result->problem = "the debug information has no lines for the " + std::to_string(all) +
                      " calls of " + place.name + ": compile with -g, or name a function";
  } else if (!where.empty()) {
    result->problem = "none of the " + counted(all, "call", "calls") + " of " + place.name + " is in " + where;
  } else {
    result->problem = "no call of " + place.name + " returns";
  }
}

}  // namespace parallax::points
