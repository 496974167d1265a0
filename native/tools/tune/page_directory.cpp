#include "tools/tune/page_directory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <map>
#include <memory>
#include <sstream>

#include "live/live_job.h"
#include "live/monitored_page.h"
#include "tools/tune/unkept_actions.h"
#include "tools/tune/watched_process.h"

namespace parallax::tuning {
namespace {

constexpr size_t kEndingBytes = sizeof live::kEnding - 1;
constexpr char kTemporaryName[] = "/parallax-live-XXXXXX";

// The number before the ending; 0 if the name is none of a page.
int pidOf(const std::string& name) {
  if (name.size() <= kEndingBytes || name.compare(name.size() - kEndingBytes, kEndingBytes, live::kEnding) != 0) return 0;
  char* end = nullptr;
  const long pid = strtol(name.c_str(), &end, 10);
  return end == name.c_str() + name.size() - kEndingBytes && pid > 0 && pid <= INT_MAX ? static_cast<int>(pid) : 0;
}

// Of a page, of a prepared change beside one (PID.live.ID), or of a page that was never finished (.PID.new).
bool isOfProcess(const char* name) {
  const char* at = name[0] == '.' ? name + 1 : name;
  const size_t digits = strspn(at, "0123456789");
  if (digits == 0) return false;
  const char* rest = at + digits;
  if (name[0] == '.') return strcmp(rest, ".new") == 0;
  if (strncmp(rest, live::kEnding, kEndingBytes) != 0) return false;
  rest += kEndingBytes;
  return *rest == '\0' || (*rest == '.' && rest[1 + strspn(rest + 1, "0123456789")] == '\0');
}

bool isOfJob(const char* name) {
  const size_t size = strlen(name), ending = strlen(live::kJobEnding);
  return size > ending && strcmp(name + size - ending, live::kJobEnding) == 0;
}

// That of a monitor on another host is made by who starts it.
bool isTemporary(const std::string& path) {
  const size_t name = path.rfind('/');
  constexpr size_t kSame = sizeof kTemporaryName - sizeof "XXXXXX";
  return name != std::string::npos && path.compare(name, kSame, kTemporaryName, kSame) == 0;
}

constexpr int kStepUs = 20000;

// Waits until the processes have done it, or for some seconds: they do it at their safe moments.
void undo(const std::string& unkept, const std::map<int, std::unique_ptr<WatchedProcess>>& processes) {
  constexpr int kSteps = 250;
  UnkeptActions actions;
  std::istringstream lines(unkept);
  for (std::string line; std::getline(lines, line);) actions.replay(line);
  size_t open = 0;
  for (const Action& action : actions.takeUndoing()) {
    const auto process = processes.find(action.pid);
    if (process != processes.end() && process->second->ask(action).empty()) open++;
  }
  for (int i = 0; i < kSteps && open > 0; i++) {
    usleep(kStepUs);
    for (const auto& [pid, process] : processes) {
      for (const Answer& answer : process->takeAnswers()) open -= answer.state != "waiting" && open > 0 ? 1 : 0;
    }
  }
}

}  // namespace

PageDirectory::PageDirectory(const std::string& path, std::string* problem) : path_(path) {
  if (path.empty()) {
    const char* temporary = getenv("TMPDIR");
    path_ = std::string(temporary != nullptr && *temporary != '\0' ? temporary : "/tmp") + kTemporaryName;
    isOurs_ = mkdtemp(path_.data()) != nullptr;
  } else {
    isOurs_ = mkdir(path_.c_str(), 0700) == 0;
  }
  if (!isOurs_ && (path.empty() || errno != EEXIST)) {
    *problem = "cannot make the directory " + path_ + ": " + strerror(errno);
    return;
  }
  struct stat status {};
  if (stat(path_.c_str(), &status) != 0 || !S_ISDIR(status.st_mode) || status.st_uid != geteuid() || (status.st_mode & 077) != 0) {
    *problem = "the directory " + path_ + " must be yours, and for you alone (chmod 700)";
    return;
  }
  char resolved[PATH_MAX];
  if (realpath(path_.c_str(), resolved) != nullptr) path_ = resolved;
  isOurs_ = isOurs_ || isTemporary(path_);
  startKeeper();
  changes_ = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
  if (changes_ >= 0 && inotify_add_watch(changes_, path_.c_str(), IN_MOVED_TO | IN_CREATE | IN_ONLYDIR) < 0) {
    close(changes_);
    changes_ = -1;
  }
}

PageDirectory::~PageDirectory() {
  if (changes_ >= 0) close(changes_);
  if (keeperPipe_ >= 0) close(keeperPipe_);
  if (keeper_ > 0) waitpid(keeper_, nullptr, 0);
  clean();
}

bool PageDirectory::clean() const {
  DIR* entries = opendir(path_.c_str());
  if (entries == nullptr) return true;
  while (const dirent* entry = readdir(entries)) {
    if (isOfProcess(entry->d_name) || isOfJob(entry->d_name)) unlinkat(dirfd(entries), entry->d_name, 0);
  }
  closedir(entries);
  return !isOurs_ || rmdir(path_.c_str()) == 0;
}

// A process that starts may still make a page.
void PageDirectory::takeOver(const std::string& unkept) const {
  constexpr int kTries = 50;
  std::map<int, std::unique_ptr<WatchedProcess>> processes;
  bool isClean = false;
  for (int i = 0; i < kTries && !isClean; i++) {
    if (i > 0) usleep(kStepUs);
    for (const Page& page : pages()) {
      live::MonitoredPage mapped;
      if (mapped.open(page.path).empty()) mapped.clear();
      std::string problem;
      auto process = std::make_unique<WatchedProcess>(page.path, page.inode, &problem);
      if (problem.empty()) processes[page.pid] = std::move(process);
    }
    isClean = clean();
  }
  undo(unkept, processes);
}

void PageDirectory::noteUnkept(const std::string& line) const {
  const std::string whole = line + "\n";
  for (size_t at = 0; keeperPipe_ >= 0 && at < whole.size();) {
    const ssize_t written = write(keeperPipe_, whole.data() + at, whole.size() - at);
    if (written < 0 && errno != EINTR) return;
    if (written > 0) at += static_cast<size_t>(written);
  }
}

// It has nothing of this process open but the pipe, and is in a session of its own.
void PageDirectory::startKeeper() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return;
  keeper_ = fork();
  if (keeper_ == 0) {
    setsid();
    dup2(ends[0], STDIN_FILENO);
    close_range(STDOUT_FILENO, ~0U, 0);
    std::string unkept;
    char part[4096];
    for (ssize_t got; (got = read(STDIN_FILENO, part, sizeof part)) > 0 || (got < 0 && errno == EINTR);) {
      if (got > 0) unkept.append(part, static_cast<size_t>(got));
    }
    takeOver(unkept);
    _exit(0);
  }
  close(ends[0]);
  keeperPipe_ = ends[1];
}

void PageDirectory::drain() const {
  char events[4096];
  while (changes_ >= 0 && read(changes_, events, sizeof events) > 0) {
  }
}

std::vector<PageDirectory::Page> PageDirectory::pages() const {
  std::vector<Page> pages;
  DIR* entries = opendir(path_.c_str());
  if (entries == nullptr) return pages;
  while (const dirent* entry = readdir(entries)) {
    const int pid = pidOf(entry->d_name);
    struct stat status {};
    if (pid == 0 || fstatat(dirfd(entries), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0) continue;
    if (S_ISREG(status.st_mode)) pages.push_back({path_ + "/" + entry->d_name, pid, status.st_ino});
  }
  closedir(entries);
  return pages;
}

void PageDirectory::remove(int pid, ino_t inode) const {
  const std::string path = path_ + "/" + std::to_string(pid) + live::kEnding;
  struct stat status {};
  if (lstat(path.c_str(), &status) == 0 && status.st_ino == inode) unlink(path.c_str());
}

}  // namespace parallax::tuning
