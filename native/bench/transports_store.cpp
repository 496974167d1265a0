#include "bench/transports_store.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

namespace parallax::bench {
namespace {

constexpr int kMostWaits = 500;
constexpr useconds_t kWaitUs = 10000;

bool isMounted(const std::string& path, const std::string& below) {
  struct stat mounted, parent;
  return stat(path.c_str(), &mounted) == 0 && stat(below.c_str(), &parent) == 0 && mounted.st_dev != parent.st_dev;
}

std::string lineOf(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

}  // namespace

ContendedStore::ContendedStore(const std::string& program, const std::string& folder, int latencyUs,
                               int bytesPerSecond, bool hasHoles)
    : folder_(folder), files_(folder + "/files"), mount_(folder + "/mount") {
  const std::string log = folder_ + "/log";
  if (access(program.c_str(), X_OK) != 0) {
    missing_ = "it was built without libfuse3; install libfuse3-dev";
    return;
  }
  std::error_code failed;
  std::filesystem::create_directories(files_, failed);
  std::filesystem::create_directories(mount_, failed);
  pid_ = fork();
  if (pid_ == 0) {
    setsid();  // an interrupt from the terminal is for us
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    const int out = open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
    dup2(out, 1);
    dup2(out, 2);
    execl(program.c_str(), program.c_str(), "--latency-us", std::to_string(latencyUs).c_str(), "--bytes-per-second",
          std::to_string(bytesPerSecond).c_str(), files_.c_str(), mount_.c_str(),
          hasHoles ? static_cast<char*>(nullptr) : "--no-holes", static_cast<char*>(nullptr));
    _exit(127);
  }
  for (int i = 0; i < kMostWaits && pid_ > 0; i++) {
    if (isMounted(mount_, folder_)) return;
    if (waitpid(pid_, nullptr, WNOHANG) != 0) pid_ = -1;
    usleep(kWaitUs);
  }
  missing_ = "FUSE cannot be used: " + lineOf(log);
  end();
}

ContendedStore::~ContendedStore() { end(); }

ContendedStore::Served ContendedStore::served() const {
  char text[100] = "";
  Served served;
  const ssize_t length = getxattr(mount_.c_str(), "user.served", text, sizeof text - 1);
  if (length > 0) sscanf(text, "%lf %lf %lf %lf", &served.requests, &served.bytes, &served.busyNs, &served.cpuNs);
  return served;
}

void ContendedStore::end() {
  if (pid_ <= 0) return;
  kill(pid_, SIGTERM);
  waitpid(pid_, nullptr, 0);
  pid_ = -1;
}

}  // namespace parallax::bench
