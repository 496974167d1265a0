#include "tools/perfetto/trace_output.h"

#include <algorithm>

#include "format/symbols_file.h"
#include "tools/conversion/import_report.h"
#include "tools/perfetto/process_output.h"

namespace parallax::perfetto {

using namespace format;

namespace {

constexpr uint64_t kBaseNs = 1'000'000'000'000;  // of CLOCK_MONOTONIC at the first event
constexpr uint64_t kBaseTicks = 1000;
constexpr size_t kMostTold = 200;  // letters about what a trace without events has

int64_t spanOf(const Track& track) {
  int64_t first = INT64_MAX, last = INT64_MIN;
  for (const Record& record : track.records) {
    first = std::min(first, record.ns);
    last = std::max(last, endOf(record));
  }
  return last - first;
}

class TraceOutput {
 public:
  TraceOutput(Timeline* timeline, const OutputOptions& options) : timeline_(*timeline), options_(options) {}

  std::string write() {
    placeCounters();
    orderThreads();
    if (lastNs_ < target_.baseNs) {
      return options_.original + " has nothing to show: it has no events with a time" + leftOut();
    }
    target_.directory = options_.directory;
    target_.modulePath = options_.original;
    target_.clock.ticks = kBaseTicks;
    target_.clock.monotonicNs = kBaseNs;
    uint32_t written = 0;
    size_t eventFiles = 0;
    for (uint32_t i = 0; i < threads_.size(); i++) {
      if (threads_[i].empty()) continue;
      eventFiles += threads_[i].size();
      std::string error = ProcessOutput(&timeline_, i, threads_[i], written++, target_).write();
      if (!error.empty()) return error;
    }
    std::string error = writeSymbols();
    if (error.empty()) error = writeReport();
    if (error.empty()) error = writeRunManifest(written, eventFiles);
    return error;
  }

 private:
  std::string leftOut() const {
    std::string text;
    for (const auto& [name, count] : timeline_.kinds) {
      if (count.left > 0) text += (text.empty() ? "; left out: " : ", ") + std::to_string(count.left) + " " + conversion::oneLine(name);
    }
    return text.size() < kMostTold ? text : text.substr(0, kMostTold) + "...";
  }

  // Counters belong to processes: the thread that lasts longest has them.
  void placeCounters() {
    std::vector<uint32_t> longest(timeline_.processes.size(), Timeline::kNone);
    std::vector<int64_t> spans(timeline_.tracks.size());
    for (uint32_t i = 0; i < timeline_.tracks.size(); i++) {
      const Track& track = timeline_.tracks[i];
      uint32_t& best = longest[track.process];
      if (track.records.empty()) continue;
      spans[i] = spanOf(track);
      if (best == Timeline::kNone || spans[i] > spans[best]) best = i;
    }
    for (uint32_t i = 0; i < longest.size(); i++) {
      std::vector<Record>& counters = timeline_.processes[i].counters;
      if (counters.empty()) continue;
      if (longest[i] == Timeline::kNone) longest[i] = timeline_.lane(i, "counters");
      if (longest[i] == Timeline::kNone) {
        timeline_.fault(Fault::kManyTracks, counters.size());
        continue;
      }
      for (const Record& record : counters) timeline_.tracks[longest[i]].add(record);
      std::vector<Record>().swap(counters);
    }
  }

  // The main thread, which has the number of its process, first; the others as they come in the file.
  void orderThreads() {
    threads_.resize(timeline_.processes.size());
    target_.baseNs = INT64_MAX;
    for (uint32_t i = 0; i < timeline_.tracks.size(); i++) {
      const Track& track = timeline_.tracks[i];
      if (track.records.empty()) {
        if (track.isThread && !track.name.empty()) timeline_.definition("names of threads without events");
        continue;
      }
      std::vector<uint32_t>& threads = threads_[track.process];
      const bool isMain = track.isThread && track.tid == timeline_.processes[track.process].pid;
      threads.insert(isMain ? threads.begin() : threads.end(), i);
      for (const Record& record : track.records) {
        target_.baseNs = std::min(target_.baseNs, record.ns);
        lastNs_ = std::max(lastNs_, endOf(record));
      }
    }
    for (uint32_t i = 0; i < threads_.size(); i++) {
      if (threads_[i].empty() && !timeline_.processes[i].name.empty()) {
        timeline_.definition("names of processes without events");
      }
    }
  }

  std::string writeSymbols() const {
    SymbolModule module;
    module.path = target_.modulePath;
    for (uint32_t i = 0; i < timeline_.names(); i++) {
      if (groupOf(timeline_.text(i)) != Group::kUser) continue;
      SymbolAddress address;
      address.offset = addressOf(i);
      address.frames.push_back({timeline_.text(i), "", 0, 0, false});
      module.addresses.push_back(std::move(address));
    }
    return replaceFile(options_.directory + "/symbols", formatSymbols({module}));
  }

  std::string writeReport() const {
    conversion::ImportReport report(options_.format, options_.original);
    for (const auto& [name, count] : timeline_.kinds) report.record(name, count.read, count.left);
    for (const auto& [name, count] : timeline_.attributes) report.attribute(name, count.read, count.left);
    for (const auto& [name, count] : timeline_.definitions) report.definition(name, count.left);
    for (const std::string& warning : timeline_.sentences()) report.warning(warning);
    return replaceFile(options_.directory + "/imported", report.text());
  }

  std::string writeRunManifest(size_t processes, size_t eventFiles) const {
    const uint64_t id = hashOf(options_.original, static_cast<uint64_t>(target_.baseNs));
    Manifest manifest;
    manifest.emplace_back("run", conversion::runNumber(id, hashOf(options_.original, id)));
    manifest.emplace_back("imported", options_.format);
    manifest.emplace_back("ended", "unknown");
    manifest.emplace_back("elapsed-ns", std::to_string(lastNs_ - target_.baseNs));
    manifest.emplace_back("exit-status", "0");
    manifest.emplace_back("processes", std::to_string(processes));
    manifest.emplace_back("event-files", std::to_string(eventFiles));
    return writeManifest(options_.directory, manifest);
  }

  Timeline& timeline_;
  const OutputOptions& options_;
  Target target_;
  std::vector<std::vector<uint32_t>> threads_;  // with events, of each process
  int64_t lastNs_ = INT64_MIN;
};

}  // namespace

std::string writeTrace(Timeline* timeline, const OutputOptions& options) {
  return TraceOutput(timeline, options).write();
}

}  // namespace parallax::perfetto
