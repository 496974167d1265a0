#include "bench/peers_run.h"

#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <climits>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "bench/agent_bench.h"

namespace parallax::bench {
namespace {

constexpr int kTooLong = -1;

// Ends what is left of the command: it leads a process group of its own.
int waitFor(pid_t pid, int seconds) {
  int status = 0;
  const double end = nowNs() + seconds * 1e9;
  // Every millisecond: a tool's threads need the processors.
  while (waitpid(pid, &status, WNOHANG) == 0) {
    if (nowNs() > end) {
      kill(-pid, SIGKILL);
      waitpid(pid, &status, 0);
      return kTooLong;
    }
    usleep(1000);
  }
  return status;
}

void startShell(const std::string& command, const std::string& scratch) {
  setpgid(0, 0);
  const int out = open((scratch + "/out").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  const int err = open((scratch + "/err").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  const int in = open("/dev/null", O_RDONLY);
  dup2(in, 0);
  dup2(out, 1);
  dup2(err, 2);
  if (chdir(scratch.c_str()) == 0) {
    execl("/bin/sh", "sh", "-c", command.c_str(), static_cast<char*>(nullptr));
  }
  _exit(127);
}

// The last line that says something, without the colours of terminals.
std::string lastLineOf(const std::string& path) {
  std::ifstream file(path);
  std::string line, last;
  while (std::getline(file, line)) {
    std::string plain;
    for (size_t i = 0; i < line.size(); i++) {
      if (line[i] == '\033') {
        while (i < line.size() && line[i] != 'm') i++;
      } else if (static_cast<unsigned char>(line[i]) >= ' ') {
        plain += line[i];
      }
    }
    if (plain.find_first_not_of(" -=*") != std::string::npos) last = plain;
  }
  return last.substr(0, 120);
}

}  // namespace

Run runCommand(const std::string& command, const std::string& scratch, int seconds) {
  Run run;
  const double begin = nowNs();
  const pid_t pid = fork();
  if (pid == 0) startShell(command, scratch);
  const int status = pid < 0 ? 127 << 8 : waitFor(pid, seconds);
  run.elapsedNs = nowNs() - begin;

  std::ifstream output(scratch + "/out");
  std::string line;
  while (std::getline(output, line)) {
    std::istringstream words(line);
    std::string name, value;
    if (!(words >> name >> value)) continue;
    if (name == "answer") {
      run.answer = value;
    } else {
      char* end = nullptr;
      const double number = strtod(value.c_str(), &end);
      if (*end == 0) run.figures[name] = number;
    }
  }
  if (status == kTooLong) {
    run.failure = "it took longer than " + std::to_string(seconds) + " s";
  } else if (status != 0) {
    run.failure = lastLineOf(scratch + "/err");
    if (run.failure.empty()) run.failure = "it failed without a message";
  }
  return run;
}

Turn::Turn(const std::string& lockFile) {
  if (lockFile.empty()) return;
  fd_ = open(lockFile.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (fd_ >= 0) flock(fd_, LOCK_EX);
}

Turn::~Turn() {
  if (fd_ >= 0) close(fd_);
}

bool isCommand(const std::string& name) {
  std::istringstream path(getenv("PATH") != nullptr ? getenv("PATH") : "/usr/bin:/bin");
  std::string folder;
  while (std::getline(path, folder, ':')) {
    if (access((folder + "/" + name).c_str(), X_OK) == 0) return true;
  }
  return false;
}

static uint64_t treeBytes;

uint64_t sizeOfTree(const std::string& path) {
  treeBytes = 0;
  nftw(path.c_str(), [](const char*, const struct stat* found, int type, FTW*) {
    if (type == FTW_F) treeBytes += static_cast<uint64_t>(found->st_size);
    return 0;
  }, 16, FTW_PHYS);
  return treeBytes;
}

void removeTree(const std::string& path) {
  nftw(path.c_str(), [](const char* p, const struct stat*, int, FTW*) { return remove(p); }, 16,
       FTW_DEPTH | FTW_PHYS);
}

std::string buildDirectory() {
  char path[PATH_MAX];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  const std::string self(path, length > 0 ? static_cast<size_t>(length) : 0);
  return self.substr(0, self.rfind('/'));
}

}  // namespace parallax::bench
