#include "tests/running_program.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

namespace parallax::tests {

Running::Running(const Words& command, const std::function<void()>& inChild) : output_(scratch_ / "output") {
  pid_ = fork();
  if (pid_ == 0) {
    if (freopen(output_.c_str(), "w", stdout) == nullptr || dup2(1, 2) != 2) _exit(126);
    if (inChild) inChild();
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    std::vector<char*> arguments;
    for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    execvp(arguments[0], arguments.data());
    _exit(127);
  }
  std::error_code error;
  const auto own = std::filesystem::read_symlink("/proc/self/exe", error);
  const std::string executable = "/proc/" + name() + "/exe";
  for (int i = 0; i < 500 && std::filesystem::read_symlink(executable, error) == own; i++) usleep(10000);
}

Running::~Running() {
  if (pid_ <= 0) return;
  kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
}

bool Running::hasThreads(size_t count) const {
  for (int i = 0; i < 1000; i++) {
    std::error_code error;
    const std::filesystem::directory_iterator threads("/proc/" + name() + "/task", error), end;
    if (!error && static_cast<size_t>(std::distance(threads, end)) >= count) return true;
    usleep(10000);
  }
  return false;
}

bool Running::says(const std::string& text) const {
  for (int i = 0; i < 3000; i++) {
    if (outputSoFar().find(text) != std::string::npos) return true;
    usleep(10000);
  }
  return false;
}

int Running::child() const {
  for (int i = 0; i < 500; i++) {
    int child = 0;
    if (std::ifstream("/proc/" + name() + "/task/" + name() + "/children") >> child) return child;
    usleep(10000);
  }
  return 0;
}

void Running::askToEnd() const { kill(pid_, SIGTERM); }

std::string Running::end() {
  const int status = endOf(pid_);
  pid_ = -1;
  return outputSoFar() + (status != 0 ? "status " + std::to_string(status) : "");
}

std::string Running::outputSoFar() const {
  std::ifstream file(output_);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// The agent keeps the directory of the trace open while it records.
bool records(const Running& program, const std::string& trace) {
  std::error_code error;
  const std::filesystem::path wanted = std::filesystem::canonical(trace, error);
  for (const auto& entry : std::filesystem::directory_iterator("/proc/" + program.name() + "/fd", error)) {
    if (std::filesystem::read_symlink(entry.path(), error) == wanted) return true;
  }
  return false;
}

Words attached(const std::string& pid, const std::string& trace, const std::string& time, const Words& options) {
  Words words{recorder(), "--attach", pid, "--for", time, "-o", trace};
  words.insert(words.end(), options.begin(), options.end());
  return words;
}

}  // namespace parallax::tests
