// Which points a routine counts in.
#include <cstring>
#include <string_view>

#include "live/live_agent.h"

namespace parallax::live {
namespace {

constexpr std::string_view nameOf(format::Group group) {
  switch (group) {
    case format::Group::kMpi: return "mpi";
    case format::Group::kPvm: return "pvm";
    case format::Group::kPthread: return "pthread";
    case format::Group::kProcess: return "process";
    case format::Group::kOpenMp: return "openmp";
    default: return "";
  }
}

constexpr std::string_view kAll = ":*";

// The group that a word such as "mpi:*" stands for, or an empty text.
std::string_view groupIn(std::string_view word) {
  const size_t end = word.size() > kAll.size() ? word.size() - kAll.size() : 0;
  return end > 0 && word.substr(end) == kAll ? word.substr(0, end) : std::string_view();
}

bool isAny(format::Group group) { return group == format::Group::kMpi || group == format::Group::kPvm || group == format::Group::kUser; }

// Takes the next word off the list; false after the last.
bool nextWord(std::string_view& list, std::string_view* word) {
  if (list.empty()) return false;
  const size_t comma = list.find(',');
  *word = list.substr(0, comma);
  list.remove_prefix(comma == std::string_view::npos ? list.size() : comma + 1);
  return true;
}

bool namesOne(std::string_view word, std::string_view routine, format::Group group) {
  if (word == "any") return isAny(group);
  const std::string_view ofGroup = groupIn(word);
  return ofGroup.empty() ? word == routine : ofGroup == nameOf(group);
}

// Names of routines begin as their group does.
bool isOfGroup(std::string_view word, format::Group group) {
  if (groupIn(word) == nameOf(group) || (word == "any" && isAny(group))) return true;
  switch (group) {
    case format::Group::kMpi: return word.substr(0, 4) == "MPI_";
    case format::Group::kPvm: return word.substr(0, 4) == "pvm_";
    case format::Group::kPthread:
      return word.substr(0, 8) == "pthread_" || word.substr(0, 4) == "sem_" || word.substr(0, 4) == "mtx_" ||
             word.substr(0, 4) == "cnd_" || word.substr(0, 5) == "thrd_";
    default: return false;
  }
}

std::string_view wordsOf(const char* list, size_t capacity) { return std::string_view(list, strnlen(list, capacity)); }

bool isOn(const Point& point) { return point.on.load(std::memory_order_acquire) != 0; }

}  // namespace

bool names(const char* list, size_t capacity, const char* routine, format::Group group) {
  std::string_view words = wordsOf(list, capacity), word;
  while (nextWord(words, &word)) {
    if (namesOne(word, routine, group)) return true;
  }
  return false;
}

RoutinePoints pointsOf(const char* routine, format::Group group, std::atomic<uint64_t>& known) {
  constexpr int kShift = RoutinePoints::kGenerationShift;
  const Page own = page();
  if (!own) return {};
  const uint64_t generation = uint64_t{own.header().pointsGeneration.load(std::memory_order_acquire)} << kShift;
  const RoutinePoints before{known.load(std::memory_order_relaxed)};
  if (before.word >> kShift == generation >> kShift) return before;
  RoutinePoints found{generation};
  uint32_t count = 0;
  for (uint32_t i = 0; i < kPoints && count < kMostPointsOfRoutine; i++) {
    const Point& point = own.point(i);
    if (!isOn(point) || !names(point.routines, sizeof point.routines, routine, group)) continue;
    found.word |= uint64_t{i + 1} << (8 * count++);
  }
  known.store(found.word, std::memory_order_relaxed);
  return found;
}

bool isMeasured(format::Group group) {
  // The generation, and a bit for each group.
  static std::atomic<uint64_t> known{0};
  const Page own = page();
  if (!own) return false;
  const uint64_t generation = own.header().pointsGeneration.load(std::memory_order_acquire);
  const uint64_t mask = uint64_t{1} << static_cast<uint32_t>(group);
  uint64_t groups = known.load(std::memory_order_relaxed);
  if (groups >> 32 != (generation & UINT32_MAX)) {
    groups = 0;
    for (uint32_t i = 0; i < kPoints; i++) {
      const Point& point = own.point(i);
      if (!isOn(point)) continue;
      std::string_view words = wordsOf(point.routines, sizeof point.routines), word;
      while (nextWord(words, &word)) {
        for (const format::Group each : {format::Group::kMpi, format::Group::kPvm, format::Group::kPthread}) {
          if (isOfGroup(word, each)) groups |= uint64_t{1} << static_cast<uint32_t>(each);
        }
      }
    }
    known.store(generation << 32 | groups, std::memory_order_relaxed);
  }
  return (groups & mask) != 0;
}

}  // namespace parallax::live
