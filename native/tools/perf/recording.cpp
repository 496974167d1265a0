#include "tools/perf/recording.h"

#include <array>

namespace parallax::perf {

namespace {

constexpr size_t kMostEvents = 1000;
constexpr size_t kMostThreads = 100'000;
constexpr size_t kMostModules = 1 << 20;
constexpr size_t kMostWarnings = 20;

constexpr std::array<const char*, kFaults> kSentences = {
    "lines cannot be understood, and are left out",
    "records have a time that cannot be, and are left out",
    "samples have no call path",
    "call paths have more than 1024 frames; the innermost ones are kept",
    "samples are of further events than the 1000 that are read, and are left out",
    "records are of further threads than the 100,000 that are read, and are left out",
    "frames are of further files than the 1,048,576 that are read, and are left out",
    "times the kernel throttled the sampling: samples are missing there",
    "records were lost when perf recorded: the samples are not complete",
    "records cannot be read, and are left out",
    "compressed records are left out: run `perf script -F +pid,+period` and open its output",
    "samples have a copy of the user's stack, which is not unwound: only their innermost function is known; "
    "`perf script -F +pid,+period` has the call paths",
    "frames are in no file that was mapped",
};

std::string withoutModifiers(const std::string& name) {
  const size_t colon = name.rfind(':');
  return colon == std::string::npos || colon == 0 ? name : name.substr(0, colon);
}

}  // namespace

bool Event::isTime() const {
  const std::string plain = withoutModifiers(name);
  return hasPeriod && (plain == "cpu-clock" || plain == "task-clock");
}

bool Event::isProcessor() const {
  for (const char* part : {"cycles", "cpu-clock", "task-clock", "instructions", "cpu_core/", "cpu/"}) {
    if (name.find(part) != std::string::npos) return true;
  }
  return false;
}

uint32_t Recording::event(std::string_view name) {
  const auto known = eventNumbers_.find(std::string(name));
  if (known != eventNumbers_.end()) return known->second;
  if (events.size() == kMostEvents) return kNone;
  const auto number = static_cast<uint32_t>(events.size());
  events.emplace_back();
  events.back().name = name;
  eventNumbers_.emplace(name, number);
  return number;
}

uint32_t Recording::find(int64_t tid, int32_t cpu) const {
  const uint64_t key = uint64_t(tid) << 20 | (tid == 0 ? uint64_t(cpu + 1) & 0xFFFFF : 0);
  const auto known = threadNumbers_.find(key);
  return known == threadNumbers_.end() ? kNone : known->second;
}

uint32_t Recording::thread(int64_t pid, int64_t tid, int32_t cpu, std::string_view name) {
  uint32_t number = find(tid, cpu);
  if (number == kNone) {
    if (threads.size() == kMostThreads) return kNone;
    number = static_cast<uint32_t>(threads.size());
    threads.emplace_back();
    threads.back().tid = tid;
    if (tid == 0) threads.back().cpu = cpu;
    threadNumbers_.emplace(uint64_t(tid) << 20 | (tid == 0 ? uint64_t(cpu + 1) & 0xFFFFF : 0), number);
  }
  Thread& thread = threads[number];
  if (pid >= 0) thread.pid = pid;
  if (!name.empty() && thread.name != name) thread.name = name;
  return number;
}

uint32_t Recording::module(std::string_view path, std::string_view buildId, bool isNamed) {
  std::string key(path);
  key.append(1, '\0').append(buildId);
  const auto known = moduleNumbers_.find(key);
  if (known != moduleNumbers_.end()) return known->second;
  if (modules.size() == kMostModules) return kNone;
  const auto number = static_cast<uint32_t>(modules.size());
  modules.emplace_back();
  modules.back().path = path;
  modules.back().buildId = buildId;
  modules.back().isNamed = isNamed;
  moduleNumbers_.emplace(std::move(key), number);
  return number;
}

uint32_t Recording::frame(uint32_t module, const std::string& function) {
  Module& of = modules[module];
  const auto [entry, isNew] = of.numbers.try_emplace(function, static_cast<uint32_t>(of.names.size()));
  if (isNew) of.names.push_back(function);
  return frame(module, 0x1000 + uint64_t{entry->second} * 16);
}

uint32_t Recording::frame(uint32_t module, uint64_t offset) {
  const auto [entry, isNew] =
      frameNumbers_.try_emplace(uint64_t{module} << 40 | offset, static_cast<uint32_t>(frames.size()));
  if (isNew) frames.push_back({module, offset});
  return entry->second;
}

uint32_t Recording::stack(const std::vector<uint32_t>& innermostFirst) {
  size_t depth = innermostFirst.size();
  if (depth > kMostDepth) {
    fault(Fault::kDeep);
    depth = kMostDepth;
  }
  uint32_t path = 0;
  while (depth-- > 0) path = stacks.child(path, innermostFirst[depth] * 2 + (depth == 0 ? 1 : 0));
  return path;
}

void Recording::warn(const std::string& sentence) {
  if (warnings_.size() < kMostWarnings) {
    warnings_.push_back(sentence);
  } else {
    moreWarnings_++;
  }
}

std::vector<std::string> Recording::sentences() const {
  std::vector<std::string> all = warnings_;
  if (moreWarnings_ > 0) all.push_back(std::to_string(moreWarnings_) + " further warnings");
  for (size_t i = 0; i < kFaults; i++) {
    if (faults_[i] > 0) all.push_back(std::to_string(faults_[i]) + " " + kSentences[i]);
  }
  return all;
}

}  // namespace parallax::perf
