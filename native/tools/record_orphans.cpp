// What a command leaves running when it has ended: daemons, and background jobs of scripts.

#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <fstream>
#include <sstream>

#include "tools/record.h"

namespace parallax::record {
namespace {

constexpr int kPatienceMs = 2000;  // some launchers' helpers end after them
constexpr int kPollMs = 20;

// All children; none where the kernel does not tell.
std::vector<pid_t> children() {
  std::ifstream file("/proc/self/task/" + std::to_string(getpid()) + "/children");
  std::vector<pid_t> pids;
  for (pid_t pid; file >> pid;) pids.push_back(pid);
  return pids;
}

std::string nameOf(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/comm");
  std::string name;
  std::getline(file, name);
  return name.empty() ? "?" : name;
}

}  // namespace

Orphans::Orphans() {
  for (const pid_t pid : children()) known_.insert(pid);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
}

std::vector<pid_t> Orphans::running() const {
  std::vector<pid_t> pids;
  for (const pid_t pid : children()) {
    if (known_.count(pid) == 0 && waitpid(pid, nullptr, WNOHANG) == 0) pids.push_back(pid);
  }
  return pids;
}

std::string Orphans::end() const {
  const timespec pause{0, kPollMs * 1000000L};
  std::vector<pid_t> left = running();
  for (int ms = 0; !left.empty() && ms < kPatienceMs; ms += kPollMs) {
    nanosleep(&pause, nullptr);
    left = running();
  }
  std::ostringstream names;
  for (const pid_t pid : left) names << (pid == left[0] ? "" : ", ") << nameOf(pid) << ' ' << pid;
  while (!left.empty()) {  // those of an orphan that was ended come next
    for (const pid_t pid : left) kill(pid, SIGKILL);
    nanosleep(&pause, nullptr);
    left = running();
  }
  return names.str();
}

}  // namespace parallax::record
