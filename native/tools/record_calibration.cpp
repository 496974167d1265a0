#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstring>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "tools/record.h"

namespace parallax::record {
namespace {

// In the child: returns when it has failed.
void execute(const std::string& tool, const std::string& scratch, const Environment& environment, int output) {
  // Its alarm must end it, and it must see how its own children end, whatever this process has inherited.
  signal(SIGALRM, SIG_DFL);
  signal(SIGCHLD, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  const int null = open("/dev/null", O_RDWR);
  if (null >= 0) {
    dup2(null, STDIN_FILENO);
    dup2(null, STDERR_FILENO);
  }
  dup2(output, STDOUT_FILENO);
  // What is set for the program, or for a recorder around this one, is not for the calibration.
  std::vector<std::string> others;
  for (char** variable = environ; *variable != nullptr; variable++) {
    const std::string name(*variable, strcspn(*variable, "="));
    if (name.compare(0, 9, "PARALLAX_") == 0) others.push_back(name);
  }
  for (const std::string& name : others) unsetenv(name.c_str());
  unsetenv("LD_PRELOAD");
  setenv("PARALLAX_TRACE", scratch.c_str(), 1);
  setenv("PARALLAX_SAMPLE_HZ", std::to_string(environment.sampleHz).c_str(), 1);
  setenv("PARALLAX_TICK_HZ", std::to_string(environment.tickHz).c_str(), 1);
  for (const auto& [name, value] : environment.settings) {
    if (name == "PARALLAX_MACHINE") setenv(name.c_str(), value.c_str(), 1);
  }
  std::vector<std::string> words{tool, environment.agent};
  const std::vector<char*> arguments = pointersTo(words);
  if (becomeFileUser()) execv(arguments[0], arguments.data());
}

std::string outputOf(const std::string& tool, const std::string& scratch, const Environment& environment) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return "";
  const pid_t pid = fork();
  if (pid == 0) {
    execute(tool, scratch, environment, ends[1]);
    _exit(kNotFound);
  }
  close(ends[1]);
  std::string text;
  char part[512];
  ssize_t got = 0;
  while (pid > 0 && ((got = read(ends[0], part, sizeof part)) > 0 || (got < 0 && errno == EINTR))) {
    if (got > 0) text.append(part, static_cast<size_t>(got));
  }
  close(ends[0]);
  int status = 1;
  pid_t ended = -1;
  while (pid > 0 && (ended = waitpid(pid, &status, 0)) < 0 && errno == EINTR) {
  }
  return ended > 0 && status == 0 ? text : "";
}

}  // namespace

std::vector<Cost> calibrate(const std::string& tool, const std::string& traceDirectory, const Environment& environment) {
  // Beside the trace, so that its files are of the same file system.
  const std::string scratch = traceDirectory + "/calibration";
  if (mkdir(scratch.c_str(), 0700) != 0) return {};
  std::istringstream lines(outputOf(tool, scratch, environment));
  std::error_code ignored;
  std::filesystem::remove_all(scratch, ignored);
  std::vector<Cost> costs;
  Cost cost;
  while (lines >> cost.name >> cost.ns) {
    if (std::isfinite(cost.ns) && cost.ns >= 0) costs.push_back(cost);
  }
  return costs;
}

}  // namespace parallax::record
