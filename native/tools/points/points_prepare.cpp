#include "tools/points/points_prepare.h"

#include <string.h>

#include <filesystem>
#include <set>

#include "tools/points/points_resolve.h"
#include "tools/points/points_words.h"

namespace parallax::points {
namespace {

using perturb::PreparedFunction;
using perturb::PreparedPatch;
using perturb::PreparedPlace;

// Functions of libc that it calls itself while it blocks all signals, such as between vfork and exec or in the
// first and last moments of a thread; or that the agent's handler of SIGTRAP may call. A trap there would end the
// program.
constexpr const char* kWithoutSignals[] = {
    "_exit", "_Exit", "abort", "chdir", "clone", "close", "closefrom", "dup2", "execve", "exit_group", "fchdir",
    "fdatasync", "fork", "free", "fsync", "getpid", "gettid", "kill", "madvise", "mmap", "mmap64", "mprotect",
    "munmap", "open", "open64", "posix_spawn", "posix_spawnp", "pread", "pread64", "pwrite", "pwrite64", "raise",
    "sched_setparam", "sched_setscheduler", "setpgid", "setsid", "tcsetpgrp", "tgkill", "vfork", "write"};
constexpr const char* kFamiliesWithoutSignals[] = {"mem", "str", "sig", "pthread_", "sched_", "execv", "dl_", "syscall"};

bool isWithoutSignals(const Module& module, const std::string& name) {
  const std::string file = module.fileName();
  if (file.rfind("libc.so", 0) != 0 && file.rfind("libc-", 0) != 0 && file.rfind("libpthread", 0) != 0) return false;
  const std::string plain = name.substr(std::min(name.find_first_not_of('_'), name.size()));
  for (const char* each : kWithoutSignals) {
    if (name == each || plain == each) return true;
  }
  for (const char* family : kFamiliesWithoutSignals) {
    if (plain.rfind(family, 0) == 0) return true;
  }
  return false;
}

template <size_t N>
bool copyText(const std::string& text, char (&to)[N]) {
  memset(to, 0, N);
  memcpy(to, text.data(), std::min(text.size(), N - 1));
  return text.size() < N;
}

bool describe(const Module& module, const Function& function, const std::string& name, PreparedFunction* prepared) {
  copyText(name, prepared->name);
  prepared->begin = function.ranges[0].begin;
  prepared->end = function.ranges[0].end;
  return copyText(module.image().buildId(), prepared->buildId) && copyText(module.image().path(), prepared->path);
}

// Whether it fits.
bool describe(const Function& function, const Patch& patch, bool isReturn, PreparedPlace* place) {
  const Displaced& displaced = patch.displaced;
  if (patch.original.size() > sizeof place->original || displaced.code.size() > sizeof place->code ||
      displaced.fixes.size() > perturb::kMostPreparedFixes || displaced.starts.size() > perturb::kMostPreparedStarts) {
    return false;
  }
  *place = {};
  place->offset = patch.offset;
  place->canJump = patch.method == Method::kJump;
  place->originalBytes = static_cast<uint8_t>(patch.original.size());
  memcpy(place->original, patch.original.data(), patch.original.size());
  place->codeBytes = static_cast<uint8_t>(displaced.code.size());
  memcpy(place->code, displaced.code.data(), displaced.code.size());
  size_t instruction = function.at(patch.offset);
  for (const uint32_t copy : displaced.starts) {
    const uint64_t at = function.instructions[instruction++].address - patch.offset;
    place->starts[place->startCount++] = {static_cast<uint8_t>(at), static_cast<uint8_t>(copy)};
  }
  if (isReturn) place->wayAt = static_cast<uint8_t>(displaced.starts.back());
  constexpr size_t kJumpBytes = 5;
  const Instruction& last = function.instructions[instruction - 1];
  if (last.goesOn() && !last.isCall()) {
    place->backAt = static_cast<uint8_t>(last.end() - patch.offset);
    place->backCopy = static_cast<uint8_t>(displaced.code.size() - kJumpBytes);
  }
  for (const Fix& fix : displaced.fixes) {
    place->fixes[place->fixCount++] = {fix.target, fix.at, static_cast<uint32_t>(fix.kind)};
  }
  return true;
}

// Which of several words it is. False, and a message, if it is none.
template <size_t N>
bool choose(const std::string& what, const std::string& typed, const char* const (&words)[N], uint8_t* chosen,
            std::string* problem) {
  std::vector<std::string> all;
  for (size_t i = 0; i < N; i++) {
    if (typed == words[i]) {
      *chosen = static_cast<uint8_t>(i);
      return true;
    }
    all.push_back(std::string("\"") + words[i] + "\"");
  }
  *problem = what + " is \"" + typed + "\", but is one of " + listed(all, N);
  return false;
}

// Why no call can be inserted behind the function; empty: it can.
std::string problemOfReturns(const Function& function, const std::string& name) {
  if (!function.isKnown) return "not all ways out of " + name + " are known: it jumps to computed addresses";
  if (!function.branchesOut.empty()) return name + " ends in a conditional jump to another function";
  for (const uint64_t exit : function.exits) {
    const size_t at = function.at(exit);
    if (at < function.instructions.size() && function.instructions[at].kind != Kind::kReturn) {
      return name + " ends in a jump to another function (a tail call), behind which no call can be inserted";
    }
  }
  if (function.exits.empty()) return name + " never returns";
  if (function.exits.size() + 1 > perturb::kMostPreparedPlaces) {
    return name + " returns at " + counted(function.exits.size(), "place", "places") + ", which are too many";
  }
  return {};
}

}  // namespace

PatchPreparer::Found PatchPreparer::look(const std::string& path, const std::string& function) {
  Found found;
  std::unique_ptr<Module>& module = modules_[path];
  if (module == nullptr) {
    std::error_code ignored;
    const std::string whole = std::filesystem::canonical(path, ignored).string();
    auto image = Image::open(whole.empty() ? path : whole, &found.problem);
    if (image == nullptr) {
      found.problem = path + ": " + found.problem;
      return found;
    }
    module = std::make_unique<Module>(std::move(image), 0);
  }
  found.module = module.get();
  const Place place = parsePlace("entry:" + function);
  if (!place.problem.empty()) {
    found.problem = place.problem;
    return found;
  }
  uint64_t address = 0;
  if (isAddress(place.name, &address)) {
    found.function = module->code().functionAt(address);
    if (found.function == nullptr || found.function->entry != address) {
      found.function = nullptr;
      found.problem = "no function begins at " + place.name + " of " + module->fileName();
      return found;
    }
    const NamedFunction* named = module->functionAt(address);
    found.name = named == nullptr ? place.name : named->name.plain;
    return found;
  }
  std::vector<const NamedFunction*> functions = Resolver::functionsNamed(place, module.get(), true);
  if (functions.empty()) functions = Resolver::functionsNamed(place, module.get(), false);
  if (functions.empty()) {
    found.problem = Resolver::unknownFunction(place, {module.get()});
  } else if (functions.size() > 1) {
    std::vector<std::string> names;
    for (const NamedFunction* f : functions) {
      names.push_back(f->name.full + " at " + hexText(f->symbol->begin));
    }
    found.problem = place.name + " means " + counted(functions.size(), "function", "functions") + " of " +
                    module->fileName() + ": " + listed(names, 4) + "; write more of the name, or the address";
  } else if (functions[0]->symbol->isIndirect) {
    found.problem = Resolver::indirectFunction(place, module.get(), *functions[0]);
  } else {
    found.name = functions[0]->name.plain;
    found.function = module->code().functionAt(functions[0]->symbol->begin);
    if (found.function == nullptr) found.problem = found.name + " has no code";
  }
  return found;
}

std::string PatchPreparer::find(const std::string& module, const std::string& function, PreparedFunction* found) {
  *found = {};
  const Found looked = look(module, function);
  if (!looked.problem.empty()) return looked.problem;
  if (!describe(*looked.module, *looked.function, looked.name, found)) return "the path of " + module + " is too long";
  return {};
}

std::string PatchPreparer::prepareAction(const ActionRequest& request, perturb::PreparedAction* action) {
  using perturb::PreparedKind;
  *action = {};
  // In the order of PreparedKind, ValueType, Change and Comparison.
  static constexpr const char* kKinds[] = {"argument", "insert_before", "insert_after", "replace"};
  static constexpr const char* kTypes[] = {"i32", "u32", "i64", "u64"};
  static constexpr const char* kChanges[] = {"set", "at_least", "at_most"};
  static constexpr const char* kComparisons[] = {"", "==", "!=", "<", "<=", ">", ">="};
  std::string problem;
  uint8_t kind = 0;
  if (!choose("the kind of the action", request.kind, kKinds, &kind, &problem)) return problem;
  action->kind = kind + 1u;
  if (action->kind == static_cast<uint32_t>(PreparedKind::kArgument)) {
    if (!choose("the type of the argument", request.type, kTypes, &action->type, &problem) ||
        !choose("the change", request.change, kChanges, &action->change, &problem) ||
        !choose("the comparison", request.comparison, kComparisons, &action->comparison, &problem) ||
        !choose("the type of the argument of the condition", request.conditionType, kTypes, &action->conditionType,
                &problem)) {
      return problem;
    }
    constexpr uint32_t kArguments = 6;
    if (request.argument >= kArguments || request.conditionArgument >= kArguments) {
      return "arguments are numbered from 0 to 5: only the first six integers and pointers are in registers";
    }
    action->argument = static_cast<uint8_t>(request.argument);
    action->value = static_cast<uint64_t>(request.value);
    action->conditionArgument = static_cast<uint8_t>(request.conditionArgument);
    action->conditionValue = static_cast<uint64_t>(request.conditionValue);
  } else {
    problem = find(request.otherModule, request.otherFunction, &action->other);
    if (!problem.empty()) return problem;
    for (size_t i = 0; i < 6; i++) action->words[i] = static_cast<uint64_t>(request.words[i]);
  }
  problem = prepare(request.module, request.function, &action->patch);
  const bool isBehind = action->kind == static_cast<uint32_t>(PreparedKind::kCallAfter);
  return problem.empty() && isBehind ? action->patch.noReturnsBecause : problem;
}

std::string PatchPreparer::prepare(const std::string& module, const std::string& name, PreparedPatch* patch) {
  *patch = {};
  const Found found = look(module, name);
  if (!found.problem.empty()) return found.problem;
  const Function& function = *found.function;
  if (isWithoutSignals(*found.module, found.name)) {
    return found.name + " of libc may run while signals are blocked, and cannot be changed";
  }
  if (!function.entryLoop.empty()) {
    return "the first instruction of " + found.name +
           " is also the start of a loop, and nothing tells a call from a further round";
  }
  memcpy(patch->magic, perturb::kPreparedMagic, sizeof patch->magic);
  patch->sizeBytes = sizeof *patch;
  if (!describe(*found.module, function, found.name, &patch->function)) return "the path of " + module + " is too long";

  const std::string noReturns = problemOfReturns(function, found.name);
  copyText(noReturns, patch->noReturnsBecause);
  Patcher patcher(&found.module->code());
  std::vector<size_t> asked{patcher.ask(function, {function.entry, false, false, true, true})};
  if (noReturns.empty()) {
    for (const uint64_t exit : function.exits) {
      asked.push_back(patcher.ask(function, {exit, false, false, false, true, true}));
    }
  }
  patcher.solve();
  std::set<uint64_t> offsets;
  for (const size_t number : asked) {
    const Patch* place = patcher.patch(number);
    const bool isEntry = number == asked[0];
    const bool isSound = place != nullptr && !place->isLoop && offsets.insert(place->offset).second &&
                         describe(function, *place, !isEntry, &patch->places[patch->placeCount]);
    if (isSound) {
      patch->placeCount++;
    } else if (isEntry) {
      return "the first instructions of " + found.name + " cannot run elsewhere: " +
             (place == nullptr ? patcher.problem(number) : "their copy is too large");
    } else {
      patch->placeCount = 1;
      copyText("a return of " + found.name + " shares its instruction with the entry, or cannot run elsewhere",
               patch->noReturnsBecause);
      break;
    }
  }
  return {};
}

}  // namespace parallax::points
