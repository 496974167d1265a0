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
#include "tools/record_ended.h"
#include "transport/definitions_stage.h"

namespace parallax::record {
namespace {

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
    for (const auto& copied : copied_) failures_.emplace(copied.first, Failure{ENOENT, false});
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

void DefinitionsStage::settle(const std::string& name, int error, bool isTold) {
  if (error != 0) {
    failures_[name] = {-error, isTold};
  } else {
    failures_.erase(name);
  }
}

bool DefinitionsStage::moveEnded(size_t most) {
  for (const File& file : files()) {
    if (!hasEnded(file.pid, file.sinceMs)) continue;
    if (most-- == 0) return true;
    bool isTold;
    const int error = definitions_stage::copyWhole(stage_, file.name.c_str(), trace_, readTicks(), &isTold);
    settle(file.name, error, isTold);
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
    settle(file.name, definitions_stage::copy(stage_, file.name.c_str(), trace_, &copied_[file.name]), false);
  }
}

bool DefinitionsStage::anyLeft() {
  for (const File& file : files()) {
    if (failures_.count(file.name) == 0 || !hasEnded(file.pid, file.sinceMs)) return true;
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
