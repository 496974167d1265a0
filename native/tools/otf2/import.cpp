#include "tools/otf2/import.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>

#include "format/symbols_file.h"
#include "tools/conversion/file_import.h"
#include "tools/conversion/import_report.h"
#include "tools/otf2/archive.h"
#include "tools/otf2/report.h"
#include "tools/otf2/workers.h"

namespace parallax::otf2 {

using namespace format;

namespace {

constexpr uint64_t kMostHz = 4'000'000'000;  // faster clocks are divided: the format scales up to 18 GHz
constexpr uint64_t kNsPerSecond = 1'000'000'000;
constexpr uint64_t kBaseNs = 1000 * kNsPerSecond;  // of CLOCK_MONOTONIC at the global offset

std::string takeString(char* text) {
  std::string taken = text == nullptr ? "" : text;
  free(text);
  return taken;
}

std::string iso(uint64_t realtimeNs) {
  const auto seconds = static_cast<time_t>(realtimeNs / kNsPerSecond);
  tm utc{};
  char text[64];
  if (gmtime_r(&seconds, &utc) == nullptr || strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc) == 0) return "";
  return text;
}

std::string formatName(OTF2_Reader* reader) {
  uint8_t major = 0, minor = 0, bugfix = 0;
  OTF2_Reader_GetVersion(reader, &major, &minor, &bugfix);
  std::string name = "OTF2 " + std::to_string(major) + "." + std::to_string(minor);
  char* creator = nullptr;
  if (OTF2_Reader_GetCreator(reader, &creator) == OTF2_SUCCESS) {
    const std::string text = takeString(creator);
    if (!text.empty()) name += " by " + text;
  }
  return name;
}

std::string writeSymbols(const Archive& archive, const Target& target) {
  SymbolModule module;
  module.path = target.modulePath;
  for (const auto& [ref, region] : archive.regions) {
    if (useOf(region).isRoutine) continue;
    SymbolAddress address;
    address.offset = regionOffset(ref);
    address.frames.push_back({region.name, region.file, region.beginLine, region.beginLine, false});
    module.addresses.push_back(std::move(address));
  }
  std::sort(module.addresses.begin(), module.addresses.end(),
            [](const SymbolAddress& a, const SymbolAddress& b) { return a.offset < b.offset; });
  return replaceFile(target.directory + "/symbols", formatSymbols({module}));
}

class Import {
 public:
  explicit Import(const ImportOptions& options) : options_(options), path_(conversion::absolute(options.archive)) {}

  std::string run() {
    catchLibraryMessages();
    reader_ = OTF2_Reader_Open(options_.archive.c_str());
    if (reader_ == nullptr) {
      const std::string message = takeLibraryMessage();
      return options_.archive + " is not an archive of OTF2 that can be read" +
             (message.empty() ? "" : ": " + message);
    }
    OTF2_Reader_SetSerialCollectiveCallbacks(reader_);
    std::string error = read();
    OTF2_Reader_Close(reader_);
    return error;
  }

 private:
  std::string read() {
    std::string error = archive_.read(reader_);
    if (!error.empty()) return options_.archive + " has nothing to show: " + error;
    if (options_.onDefinitions) options_.onDefinitions();
    describeTarget();
    uint64_t all = 0;
    for (const ProcessDefinition& process : archive_.processes) {
      for (const LocationDefinition& location : process.locations) {
        if (location.events != OTF2_UNDEFINED_UINT64) all += location.events;
      }
    }
    WorkerOptions workers;
    workers.workers = options_.workers != 0 ? options_.workers
                                            : static_cast<unsigned>(sysconf(_SC_NPROCESSORS_ONLN));
    workers.hangSeconds = options_.hangSeconds;
    if (options_.progress) {
      workers.progress = [&, all](uint64_t records) { options_.progress(records, all); };
    }
    const WorkerResult result = readEvents(reader_, archive_, target_, workers);
    if (!result.error.empty()) return result.error;
    error = writeSymbols(archive_, target_);
    if (error.empty()) error = writeReport(result);
    if (error.empty()) error = writeRunManifest(result);
    return error;
  }

  void describeTarget() {
    target_.directory = options_.directory;
    target_.modulePath = path_;
    target_.name = path_.substr(path_.rfind('/') + 1);
    uint64_t id = 0;
    OTF2_Reader_GetTraceId(reader_, &id);
    target_.traceId = id == 0 ? 1 : id;
    target_.divisor = (archive_.tickHz + kMostHz - 1) / kMostHz;
    target_.clock.ticks = archive_.globalOffset / target_.divisor;
    target_.clock.tickHz = archive_.tickHz / target_.divisor;
    target_.clock.monotonicNs = kBaseNs;
    target_.realtimeNs = archive_.realtimeNs == OTF2_UNDEFINED_TIMESTAMP ? kBaseNs : archive_.realtimeNs;
  }

  std::string writeReport(const WorkerResult& result) const {
    std::vector<std::string> warnings = archive_.warnings;
    warnings.insert(warnings.end(), result.warnings.begin(), result.warnings.end());
    const std::vector<std::string> faults = describe(result.counts);
    warnings.insert(warnings.end(), faults.begin(), faults.end());
    if (result.counts.total() == 0) warnings.push_back("the archive has no events");
    return replaceFile(target_.directory + "/imported",
                       formatReport(archive_, formatName(reader_), path_, result, warnings));
  }

  std::string writeRunManifest(const WorkerResult& result) const {
    const uint64_t first = result.firstTicks <= result.lastTicks ? result.firstTicks : target_.clock.ticks;
    const uint64_t last = result.firstTicks <= result.lastTicks ? result.lastTicks : first;
    const uint64_t elapsedNs = target_.clock.monotonicAt(last) - target_.clock.monotonicAt(first);
    const bool isDated = archive_.realtimeNs != OTF2_UNDEFINED_TIMESTAMP;
    size_t eventFiles = 0;
    for (const ProcessDefinition& process : archive_.processes) eventFiles += process.locations.size();
    Manifest manifest;
    manifest.emplace_back("run", conversion::runNumber(target_.traceId, target_.traceId * 0x9E3779B97F4A7C15));
    if (isDated) manifest.emplace_back("created", iso(archive_.realtimeNs));
    manifest.emplace_back("imported", formatName(reader_));
    manifest.emplace_back("ended", isDated ? iso(archive_.realtimeNs + elapsedNs) : "unknown");
    manifest.emplace_back("elapsed-ns", std::to_string(elapsedNs));
    manifest.emplace_back("exit-status", std::to_string(result.exitStatus));
    manifest.emplace_back("processes", std::to_string(archive_.processes.size()));
    manifest.emplace_back("event-files", std::to_string(eventFiles));
    return writeManifest(target_.directory, manifest);
  }

  const ImportOptions& options_;
  std::string path_;
  OTF2_Reader* reader_ = nullptr;
  Archive archive_;
  Target target_;
};

}  // namespace

std::string importArchive(const ImportOptions& options) {
  if (const std::string problem = conversion::makeDirectory(options.directory); !problem.empty()) return problem;
  return Import(options).run();
}

}  // namespace parallax::otf2
