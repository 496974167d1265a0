// Recording of a process that runs already: the agent is loaded into it, and switched off again.
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "core/clock.h"
#include "interpose/attach/attach.h"
#include "tools/attach/problem.h"
#include "tools/attach/trace_users.h"
#include "tools/attach/visit.h"
#include "tools/record.h"
#include "transport/ended.h"

namespace parallax::record {
namespace {

constexpr char kTune[] = "PARALLAX_TUNE";  // a monitor of live tuning has started this recorder
constexpr char kAgent[] = "libparallax-agent.so";
constexpr uint64_t kMillisecondNs = 1000000;
constexpr char kNotRecorded[] = "it is not recorded";

volatile sig_atomic_t isTold = 0;  // to end
volatile sig_atomic_t isInterrupted = 0;  // while the programs are tuned

// The terminal interrupts a monitor of live tuning, too. That has the programs undo what is to be undone, and then ends this recorder.
void endOnSignals() {
  struct sigaction action {};
  action.sa_handler = [](int signal) { (signal == SIGINT && getenv(kTune) != nullptr ? isInterrupted : isTold) = 1; };
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaction(signal, &action, nullptr);
}

// Signals must not end this process while a thread of the program is in a call of it.
class SignalsHeld {
 public:
  SignalsHeld() {
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &before_);
  }
  ~SignalsHeld() { sigprocmask(SIG_SETMASK, &before_, nullptr); }
  SignalsHeld(const SignalsHeld&) = delete;
  SignalsHeld& operator=(const SignalsHeld&) = delete;

 private:
  sigset_t before_;
};

std::string meaningOf(AttachResult result) {
  switch (result) {
    case AttachResult::kDone: return "";
    case AttachResult::kUnderRecord: return kRecordedAlready;
    case AttachResult::kNotPossible:
      return "it cannot write the trace; choose a directory that its user may write with -o";
    case AttachResult::kNotAgain:
      return "an earlier attempt to record it has failed in the middle; start it again";
    case AttachResult::kNotAttached: return kNotRecorded;
    case AttachResult::kElsewhere: return attach::Visit::kElsewhere;
  }
  return "the agent in it is of another version; start the program again";
}

std::string callAgent(attach::Visit& visit, const char* name, std::initializer_list<uint64_t> arguments) {
  if (!visit.target().readMappings()) return "it has ended";
  const attach::Module* agent = visit.target().moduleOf(kAgent);
  if (agent == nullptr) return kNotRecorded;
  uint64_t result = 0;
  const std::string problem = visit.call(name, agent->find(visit.target(), name).address, arguments, &result);
  return problem.empty() ? meaningOf(static_cast<AttachResult>(result)) : problem;
}

// What dlerror has to say.
std::string loadError(attach::Visit& visit) {
  uint64_t text = 0;
  const uint64_t function = visit.functionOf("dlerror");
  char message[512] = "";
  if (!visit.call("dlerror", function, {}, &text).empty() || text == 0) return "unknown";
  for (size_t at = 0; at + 1 < sizeof message; at++) {
    if (!visit.target().read(text + at, message + at, 1) || message[at] == '\0') break;
  }
  return message;
}

std::string load(attach::Visit& visit, const std::string& agent) {
  constexpr uint64_t kNow = 2;  // RTLD_NOW, which is all that libc's own name takes
  const uint64_t path = visit.place(agent.c_str(), agent.size() + 1);
  uint64_t dlopen = visit.functionOf("dlopen"), handle = 0;
  const bool isPublic = dlopen != 0;
  constexpr uint64_t kInternal = 0x80000000;  // __RTLD_DLOPEN
  if (!isPublic) dlopen = visit.functionOf("__libc_dlopen_mode");
  const std::string problem = visit.call("dlopen", dlopen, {path, isPublic ? kNow : kNow | kInternal}, &handle);
  if (!problem.empty()) return problem;
  if (handle != 0) return "";
  return "the agent cannot be loaded: " + (isPublic ? loadError(visit) : std::string("dlopen failed"));
}

std::string attachTo(attach::Visit& visit, const Environment& environment) {
  std::string settings;
  for (const auto& [name, value] : variablesOf(environment)) settings += name + "=" + value + '\0';
  if (const char* monitored = getenv(kTune)) settings += std::string(kTune) + "=" + monitored + '\0';
  settings += '\0';
  return visit.run([&]() -> std::string {
    if (visit.target().moduleOf(kAgent) == nullptr) {
      const std::string problem = load(visit, environment.agent);
      if (!problem.empty()) return problem;
    }
    const uint64_t placed = visit.place(settings.data(), settings.size());
    if (placed == 0) return "its memory cannot be written";
    return callAgent(visit, "parallax_agent_attach", {placed});
  });
}

std::string detachByVisit(attach::Visit& visit) {
  attach::Target& target = visit.target();
  if (target.readMappings() && target.moduleOf(kAgent) == nullptr) return kNotRecorded;  // and stays untouched
  return visit.run([&] { return callAgent(visit, "parallax_agent_detach", {}); });
}

// ---- the recorder of a process, as `--detach` finds it

sockaddr_un addressOf(int pid, socklen_t* size) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string name = kRecorderName + std::to_string(pid);
  memcpy(address.sun_path + 1, name.data(), name.size());  // abstract: it ends with the recorder
  *size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  return address;
}

// A descriptor; negative if the process has a recorder, or there is none to be had.
int announce(int pid) {
  socklen_t size;
  const sockaddr_un address = addressOf(pid, &size);
  const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return -1;
  if (bind(fd, reinterpret_cast<const sockaddr*>(&address), size) == 0 && listen(fd, 8) == 0) return fd;
  close(fd);
  return -1;
}

// Of the same user, who alone may end it; 0: there is none. `connection` ends with it.
pid_t recorderOf(int pid, int* connection) {
  socklen_t size;
  const sockaddr_un address = addressOf(pid, &size);
  *connection = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  ucred peer{};
  socklen_t peerSize = sizeof peer;
  if (*connection < 0 || connect(*connection, reinterpret_cast<const sockaddr*>(&address), size) != 0 ||
      getsockopt(*connection, SOL_SOCKET, SO_PEERCRED, &peer, &peerSize) != 0 || peer.uid != geteuid()) {
    return 0;
  }
  return peer.pid;
}

// Ends the recorder of a process, and waits for its end. False if there is none.
bool endRecorderOf(int pid) {
  int connection = -1;
  const pid_t recorder = recorderOf(pid, &connection);
  const bool isThere = recorder > 0 && kill(recorder, SIGTERM) == 0;
  char none;
  while (isThere && read(connection, &none, 1) < 0 && errno == EINTR) {
  }
  close(connection);
  return isThere;
}

// ---- the process that visits the program, so that a recorder that is killed leaves no visit unfinished

struct Report {
  uint64_t stoppedNs = 0;
  char problem[1024] = "", times[512] = "";

  void set(const std::string& what, const attach::Visit& visit) {
    stoppedNs = visit.stoppedNs();
    snprintf(problem, sizeof problem, "%s", what.c_str());
    snprintf(times, sizeof times, "%s", visit.times().c_str());
  }
};

class Keeper {
 public:
  // `all`: the processes that are attached to, each by its own keeper. `name`: the descriptor by which --detach finds the
  // recorder.
  Keeper(int pid, const std::vector<int>& all, const Environment& environment, int name)
      : pid_(pid), all_(all), environment_(environment), name_(name) {}
  ~Keeper() { discard(); }
  Keeper(const Keeper&) = delete;
  Keeper& operator=(const Keeper&) = delete;

  // Attaches to the program.
  Report begin();
  // Detaches from it, and from all that have been forked meanwhile.
  Report end();

 private:
  [[noreturn]] void keep(pid_t recorder, int reports) const;
  Report endAll(uint64_t beginMs) const;
  Report visit(pid_t pid, const std::function<std::string(attach::Visit&)>& work) const;
  Report receive() const;
  void discard();

  const int pid_;
  const std::vector<int>& all_;
  const Environment& environment_;
  const int name_;
  pid_t keeper_ = -1;
  int reports_ = -1;
};

Report Keeper::begin() {
  int ends[2];
  Report failed;
  snprintf(failed.problem, sizeof failed.problem, "no process can be started: %s", strerror(errno));
  if (pipe2(ends, O_CLOEXEC) != 0) return failed;
  const pid_t recorder = getpid();
  keeper_ = fork();
  if (keeper_ == 0) keep(recorder, ends[1]);
  reports_ = ends[0];
  close(ends[1]);
  return keeper_ > 0 ? receive() : failed;
}

void Keeper::keep(pid_t recorder, int reports) const {
  sigset_t all, wanted;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, nullptr);
  if (name_ >= 0) close(name_);  // it ends with the recorder
  useFilesAsOneself();
  setpgid(0, 0);  // Ctrl-C is for the recorder
  prctl(PR_SET_PDEATHSIG, SIGUSR1);
  const uint64_t beginMs = beginMsOf(static_cast<uint32_t>(pid_));
  Report report = visit(pid_, [this](attach::Visit& visit) { return attachTo(visit, environment_); });
  const bool isAttached = report.problem[0] == '\0';
  if (write(reports, &report, sizeof report) < 0 || isAttached) {
    sigemptyset(&wanted);
    sigaddset(&wanted, SIGUSR1);
    sigaddset(&wanted, SIGTERM);
    while (isAttached && getppid() == recorder && sigwaitinfo(&wanted, nullptr) < 0) {
    }
    if (isAttached) report = endAll(beginMs);
    if (isAttached && write(reports, &report, sizeof report) < 0) _exit(1);
  }
  _exit(0);
}

// Looks again until there is no new process: each may fork until it is detached from.
Report Keeper::endAll(uint64_t beginMs) const {
  Report report;
  if (!parallax::hasEnded(static_cast<uint32_t>(pid_), beginMs)) report = visit(pid_, detachByVisit);
  if (strcmp(report.problem, kNotRecorded) == 0) report.problem[0] = '\0';  // by --detach, which came before this recorder
  std::set<pid_t> seen(all_.begin(), all_.end());
  seen.insert({getpid(), getppid()});
  for (bool hasNew = true; hasNew;) {
    hasNew = false;
    for (const pid_t user : attach::usersOf(environment_.traceDirectory)) {
      if (!seen.insert(user).second) continue;
      hasNew = true;
      visit(user, detachByVisit);
    }
  }
  return report;
}

// In a process of its own: its end lets go of threads that could not be stopped, such as one that waits for a child of vfork.
Report Keeper::visit(pid_t pid, const std::function<std::string(attach::Visit&)>& work) const {
  int ends[2];
  Report report;
  snprintf(report.problem, sizeof report.problem, "the process that attaches was ended");
  if (pipe2(ends, O_CLOEXEC) != 0) return report;
  const pid_t visitor = fork();
  if (visitor == 0) {
    attach::Visit visit(pid);
    report.set(work(visit), visit);
    _exit(write(ends[1], &report, sizeof report) < 0 ? 1 : 0);
  }
  close(ends[1]);
  Report got;
  if (visitor > 0 && read(ends[0], &got, sizeof got) == sizeof got) report = got;
  close(ends[0]);
  if (visitor > 0) waitpid(visitor, nullptr, 0);
  return report;
}

Report Keeper::receive() const {
  Report report;
  ssize_t got;
  do {
    got = read(reports_, &report, sizeof report);
  } while (got < 0 && errno == EINTR);
  if (got != sizeof report) snprintf(report.problem, sizeof report.problem, "the process that attaches was ended");
  return report;
}

Report Keeper::end() {
  kill(keeper_, SIGTERM);
  return receive();
}

// When it is in no visit.
void Keeper::discard() {
  if (keeper_ > 0) {
    kill(keeper_, SIGKILL);
    waitpid(keeper_, nullptr, 0);
  }
  if (reports_ >= 0) close(reports_);
}

std::string milliseconds(uint64_t ns) {
  char text[32];
  snprintf(text, sizeof text, "%.1f ms", static_cast<double>(ns) / kMillisecondNs);
  return text;
}

// A process that is recorded.
struct Attached {
  Attached(int number, const std::vector<int>& all, const Environment& environment)
      : pid(number),
        facts(attach::factsOf(number)),
        process(static_cast<int>(syscall(SYS_pidfd_open, number, 0))),
        beginMs(beginMsOf(static_cast<uint32_t>(number))),
        name(announce(number)),
        keeper(number, all, environment, name) {}
  ~Attached() {
    close(process);
    close(name);
  }
  Attached(const Attached&) = delete;
  Attached& operator=(const Attached&) = delete;

  bool hasEnded() const { return parallax::hasEnded(static_cast<uint32_t>(pid), beginMs); }
  std::string text() const { return std::to_string(pid) + " (" + facts.name + ")"; }

  const int pid;
  const attach::ProcessFacts facts;
  const int process;  // of pidfd_open, which a kernel before 5.3 or a sandbox may not have: negative then
  const uint64_t beginMs;
  const int name;
  Keeper keeper;
  bool isBegun = false, isOver = false;
};

using AllAttached = std::vector<std::unique_ptr<Attached>>;

// Returns when all processes have ended, the time is over, or a signal tells to end.
void awaitEnd(const Options& options, const AllAttached& all) {
  constexpr uint64_t kTuningEndsNs = 6000 * kMillisecondNs;
  uint64_t endNs = options.forNs != 0 ? readClockNs(CLOCK_MONOTONIC) + options.forNs : ~uint64_t{0};
  for (bool hasHeard = false; isTold == 0;) {
    if (isInterrupted != 0 && !hasHeard) {
      hasHeard = true;
      endNs = std::min(endNs, readClockNs(CLOCK_MONOTONIC) + kTuningEndsNs);
    }
    std::vector<pollfd> wanted;
    std::vector<Attached*> awaited;
    for (const auto& each : all) {
      if (each->process < 0 && each->hasEnded()) each->isOver = true;
      if (each->isOver) continue;
      awaited.push_back(each.get());
      wanted.push_back({each->process, POLLIN, 0});  // of -1: none
    }
    const uint64_t nowNs = readClockNs(CLOCK_MONOTONIC);
    if (nowNs >= endNs || wanted.empty()) return;
    constexpr uint64_t kLookMs = 200;  // a signal may come just before the wait
    const uint64_t leftMs = (endNs - nowNs) / kMillisecondNs + 1;
    if (poll(wanted.data(), wanted.size(), static_cast<int>(leftMs < kLookMs ? leftMs : kLookMs)) <= 0) continue;
    for (size_t i = 0; i < wanted.size(); i++) awaited[i]->isOver = wanted[i].revents != 0;
  }
}

// Returns for how long a thread was held; empty if it cannot be recorded, which is told.
std::optional<uint64_t> begin(Attached* each, const Options& options) {
  const Report begun = each->keeper.begin();
  const std::string problem = begun.problem;
  if (!problem.empty()) {
    const bool isRefused = problem == strerror(EPERM) || problem == strerror(EACCES);
    say("cannot attach: " + (isRefused ? attach::explainRefusal(each->pid, each->facts)
                                       : "process " + each->text() + ": " + problem));
    return {};
  }
  if (options.verbose) say("in the process: " + std::string(begun.times));
  each->isBegun = true;
  return begun.stoppedNs;
}

void tellBegin(const AllAttached& all, uint64_t mostHeldNs, const Options& options) {
  const Attached& first = *all[0];
  const std::string held = milliseconds(mostHeldNs), limit = options.forNs != 0 ? "--for, " : "";
  if (all.size() == 1) {
    say("recording process " + std::to_string(first.pid) + " (" + first.facts.name + "), one thread of which was held for " +
        held + "; end with " + limit + "Ctrl-C or: " + options.entry + " record --detach " + std::to_string(first.pid));
    return;
  }
  std::string names;
  for (const auto& each : all) names += (names.empty() ? "" : ", ") + each->text();
  say("recording processes " + names + ", in each of which one thread was held for " + held + " at most; end with " + limit +
      "Ctrl-C or: " + options.entry + " record --detach " + std::to_string(first.pid));
}

// False if it may still be recorded, which is told.
bool end(Attached* each, const Options& options) {
  if (!each->isBegun) return true;
  const Report ended = each->keeper.end();
  const std::string problem = ended.problem;
  if (each->isOver) return true;
  if (options.verbose) say("detached, one thread was held for " + milliseconds(ended.stoppedNs));
  if (problem.empty() || each->hasEnded()) return true;
  say("process " + std::to_string(each->pid) + " (" + each->facts.name + ") may still be recorded: " + problem);
  return false;
}

}  // namespace

Problem findAttachProblem(Options* options) {
  if (!options->attachName.empty()) {
    const Problem problem = findByName(options);
    if (problem.status != 0) return problem;
  }
  const std::string agent = findAgent();
  if (agent.empty()) return {kFailed, ""};
  uint32_t user = 0;
  for (const int pid : options->attach) {
    const attach::ProcessFacts facts = attach::factsOf(pid);
    const std::string problem = attach::findProblem(pid, facts, agent);
    if (!problem.empty()) return {kFailed, "cannot attach: " + problem};
    if (options->command.empty()) {
      user = facts.user;
      options->command = facts.command.empty() ? std::vector<std::string>{facts.name} : facts.command;
    } else if (facts.user != user) {
      return {kFailed, "cannot attach: process " + std::to_string(options->attach[0]) + " and process " + std::to_string(pid) +
                           " belong to different users, and a trace belongs to one; record each into a trace of its own"};
    }
  }
  return {};
}

std::string giveTraceToUser(int pid, const std::string& directory) {
  const attach::ProcessFacts facts = attach::factsOf(pid);
  const bool isOwn = !facts.exists || facts.user == geteuid();
  return isOwn || geteuid() != 0 ? "" : useFilesAs(facts.user, facts.userGroup, directory);
}

int recordRunning(const Options& options, const Environment& environment) {
  endOnSignals();  // before `--detach` can find this recorder
  AllAttached all;
  for (const int pid : options.attach) all.push_back(std::make_unique<Attached>(pid, options.attach, environment));
  int status = 0;
  uint64_t mostHeldNs = 0;
  for (const auto& each : all) {
    const std::optional<uint64_t> heldNs = begin(each.get(), options);
    if (!heldNs) {
      status = kFailed;
      break;
    }
    mostHeldNs = std::max(mostHeldNs, *heldNs);
  }
  if (status == 0) {
    if (!options.quiet) tellBegin(all, mostHeldNs, options);
    awaitEnd(options, all);
  }
  for (const auto& each : all) {
    if (!end(each.get(), options)) status = kFailed;
  }
  return status;
}

int detachFrom(int pid) {
  const attach::ProcessFacts facts = attach::factsOf(pid);
  if (!facts.exists) {
    say("cannot detach: there is no process " + std::to_string(pid) + "; ps -e lists those that run");
    return kFailed;
  }
  if (endRecorderOf(pid)) return 0;
  const SignalsHeld held;
  attach::Visit visit(pid);
  std::string problem = detachByVisit(visit);
  if (problem.empty()) {
    endRecorderOf(pid);  // which has come meanwhile
    return 0;
  }
  if (problem == strerror(EPERM) || problem == strerror(EACCES)) problem = attach::explainRefusal(pid, facts);
  say("cannot detach from process " + std::to_string(pid) + " (" + facts.name + "): " + problem);
  return kFailed;
}

}  // namespace parallax::record
