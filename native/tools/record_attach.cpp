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

#include <cstdlib>

#include "core/clock.h"
#include "interpose/attach/attach.h"
#include "tools/attach/problem.h"
#include "tools/attach/visit.h"
#include "tools/record.h"

namespace parallax::record {
namespace {

constexpr char kAgent[] = "libparallax-agent.so";
constexpr uint64_t kMillisecondNs = 1000000;

volatile sig_atomic_t isTold = 0;  // to end

void endOnSignals() {
  struct sigaction action {};
  action.sa_handler = [](int) { isTold = 1; };
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaction(signal, &action, nullptr);
}

// Signals of the terminal must not end the recorder while a thread of the program is in a call of it.
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
    case AttachResult::kUnderRecord:
      return "it is being recorded already; end that with --detach, or wait for the program that parallax record has started";
    case AttachResult::kNotPossible:
      return "it cannot write the trace; choose a directory that its user may write with -o";
    case AttachResult::kNotAgain:
      return "it was recorded before, which is possible once in a process; start it again";
    case AttachResult::kNotAttached: return "it is not recorded";
  }
  return "the agent in it is of another version; start the program again";
}

std::string callAgent(attach::Visit& visit, const char* name, std::initializer_list<uint64_t> arguments) {
  if (!visit.target().readMappings()) return "it has ended";
  const attach::Module* agent = visit.target().moduleOf(kAgent);
  if (agent == nullptr) return "it is not recorded";
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

std::string detachFromProcess(int pid, uint64_t* stoppedNs) {
  attach::Target target(pid);
  if (target.readMappings() && target.moduleOf(kAgent) == nullptr) return "it is not recorded";  // and stays untouched
  attach::Visit visit(pid);
  const SignalsHeld held;
  const std::string problem = visit.run([&] { return callAgent(visit, "parallax_agent_detach", {}); });
  *stoppedNs = visit.stoppedNs();
  return problem;
}

// ---- the recorder of a process, as `--detach` finds it

sockaddr_un addressOf(int pid, socklen_t* size) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string name = "parallax-attach-" + std::to_string(pid);
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

// Never returns. Ends the recording when the recorder is killed.
[[noreturn]] void keep(int pid, pid_t recorder) {
  sigset_t gone;
  sigemptyset(&gone);
  sigaddset(&gone, SIGUSR1);
  sigprocmask(SIG_BLOCK, &gone, nullptr);
  setpgid(0, 0);  // Ctrl-C is for the recorder
  prctl(PR_SET_PDEATHSIG, SIGUSR1);
  while (getppid() == recorder && sigwaitinfo(&gone, nullptr) < 0) {
  }
  uint64_t ignored = 0;
  detachFromProcess(pid, &ignored);
  _exit(0);
}

std::string milliseconds(uint64_t ns) {
  char text[32];
  snprintf(text, sizeof text, "%.1f ms", static_cast<double>(ns) / kMillisecondNs);
  return text;
}

// Returns when the process has ended, the time is over, or a signal or a connection tells to end; whether it still runs.
bool awaitEnd(const Options& options, int process) {
  const uint64_t endNs = options.forNs != 0 ? readClockNs(CLOCK_MONOTONIC) + options.forNs : ~uint64_t{0};
  while (isTold == 0) {
    const uint64_t nowNs = readClockNs(CLOCK_MONOTONIC);
    if (nowNs >= endNs) return true;
    constexpr uint64_t kLookMs = 200;  // a signal may come just before the wait
    const uint64_t leftMs = (endNs - nowNs) / kMillisecondNs + 1;
    pollfd wanted{process, POLLIN, 0};
    if (poll(&wanted, 1, static_cast<int>(leftMs < kLookMs ? leftMs : kLookMs)) > 0) return false;
  }
  return true;
}

}  // namespace

Problem findAttachProblem(Options* options) {
  const attach::ProcessFacts facts = attach::factsOf(options->attach);
  std::string agent = findAgent();
  if (agent.empty()) return {kFailed, ""};
  const std::string problem = attach::findProblem(options->attach, facts, agent);
  if (!problem.empty()) return {kFailed, "cannot attach: " + problem};
  options->command = facts.command.empty() ? std::vector<std::string>{facts.name} : facts.command;
  return {};
}

int recordRunning(const Options& options, const Environment& environment) {
  const int pid = options.attach;
  endOnSignals();  // before `--detach` can find this recorder
  const attach::ProcessFacts facts = attach::factsOf(pid);
  const int process = static_cast<int>(syscall(SYS_pidfd_open, pid, 0));
  const int name = announce(pid);
  if (facts.user != geteuid() && chown(environment.traceDirectory.c_str(), facts.user, facts.userGroup) != 0) {
    say("cannot attach: " + environment.traceDirectory + " cannot be given to the user of the process: " + strerror(errno));
    return kFailed;
  }
  std::string problem;
  attach::Visit visit(pid);
  {
    const SignalsHeld held;
    problem = attachTo(visit, environment);
  }
  if (!problem.empty()) {
    const bool isRefused = problem == strerror(EPERM) || problem == strerror(EACCES);
    say("cannot attach: " + (isRefused ? attach::explainRefusal(pid, facts)
                                       : "process " + std::to_string(pid) + " (" + facts.name + "): " + problem));
    return kFailed;
  }
  if (options.verbose) say("in the process: " + visit.times());
  const pid_t recorder = getpid();
  const pid_t keeper = fork();
  if (keeper == 0) keep(pid, recorder);
  if (!options.quiet) {
    say("recording process " + std::to_string(pid) + " (" + facts.name + "), one thread of which was held for " +
        milliseconds(visit.stoppedNs()) + "; end with " +
        (options.forNs != 0 ? "--for, " : "") + "Ctrl-C or: " + options.entry + " record --detach " + std::to_string(pid));
  }
  if (awaitEnd(options, process)) {
    uint64_t stoppedNs = 0;
    problem = detachFromProcess(pid, &stoppedNs);
    if (options.verbose) say("detached, one thread was held for " + milliseconds(stoppedNs));
  }
  if (keeper > 0) {
    kill(keeper, SIGKILL);
    waitpid(keeper, nullptr, 0);
  }
  close(process);
  close(name);
  if (problem.empty() || problem == "it has ended") return 0;
  say("process " + std::to_string(pid) + " (" + facts.name + ") may still be recorded: " + problem);
  return kFailed;
}

int detachFrom(int pid) {
  const attach::ProcessFacts facts = attach::factsOf(pid);
  if (!facts.exists) {
    say("cannot detach: there is no process " + std::to_string(pid) + "; ps -e lists those that run");
    return kFailed;
  }
  int connection = -1;
  if (const pid_t recorder = recorderOf(pid, &connection); recorder > 0 && kill(recorder, SIGTERM) == 0) {
    char none;
    while (read(connection, &none, 1) < 0 && errno == EINTR) {
    }
    close(connection);
    return 0;
  }
  close(connection);
  uint64_t stoppedNs = 0;
  std::string problem = detachFromProcess(pid, &stoppedNs);
  if (problem.empty()) return 0;
  if (problem == strerror(EPERM) || problem == strerror(EACCES)) problem = attach::explainRefusal(pid, facts);
  say("cannot detach from process " + std::to_string(pid) + " (" + facts.name + "): " + problem);
  return kFailed;
}

}  // namespace parallax::record
