#include "tests/guest_runner.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace parallax::tests {
namespace {

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

[[noreturn]] void execute(const Words& command) {
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  execvp(arguments[0], arguments.data());
  _exit(127);
}

void redirect(int descriptor, const char* path, int flags) {
  const int fd = open(path, flags, 0666);
  if (fd >= 0 && fd != descriptor) {
    dup2(fd, descriptor);
    close(fd);
  }
}

}  // namespace

Outcome run(const Words& command, const std::function<void()>& inChild) {
  TemporaryDirectory scratch;
  const std::string output = scratch / "output", errors = scratch / "errors";
  const pid_t pid = fork();
  if (pid == 0) {
    redirect(STDIN_FILENO, "/dev/null", O_RDONLY);
    redirect(STDOUT_FILENO, output.c_str(), O_WRONLY | O_CREAT | O_APPEND);
    redirect(STDERR_FILENO, errors.c_str(), O_WRONLY | O_CREAT | O_APPEND);
    close_range(STDERR_FILENO + 1, ~0U, 0);  // the guests count descriptors
    if (inChild) inChild();
    execute(command);
  }
  const int status = endOf(pid);
  return {status, contents(output), contents(errors)};
}

int start(const Words& command) {
  const pid_t pid = fork();
  if (pid == 0) {
    for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
      redirect(fd, "/dev/null", O_RDWR);
    }
    execute(command);
  }
  return pid;
}

int endOf(int pid) {
  int status = 0;
  waitpid(pid, &status, 0);
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

std::string guest(const std::string& name) {
  return std::string(PARALLAX_BUILD_DIRECTORY "/tests/guests/guest-") + name;
}
std::string recorder() { return PARALLAX_BUILD_DIRECTORY "/parallax-record"; }
std::string agent() { return PARALLAX_BUILD_DIRECTORY "/libparallax-agent.so"; }

std::vector<Words> outcomes(const std::string& trace, const std::string& kind) {
  std::vector<Words> found;
  for (const auto& entry : std::filesystem::directory_iterator(trace)) {
    if (entry.path().extension() != ".outcomes") continue;
    std::ifstream file(entry.path());
    for (std::string line, field; std::getline(file, line);) {
      Words fields;
      for (std::istringstream text(line); std::getline(text, field, '\t');) fields.push_back(field);
      if (!fields.empty() && fields[0] == kind) found.push_back(fields);
    }
  }
  return found;
}

namespace {

std::string transport() {
  const char* named = getenv("PARALLAX_TEST_TRANSPORT");
  return named != nullptr ? named : "";
}

}  // namespace

bool losesAtKill(const std::string& mode) {
  return mode.compare(0, 9, "buffered:") == 0 || mode.compare(0, 6, "async:") == 0 || mode == "writer" || mode == "collector";
}
bool losesAtKill() { return losesAtKill(transport()); }
bool hasWriter() { return transport() == "shared" || transport() == "writer" || transport() == "collector"; }
bool hasFirstBlocks() { return transport().empty() || transport() == "mapped"; }

Words recorded(const std::string& trace, const Words& command, const Words& options) {
  Words words{recorder(), "-o", trace, "--no-calibration"};
#if defined(PARALLAX_NO_SAMPLES)
  // A sample comes as a signal that the thread sanitizer does not put off, in the middle of its own
  // work, which it must not be entered from.
  words.insert(words.end(), {"--sample-hz", "0"});
#endif
  if (!transport().empty()) words.insert(words.end(), {"--transport", transport()});
  words.insert(words.end(), options.begin(), options.end());
  words.push_back("--");
  words.insert(words.end(), command.begin(), command.end());
  return words;
}

}  // namespace parallax::tests
