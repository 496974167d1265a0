#include "tools/otf2/export.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>

#include "tools/otf2/export_check.h"
#include "tools/otf2/export_communicators.h"
#include "tools/otf2/export_process.h"
#include "tools/otf2/export_thread.h"
#include "tools/otf2/workers.h"

namespace parallax::otf2 {

using namespace format;

namespace {

constexpr uint64_t kNsPerSecond = 1'000'000'000;
constexpr uint64_t kEventChunk = 1 << 20, kDefinitionChunk = 4 << 20;

OTF2_FlushType beforeFlush(void*, OTF2_FileType, OTF2_LocationRef, void*, bool) { return OTF2_FLUSH; }
OTF2_TimeStamp afterFlush(void*, OTF2_FileType, OTF2_LocationRef) { return 0; }

class Export {
 public:
  Export(const ExportOptions& options, ExportCounts* counts) : options_(options), counts_(*counts) {}

  std::string run() {
    std::string error = findTraceFiles(options_.trace, &files_);
    if (!error.empty()) return error;
    error = symbols_.read(options_.trace);
    if (!error.empty()) counts_.notes.push_back("the trace's symbols are damaged: " + error);
    error = options_.corrections.empty() ? "" : corrections_.read(options_.corrections);
    if (!error.empty()) return error;
    catchLibraryMessages();
    takeLibraryMessage();
    archive_ = OTF2_Archive_Open(options_.directory.c_str(), options_.name.c_str(), OTF2_FILEMODE_WRITE, kEventChunk,
                                 kDefinitionChunk, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    if (archive_ == nullptr) return because("the archive cannot be created", OTF2_SUCCESS);
    error = write();
    const OTF2_ErrorCode closed = OTF2_Archive_Close(archive_);
    if (error.empty() && closed != OTF2_SUCCESS) error = because("the archive cannot be completed", closed);
    if (error.empty() && !isComplete(options_.directory + "/" + options_.name + ".otf2", events_)) {
      error = "the archive is incomplete after it was written: is the disk full, or the size of files limited?";
    }
    return error;
  }

 private:
  std::string because(const std::string& what, OTF2_ErrorCode code) {
    std::string reason = takeLibraryMessage();
    if (reason.empty()) reason = code == OTF2_SUCCESS ? "the OTF2 library does not say why" : OTF2_Error_GetDescription(code);
    return what + ": " + reason;
  }

  std::string write() {
    static const OTF2_FlushCallbacks kCallbacks = {beforeFlush, afterFlush};
    check(OTF2_Archive_SetFlushCallbacks(archive_, &kCallbacks, nullptr));
    check(OTF2_Archive_SetSerialCollectiveCallbacks(archive_));
    check(OTF2_Archive_SetCreator(archive_, "Parallax"));
    check(OTF2_Archive_OpenEvtFiles(archive_));
    names_ = std::make_unique<ExportNames>(OTF2_Archive_GetGlobalDefWriter(archive_));
    names_->check(error_);
    names_->string("");
    readProcesses();
    writePlaces();
    exportCommunicators(&processes_, names_.get(), &counts_);
    exportTeams(&processes_, names_.get());
    for (ProcessExport& process : processes_) {
      for (uint32_t thread = 0; thread < process.threadCount() && names_->error() == OTF2_SUCCESS; thread++) {
        if (process.location(thread) >= 0) writeThread(&process, thread);
      }
    }
    names_->writeCommunicators();
    names_->check(OTF2_GlobalDefWriter_WriteClockProperties(names_->writer(), kNsPerSecond, 0, lastTime_ + 1,
                                                            options_.epochNs + static_cast<uint64_t>(originNs_)));
    names_->check(OTF2_Archive_CloseEvtFiles(archive_));
    writeLocalDefinitions();
    names_->check(OTF2_Archive_CloseGlobalDefWriter(archive_, names_->writer()));
    return names_->error() == OTF2_SUCCESS ? "" : because("the archive cannot be written", names_->error());
  }

  void check(OTF2_ErrorCode code) {
    if (error_ == OTF2_SUCCESS) error_ = code;
  }

  void readProcesses() {
    uint32_t sampleHz = 0;
    processes_.resize(files_.processes.size());
    for (size_t i = 0; i < processes_.size(); i++) {
      ProcessExport& process = processes_[i];
      process.symbols = &symbols_;
      const std::string error = process.read(files_.processes[i], names_.get());
      if (!error.empty()) counts_.notes.push_back(files_.processes[i].name + ": " + error);
      process.clock = clockOf(process);
      isWalked_ |= process.isWalked();
      sampleHz = std::max(sampleHz, process.sampleHz);
      process.locations.assign(process.threadCount(), -1);
      for (uint32_t thread = 0; thread < process.threadCount(); thread++) {
        const ThreadFile& file = process.files.threads[thread];
        // The ranks of MPI need the location of each main thread.
        if (thread > 0 && file.path.empty() && file.firstBytes == 0) continue;
        process.locations[thread] = static_cast<int64_t>(locations_++);
        EventFile events;
        if (events.open(file).empty()) allBlocks_ += events.blockCount();
      }
    }
    events_.assign(locations_, 0);
    if (isWalked_) names_->generator(sampleHz == 0 ? 1 : sampleHz);
    originNs_ = INT64_MAX;
    for (const ProcessExport& process : processes_) {
      if (process.files.definitions.empty()) continue;
      const int64_t startNs = process.clock.timeNs(process.startTicks);
      TimeMap* main = corrections_.find(process.files.name, 0);
      originNs_ = std::min(originNs_, main == nullptr ? startNs : main->at(startNs));
    }
    if (originNs_ == INT64_MAX) originNs_ = 0;
  }

  HostClock clockOf(const ProcessExport& process) const {
    for (const HostClock& each : options_.clocks) {
      if (each.host == process.host) return each;
    }
    HostClock clock;
    clock.referenceTicks = process.startTicks;
    constexpr int kShift = 7;
    clock.shift = kShift;
    clock.multiplier = static_cast<int64_t>((static_cast<__int128>(kNsPerSecond) << (64 - kShift)) / process.tickHz);
    clock.offsetNs = static_cast<int64_t>(process.realtimeNs - options_.epochNs);
    return clock;
  }

  // Machines, processes; locations come with the numbers of their events.
  void writePlaces() {
    OTF2_GlobalDefWriter* writer = names_->writer();
    names_->check(OTF2_GlobalDefWriter_WriteSystemTreeNode(writer, 0, names_->string("run"), names_->string("machine"),
                                                           OTF2_UNDEFINED_SYSTEM_TREE_NODE));
    std::map<std::string, OTF2_SystemTreeNodeRef> hosts;
    for (uint32_t i = 0; i < processes_.size(); i++) {
      const ProcessExport& process = processes_[i];
      const auto [host, isNew] = hosts.try_emplace(process.host, static_cast<uint32_t>(hosts.size()) + 1);
      if (isNew) {
        names_->check(OTF2_GlobalDefWriter_WriteSystemTreeNode(writer, host->second, names_->string(process.host),
                                                               names_->string("node"), 0));
      }
      const std::string name =
          process.isMpi ? process.program + "[" + std::to_string(process.rank) + "]" : process.program;
      names_->check(OTF2_GlobalDefWriter_WriteLocationGroup(writer, i, names_->string(name),
                                                            OTF2_LOCATION_GROUP_TYPE_PROCESS, host->second,
                                                            OTF2_UNDEFINED_LOCATION_GROUP));
    }
  }

  void writeThread(ProcessExport* process, uint32_t thread) {
    const auto location = static_cast<OTF2_LocationRef>(process->location(thread));
    OTF2_EvtWriter* writer = OTF2_Archive_GetEvtWriter(archive_, location);
    if (writer == nullptr) {
      names_->check(OTF2_ERROR_FILE_CAN_NOT_OPEN);
      return;
    }
    ThreadExport events(process, thread, names_.get(), writer, isWalked_, originNs_,
                        corrections_.find(process->files.name, thread), &counts_);
    EventFile file;
    const std::string error = file.open(process->files.threads[thread]);
    if (!error.empty()) counts_.notes.push_back(error);
    if (!process->files.definitions.empty()) events.begin(process->startTicks);
    for (size_t i = 0; error.empty() && i < file.blockCount() && names_->error() == OTF2_SUCCESS; i++) {
      const BlockView block = file.block(i);
      events.block(block);
      readBlocks_++;
      if (options_.progress && readBlocks_ % kProgressBlocks == 0) options_.progress(readBlocks_, allBlocks_);
      if (block.state == BlockState::kForeign || block.state == BlockState::kUnfinished) break;
    }
    events.end();
    lastTime_ = std::max(lastTime_, events.lastTime());
    uint64_t& count = events_[location];
    names_->check(OTF2_EvtWriter_GetNumberOfEvents(writer, &count));
    names_->check(OTF2_Archive_CloseEvtWriter(archive_, writer));
    names_->check(OTF2_GlobalDefWriter_WriteLocation(
        names_->writer(), location, names_->string(process->threadName(thread)), OTF2_LOCATION_TYPE_CPU_THREAD, count,
        static_cast<OTF2_LocationGroupRef>(process - processes_.data())));
  }

  // Each location has a file of its own definitions, which are none: readers expect the files.
  void writeLocalDefinitions() {
    names_->check(OTF2_Archive_OpenDefFiles(archive_));
    for (uint64_t location = 0; location < locations_ && names_->error() == OTF2_SUCCESS; location++) {
      OTF2_DefWriter* local = OTF2_Archive_GetDefWriter(archive_, location);
      names_->check(local == nullptr ? OTF2_ERROR_FILE_CAN_NOT_OPEN : OTF2_Archive_CloseDefWriter(archive_, local));
    }
    names_->check(OTF2_Archive_CloseDefFiles(archive_));
  }

  static constexpr uint64_t kProgressBlocks = 64;

  const ExportOptions& options_;
  ExportCounts& counts_;
  TraceFiles files_;
  ExportSymbols symbols_;
  Corrections corrections_;
  OTF2_Archive* archive_ = nullptr;
  OTF2_ErrorCode error_ = OTF2_SUCCESS;
  std::unique_ptr<ExportNames> names_;
  std::vector<ProcessExport> processes_;
  std::vector<uint64_t> events_;  // records of each location
  bool isWalked_ = false;
  int64_t originNs_ = 0;
  uint64_t locations_ = 0, readBlocks_ = 0, allBlocks_ = 0, lastTime_ = 0;
};

}  // namespace

std::string exportTrace(const ExportOptions& options, ExportCounts* counts) {
  if (mkdir(options.directory.c_str(), 0777) != 0) {
    return "the directory " + options.directory + " cannot be created: " + strerror(errno);
  }
  const std::string error = Export(options, counts).run();
  std::error_code ignored;
  if (!error.empty()) std::filesystem::remove_all(options.directory, ignored);
  return error;
}

}  // namespace parallax::otf2
