#include "tests/tune/session.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <utility>

namespace parallax::tests {
namespace {

constexpr int kStepMs = 20;

bool canRead(int fd, int patienceMs) {
  pollfd ready{fd, POLLIN, 0};
  return fd >= 0 && poll(&ready, 1, patienceMs) > 0;
}

int elapsedMs(const timespec& since) {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<int>((now.tv_sec - since.tv_sec) * 1000 + (now.tv_nsec - since.tv_nsec) / 1000000);
}

timespec nowTime() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now;
}

void closeOne(int* fd) {
  if (*fd >= 0) close(*fd);
  *fd = -1;
}

}  // namespace

std::string monitorProgram() { return PARALLAX_BUILD_DIRECTORY "/parallax-tune"; }

TuneSession::TuneSession(const Words& command, const Json& points, const Words& options, const Words& before) {
  signal(SIGPIPE, SIG_IGN);
  int lines[2], told[2], input[2], output[2];
  if (pipe2(lines, O_CLOEXEC) != 0 || pipe2(told, O_CLOEXEC) != 0 || pipe2(input, O_CLOEXEC) != 0 || pipe2(output, O_CLOEXEC) != 0) return;
  Words words = before;
  words.insert(words.end(), {monitorProgram(), "--in-fd", std::to_string(input[0]), "--out-fd", std::to_string(output[1]), "--interval", "20ms"});
  words.insert(words.end(), options.begin(), options.end());
  words.emplace_back("--");
  words.insert(words.end(), command.begin(), command.end());
  monitor_ = fork();
  if (monitor_ == 0) {
    signal(SIGPIPE, SIG_DFL);
    dup2(lines[0], STDIN_FILENO);
    dup2(told[1], STDOUT_FILENO);
    fcntl(input[0], F_SETFD, 0);
    fcntl(output[1], F_SETFD, 0);
    std::vector<char*> arguments;
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    execvp(arguments[0], arguments.data());
    _exit(127);
  }
  for (const int fd : {lines[0], told[1], input[0], output[1]}) close(fd);
  toMonitor_ = lines[1];
  fromMonitor_ = told[0];
  toCommand_ = input[1];
  fromCommand_ = output[0];
  setPoints(points);
}

TuneSession::~TuneSession() {
  closeLines();
  for (int* fd : {&fromMonitor_, &toCommand_, &fromCommand_}) closeOne(fd);
  if (monitor_ > 0) {
    kill(monitor_, SIGKILL);
    waitpid(monitor_, nullptr, 0);
  }
}

void TuneSession::write(const std::string& line) {
  const std::string text = line + "\n";
  if (::write(toMonitor_, text.data(), text.size()) != static_cast<ssize_t>(text.size())) closeLines();
}

void TuneSession::closeLines() { closeOne(&toMonitor_); }
void TuneSession::endCommandInput() { closeOne(&toCommand_); }

bool TuneSession::readSome(int patienceMs) {
  if (!canRead(fromMonitor_, patienceMs)) return true;
  char text[1 << 16];
  const ssize_t got = read(fromMonitor_, text, sizeof text);
  if (got <= 0) return false;
  rest_.append(text, static_cast<size_t>(got));
  for (size_t end; (end = rest_.find('\n')) != std::string::npos; rest_.erase(0, end + 1)) {
    lines_.push_back(Json::parse(rest_.substr(0, end), nullptr, false));
  }
  return true;
}

Json TuneSession::await(const std::function<bool(const Json&)>& holds, int patienceMs) {
  const timespec since = nowTime();
  size_t at = 0;
  for (bool goesOn = true;;) {
    for (; at < lines_.size(); at++) {
      if (lines_[at].is_object() && holds(lines_[at])) return lines_[at];
    }
    if (!goesOn || elapsedMs(since) > patienceMs) return {};
    goesOn = readSome(kStepMs);
  }
}

Json TuneSession::await(const std::string& type, const std::string& member, const Json& value, int patienceMs) {
  return await([&](const Json& line) { return line["type"] == type && (member.empty() || (line.contains(member) && line[member] == value)); },
               patienceMs);
}

uint64_t TuneSession::sum(const std::string& point, const std::string& number, int pid, const std::string& key) const {
  uint64_t sum = 0;
  for (const Json& line : lines_) {
    if (!line.is_object() || line["type"] != "metrics" || (pid != 0 && line["pid"] != pid)) continue;
    for (const Json& metric : line["points"]) {
      if (metric["point"] == point && (key.empty() || metric["key"] == key)) sum += metric[number].get<uint64_t>();
    }
  }
  return sum;
}

uint64_t TuneSession::count(const std::string& point, int pid, const std::string& key) const { return sum(point, "count", pid, key); }

bool TuneSession::awaitCount(const std::string& point, uint64_t count, int pid, const std::string& key) {
  const timespec since = nowTime();
  while (this->count(point, pid, key) != count && elapsedMs(since) < 5000 && readSome(kStepMs)) {
  }
  return this->count(point, pid, key) == count;
}

void TuneSession::toCommand(const std::string& line) {
  const std::string text = line + "\n";
  if (::write(toCommand_, text.data(), text.size()) != static_cast<ssize_t>(text.size())) endCommandInput();
}

std::string TuneSession::fromCommand(int patienceMs) {
  const timespec since = nowTime();
  for (size_t end; (end = commandRest_.find('\n')) == std::string::npos;) {
    if (elapsedMs(since) > patienceMs) return "";
    if (!canRead(fromCommand_, kStepMs)) continue;
    char text[1 << 12];
    const ssize_t got = read(fromCommand_, text, sizeof text);
    if (got <= 0) return "";
    commandRest_.append(text, static_cast<size_t>(got));
  }
  const size_t end = commandRest_.find('\n');
  const std::string line = commandRest_.substr(0, end);
  commandRest_.erase(0, end + 1);
  return line;
}

std::string TuneSession::output() {
  char text[1 << 12];
  for (ssize_t got; (got = read(fromCommand_, text, sizeof text)) > 0;) commandRest_.append(text, static_cast<size_t>(got));
  return std::exchange(commandRest_, "");
}

int TuneSession::end() {
  const timespec since = nowTime();
  while (elapsedMs(since) < 20000 && readSome(kStepMs)) {
  }
  if (elapsedMs(since) >= 20000) return -1;
  const int status = endOf(monitor_);
  monitor_ = -1;
  return status;
}

}  // namespace parallax::tests
