#include "tools/paraver/trace_output.h"

#include <algorithm>

#include "format/symbols_file.h"
#include "tools/conversion/import_report.h"
#include "tools/conversion/rank_runs.h"
#include "tools/paraver/interactions.h"
#include "tools/paraver/meaning.h"
#include "tools/paraver/process_output.h"

namespace parallax::paraver {

using namespace format;

namespace {

constexpr char kFormat[] = "Paraver";
constexpr uint64_t kBaseNs = 1'000'000'000'000;  // of CLOCK_MONOTONIC at the first record
constexpr uint64_t kBaseTicks = 1000;

uint64_t hashOf(const std::string& text) {
  uint64_t hash = 0;
  for (const char c : text) hash = conversion::mix(hash, static_cast<unsigned char>(c));
  return conversion::mix(hash, text.size());
}

class TraceOutput {
 public:
  TraceOutput(Trace* trace, const OutputOptions& options) : trace_(*trace), options_(options) {}

  std::string write() {
    trace_.finish();
    classify(&trace_);
    const Interactions interactions(&trace_);
    describeTarget();
    if (target_.baseNs == INT64_MAX) return options_.original + " has nothing to show: it has no records of threads with a time";
    int64_t last = INT64_MIN;
    uint32_t processes = 0;
    size_t eventFiles = 0;
    for (uint32_t i = 0; i < trace_.tasks.size(); i++) {
      ProcessOutput output(&trace_, interactions, i, processes, target_);
      const std::string error = output.write();
      if (!error.empty()) return error;
      if (output.threads() == 0) continue;
      processes++;
      eventFiles += output.threads();
      last = std::max(last, output.lastNs());
    }
    if (processes == 0) return options_.original + " has nothing to show: its threads do not exist at any time";
    std::string error = writeSymbols();
    if (error.empty()) error = writeReport();
    if (error.empty()) error = writeRunManifest(processes, eventFiles, last);
    return error;
  }

 private:
  void describeTarget() {
    target_.directory = options_.directory;
    target_.modulePath = options_.original;
    std::string name = options_.original.substr(options_.original.rfind('/') + 1);
    target_.name = name.substr(0, name.find(".prv"));
    target_.job = hashOf(options_.original);
    target_.clock.ticks = kBaseTicks;
    target_.clock.monotonicNs = kBaseNs;
    target_.baseNs = INT64_MAX;
    for (const Thread& thread : trace_.threads) {
      if (!thread.records.empty()) target_.baseNs = std::min(target_.baseNs, thread.records.front().ns);
      if (!thread.ends.empty()) target_.baseNs = std::min(target_.baseNs, thread.ends.front().ns);
    }
  }

  std::string writeSymbols() const {
    SymbolModule module;
    module.path = target_.modulePath;
    for (uint32_t i = 0; i < trace_.regions.size(); i++) {
      if (trace_.regions[i].group != Group::kUser) continue;
      SymbolAddress address;
      address.offset = addressOf(i);
      address.frames.push_back({trace_.regions[i].name, "", 0, 0, false});
      module.addresses.push_back(std::move(address));
    }
    return replaceFile(options_.directory + "/symbols", formatSymbols({module}));
  }

  std::string writeReport() const {
    conversion::ImportReport report(kFormat, options_.original);
    size_t kinds = 0;
    uint64_t otherRead = 0, otherLeft = 0;
    const auto record = [&](const std::string& kind, uint64_t read, uint64_t left) {
      if (read == 0) return;
      if (kinds++ < Trace::kMostKinds) {
        report.record(kind, read, left);
      } else {
        otherRead += read;
        otherLeft += left;
      }
    };
    record("communication", trace_.messagesRead, trace_.messagesLeft);
    record("collective", trace_.collectivesRead, 0);
    record("comment", trace_.comments, trace_.comments);
    for (const State& state : trace_.states) record("state " + trace_.labels.state(state.number), state.read, state.left);
    for (const EventType& type : trace_.types) {
      record("event " + std::to_string(type.number) + " " + nameOf(trace_, type), type.read, type.left);
    }
    if (otherRead > 0) report.record("[others]", otherRead, otherLeft);
    for (const auto& [name, left] : trace_.definitions) report.definition(name, left);
    for (const std::string& warning : trace_.sentences()) report.warning(warning);
    return replaceFile(options_.directory + "/imported", report.text());
  }

  std::string writeRunManifest(size_t processes, size_t eventFiles, int64_t last) const {
    Manifest manifest;
    manifest.emplace_back("run", conversion::runNumber(target_.job, conversion::mix(target_.job, static_cast<uint64_t>(last))));
    manifest.emplace_back("imported", kFormat);
    manifest.emplace_back("ended", "unknown");
    manifest.emplace_back("elapsed-ns", std::to_string(last - target_.baseNs));
    manifest.emplace_back("exit-status", "0");
    manifest.emplace_back("processes", std::to_string(processes));
    manifest.emplace_back("event-files", std::to_string(eventFiles));
    return writeManifest(options_.directory, manifest);
  }

  Trace& trace_;
  const OutputOptions& options_;
  Target target_;
};

}  // namespace

std::string writeTrace(Trace* trace, const OutputOptions& options) { return TraceOutput(trace, options).write(); }

}  // namespace parallax::paraver
