#include "perturb/patch_actions.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "base/memory.h"
#include "base/spin_lock.h"
#include "base/sys.h"
#include "perturb/code_place.h"
#include "perturb/delay.h"
#include "sampler/sampler.h"
#include "sampler/trap_masks.h"
#include "sampler/unwinder.h"

namespace parallax::perturb {
namespace {

SpinLock working;  // for all below, and for code_place.h
ModuleImage image;
uint32_t lastId = 0;
bool trapsClaimed = false, trapsReach = false;

constexpr char kBusy[] = "a signal handler asked for it in the middle of another change";
constexpr char kNotLoaded[] = "the module of the function is not loaded in this process";

// Calls f(module) for the first loaded module for which wanted(info, image) holds, while no module can come
// or go. Returns whether there is one. Holding the lock.
template <class Wanted, class F>
bool withModule(Wanted wanted, F f) {
  struct Search {
    Wanted& wanted;
    F& f;
    bool first = true;
  } search{wanted, f};
  return dl_iterate_phdr(
             [](dl_phdr_info* info, size_t, void* opaque) {
               auto& s = *static_cast<Search*>(opaque);
               const bool isMain = s.first;
               s.first = false;
               if (!readImage(*info, &image) || !s.wanted(*info, isMain)) return 0;
               s.f(loadedModuleOf(*info, image), *info);
               return 1;
             },
             &search) != 0;
}

template <class F>
bool withModuleOf(const PreparedFunction& function, F f) {
  return withModule(
      [&](const dl_phdr_info& info, bool isMain) {
        if (function.buildId[0] == '\0') completeImage(info, info.dlpi_name, isMain, &image);
        return isModule(image, function.buildId, function.path);
      },
      f);
}

template <class F>
bool withModuleAt(uint64_t address, F f) {
  return withModule([&](const dl_phdr_info&, bool) { return address >= image.start && address < image.end; }, f);
}

// Code that runs while SIGTRAP is blocked, or in the handler of SIGTRAP itself.
const char* refusal(const LoadedModule& module, const dl_phdr_info& info) {
  const auto own = reinterpret_cast<uint64_t>(parallaxPlaceStub);
  if (module.holdsCode(own, 1) && strstr(info.dlpi_name, "libparallax-agent") != nullptr) {
    return "the function is Parallax's own";
  }
  return strstr(info.dlpi_name, "/ld-linux") != nullptr ? "the function is the dynamic linker's" : nullptr;
}

const char* claim() {
  if (!trapsClaimed) {
    trapsClaimed = sampler::claimTraps(followPlaceTrap, true);
    if (!trapsClaimed) return "SIGTRAP is not available (a debugger?)";
    setOriginalOfCopies(originalOf);
  }
  if (trapsReach) return nullptr;
  if (const char* who = sampler::whoBlocksTraps()) return who;
  trapsReach = true;
  return nullptr;
}

bool canKeepState() {
  static const bool can = hasXsave();
  return can;
}

// ----------------------------------------------------------------- actions

const char* addTo(PlaceActions* actions, uint32_t id, const ArgumentChange& change) {
  if (actions->changeCount == kMostChanges) return "the function has the most changes of arguments already";
  actions->changes[actions->changeCount++] = {id, change};
  return nullptr;
}

const char* addTo(PlaceActions* actions, uint32_t id, const InsertedCall& call) {
  if (actions->callCount == kMostCalls) return "the function has the most inserted calls already";
  actions->calls[actions->callCount++] = {id, call};
  return nullptr;
}

const char* addTo(PlaceActions* actions, uint32_t id, const Replacement& replacement) {
  if (actions->replacementId != 0) return "the function is replaced already; undo that first";
  actions->replacementId = id;
  actions->replacement = replacement;
  return nullptr;
}

template <class T>
bool removeFrom(T* items, uint32_t* count, uint32_t id) {
  const uint32_t before = *count;
  *count = static_cast<uint32_t>(
      std::remove_if(items, items + before, [id](const T& item) { return item.id == id; }) - items);
  return *count != before;
}

bool removeFrom(PlaceActions* actions, uint32_t id) {
  bool removed = removeFrom(actions->changes, &actions->changeCount, id);
  removed = removeFrom(actions->calls, &actions->callCount, id) || removed;
  if (actions->replacementId == id) {
    actions->replacementId = 0;
    actions->replacement = {};
    removed = true;
  }
  return removed;
}

// Without this action; the code first, so that no thread passes in vain.
const char* removeFrom(CodePlace* place, uint32_t id, bool* known) {
  PlaceActions left = place->actions();
  if (!removeFrom(&left, id)) return nullptr;
  *known = true;
  const char* problem = nullptr;
  if (left.isEmpty()) {
    withModuleAt(place->address.load(std::memory_order_relaxed),
                 [&](const LoadedModule& module, const dl_phdr_info&) { problem = removePlace(module, place); });
  }
  place->publish(left);
  return problem;
}

// Returns what is wrong, or null.
const char* readAction(const char* path, PreparedAction* action) {
  const int fd = sys::openat(AT_FDCWD, path, O_RDONLY | O_NOFOLLOW);
  if (fd < 0) return "the file with the prepared change cannot be opened";
  struct stat status;
  const bool isOwn = sys::call(SYS_fstat, fd, sys::word(&status)) == 0 && S_ISREG(status.st_mode) &&
                     status.st_uid == static_cast<uid_t>(sys::call(SYS_geteuid)) &&
                     (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
  size_t size = 0;
  for (long part = 1; isOwn && part > 0 && size < sizeof *action; size += part > 0 ? static_cast<size_t>(part) : 0) {
    part = sys::read(fd, reinterpret_cast<char*>(action) + size, sizeof *action - size);
  }
  sys::close(fd);
  if (!isOwn) return "the file with the prepared change is not of this user, or others can write it";
  return size == sizeof *action ? nullptr : "the file with the prepared change is incomplete";
}

// Adds the action to places [first, end) of the patch: to all of them, or to none.
template <class T>
PatchAnswer add(const PreparedPatch& patch, uint32_t first, uint32_t end, const T& action) {
  if (const char* problem = checkPatch(patch)) return {0, problem};
  if (!working.lock()) return {0, kBusy};
  const char* problem = claim();
  const uint32_t id = lastId + 1;
  const auto addToModule = [&](const LoadedModule& module, const dl_phdr_info& info) {
    problem = refusal(module, info);
    uint32_t done = first;
    for (; done < end && problem == nullptr; done++) {
      CodePlace* place = codePlace(module, patch.places[done], &problem);
      if (place == nullptr) break;
      PlaceActions actions = place->actions();
      problem = addTo(&actions, id, action);
      if (problem != nullptr) break;
      place->publish(actions);
      problem = installPlace(module, place);
    }
    if (problem == nullptr) return;
    for (uint32_t i = 0; i < codePlaceCount(); i++) {
      CodePlace* place = codePlaceAt(i);
      PlaceActions left = place->actions();
      if (!removeFrom(&left, id)) continue;
      if (left.isEmpty()) removePlace(module, place);
      place->publish(left);
    }
  };
  if (problem == nullptr && !withModuleOf(patch.function, addToModule)) problem = kNotLoaded;
  if (problem == nullptr) lastId = id;
  working.unlock();
  return {problem == nullptr ? id : 0, problem};
}

}  // namespace

const char* startPatching() {
  if (!working.lock()) return kBusy;
  const char* problem = claim();
  working.unlock();
  return problem;
}

const char* checkPatch(const PreparedPatch& patch) {
  static constexpr char kWrong[] = "what was prepared for the function is not of this version, or damaged";
  if (memcmp(patch.magic, kPreparedMagic, sizeof kPreparedMagic) != 0 || patch.sizeBytes != sizeof patch ||
      patch.placeCount == 0 || patch.placeCount > kMostPreparedPlaces ||
      patch.function.buildId[sizeof patch.function.buildId - 1] != '\0' ||
      patch.function.path[sizeof patch.function.path - 1] != '\0') {
    return kWrong;
  }
  for (uint32_t i = 0; i < patch.placeCount; i++) {
    const PreparedPlace& place = patch.places[i];
    const uint32_t least = place.canJump != 0 ? 5 : 1;
    if (place.originalBytes < least || place.originalBytes > kMostPreparedBytes || place.startCount == 0 ||
        place.startCount > kMostPreparedStarts || place.fixCount > kMostPreparedFixes || place.codeBytes == 0 ||
        place.codeBytes > kMostPreparedCode || place.starts[0].at != 0 || place.starts[0].copy != 0) {
      return kWrong;
    }
    bool hasWay = false;
    for (uint32_t k = 0; k < place.startCount; k++) {
      const PreparedStart start = place.starts[k];
      if (start.at >= place.originalBytes || start.copy >= place.codeBytes) return kWrong;
      hasWay = hasWay || start.copy == place.wayAt;
    }
    if (!hasWay) return kWrong;
    for (uint32_t k = 0; k < place.fixCount; k++) {
      const PreparedFix& fix = place.fixes[k];
      if (fix.at > place.codeBytes || place.codeBytes - fix.at < 4 || fix.kind > static_cast<uint32_t>(FixKind::kHi32)) return kWrong;
    }
  }
  return nullptr;
}

Replacement findFunction(const PreparedFunction& function) {
  Replacement found;
  if (function.buildId[sizeof function.buildId - 1] != '\0' || function.path[sizeof function.path - 1] != '\0' ||
      !working.lock()) {
    return found;
  }
  withModuleOf(function, [&](const LoadedModule& module, const dl_phdr_info&) {
    const uint64_t begin = module.bias + function.begin;
    if (function.end > function.begin && module.holdsCode(begin, function.end - function.begin)) {
      found = {begin, module.bias + function.end};
    }
  });
  working.unlock();
  return found;
}

PatchAnswer applyAction(const PreparedAction& action) {
  constexpr auto kTypes = static_cast<uint8_t>(ValueType::kU64);
  const auto kind = static_cast<PreparedKind>(action.kind);
  if (kind == PreparedKind::kArgument) {
    if (action.type > kTypes || action.conditionType > kTypes ||
        action.change > static_cast<uint8_t>(Change::kAtMost) ||
        action.comparison > static_cast<uint8_t>(Comparison::kGreaterOrEqual)) {
      return {0, "the prepared change is not of this version, or damaged"};
    }
    return changeArgument(action.patch, {action.argument, static_cast<ValueType>(action.type),
                                         static_cast<Change>(action.change), action.value,
                                         static_cast<Comparison>(action.comparison), action.conditionArgument,
                                         static_cast<ValueType>(action.conditionType), action.conditionValue});
  }
  const Replacement other = findFunction(action.other);
  if (kind == PreparedKind::kReplacement) return replaceFunction(action.patch, other);
  if (other.begin == 0) return {0, "the function that shall be called is not loaded in this process"};
  InsertedCall call;
  call.function = other.begin;
  memcpy(call.arguments, action.words, sizeof call.arguments);
  if (kind == PreparedKind::kCallBefore) return insertCallBefore(action.patch, call);
  if (kind == PreparedKind::kCallAfter) return insertCallAfter(action.patch, call);
  return {0, "the prepared change is of an unknown kind"};
}

PatchAnswer applyActionFile(const char* path) {
  auto* action = static_cast<PreparedAction*>(allocatePages(sizeof(PreparedAction)));
  if (action == nullptr) return {0, "there is not enough memory"};
  PatchAnswer answer{0, readAction(path, action)};
  if (answer.problem == nullptr) answer = applyAction(*action);
  releasePages(action, sizeof(PreparedAction));
  return answer;
}

PatchAnswer changeArgument(const PreparedPatch& patch, const ArgumentChange& change) {
  const bool isConditional = change.comparison != Comparison::kAlways;
  if (change.argument >= kArguments || (isConditional && change.conditionArgument >= kArguments)) {
    return {0, "only the first six integers and pointers of a function can be changed"};
  }
  return add(patch, 0, 1, change);
}

PatchAnswer insertCallBefore(const PreparedPatch& patch, const InsertedCall& call) {
  if (!canKeepState()) return {0, "the processor cannot save its registers for a call (XSAVE)"};
  return add(patch, 0, 1, call);
}

PatchAnswer insertCallAfter(const PreparedPatch& patch, const InsertedCall& call) {
  if (!canKeepState()) return {0, "the processor cannot save its registers for a call (XSAVE)"};
  if (patch.placeCount < 2) return {0, "no call can be inserted behind the function; see how it was prepared"};
  return add(patch, 1, patch.placeCount, call);
}

PatchAnswer replaceFunction(const PreparedPatch& patch, const Replacement& replacement) {
  if (replacement.begin == 0 || replacement.end <= replacement.begin) {
    return {0, "the function that shall come in its place is not loaded in this process"};
  }
  // Its entry would lead to itself for ever. Two names can be those of one function.
  if (findFunction(patch.function).begin == replacement.begin) return {0, "the function would come in its own place"};
  return add(patch, 0, 1, replacement);
}

const char* undoPatch(uint32_t id) {
  if (!working.lock()) return kBusy;
  const char* problem = nullptr;
  bool known = false;
  for (uint32_t i = 0; i < codePlaceCount(); i++) {
    if (const char* wrong = removeFrom(codePlaceAt(i), id, &known)) problem = wrong;
  }
  working.unlock();
  return known ? problem : "there is no such change, or the module of the function is gone";
}

const char* undoPatches() {
  if (!working.lock()) return kBusy;
  const char* problem = nullptr;
  for (uint32_t i = 0; i < codePlaceCount(); i++) {
    CodePlace* place = codePlaceAt(i);
    if (place->actions().isEmpty() && !place->isInstalled) continue;
    withModuleAt(place->address.load(std::memory_order_relaxed),
                 [&](const LoadedModule& module, const dl_phdr_info&) {
                   if (const char* wrong = removePlace(module, place)) problem = wrong;
                 });
    place->publish({});
  }
  working.unlock();
  return problem;
}

void patchedModulesChanged() {
  if (codePlaceCount() == 0 || !working.lock()) return;
  for (uint32_t i = 0; i < codePlaceCount(); i++) {
    CodePlace* place = codePlaceAt(i);
    const uint64_t address = place->address.load(std::memory_order_relaxed);
    bool isThere = false;
    withModuleAt(address, [&](const LoadedModule& module, const dl_phdr_info&) {
      if (module.start != place->moduleStart || !module.holdsCode(address, place->originalBytes)) return;
      const auto* bytes = reinterpret_cast<const void*>(address);
      isThere = place->isInstalled ? holdsOwnCode(*place)
                                   : memcmp(bytes, place->original, place->originalBytes) == 0;
    });
    if (!isThere) forgetPlace(place);
  }
  working.unlock();
}

}  // namespace parallax::perturb
