#include "tools/perf/trace_output.h"

#include <stdio.h>

#include <algorithm>

#include "format/symbols_file.h"
#include "tools/conversion/import_report.h"
#include "tools/conversion/rank_runs.h"
#include "tools/perf/thread_output.h"
#include "tools/symbols_collect.h"
#include "tools/symbols_resolve.h"

namespace parallax::perf {

using namespace format;

namespace {

constexpr uint64_t kBaseNs = 1'000'000'000'000;  // of CLOCK_MONOTONIC at the first event
constexpr uint64_t kBaseTicks = 1000;
constexpr int kModuleBits = 40;

uint64_t baseOf(uint32_t module) { return (uint64_t{module} + 1) << kModuleBits; }

std::string percent(double part, double whole) {
  char text[32];
  snprintf(text, sizeof text, "%.1f %%", whole > 0 ? 100 * part / whole : 0);
  return text;
}

std::string number(double value) {
  char text[32];
  snprintf(text, sizeof text, "%.4g", value);
  return text;
}

struct ProcessPlan {
  uint32_t pid = 0;
  int64_t parentPid = -1;
  std::string name;
  std::vector<uint32_t> threads;  // the main thread first
};

class TraceOutput {
 public:
  TraceOutput(Recording* recording, const OutputOptions& options) : recording_(*recording), options_(options) {}

  std::string write() {
    for (Thread& thread : recording_.threads) {
      if (!thread.isSorted) {
        std::stable_sort(thread.records.begin(), thread.records.end(),
                         [](const Record& a, const Record& b) { return a.ns < b.ns; });
      }
    }
    timing_ = timingOf(recording_);
    plan();
    if (processes_.empty()) return options_.original + " has nothing to show: it has no samples and no context switches";
    findSpan();
    numbers_.assign(recording_.stacks.nodes().size(), 0);
    uint32_t written = 0;
    for (const ProcessPlan& process : processes_) {
      const std::string error = writeProcess(process, written++);
      if (!error.empty()) return error;
    }
    std::string error = writeManifestOf(written);
    if (error.empty()) error = writeSymbols();
    if (error.empty()) error = writeReport();
    return error;
  }

 private:
  // Threads without a process that is known belong to that of their name.
  void plan() {
    std::unordered_map<std::string, uint32_t> numbers;
    for (uint32_t i = 0; i < recording_.threads.size(); i++) {
      const Thread& thread = recording_.threads[i];
      if (thread.records.empty()) continue;
      const std::string key = thread.pid >= 0 ? std::to_string(thread.pid) : "\n" + thread.name;
      const auto [entry, isNew] = numbers.try_emplace(key, static_cast<uint32_t>(processes_.size()));
      if (isNew) processes_.emplace_back();
      ProcessPlan& process = processes_[entry->second];
      const bool isMain = thread.tid == thread.pid;
      if (isNew || isMain) {
        process.name = thread.name;
        const int64_t pid = thread.pid >= 0 ? thread.pid : thread.tid;
        process.pid = pid >= 0 && pid < INT32_MAX ? static_cast<uint32_t>(pid) : entry->second + 1;
        process.parentPid = thread.parentPid;
      }
      process.threads.insert(isMain && thread.tid != 0 ? process.threads.begin() : process.threads.end(), i);
    }
  }

  void findSpan() {
    firstNs_ = INT64_MAX;
    lastNs_ = INT64_MIN;
    for (Thread& thread : recording_.threads) {
      if (thread.records.empty()) continue;
      ThreadOutput output(&recording_, &thread, timing_, {}, &sums_);
      output.prepare();
      firstNs_ = std::min(firstNs_, output.beginNs());
      lastNs_ = std::max(lastNs_, output.endNs());
    }
    findRate();
    clock_.ticks = kBaseTicks;
    clock_.monotonicNs = kBaseNs;
  }

  // Readers take time beyond one and a half periods for not sampled: the longest one counts.
  void findRate() {
    uint64_t longest = 0;
    for (const Thread& thread : recording_.threads) {
      for (const Record& record : thread.records) {
        if (record.type == Type::kSample && record.event == timing_.event) longest = std::max(longest, record.value);
      }
    }
    const double ns = static_cast<double>(longest) * timing_.nsPerUnit;
    sampleHz_ = ns >= 1 && ns <= 1e9 ? static_cast<uint32_t>(1e9 / ns) : 0;
  }

  uint64_t ticks(int64_t ns) const { return kBaseTicks + static_cast<uint64_t>(ns - firstNs_); }

  // Numbers of call paths of this process; a path comes after those that it extends.
  std::vector<uint32_t> numberPaths(const ProcessPlan& process) {
    std::vector<uint32_t> used;
    const auto& nodes = recording_.stacks.nodes();
    for (const uint32_t thread : process.threads) {
      for (const Record& record : recording_.threads[thread].records) {
        for (uint32_t at = record.stack; at != 0 && numbers_[at] == 0; at = nodes[at].parent) {
          numbers_[at] = 1;
          used.push_back(at);
        }
      }
    }
    std::sort(used.begin(), used.end());
    for (uint32_t i = 0; i < used.size(); i++) numbers_[used[i]] = i + 1;
    return used;
  }

  std::string writeProcess(const ProcessPlan& plan, uint32_t number) {
    const std::string host = recording_.host.empty() ? "localhost" : recording_.host;
    const std::string stem = options_.directory + "/" + processFileName(host, plan.pid, number);
    const std::vector<uint32_t> used = numberPaths(plan);
    std::unordered_map<uint32_t, uint32_t> metrics, threads;
    for (uint32_t i = 0; i < plan.threads.size(); i++) threads.emplace(plan.threads[i], i);
    std::vector<ThreadRecord> records;
    int64_t first = INT64_MAX, last = INT64_MIN;
    for (uint32_t i = 0; i < plan.threads.size(); i++) {
      Thread& thread = recording_.threads[plan.threads[i]];
      ThreadOutput output(&recording_, &thread, timing_, {&metrics, &numbers_, &threads}, &sums_);
      output.prepare();
      first = std::min(first, output.beginNs());
      last = std::max(last, output.endNs());
      const auto creator = threads.find(thread.creator);
      ThreadRecord record;
      record.thread = i;
      record.kernelTid = thread.tid > 0 && thread.tid < INT32_MAX ? static_cast<uint32_t>(thread.tid) : 0;
      record.creatorPlusOne = creator == threads.end() ? 0 : creator->second + 1;
      record.ticks = ticks(output.beginNs());
      record.name = thread.name;
      records.push_back(record);
      const std::string error = output.write(stem + "." + std::to_string(i) + ".evt", i, record.creatorPlusOne, clock_, firstNs_);
      if (!error.empty()) return error;
      eventFiles_++;
    }
    DefinitionsWriter file(stem + ".def");
    ProcessRecord process;
    process.startTicks = ticks(first);
    process.monotonicNs = clock_.monotonicAt(process.startTicks);
    process.realtimeNs = process.monotonicNs;  // the original has no date
    process.tickHz = clock_.tickHz;
    process.clock = Clock::kMonotonic;
    process.cpuClock = CpuClock::kSamples;
    process.pid = plan.pid;
    if (plan.parentPid > 0 && plan.parentPid < INT32_MAX) process.parentPid = static_cast<uint32_t>(plan.parentPid);
    process.sampleHz = sampleHz_;
    process.host = host;
    const std::string name = plan.name.empty() ? "process " + std::to_string(plan.pid) : plan.name;
    process.executable = process.command = name;
    file.add(process);
    for (const auto& [key, value] : {std::pair("sample-clock", "cpu"), std::pair("sample-source", "perf")}) {
      SettingRecord setting;
      setting.key = key;
      setting.value = value;
      file.add(setting);
    }
    for (const ThreadRecord& record : records) file.add(record);
    std::vector<uint32_t> events(metrics.size());
    for (const auto& [event, metric] : metrics) events[metric - 1] = event;
    for (uint32_t i = 0; i < events.size(); i++) {
      MetricRecord record;
      record.metric = i + 1;
      record.kind = MetricKind::kCounter;
      record.name = recording_.events[events[i]].name;
      record.unit = recording_.events[events[i]].isTime() ? "ns" : "";
      file.add(record);
    }
    addPaths(used, process.startTicks, &file);
    ProcessEndRecord end;
    end.ticks = ticks(last);
    end.monotonicNs = clock_.monotonicAt(end.ticks);
    end.reason = EndReason::kDetached;  // all that is known is that the original ends
    file.add(end);
    file.close();
    for (const uint32_t node : used) numbers_[node] = 0;
    return file.error();
  }

  void addPaths(const std::vector<uint32_t>& used, uint64_t startTicks, DefinitionsWriter* file) {
    const auto& nodes = recording_.stacks.nodes();
    std::map<uint32_t, uint64_t> ends;  // of modules
    for (const uint32_t node : used) {
      const Frame& frame = recording_.frames[nodes[node].region / 2];
      uint64_t& end = ends[frame.module];
      end = std::max(end, frame.offset + 2);
    }
    uint32_t count = 0;
    for (const auto& [number, end] : ends) {
      const Module& of = recording_.modules[number];
      ModuleRecord module;
      module.module = count++;
      module.ticks = startTicks;
      module.loadBias = module.firstAddress = baseOf(number);
      module.endAddress = module.firstAddress + end;
      module.buildId = of.buildId;
      module.path = of.path;
      file->add(module);
    }
    for (const uint32_t node : used) {
      const Frame& frame = recording_.frames[nodes[node].region / 2];
      const bool isInnermost = nodes[node].region % 2 == 1;
      CallPathRecord path;
      path.path = numbers_[node];
      path.parent = numbers_[nodes[node].parent];
      path.kind = isInnermost ? PathKind::kAddress : PathKind::kReturnAddress;
      path.value = baseOf(frame.module) + frame.offset + (isInnermost ? 0 : 1);
      file->add(path);
    }
  }

  // Functions that the file names, and those that are found in the files of code.
  std::string writeSymbols() {
    std::vector<SymbolModule> all;
    std::vector<symbols::ModuleAddresses> files;
    std::unordered_map<uint32_t, size_t> places;
    for (const Module& of : recording_.modules) {
      if (!of.isNamed) continue;
      SymbolModule module;
      module.path = of.path;
      module.buildId = of.buildId;
      for (size_t i = 0; i < of.names.size(); i++) {
        SymbolAddress address;
        address.offset = 0x1000 + i * 16;
        const std::string& names = of.names[i];
        for (size_t at = 0; at <= names.size();) {
          const size_t end = std::min(names.find('\n', at), names.size());
          address.frames.push_back({names.substr(at, end - at), "", 0, 0, end < names.size()});
          at = end + 1;
        }
        module.addresses.push_back(std::move(address));
      }
      all.push_back(std::move(module));
    }
    for (uint32_t i = 0; i < recording_.frames.size(); i++) {
      const Frame& frame = recording_.frames[i];
      const Module& of = recording_.modules[frame.module];
      if (of.isNamed) continue;
      const auto [place, isNew] = places.try_emplace(frame.module, files.size());
      if (isNew) files.push_back({of.buildId, of.path, {}});
      files[place->second].offsets.insert(frame.offset);
    }
    std::vector<symbols::ModuleStatistics> statistics;
    for (SymbolModule& module : symbols::resolveModules(files, {}, &statistics)) all.push_back(std::move(module));
    for (uint32_t i = 0; i < all.size(); i++) all[i].number = i;
    return replaceFile(options_.directory + "/symbols", formatSymbols(all));
  }

  std::string writeReport() const {
    conversion::ImportReport report(options_.format, options_.original);
    for (const auto& [name, count] : recording_.kinds) report.record(name, count.read, count.left);
    for (const auto& [name, count] : recording_.attributes) report.attribute(name, count.read, count.left);
    for (const std::string& sentence : recording_.sentences()) report.warning(sentence);
    if (!recording_.hasPids) {
      report.warning("the text has no numbers of processes: threads of one name count as one process; "
                     "`perf script -F +pid` prints the numbers");
    }
    if (!recording_.hasTimes) report.warning("the text has no times: samples of a thread follow each other without gaps");
    const auto wall = static_cast<double>(sums_.wallNs);
    if (timing_.event != kNone) {
      const Event& event = recording_.events[timing_.event];
      std::string text = "the times of functions are estimated from samples of " + event.name + ", each of which stands for its period";
      if (!event.isTime()) {
        text += event.hasPeriod ? ": 1 " + event.name : std::string(", which is not known: each sample");
        text += " counts as " + number(timing_.nsPerUnit) + " ns, after the distances of samples";
      }
      report.warning(text + "; samples stand for " + percent(static_cast<double>(sums_.sampledNs), wall) +
                     " of the threads' time");
    }
    if (sums_.switchedNs > 0) {
      report.warning("context switches tell that threads had a processor in " + percent(static_cast<double>(sums_.switchedNs), wall) +
                     " of their time: samples of these threads divide that time");
    }
    if (static_cast<double>(sums_.unplacedNs) > 0.01 * static_cast<double>(sums_.sampledNs)) {
      report.warning("samples stand for " + std::to_string(sums_.unplacedNs) +
                     " ns more than passed between them; that time is left out");
    }
    return replaceFile(options_.directory + "/imported", report.text());
  }

  std::string writeManifestOf(size_t processes) const {
    uint64_t id = static_cast<uint64_t>(firstNs_);
    for (const char c : options_.original) id = conversion::mix(id, static_cast<unsigned char>(c));
    Manifest manifest;
    manifest.emplace_back("run", conversion::runNumber(id, conversion::mix(id, recording_.frames.size())));
    manifest.emplace_back("imported", options_.format);
    manifest.emplace_back("ended", "unknown");
    manifest.emplace_back("elapsed-ns", std::to_string(lastNs_ - firstNs_));
    manifest.emplace_back("exit-status", "0");
    manifest.emplace_back("processes", std::to_string(processes));
    manifest.emplace_back("event-files", std::to_string(eventFiles_));
    return writeManifest(options_.directory, manifest);
  }

  Recording& recording_;
  const OutputOptions& options_;
  Timing timing_;
  TimeSums sums_;
  ClockLine clock_;
  std::vector<ProcessPlan> processes_;
  std::vector<uint32_t> numbers_;
  size_t eventFiles_ = 0;
  uint32_t sampleHz_ = 0;
  int64_t firstNs_ = 0, lastNs_ = 0;
};

}  // namespace

std::string writeTrace(Recording* recording, const OutputOptions& options) {
  return TraceOutput(recording, options).write();
}

}  // namespace parallax::perf
