#include "tools/paraver/trace.h"

#include <algorithm>

namespace parallax::paraver {
namespace {

constexpr size_t kMostWarnings = 20;
constexpr uint32_t kMostStates = 100'000;
constexpr uint64_t kMostApplications = 100'000;
constexpr uint64_t kMostNumber = 1 << 24;  // of a task or thread

constexpr const char* kFaultTexts[kFaults] = {
    " records name an application, task or thread 0, or beyond 100000 and 16777216, and were left out",
    " records have a time that is negative or too large, and were left out",
    " records are of threads beyond 100000, and were left out",
    " values are of event types or states beyond 100000 different ones, and were left out",
    " states end before they begin, and were left out",
    " ends of calls that had not begun were left out",
    " calls do not end: they end with the last record of their thread",
    " calls ended before calls inside of them, which were ended with them",
    " times a call ended before others that began in it: those were split in two",
    " calls are inside of more than 1000 others, and were left out",
    " events have values beyond the 100000 different ones that a process can have as marks, and were left out",
    " messages are between two applications, and were left out",
    " messages were overtaken by 16 others between the same tasks, and were left out",
    " ends of messages are in no call of MPI: the thread does not wait there",
    " collectives name a communicator that is not defined, and were left out",
    " collectives are on a communicator that their task is no member of, and were left out",
    " collectives have no sizes: no thread waits for data there",
    " non-blocking collectives do not tell which call completes them, and were left out",
    " collectives contain messages, which tell who waits for whom",
    " collectives have no counterpart in a task of their communicator: the waits of that communicator can be wrong",
    " records have an earlier time than one before them of the same thread, and were sorted",
};

}  // namespace

Trace::Trace() {
  for (const uint64_t number : {50100001, 50100002, 50100003, 50100004}) {
    typeNumbers_[number] = static_cast<uint32_t>(types.size());
    types.push_back({});
    types.back().number = number;
  }
  uint32_t own = 0;
  for (const uint64_t number : {51000001, 51000002, 51000003, 51000004}) typeNumbers_[number] = own++;
}

uint32_t Trace::task(uint64_t application, uint64_t number) {
  if (application == 0 || number == 0 || application > kMostApplications || number > kMostNumber) return kNone;
  const std::array<uint32_t, 2> key = {static_cast<uint32_t>(application), static_cast<uint32_t>(number)};
  const auto known = taskNumbers_.find(key);
  if (known != taskNumbers_.end()) return known->second;
  if (tasks.size() == kMostThreads) return kNone;
  tasks.emplace_back();
  tasks.back().application = key[0];
  tasks.back().number = key[1];
  setSize(key[0], std::max(size(key[0]), key[1]));
  return taskNumbers_[key] = static_cast<uint32_t>(tasks.size() - 1);
}

uint32_t Trace::findThread(uint64_t application, uint64_t task, uint64_t thread, uint64_t at) {
  if (application - 1 >= kMostApplications || task - 1 >= kMostNumber || thread - 1 >= kMostNumber) {
    fault(Fault::kBadObject);
    return kNone;
  }
  const std::array<uint32_t, 3> key = {static_cast<uint32_t>(application), static_cast<uint32_t>(task),
                                       static_cast<uint32_t>(thread)};
  auto known = threadNumbers_.find(key);
  if (known == threadNumbers_.end()) {
    const uint32_t owner = threads.size() == kMostThreads ? kNone : this->task(application, task);
    if (owner == kNone) {
      fault(Fault::kManyThreads);
      return kNone;
    }
    const auto index = static_cast<uint32_t>(threads.size());
    threads.emplace_back();
    threads.back().task = owner;
    threads.back().number = key[2];
    tasks[owner].threads.push_back(index);
    known = threadNumbers_.emplace(key, index).first;
  }
  known_[at] = {application, task, thread, known->second};
  return known->second;
}

uint32_t Trace::findType(uint64_t number, uint64_t at) {
  auto known = typeNumbers_.find(number);
  if (known == typeNumbers_.end()) {
    if (types.size() == kMostTypes) {
      fault(Fault::kManyTypes);
      return kNone;
    }
    types.emplace_back();
    types.back().number = number;
    known = typeNumbers_.emplace(number, static_cast<uint32_t>(types.size() - 1)).first;
  }
  if (number != UINT64_MAX) knownTypes_[at] = {number, known->second};
  return known->second;
}

uint32_t Trace::state(uint64_t number) {
  if (!states.empty() && states.back().number == number) return static_cast<uint32_t>(states.size() - 1);
  const auto known = stateNumbers_.find(number);
  if (known != stateNumbers_.end()) return known->second;
  if (states.size() == kMostStates) {
    fault(Fault::kManyTypes);
    return kNone;
  }
  states.emplace_back();
  states.back().number = number;
  return stateNumbers_[number] = static_cast<uint32_t>(states.size() - 1);
}

uint32_t Trace::region(const Region& region) {
  const auto [known, isNew] = regionNumbers_.emplace(std::make_pair(region.name, region.group), regions.size());
  if (isNew) regions.push_back(region);
  return known->second;
}

uint32_t Trace::size(uint32_t application) const {
  return application - 1 < sizes_.size() ? sizes_[application - 1] : 0;
}

void Trace::setSize(uint32_t application, uint32_t tasks) {
  if (application > sizes_.size()) sizes_.resize(application);
  sizes_[application - 1] = tasks;
}

void Trace::finish() {
  for (Thread& thread : threads) {
    if (thread.isSorted) continue;
    std::stable_sort(thread.records.begin(), thread.records.end(), [](const Record& a, const Record& b) { return a.ns < b.ns; });
  }
  uint64_t row = 0;
  for (const auto& [key, index] : taskNumbers_) {
    uint32_t count = tasks[index].declared;
    for (const uint32_t thread : tasks[index].threads) count = std::max(count, threads[thread].number);
    tasks[index].firstRow = row;
    row += count;
  }
}

void Trace::definition(const std::string& name, uint64_t left) { definitions[name] += left; }

void Trace::warn(const std::string& sentence) {
  if (warnings_.size() < kMostWarnings) {
    warnings_.push_back(sentence);
  } else {
    moreWarnings_++;
  }
}

std::vector<std::string> Trace::sentences() const {
  std::vector<std::string> all = warnings_;
  if (moreWarnings_ > 0) all.push_back(std::to_string(moreWarnings_) + " more places of the files are damaged");
  for (size_t i = 0; i < kFaults; i++) {
    if (faults[i] > 0) all.push_back(std::to_string(faults[i]) + kFaultTexts[i]);
  }
  return all;
}

}  // namespace parallax::paraver
