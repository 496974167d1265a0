#include "perturb/perturb.h"

#include <sys/stat.h>
#include <sys/utsname.h>

#include <algorithm>
#include <cstring>
#include <new>

#include "base/settings.h"
#include "base/spin_lock.h"
#include "base/sys.h"
#include "base/text.h"
#include "core/clock.h"
#include "core/process.h"
#include "perturb/patch_actions.h"
#include "perturb/speedup.h"
#include "sampler/modules.h"
#include "sampler/sampler.h"

namespace parallax::perturb {
namespace {

enum class State : uint8_t { kUnknown, kNone, kPerturbed };

struct PerturbedModule {
  LoadedModule loaded;
  bool isLoaded, isPatched;
  Arena arena;
  Place* places;
  uint32_t placeCount;
};

std::atomic<State> state{State::kUnknown};
Plan plan;
bool counted = false;
bool trapsTaken = false;
SpinLock working;                // for all below
ModuleImage image;
PerturbedModule* modules = nullptr;  // as many as the plan has
DelayPoint* points = nullptr;        // of the plan's points, then of its macros
std::atomic<bool> prepared{false};

void tellPlanProblem(const char* path, const PlanProblem& problem) {
  char text[256];
  size_t at = appendText(text, 0, sizeof text - 1, "the plan ");
  at = appendText(text, at, sizeof text - 1, problem.what);
  if (problem.line != 0) {
    at = appendText(text, at, sizeof text - 1, ": line ");
    at = appendNumber(text, at, sizeof text - 1, problem.line);
  }
  text[at] = '\0';
  tellProblemsBeside(plan.result[0] != '\0' ? plan.result : path);
  tellProblem(kAllPoints, text);
  if (plan.result[0] == '\0') printProblem(text);  // nobody would look for a file beside the plan
  log(text);
}

// Processes of several hosts share no memory, perhaps no files.
void nameResultOfThisHost() {
  utsname names;
  if (plan.host[0] == '\0' || sys::call(SYS_uname, sys::word(&names)) != 0 || strcmp(names.nodename, plan.host) == 0) return;
  const size_t capacity = strlen(plan.result) + sizeof names.nodename + 2;
  auto* own = static_cast<char*>(allocate(capacity));
  if (own == nullptr) return;
  size_t at = appendText(own, 0, capacity - 1, plan.result);
  at = appendText(own, at, capacity - 1, "@");
  own[appendText(own, at, capacity - 1, names.nodename)] = '\0';
  plan.result = own;
}

// ------------------------------------------------------------------ points

uint64_t mutexAddress(const Treatment& level) {
  const PerturbedModule& module = modules[level.module];
  return module.isLoaded ? module.loaded.bias + level.amount : 0;
}

void makePoint(DelayPoint* point, uint32_t id, uint32_t factor) {
  *point = pointOf(id, plan.factors[factor]);
  if (point->action == Action::kLock) point->amount = mutexAddress(plan.factors[factor]);
}

// Holding the lock.
void prepareCounts() {
  if (counted) return;
  counted = true;
  if (!recording()) startClock(settingNumber(Setting::kTickHz, 0));
  const uint32_t factors = plan.ranges.count > 0 ? plan.factors.count : 0;
  if (const char* wrong = openCounts(plan.result, plan.ids + factors, clockSettings.tickHz)) {
    tellProblem(kAllPoints, wrong);
  }
}

// Called before the first point of this process is used, so that programs without points pay
// nothing. The caller holds the lock.
bool prepare() {
  if (prepared.load(std::memory_order_relaxed)) return true;
  const uint32_t count = plan.points.count + plan.macros.count;
  points = static_cast<DelayPoint*>(allocate((count + 1) * sizeof(DelayPoint)));
  if (points == nullptr) return false;
  prepareCounts();
  calibrate();
  DelayPoint* point = points;
  for (const PlanPoint& p : plan.points) makePoint(point++, p.id, p.factor);
  for (const PlanMacro& m : plan.macros) makePoint(point++, m.id, m.factor);
  prepared.store(true, std::memory_order_release);
  return true;
}

// The module of a mutex may be loaded after the points at which the mutex is locked.
void findMutexes() {
  if (!prepared.load(std::memory_order_relaxed)) return;
  const auto find = [](DelayPoint* point, uint32_t factor) {
    if (point->action != Action::kLock) return;
    __atomic_store_n(&point->amount, mutexAddress(plan.factors[factor]), __ATOMIC_RELAXED);
  };
  DelayPoint* point = points;
  for (const PlanPoint& p : plan.points) find(point++, p.factor);
  for (const PlanMacro& m : plan.macros) find(point++, m.factor);
}

// ------------------------------------------------------------------ modules

struct Search {
  bool first = true;  // the program itself comes first
  bool* found;        // which modules are loaded
  bool byPath;        // some have no build id
};

int lookAtModule(dl_phdr_info* info, size_t, void* opaque) {
  auto* search = static_cast<Search*>(opaque);
  const bool isMain = search->first;
  search->first = false;
  if (!readImage(*info, &image)) return 0;
  if (search->byPath) completeImage(*info, info->dlpi_name, isMain, &image);
  for (uint32_t i = 0; i < plan.modules.count; i++) {
    const PlanModule& wanted = plan.modules[i];
    if (search->found[i] || !isModule(image, wanted.buildId, wanted.path)) continue;
    search->found[i] = true;
    PerturbedModule& module = modules[i];
    if (module.isLoaded && module.loaded.bias == image.bias) continue;
    module.isLoaded = true;
    module.isPatched = false;
    module.loaded = loadedModuleOf(*info, image);
  }
  return 0;
}

// Finds which modules have come and gone.
void findModules() {
  Search search;
  auto* found = static_cast<bool*>(allocatePages(plan.modules.count + 1));
  if (found == nullptr) return;
  search.found = found;
  search.byPath = false;
  for (const PlanModule& m : plan.modules) search.byPath = search.byPath || m.buildId[0] == '\0';
  dl_iterate_phdr(lookAtModule, &search);
  for (uint32_t i = 0; i < plan.modules.count; i++) {
    if (!found[i]) modules[i].isLoaded = modules[i].isPatched = false;
  }
  releasePages(found, plan.modules.count + 1);
}

bool sameInstructions(const PlanPoint& a, const PlanPoint& b) {
  return a.offset == b.offset && a.method == b.method && a.original.size == b.original.size &&
         memcmp(a.original.data, b.original.data, a.original.size) == 0;
}

// The places of a module, in order; those of several points are one.
bool makePlaces(uint32_t index, PerturbedModule* module) {
  uint32_t count = 0;
  for (const PlanPoint& point : plan.points) count += point.module == index;
  module->placeCount = 0;
  if (count == 0) return true;
  if (module->places == nullptr) {
    module->places = static_cast<Place*>(allocate(count * sizeof(Place)));
  }
  if (module->places == nullptr) return false;
  count = 0;
  for (uint32_t i = 0; i < plan.points.count; i++) {
    const PlanPoint& point = plan.points[i];
    if (point.module == index) module->places[count++] = {&point, points + i, nullptr, 0};
  }
  // By the order of the plan where the offset is the same.
  std::sort(module->places, module->places + count, [](const Place& a, const Place& b) {
    return a.plan->offset != b.plan->offset ? a.plan->offset < b.plan->offset : a.plan < b.plan;
  });
  // Those that share a place move behind all others.
  uint32_t kept = 0, behind = count;
  Place* last = nullptr;
  auto* shared = static_cast<Place*>(allocate(count * sizeof(Place)));
  if (shared == nullptr) return false;
  for (uint32_t i = 0; i < count; i++) {
    const Place place = module->places[i];
    if (kept > 0 && sameInstructions(*module->places[kept - 1].plan, *place.plan)) {
      shared[--behind] = place;
      last->also = &shared[behind];
      last = last->also;
    } else {
      module->places[kept] = place;
      last = &module->places[kept++];
    }
  }
  module->placeCount = kept;
  return true;
}

// All places that lead to trampolines. If other threads run, places for jumps are traps, too.
void updateTraps() {
  uint32_t count = 0;
  for (uint32_t i = 0; i < plan.modules.count; i++) count += modules[i].placeCount;
  auto* traps = static_cast<Trap*>(allocate((count + 1) * sizeof(Trap)));
  if (traps == nullptr) return;
  count = 0;
  for (uint32_t i = 0; i < plan.modules.count; i++) {
    const PerturbedModule& module = modules[i];
    for (uint32_t k = 0; k < module.placeCount; k++) {
      const Place& place = module.places[k];
      if (place.trampoline == 0) continue;
      traps[count++] = {module.loaded.bias + place.plan->offset, place.trampoline};
    }
  }
  setTraps(traps, count);
}

bool haveTraps() {
  if (!trapsTaken) trapsTaken = sampler::claimTraps(followTrap, true);
  return trapsTaken;
}

bool otherThreadsRun() {
  struct stat status;
  constexpr unsigned kLinksOfNone = 2;
  return sys::call(SYS_newfstatat, AT_FDCWD, sys::word("/proc/self/task"), sys::word(&status), 0) !=
             0 ||
         status.st_nlink > kLinksOfNone + 1;
}

void patch(uint32_t index) {
  PerturbedModule& module = modules[index];
  module.isPatched = true;
  if (!prepare() || !makePlaces(index, &module)) {
    tellProblem(kAllPoints, "there is not enough memory: a module is not perturbed");
    return;
  }
  bool anyTrap = false;
  for (uint32_t i = 0; i < module.placeCount; i++) {
    anyTrap = anyTrap || module.places[i].plan->method == Method::kTrap;
  }
  const bool othersRun = otherThreadsRun();
  module.loaded.trapsFollowed = (anyTrap || othersRun) && haveTraps();
  if (othersRun && !trapsTaken) {
    tellProblem(kAllPoints, "a module is not perturbed: it was loaded while several threads were "
        "running, and SIGTRAP is not available (a debugger?)");
    module.placeCount = 0;
    return;
  }
  if (layTrampolines(module.loaded, module.places, module.placeCount, &module.arena) == 0) return;
  if (trapsTaken) updateTraps();
  if (!leadToTrampolines(module.loaded, module.places, module.placeCount, othersRun)) {
    releaseArena(&module.arena);
  }
}

void applyToModules() {
  findModules();
  bool gone = false;
  for (uint32_t i = 0; i < plan.modules.count; i++) {
    PerturbedModule& module = modules[i];
    if (module.isPatched || module.arena.start == 0) continue;
    gone = true;
    module.placeCount = 0;
    // The module is unloaded, so no thread can be in its trampolines.
    releaseArena(&module.arena);
  }
  if (gone && trapsTaken) updateTraps();
  for (uint32_t i = 0; i < plan.modules.count; i++) {
    if (modules[i].isLoaded && !modules[i].isPatched) patch(i);
  }
  findMutexes();
}

}  // namespace

const Plan* currentPlan() {
  return state.load(std::memory_order_acquire) == State::kPerturbed ? &plan : nullptr;
}

bool awaitsModules() {
  if (currentPlan() == nullptr) return false;
  for (const PlanPoint& point : plan.points) {
    if (!modules[point.module].isLoaded) return true;
  }
  return false;
}

const LoadedModule* loadedModule(uint32_t module) {
  return modules != nullptr && modules[module].isLoaded ? &modules[module].loaded : nullptr;
}

void start() {
  const std::string_view path = setting(Setting::kPerturb);
  state.store(State::kNone, std::memory_order_release);
  if (path.empty()) return;
  if (const PlanProblem problem = readPlan(path.data(), &plan)) {
    return tellPlanProblem(path.data(), problem);
  }
  nameResultOfThisHost();
  tellProblemsBeside(plan.result);
  modules = static_cast<PerturbedModule*>(allocate((plan.modules.count + 1) * sizeof *modules));
  if (modules == nullptr || !working.lock()) return;
  for (uint32_t i = 0; i < plan.modules.count; i++) new (modules + i) PerturbedModule{};
  applyToModules();
  if (plan.ranges.count > 0) {
    prepareCounts();
    if (const char* wrong = speedup::start(plan)) tellProblem(kAllPoints, wrong);
  }
  working.unlock();
  state.store(State::kPerturbed, std::memory_order_release);
}

void modulesChanged() {
  patchedModulesChanged();
  if (currentPlan() == nullptr || !working.lock()) return;
  applyToModules();
  working.unlock();
  speedup::modulesChanged();
}

const DelayPoint* macroPoint(const char* name, bool* known) {
  *known = state.load(std::memory_order_acquire) != State::kUnknown;
  if (currentPlan() == nullptr) return nullptr;
  for (uint32_t i = 0; i < plan.macros.count; i++) {
    if (strcmp(plan.macros[i].name, name) != 0) continue;
    if (!prepared.load(std::memory_order_acquire)) {
      *known = working.lock();
      if (!*known) return nullptr;  // a signal handler that interrupted the holder of the lock
      const bool done = prepare();
      working.unlock();
      if (!done) return nullptr;
    }
    return points + plan.points.count + i;
  }
  return nullptr;
}

}  // namespace parallax::perturb
