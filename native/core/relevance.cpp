// Which routines are measured how (Szebenyi et al. 2011, II.A.1).
#include <utility>

#include "base/scratch.h"
#include "base/settings.h"
#include "core/adapters.h"
#include "core/process.h"
#include "core/routine_sets.h"
#include "core/setting_records.h"

namespace parallax {
namespace {

// How closely a word names a routine; the closest decides.
enum Closeness { kNotNamed, kUsual, kAdapterName, kSetName, kGlob, kName };

// The adapter of a group; the group's routines are wanted when it is. None for the agent's own.
constexpr int adapterOf(format::Group group) {
  switch (group) {
    case format::Group::kMpi: return static_cast<int>(Adapter::kMpi);
    case format::Group::kPthread: return static_cast<int>(Adapter::kPthread);
    case format::Group::kOpenMp: return static_cast<int>(Adapter::kOpenMp);
    case format::Group::kProcess: return static_cast<int>(Adapter::kProcess);
    case format::Group::kStream: return static_cast<int>(Adapter::kStream);
    case format::Group::kFile: return static_cast<int>(Adapter::kFile);
    case format::Group::kPvm: return static_cast<int>(Adapter::kPvm);
    default: return -1;
  }
}

bool isInSet(const RoutineSet& set, std::string_view routine) {
  std::string_view globs = set.routines, glob;
  while (nextWord(globs, &glob)) {
    if (matchesGlob(glob, routine)) return true;
  }
  return false;
}

Closeness closeness(std::string_view list, std::string_view routine, int adapter) {
  Closeness closest = kNotNamed;
  std::string_view word;
  while (nextWord(list, &word)) {
    Closeness found = kNotNamed;
    const RoutineSet* set = routineSet(word);
    if (word == routine) {
      found = kName;
    } else if (set != nullptr) {
      if (isInSet(*set, routine)) found = kSetName;
    } else if (adapter >= 0 && word == kAdapterNames[adapter]) {
      found = kAdapterName;
    } else if (matchesGlob(word, routine)) {
      found = kGlob;
    }
    if (found > closest) closest = found;
  }
  return closest;
}

}  // namespace

namespace {

// Of a process that is tuned and not recorded. What the ranks and the communicators are is known from these.
constexpr std::string_view kAlwaysFollowed =
    "MPI_Init*,MPI_Finalize,MPI_Comm_create*,MPI_Comm_dup*,MPI_Comm_idup*,MPI_Comm_split*,MPI_Comm_free,MPI_Comm_spawn*,"
    "MPI_Comm_accept,MPI_Comm_connect,MPI_Comm_join,MPI_Comm_disconnect,MPI_Cart_create,MPI_Cart_sub,MPI_Graph_create,"
    "MPI_Dist_graph_create*,MPI_Intercomm_*,MPI_Session_*,pvm_mytid,pvm_parent,pvm_config,pvm_spawn,pvm_joingroup";

Relevance silentRelevance(std::string_view routine, format::Group group) {
  if (group != format::Group::kMpi && group != format::Group::kPvm && group != format::Group::kPthread) return Relevance::kOff;
  std::string_view list = kAlwaysFollowed, glob;
  while (nextWord(list, &glob)) {
    if (matchesGlob(glob, routine)) return Relevance::kFollowed;
  }
  return Relevance::kSilent;
}

}  // namespace

Relevance Region::resolve() {
  if (process.isSilent()) {
    const Relevance silent = silentRelevance(name_, group_);
    relevance_.store(silent, std::memory_order_relaxed);
    return silent;
  }
  const int adapter = adapterOf(group_);
  Relevance relevance = Relevance::kFull;
  if (adapter >= 0 && !adapterEnabled(static_cast<Adapter>(adapter))) {
    relevance = Relevance::kOff;
  } else if (group_ != format::Group::kAgent) {
    Closeness closest = kNotNamed;
    if (closeness(kCountedUsually, name_, adapter) != kNotNamed) {
      closest = kUsual;
      relevance = Relevance::kCounted;
    }
    // Of two that name it as closely, the one that measures more.
    for (const auto& [list, named] : {std::pair{Setting::kCount, Relevance::kCounted},
                                      std::pair{Setting::kFlat, Relevance::kFlat},
                                      std::pair{Setting::kFull, Relevance::kFull}}) {
      const Closeness found = closeness(setting(list), name_, adapter);
      if (found != kNotNamed && found >= closest) {
        closest = found;
        relevance = named;
      }
    }
  }
  // Without these nobody knows the ranks.
  const bool needed = name_ == std::string_view("MPI_Init") ||
                      name_ == std::string_view("MPI_Init_thread");
  if (relevance == Relevance::kCounted && needed) relevance = Relevance::kFlat;
  if (relevance == Relevance::kCounted && closeness(kCountedUsually, name_, adapter) == kNotNamed) {
    note("Routines that are only counted (setting count) have no other events: their messages, "
        "locks and waits are missing.");
  }
  relevance_.store(relevance, std::memory_order_relaxed);
  return relevance;
}

// The lists as they were given, what is counted usually before them.
void defineRelevance() {
  const Scratch scratch;
  if (!scratch) return;
  char* const text = scratch.bytes();
  const std::string_view count = setting(Setting::kCount), flat = setting(Setting::kFlat),
                         full = setting(Setting::kFull);
  size_t length = kCountedUsually.copy(text, Scratch::kBytes);
  if (!count.empty() && count.size() < Scratch::kBytes - length) {
    text[length++] = ',';
    length += count.copy(text + length, Scratch::kBytes - length);
  }
  define(format::SettingRecord{"count", std::string_view(text, length)});
  if (!flat.empty()) define(format::SettingRecord{"flat", flat});
  if (!full.empty()) define(format::SettingRecord{"full", full});
}

}  // namespace parallax
