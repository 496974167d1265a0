#include "tools/record_definitions.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "base/sys.h"
#include "transport/definitions_stage.h"

namespace parallax::record {
namespace {

// HOST.PID.SEQ.def
uint32_t pidIn(const std::string& name) {
  size_t at = name.rfind('.');
  for (int i = 0; i < 2 && at != std::string::npos && at > 0; i++) at = name.rfind('.', at - 1);
  return at == std::string::npos ? 0 : static_cast<uint32_t>(strtoul(name.c_str() + at + 1, nullptr, 10));
}

}  // namespace

bool hasEnded(uint32_t pid) {
  if (kill(static_cast<pid_t>(pid), 0) != 0 && errno == ESRCH) return true;
  char path[32], text[512] = "";
  snprintf(path, sizeof path, "/proc/%u/stat", pid);
  FILE* file = fopen(path, "re");
  if (file == nullptr) return false;
  const size_t got = fread(text, 1, sizeof text - 1, file);
  fclose(file);
  text[got] = '\0';
  const char* name = strrchr(text, ')');  // which may have any characters
  char state = ' ';
  long threads = 0;
  constexpr char kFields[] = ") %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %ld";
  return name != nullptr && sscanf(name, kFields, &state, &threads) == 2 && (state == 'Z' || state == 'X') &&
         threads <= 1;
}

DefinitionsStage::DefinitionsStage(const std::string& rings, const TraceDirectory& trace)
    : path_(rings + definitions_stage::kEnding), isThere_(stage_.open(path_.c_str()) == 0), trace_(trace) {}

std::vector<DefinitionsStage::File> DefinitionsStage::files() {
  std::vector<File> found;
  if (!isThere_) return found;
  DIR* entries = opendir(path_.c_str());
  if (entries == nullptr) {  // somebody has removed it
    for (const auto& copied : copied_) failures_.emplace(copied.first, ENOENT);
    return found;
  }
  while (const dirent* entry = readdir(entries)) {
    struct stat status {};
    if (moved_.count(entry->d_name) == 0 && fstatat(dirfd(entries), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
        S_ISREG(status.st_mode) && status.st_size > 0) {
      found.push_back({entry->d_name, pidIn(entry->d_name)});
    }
  }
  closedir(entries);
  return found;
}

void DefinitionsStage::settle(const std::string& name, int error) {
  if (error != 0) {
    failures_[name] = -error;
  } else {
    failures_.erase(name);
  }
}

bool DefinitionsStage::moveEnded(size_t most) {
  for (const File& file : files()) {
    if (!hasEnded(file.pid)) continue;
    if (most-- == 0) return true;
    uint64_t done = 0;  // parts of the beginning change at the end
    const int error = definitions_stage::copy(stage_, file.name.c_str(), trace_, &done);
    settle(file.name, error);
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
    settle(file.name, definitions_stage::copy(stage_, file.name.c_str(), trace_, &copied_[file.name]));
  }
}

bool DefinitionsStage::anyLeft() {
  for (const File& file : files()) {
    if (failures_.count(file.name) == 0 || !hasEnded(file.pid)) return true;
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
