#include "tools/tune/monitor.h"

#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>

#include "tools/tune/code_changes.h"

namespace parallax::tuning {
namespace {

constexpr uint64_t kSecondNs = 1000000000, kMillisecondNs = 1000000;
constexpr uint64_t kPatienceNs = 2 * kSecondNs;  // with processes that outlive the command
constexpr uint64_t kPollNs = 20 * kMillisecondNs;  // where the system does not tell that a process has ended
constexpr uint64_t kUndoNs = 5 * kSecondNs;  // for what a monitor without a command undoes before it ends
constexpr uint64_t kStatusNs = kSecondNs / 2;  // until a status is there that somebody else tells
// A process tells of an action through its page, without a call: it is looked at so often, for so long.
constexpr uint64_t kLookNs = 2 * kMillisecondNs, kHurryNs = 100 * kMillisecondNs;
constexpr char kLostLine[] = "{\"type\":\"lost\"}";
constexpr size_t kMostInLine = 1000;  // points and keys: a line stays far below the most that is read
constexpr size_t kMostWaiting = size_t{4} << 20;  // bytes for an analyzer that does not read

uint64_t monotonicNs() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<uint64_t>(now.tv_sec) * kSecondNs + static_cast<uint64_t>(now.tv_nsec);
}

// How a child has ended that nobody has waited for yet, as a shell gives it.
std::optional<int> statusOfChild(int pid) {
  siginfo_t info{};
  if (pid <= 0 || waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == 0) return {};
  return info.si_code == CLD_EXITED ? info.si_status : 128 + info.si_status;
}

}  // namespace

int openEndOf(int pid) { return pid > 0 ? static_cast<int>(syscall(SYS_pidfd_open, pid, 0)) : -1; }

Monitor::Monitor(int in, int out, const PageDirectory* directory, std::string host)
    : in_(in), out_(out), directory_(directory), reports_(std::move(host)), startNs_(monotonicNs()), preparer_(prepareChange) {
  unkept_.setJournal([directory](const std::string& line) { directory->noteUnkept(line); });
}

uint64_t Monitor::nowNs() const { return monotonicNs() - startNs_; }

void Monitor::hello(const std::string& secret) {
  tell(reports_.hello(getpid(), secret));
  out_.flush();
}

void Monitor::setRemoteHosts(RemoteHosts* hosts) {
  remote_ = hosts;
  for (const std::string& line : remote_->read()) handleRemote(line);
}

void Monitor::tellHost(const std::string& architecture) { tell(reports_.hostEvent(reports_.host(), "added", architecture)); }

void Monitor::tellEnd(int status) {
  tell(reports_.end(status, nowNs()));
  finish();
}

void Monitor::finish() { out_.finish(static_cast<int>(kPatienceNs / kMillisecondNs)); }

void Monitor::awaitRequest(int patienceMs) {
  const uint64_t untilNs = nowNs() + static_cast<uint64_t>(patienceMs) * kMillisecondNs;
  for (uint64_t now; isAsked_ && !wasAsked_ && (now = nowNs()) < untilNs;) {
    wait(-1, static_cast<int>((untilNs - now) / kMillisecondNs) + 1);
    out_.flush();
  }
}

void Monitor::watch(int command) {
  command_ = command;
  const int commandEnd = openEndOf(command);
  bool ended = false;
  uint64_t endedNs = 0;
  for (uint64_t nextNs = nowNs() + intervalNs_;;) {
    const bool isLeft = command == 0 && !isAsked_;
    const bool polls = (command > 0 && !ended && commandEnd < 0) || ended || awaitsStatus_ || isLeft;
    const uint64_t now = nowNs();
    nextNs = std::min(nextNs, now + intervalNs_);  // a shorter interval holds at once
    uint64_t untilNs = polls ? std::min(nextNs, now + kPollNs) : nextNs;
    if (awaitsAnswers() && now < askedNs_ + kHurryNs) untilNs = std::min(untilNs, now + kLookNs);
    wait(ended ? -1 : commandEnd, untilNs > now ? static_cast<int>((untilNs - now + kMillisecondNs - 1) / kMillisecondNs) : 0);
    const bool isTime = nowNs() >= nextNs || (awaitsAnswers() && haveAllAnswered());
    if (isTime || hasChanges_) findProcesses();
    endThoseThatHave();
    if (isTime || isLeft) {
      tellNewsOfAll();
      nextNs = nowNs() + intervalNs_;
    }
    out_.flush();
    if (command == 0 && !isAsked_ && (!awaitsAnswers() || nowNs() > lostNs_ + kUndoNs)) break;
    if (!ended && statusOfChild(command)) {
      ended = true;
      endedNs = nowNs();
    }
    if (ended && ((processes_.empty() && remoteProcesses_.empty()) || nowNs() > endedNs + kPatienceNs)) break;
  }
  if (commandEnd >= 0) close(commandEnd);
  findProcesses();
  endThoseThatHave();
  tellNewsOfAll();
  leave();
}

// Until something can be read or written, a process has ended, or the time is over; and reads.
void Monitor::wait(int commandEnd, int timeoutMs) {
  std::vector<pollfd> set;
  const auto add = [&](int fd, short events) {
    if (fd >= 0) set.push_back({fd, events, 0});
    return fd >= 0 ? set.size() - 1 : SIZE_MAX;
  };
  const size_t input = add(isAsked_ ? in_.fd() : -1, POLLIN);
  add(out_.waiting() > 0 ? out_.fd() : -1, POLLOUT);
  const size_t changes = add(directory_->changesFd(), POLLIN);
  const size_t prepared = add(preparer_.fd(), POLLIN);
  const size_t remoteInput = add(remote_ != nullptr ? remote_->inputFd() : -1, POLLIN);
  const size_t remoteOutput = add(remote_ != nullptr ? remote_->outputFd() : -1, POLLOUT);
  add(commandEnd, POLLIN);
  for (const auto& process : processes_) add(process.second.endedNs == 0 ? process.second.process->endFd() : -1, POLLIN);
  if (poll(set.data(), set.size(), timeoutMs) <= 0) return;
  const auto isReady = [&](size_t at) { return at < set.size() && set[at].revents != 0; };
  if (isReady(changes)) {
    directory_->drain();
    hasChanges_ = true;
  }
  if (isReady(prepared)) askPrepared();
  if (isReady(remoteInput)) {
    for (const std::string& line : remote_->read()) handleRemote(line);
  }
  if (isReady(remoteOutput)) remote_->flush();
  if (!isReady(input)) return;
  std::vector<LineReader::Line> lines;
  const bool goesOn = in_.read(&lines);
  for (const LineReader::Line& line : lines) handle(line);
  if (!goesOn) {
    isAsked_ = false;
    lostNs_ = nowNs();
    if (remote_ != nullptr) remote_->send(kLostLine);
    leave();
  }
}

void Monitor::handleRemote(const std::string& line) {
  Request request;
  parseRequest(line, &request);  // most lines are none
  if (const auto* status = std::get_if<Status>(&request)) {
    statuses_[status->pid] = status->status;
  } else if (!std::holds_alternative<Ready>(request)) {
    const Told told = readReport(line);
    hasToldHost_ |= told.isHost && told.host == reports_.host();
    if (told.isProcess && told.event == "started") remoteProcesses_.insert({told.host, told.facts.pid});
    if (told.isProcess && told.event == "ended") remoteProcesses_.erase({told.host, told.facts.pid});
    if (told.isMetrics && out_.waiting() > kMostWaiting) {
      remoteLost_++;
      return;
    }
    if (remoteLost_ > 0 && out_.waiting() < kMostWaiting / 2) {
      tellProblem("the analyzer has not read for long: " + std::to_string(remoteLost_) + " lines of metrics of other hosts are left out");
      remoteLost_ = 0;
    }
    tell(line);
  }
}

void Monitor::handle(const LineReader::Line& line) {
  wasAsked_ = true;
  if (line.tooLong) return tell(reports_.problem("the line is too long", line.number));
  Request request;
  if (const std::string problem = parseRequest(line.text, &request); !problem.empty()) {
    return tell(reports_.problem("a line of the analyzer is not understood: " + problem, line.number));
  }
  auto* action = std::get_if<Action>(&request);
  if (action != nullptr) action->line = line.text;
  const bool isHere = action == nullptr || action->host.empty() || action->host == reports_.host();
  if (remote_ != nullptr && (action == nullptr ? !std::holds_alternative<Kill>(request) : !isHere)) remote_->send(line.text);
  if (const auto* points = std::get_if<Points>(&request)) {
    handle(*points);
  } else if (const auto* status = std::get_if<Status>(&request)) {
    statuses_[status->pid] = status->status;
  } else if (action != nullptr) {
    if (isHere) handle(*action);
    if (!isHere && remote_ == nullptr) {
      tell(Reports(action->host).action(action->pid, {action->asked.id, "refused", "there is no host " + action->host, {}, {}}, nowNs()));
    }
  } else if (const auto* back = std::get_if<TakeBack>(&request)) {
    handle(*back);
  } else if (const auto* keep = std::get_if<Keep>(&request)) {
    unkept_.keep(keep->id);
  } else if (const auto* interval = std::get_if<Interval>(&request)) {
    intervalNs_ = interval->ns;
  } else if (const auto* kill = std::get_if<Kill>(&request)) {
    if (command_ > 0) ::kill(command_, kill->signal);
  } else if (std::holds_alternative<Stop>(request) || std::holds_alternative<Lost>(request)) {
    stopped_ = true;
    leave();
  }
}

void Monitor::handle(const Points& points) {
  if (stopped_) return;
  tellNewsOfAll();  // of the former points
  points_ = points.points;
  for (Point& point : points_) point.keepThoseOf(reports_.host());
  std::set<std::string> problems;  // of any process
  for (auto& process : processes_) {
    const std::string problem = process.second.process->setPoints(points_);
    if (!problem.empty()) problems.insert(problem);
  }
  for (const std::string& problem : problems) tellProblem("the points cannot be measured: " + problem);
}

void Monitor::handle(const Action& action) {
  Answer answer{action.asked.id, "refused", "", {}, {}};
  const auto found = processes_.find(action.pid);
  if (stopped_) {
    answer.text = "tuning was stopped";
  } else if (found == processes_.end()) {
    answer.text = "there is no process " + std::to_string(action.pid) + " that can be tuned";
  } else if (actionsOf_.count(action.asked.id) != 0) {
    answer.text = "another action has the id " + std::to_string(action.asked.id);
  } else if (action.asked.kind == live::ActionKind::kUndo && giveUpPreparing(action.pid, action.asked.undoes, "refused", "undone before it was prepared")) {
    answer.state = "undone";
  } else if (isChangeOfCode(action.asked.kind)) {
    preparing_[action.asked.id] = action;
    actionsOf_[action.asked.id] = action.pid;
    unkept_.asked(action);
    return preparer_.begin(action.asked.id, action.pid, action.change, found->second.process->changePath(action.asked.id));
  } else {
    answer.text = found->second.process->ask(action);
    if (answer.text.empty()) answer.state = "waiting";
  }
  tell(reports_.action(action.pid, answer, nowNs()));
  if (answer.state == "waiting") {
    actionsOf_[action.asked.id] = action.pid;
    unkept_.asked(action);
    askedNs_ = nowNs();
  }
}

void Monitor::answer(int pid, const Answer& answer) {
  tell(reports_.action(pid, answer, nowNs()));
  if (answer.state == "waiting") return;
  actionsOf_.erase(answer.id);
  unkept_.answered(answer.id, answer.state == "done" || answer.state == "undone");
}

// Of an action that is taken, or answered, nothing is told here: its own answer tells it.
void Monitor::handle(const TakeBack& back) {
  const auto found = processes_.find(back.pid);
  const bool isHere = back.host.empty() || back.host == reports_.host();
  if (isHere && giveUpPreparing(back.pid, back.id, "refused", "taken back")) return;
  if (!isHere || found == processes_.end() || !found->second.process->takeBack(back.id)) return;
  answer(back.pid, {back.id, "refused", "taken back", {}, {}});
}

void Monitor::askPrepared() {
  for (const ChangePreparer::Prepared& prepared : preparer_.take()) {
    const auto wanted = preparing_.find(prepared.id);
    const auto process = wanted == preparing_.end() ? processes_.end() : processes_.find(wanted->second.pid);
    if (process == processes_.end()) {  // given up meanwhile
      unlink(prepared.path.c_str());
      continue;
    }
    Answer asked{prepared.id, "refused", prepared.problem, {}, {}};
    if (asked.text.empty()) asked.text = process->second.process->ask(wanted->second);
    if (asked.text.empty()) asked.state = "waiting";
    answer(process->first, asked);
    askedNs_ = nowNs();
    preparing_.erase(wanted);
  }
}

bool Monitor::giveUpPreparing(int pid, uint32_t id, const char* state, const std::string& why) {
  const auto wanted = preparing_.find(id);
  if (wanted == preparing_.end() || wanted->second.pid != pid) return false;
  preparing_.erase(wanted);
  answer(pid, {id, state, why, {}, {}});
  return true;
}

void Monitor::giveUpPreparingFor(int pid, const std::string& why) {
  std::vector<std::pair<int, uint32_t>> found;
  for (const auto& [id, action] : preparing_) {
    if (pid == 0 || action.pid == pid) found.emplace_back(action.pid, id);
  }
  for (const auto& [of, id] : found) giveUpPreparing(of, id, "lost", why);
}

// Nothing is measured any more, and nothing changed but back: what the analyzer has not wanted to stay is undone.
void Monitor::leave() {
  if (hasLeft_) return;  // only what undoes actions is asked for since
  hasLeft_ = true;
  points_.clear();
  giveUpPreparingFor(0, "tuning ended before its safe moment came");
  for (auto& [pid, watched] : processes_) {
    watched.process->setPoints({});
    for (const Answer& lost : watched.process->takeAllBack("tuning ended before its safe moment came")) answer(pid, lost);
  }
  undoUnkept();
}

void Monitor::undoUnkept() {
  for (const Action& undo : unkept_.takeUndoing()) {
    const auto found = processes_.find(undo.pid);
    if (found == processes_.end()) continue;
    const std::string problem = found->second.process->ask(undo);
    if (problem.empty()) {
      actionsOf_[undo.asked.id] = undo.pid;
      askedNs_ = nowNs();
    } else {
      tellProblem("action " + std::to_string(undo.undoes) + " is not undone at the end of tuning: " + problem);
    }
  }
}

void Monitor::findProcesses() {
  hasChanges_ = false;
  for (const PageDirectory::Page& page : directory_->pages()) {
    const auto found = processes_.find(page.pid);
    if (found != processes_.end() && found->second.process->inode() == page.inode) continue;
    const auto unreadable = unreadable_.find(page.path);
    if (unreadable != unreadable_.end() && unreadable->second == page.inode) continue;
    if (found != processes_.end()) end(found);  // it has executed another program
    start(page);
  }
}

void Monitor::start(const PageDirectory::Page& page) {
  std::string problem;
  Watched watched;
  watched.process = std::make_unique<WatchedProcess>(page.path, page.inode, &problem);
  if (problem.empty() && watched.process->pid() != page.pid) problem = "it is of another process";
  if (!problem.empty()) {
    unreadable_[page.path] = page.inode;
    return tellProblem("cannot read the live page " + page.path + ": " + problem);
  }
  watched.told = watched.process->facts();
  tell(reports_.process(watched.told, "started", nowNs()));
  if (!points_.empty()) {
    if (const std::string wrong = watched.process->setPoints(points_); !wrong.empty()) tellProblem("the points cannot be measured: " + wrong);
  }
  processes_[page.pid] = std::move(watched);
}

void Monitor::endThoseThatHave() {
  awaitsStatus_ = false;
  for (auto process = processes_.begin(); process != processes_.end();) {
    const auto next = std::next(process);
    Watched& watched = process->second;
    if (watched.endedNs == 0 && watched.process->hasEnded()) watched.endedNs = nowNs();
    if (watched.endedNs != 0 && awaitsStatusOf(watched)) {
      awaitsStatus_ = true;
    } else if (watched.endedNs != 0) {
      end(process);
    }
    process = next;
  }
}

bool Monitor::awaitsStatusOf(const Watched& watched) const {
  const int pid = watched.process->pid();
  return expectsStatuses_ && pid != command_ && !watched.process->facts().task.empty() && statuses_.count(pid) == 0 &&
         nowNs() < watched.endedNs + kStatusNs;
}

void Monitor::end(const Processes::iterator& process) {
  Watched& watched = process->second;
  tellNews(&watched);
  tellMetrics(&watched, nowNs());
  giveUpPreparingFor(process->first, "the process has ended");
  for (const Answer& lost : watched.process->giveUp("the process has ended")) answer(process->first, lost);
  unkept_.ended(process->first);
  std::optional<int> status = statusOfChild(process->first);
  if (const auto told = statuses_.find(process->first); told != statuses_.end()) {
    if (!status) status = told->second;
    statuses_.erase(told);
  }
  tell(reports_.process(watched.told, "ended", nowNs(), status));
  directory_->remove(process->first, watched.process->inode());
  processes_.erase(process);
}

bool Monitor::awaitsAnswers() const { return actionsOf_.size() > preparing_.size(); }

bool Monitor::haveAllAnswered() {
  for (auto& process : processes_) tellAnswers(&process.second);
  return !awaitsAnswers();
}

void Monitor::tellAnswers(Watched* watched) {
  for (const Answer& each : watched->process->takeAnswers()) answer(watched->process->pid(), each);
  if (hasLeft_) undoUnkept();  // an action that was being done when tuning ended
}

void Monitor::tellNews(Watched* watched) {
  WatchedProcess& process = *watched->process;
  if (ProcessFacts facts = process.facts(); !(facts == watched->told)) {
    watched->told = std::move(facts);
    tell(reports_.process(watched->told, "changed", nowNs()));
  }
  tellAnswers(watched);
  if (std::vector<Tunable> tunables = process.tunables(); !(tunables == watched->tunables)) {
    watched->tunables = std::move(tunables);
    tell(reports_.tunables(process.pid(), watched->tunables));
  }
}

// Where the analyzer does not read, they add up in the page.
void Monitor::tellMetrics(Watched* watched, uint64_t now) {
  if (!isAsked_ || out_.waiting() > kMostWaiting) return;
  const std::vector<Metric> metrics = watched->process->takeMetrics();
  for (size_t at = 0; at < metrics.size(); at += kMostInLine) {
    const auto begin = metrics.begin() + static_cast<ptrdiff_t>(at);
    const auto end = metrics.begin() + static_cast<ptrdiff_t>(std::min(metrics.size(), at + kMostInLine));
    tell(reports_.metrics(watched->process->pid(), now, {begin, end}));
  }
  if (const uint64_t lost = watched->process->takeLost()) {
    tellProblem(std::to_string(lost) + " calls of process " + std::to_string(watched->process->pid()) + " could not be counted: "
        "its live page has no room for more peers or threads");
  }
}

// All metrics have one time, after all answers: what follows an action in several processes begins in all of them together.
void Monitor::tellNewsOfAll() {
  for (auto& process : processes_) tellNews(&process.second);
  const uint64_t now = nowNs();
  for (auto& process : processes_) tellMetrics(&process.second, now);
}

}  // namespace parallax::tuning
