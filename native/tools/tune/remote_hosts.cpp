#include "tools/tune/remote_hosts.h"

#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "base/program_file.h"
#include "tools/record.h"
#include "tools/tune/reports.h"
#include "tools/tune/requests.h"

namespace parallax::tuning {
namespace {

constexpr char kTool[] = "parallax-tune-pvm", kRoutine[] = "pvm_mytid";

bool isReady(const std::string& line) {
  Request request;
  return parseRequest(line, &request).empty() && std::holds_alternative<Ready>(request);
}

}  // namespace

bool RemoteHosts::isNeededBy(const std::string& program) {
  char path[PATH_MAX];
  if (!findProgram(program.c_str(), getenv("PATH"), path, sizeof path)) return false;
  const int fd = open(path, O_RDONLY | O_CLOEXEC);
  struct stat status {};
  bool isThere = false;
  if (fd >= 0 && fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0) {
    const auto bytes = static_cast<size_t>(status.st_size);
    void* text = mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, fd, 0);
    isThere = text != MAP_FAILED && memmem(text, bytes, kRoutine, sizeof kRoutine - 1) != nullptr;
    if (text != MAP_FAILED) munmap(text, bytes);
  }
  if (fd >= 0) close(fd);
  return isThere;
}

RemoteHosts::RemoteHosts(const std::string& secret, const std::string& host, const std::string& directory)
    : host_(host) {
  const std::string tool = record::ownDirectory() + "/" + kTool;
  int input[2] = {-1, -1}, output[2] = {-1, -1};
  if (access(tool.c_str(), X_OK) != 0 || pipe2(input, O_CLOEXEC) != 0 || pipe2(output, O_CLOEXEC) != 0) {
    return;  // built without PVM, whose program then does not run either
  }
  process_ = fork();
  if (process_ == 0) {
    setsid();  // an interrupt from the terminal is for the program
    dup2(input[0], STDIN_FILENO);
    dup2(output[1], STDOUT_FILENO);
    setenv("PARALLAX_TUNE_SECRET", secret.c_str(), 1);
    const std::vector<std::string> words{tool, "link", host, directory};
    execv(tool.c_str(), record::pointersTo(words).data());
    _exit(1);
  }
  close(input[0]);
  close(output[1]);
  to_ = std::make_unique<LineWriter>(input[1]);
  from_ = std::make_unique<LineReader>(output[0]);
}

// It ends with its input.
RemoteHosts::~RemoteHosts() {
  if (to_) close(to_->fd());
  if (from_) close(from_->fd());
  if (process_ > 0) waitpid(process_, nullptr, 0);
}

bool RemoteHosts::awaitReady(int patienceMs) {
  constexpr int kStepMs = 20;
  for (int ms = 0; from_ && ms < patienceMs; ms += kStepMs) {
    pollfd ready{from_->fd(), POLLIN, 0};
    if (poll(&ready, 1, kStepMs) <= 0) continue;
    lines_ = read();
    if (std::any_of(lines_.begin(), lines_.end(), isReady)) return true;
  }
  lines_.push_back(Reports(host_).problem("the virtual machine of PVM is not reached, so that only the processes of this machine are tuned, and "
                                          "those that they start; look at it with: echo conf | pvm"));
  return false;
}

std::vector<std::string> RemoteHosts::read() {
  std::vector<std::string> lines = std::move(lines_);
  lines_.clear();
  pollfd ready{inputFd(), POLLIN, 0};
  if (!from_ || poll(&ready, 1, 0) <= 0) return lines;
  std::vector<LineReader::Line> read;
  const bool goesOn = from_->read(&read);
  for (LineReader::Line& line : read) {
    lines.push_back(line.tooLong ? Reports(host_).problem(tooLong("a line of another host")) : std::move(line.text));
  }
  if (!goesOn) {
    close(from_->fd());
    from_.reset();
  }
  return lines;
}

void RemoteHosts::flush() {
  if (to_) to_->flush();
}

void RemoteHosts::send(const std::string& line) {
  if (!to_) return;
  to_->write(line);
  to_->flush();
}

}  // namespace parallax::tuning
