#include "tools/tune/pvm/host_service.h"

#include <errno.h>
#include <fcntl.h>
#include <pvm3.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include <pvmproto.h>

#include "tools/record.h"
#include "tools/tune/inherited_signals.h"
#include "tools/tune/reports.h"

namespace parallax::tuning::pvm {
namespace {

constexpr int kIdleMs = 1000, kSoonMs = 1, kBusyMs = 20;
constexpr int kEndPatienceMs = 2000;

}  // namespace

HostService::HostService(std::string secret, int master, std::string host, std::string directory)
    : session_(std::move(secret)), master_(master), host_(std::move(host)), directory_(std::move(directory)) {}

HostService::~HostService() {
  if (toMonitor_) close(toMonitor_->fd());  // the monitor ends
  if (fromMonitor_) {
    close(fromMonitor_->fd());
    waitpid(monitor_, nullptr, 0);
  }
  if (isOurDirectory_) rmdir(directory_.c_str());
}

void HostService::tellProblem(const std::string& text) const { tell(Reports(host_).problem(text)); }

int HostService::run() {
  // Neither the terminal nor a reset ends it before its tasks.
  ignoreSignals({SIGINT, SIGTERM, SIGHUP, SIGPIPE});
  if (!session_.join()) return record::kFailed;
  if (directory_.empty()) startMonitor();
  record::Environment environment;
  const bool isPrepared = record::prepareAgent("", &environment);
  environment.settings.emplace_back("PARALLAX_TUNE", directory_);
  tasker_ = std::make_unique<Tasker>(environment, directory_, [this](int pid, int status) {
    const std::string line = Reports(host_).status(pid, status);
    if (toMonitor_) {
      toMonitor_->write(line);
      toMonitor_->flush();
    } else if (!leaving_) {
      tell(line);
    }
  });
  const std::string problem = isPrepared ? tasker_->begin() : "the agent is missing";
  if (!problem.empty()) tellProblem("the tasks that PVM starts on " + host_ + " are not tuned: " + problem);
  if (const std::string wrong = hoster_.begin(); !wrong.empty()) tellProblem("hosts that join are found, but not started: " + wrong);
  int master = master_;
  pvm_notify(PvmTaskExit, kTaskEndedTag, 1, &master);
  tell(Reports(host_).ready());
  while (goesOn()) {
    if (!session_.receive([this](const Message& message) { handle(message); })) break;
    tasker_->look();
    hoster_.look();
    if (!goesOn()) break;
    std::vector<pollfd> set{{session_.fd(), POLLIN, 0}};
    tasker_->addTo(&set);
    hoster_.addTo(&set);
    if (fromMonitor_) set.push_back({fromMonitor_->fd(), POLLIN, 0});
    poll(set.data(), set.size(), tasker_->isLearning() ? kSoonMs : hoster_.isBusy() ? kBusyMs : kIdleMs);
    if (fromMonitor_) readMonitor();
    if (toMonitor_) toMonitor_->flush();
  }
  session_.leave();
  return 0;
}

void HostService::handle(const Message& message) {
  std::string line;
  if (message.tag == SM_STTASK) {
    tasker_->start(message);
  } else if (message.tag == SM_STHOST) {
    hoster_.start(message);
  } else if (message.tag == kTaskEndedTag) {
    leave();
  } else if (message.tag == kLineTag && message.sender == master_ && session_.takeLine(message, &line) && toMonitor_) {
    if (line.size() > LineReader::kMostBytes) return tellProblem(tooLong("a line for " + host_, line.size()));
    toMonitor_->write(line);
    toMonitor_->flush();
  }
}

// The session has ended. Tasks that run go on as they are.
void HostService::leave() {
  leaving_ = true;
  tasker_->startPlainly();
  if (!toMonitor_) return;
  toMonitor_->finish(kEndPatienceMs);
  close(toMonitor_->fd());  // the monitor removes its points and ends
  toMonitor_.reset();
}

// Without an own directory and monitor there is no tuning on this host.
void HostService::startMonitor() {
  const char* temporary = getenv("TMPDIR");
  directory_ = std::string(temporary != nullptr && *temporary != '\0' ? temporary : "/tmp") + "/parallax-live-XXXXXX";
  isOurDirectory_ = mkdtemp(directory_.data()) != nullptr;
  int input[2] = {-1, -1}, output[2] = {-1, -1};
  if (!isOurDirectory_ || pipe2(input, O_CLOEXEC) != 0 || pipe2(output, O_CLOEXEC) != 0) {
    return tellProblem("cannot watch the processes there: " + std::string(strerror(errno)));
  }
  const std::string tool = record::ownDirectory() + "/parallax-tune";
  monitor_ = fork();
  if (monitor_ == 0) {
    dup2(input[0], STDIN_FILENO);
    dup2(output[1], STDOUT_FILENO);
    const std::vector<std::string> words{tool, "--watch", "--host", host_, "--directory", directory_};
    execv(tool.c_str(), record::pointersTo(words).data());
    _exit(1);
  }
  close(input[0]);
  close(output[1]);
  toMonitor_ = std::make_unique<LineWriter>(input[1]);
  fromMonitor_ = std::make_unique<LineReader>(output[0]);
}

void HostService::readMonitor() {
  pollfd ready{fromMonitor_->fd(), POLLIN, 0};
  if (poll(&ready, 1, 0) <= 0) return;
  std::vector<LineReader::Line> lines;
  const bool goesOn = fromMonitor_->read(&lines);
  for (const LineReader::Line& line : lines) {
    if (leaving_) continue;
    if (line.tooLong) {
      tellProblem(tooLong("a line of the monitor of " + host_));
    } else {
      tell(line.text);
    }
  }
  if (goesOn) return;
  if (!leaving_) tellProblem("the monitor there has ended; nothing is tuned on this host any more");
  close(fromMonitor_->fd());
  fromMonitor_.reset();
  if (toMonitor_) close(toMonitor_->fd());
  toMonitor_.reset();
  waitpid(monitor_, nullptr, 0);
}

}  // namespace parallax::tuning::pvm
