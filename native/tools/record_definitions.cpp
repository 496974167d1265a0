#include "tools/record_definitions.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "base/sys.h"
#include "core/clock.h"
#include "format/format.h"
#include "transport/definitions_stage.h"
#include "transport/ended.h"

namespace parallax::record {
namespace {

constexpr uint64_t kFirstPauseNs = 1'000'000'000, kLongestPauseNs = 30'000'000'000;  // between attempts that fail

// HOST.PID.SEQ.def
uint32_t pidIn(const std::string& name) {
  size_t at = name.rfind('.');
  for (int i = 0; i < 2 && at != std::string::npos && at > 0; i++) at = name.rfind('.', at - 1);
  return at == std::string::npos ? 0 : static_cast<uint32_t>(strtoul(name.c_str() + at + 1, nullptr, 10));
}

// When the process had begun to record, in ms of CLOCK_MONOTONIC: from the Process record, the first one. 0 if there is none yet.
uint64_t beginMsIn(int directory, const char* name) {
  constexpr off_t kFileHeaderBytes = 16;
  struct {
    format::RecordHeader header;
    uint64_t startTicks, monotonicNs;
  } process{};
  const int fd = openat(directory, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0) return 0;
  const bool isRead = pread(fd, &process, sizeof process, kFileHeaderBytes) == static_cast<ssize_t>(sizeof process);
  close(fd);
  const bool isThere = isRead && static_cast<format::Record>(process.header.type) == format::Record::kProcess;
  return isThere ? process.monotonicNs / 1'000'000 : 0;
}

}  // namespace

DefinitionsStage::DefinitionsStage(const std::string& rings, const TraceDirectory& trace)
    : path_(rings + definitions_stage::kEnding), isThere_(stage_.open(path_.c_str()) == 0), trace_(trace) {}

std::vector<DefinitionsStage::File> DefinitionsStage::files() {
  std::vector<File> found;
  if (!isThere_) return found;
  DIR* entries = opendir(path_.c_str());
  if (entries == nullptr) {  // somebody has removed it
    for (const auto& copied : copied_) failures_.emplace(copied.first, Failure{ENOENT, false, false, 0, 0});
    return found;
  }
  while (const dirent* entry = readdir(entries)) {
    struct stat status {};
    if (moved_.count(entry->d_name) == 0 && fstatat(dirfd(entries), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
        S_ISREG(status.st_mode) && status.st_size > 0) {
      found.push_back({entry->d_name, pidIn(entry->d_name), beginMsIn(dirfd(entries), entry->d_name)});
    }
  }
  closedir(entries);
  return found;
}

uint32_t DefinitionsStage::failed() const {
  return static_cast<uint32_t>(
      std::count_if(failures_.begin(), failures_.end(), [](const auto& failure) { return !failure.second.isTold; }));
}

int DefinitionsStage::failure() const {
  for (const auto& [name, failure] : failures_) {
    if (!failure.isTold) return failure.error;
  }
  return 0;
}

void DefinitionsStage::settle(const File& file, int error, bool isTold, bool isWhole, uint64_t nowNs) {
  if (error == 0) {
    failures_.erase(file.name);
    return;
  }
  const auto before = failures_.find(file.name);
  const bool isFirst = before == failures_.end() || !before->second.isWhole;
  const uint64_t pauseNs = isFirst ? kFirstPauseNs : std::min(2 * before->second.pauseNs, kLongestPauseNs);
  failures_[file.name] = {-error, isTold, isWhole, nowNs + pauseNs, pauseNs};
}

bool DefinitionsStage::couldNotBeMoved(const std::string& name) const {
  const auto failure = failures_.find(name);
  return failure != failures_.end() && failure->second.isWhole;
}

bool DefinitionsStage::lacksSpace() const {
  return std::any_of(failures_.begin(), failures_.end(), [](const auto& failure) {
    return failure.second.isWhole && definitions_stage::isLackOfSpace(-failure.second.error);
  });
}

bool DefinitionsStage::moveEnded(size_t most) { return moveEnded(most, false); }

void DefinitionsStage::moveAllEnded() { moveEnded(SIZE_MAX, true); }

bool DefinitionsStage::moveEnded(size_t most, bool alsoEarly) {
  for (const File& file : files()) {
    const uint64_t nowNs = readClockNs(CLOCK_MONOTONIC);
    if (!alsoEarly && couldNotBeMoved(file.name) && nowNs < failures_[file.name].againNs) continue;
    if (!hasEnded(file.pid, file.sinceMs)) continue;
    if (most-- == 0) return true;
    bool isTold;
    const int error = definitions_stage::copyWhole(stage_, file.name.c_str(), trace_, readTicks(), &isTold);
    settle(file, error, isTold, true, nowNs);
    if (error != 0) continue;
    // The empty file keeps its name from the next process of this number.
    definitions_stage::empty(stage_, file.name.c_str());
    moved_.insert(file.name);
    copied_.erase(file.name);
  }
  return false;
}

void DefinitionsStage::copyAlive() {
  for (const File& file : files()) {
    if (couldNotBeMoved(file.name)) continue;  // the file in the trace tells what is missing
    const int error = definitions_stage::copy(stage_, file.name.c_str(), trace_, &copied_[file.name]);
    settle(file, error, false, false, readClockNs(CLOCK_MONOTONIC));
  }
}

bool DefinitionsStage::anyLeft() {
  for (const File& file : files()) {
    if (!couldNotBeMoved(file.name)) return true;
  }
  return false;
}

int DefinitionsStage::open(const char* name) const {
  struct stat status {};
  const int fd = isThere_ ? stage_.openFile(name, O_RDWR) : -ENOENT;
  if (fd >= 0 && fstat(fd, &status) == 0 && status.st_size > 0) return fd;
  if (fd >= 0) close(fd);
  return trace_.openFile(name, O_RDWR);
}

}  // namespace parallax::record
