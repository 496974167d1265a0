#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <optional>

#include "base/own_environment.h"
#include "base/process_status.h"
#include "core/clock.h"
#include "core/outcomes.h"
#include "tools/record.h"

namespace parallax::record {
namespace {

volatile pid_t child = 0;
volatile sig_atomic_t endSignals = 0;

// In a signal handler. The terminal sends its signals to the whole process group, the child
// included; what others send to this process alone is meant for the program.
void forward(int signal, siginfo_t* info, void*) {
  const bool fromTerminal = info->si_code == SI_KERNEL;
  const int keep = errno;
  if (!fromTerminal && child > 0 && info->si_pid != child) kill(child, signal);
  if (child <= 0 && signal != SIGUSR1 && signal != SIGUSR2) endSignals = endSignals + 1;
  errno = keep;
}

void forwardSignals() {
  struct sigaction action {};
  action.sa_sigaction = forward;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  for (const int signal : {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2}) {
    struct sigaction before {};
    sigaction(signal, nullptr, &before);
    if (before.sa_handler != SIG_IGN) sigaction(signal, &action, nullptr);  // nohup stays nohup
  }
}

// To other hosts Open MPI gives the variables that its options name. Ticks are those of a host.
std::vector<std::string> exportedByOpenMpi(const std::vector<std::string>& command,
                                           const Environment& environment) {
  std::vector<std::string> whole = command;
  const size_t at = openMpiAt(command);
  if (at == command.size()) return whole;
  std::vector<std::string> names{"LD_PRELOAD", "PARALLAX_SAMPLE_HZ"};
  if (!environment.traceDirectory.empty()) names.emplace_back("PARALLAX_TRACE");
  for (const auto& setting : environment.settings) names.push_back(setting.first);
  std::vector<std::string> options;
  for (const std::string& name : names) {
    if (std::find(command.begin(), command.end(), name) != command.end()) continue;
    options.insert(options.end(), {"-x", name});
  }
  whole.insert(whole.begin() + static_cast<long>(at) + 1, options.begin(), options.end());
  return whole;
}

void setEnvironment(const Environment& environment) {
  // Those that hold here are the agent's as well: containers have one that only refuses.
  const int filters = readProcessStatus().filters;
  setenv(sandbox::kVariable, filters < 0 ? "?" : std::to_string(filters).c_str(), 1);
  for (const auto& [name, value] : variablesOf(environment)) setenv(name.c_str(), value.c_str(), 1);
}

// Processor time of the process and of those that it waited for goes into `cpuNs`, how it ended into the
// trace, if any.
int waitFor(pid_t pid, uint64_t* cpuNs = nullptr, const std::string& trace = "") {
  int status = 0;
  rusage usage{};
  while (wait4(pid, &status, 0, &usage) < 0) {
    if (errno != EINTR) return kFailed;
  }
  if (cpuNs != nullptr) {
    constexpr uint64_t kSecondNs = 1000000000, kMicrosecondNs = 1000;
    *cpuNs = static_cast<uint64_t>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * kSecondNs +
             static_cast<uint64_t>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * kMicrosecondNs;
  }
  if (const int fd = trace.empty() ? -1 : openOutcomes(trace.c_str()); fd >= 0) {
    appendEnd(fd, pid, status);
    close(fd);
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace

void execute(char* const* arguments, const Environment& environment) {
  if (environment.agent.empty()) {
    execvp(arguments[0], arguments);
    return;
  }
  setEnvironment(environment);
  const char* const none[] = {nullptr};
  const OwnEnvironment own{environment.agent.c_str(), none};
  char path[PATH_MAX];
  const bool found = findProgram(arguments[0], getenv("PATH"), path, sizeof path);
  const FittedEnvironment fitted(own, environ,
                                 found ? examineProgram(AT_FDCWD, path) : ProgramFile{});
  std::vector<char> memory(fitted.bytes());
  execvpe(arguments[0], arguments, fitted.isGiven() ? environ : fitted.write(memory.data()));
}

std::vector<std::pair<std::string, std::string>> variablesOf(const Environment& environment) {
  // The trace is empty, and not missing, when nothing is recorded: a recorder around this one would add its own.
  std::vector<std::pair<std::string, std::string>> variables{
      {"PARALLAX_TRACE", environment.traceDirectory},
      {"PARALLAX_SAMPLE_HZ", std::to_string(environment.sampleHz)},
      {"PARALLAX_TICK_HZ", std::to_string(environment.tickHz)},
  };
  variables.insert(variables.end(), environment.settings.begin(), environment.settings.end());
  return variables;
}

std::vector<char*> pointersTo(const std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (const std::string& word : words) pointers.push_back(const_cast<char*>(word.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

StartedCommand startCommand(const std::vector<std::string>& command, const Environment& environment) {
  StartedCommand started;
  // Through the pipe comes the error of an execution that failed; a successful one closes it.
  int pipeEnds[2];
  if (pipe2(pipeEnds, O_CLOEXEC) != 0) {
    say(std::string("cannot start ") + command[0] + ": " + strerror(errno));
    return started;
  }
  const std::vector<std::string> words =
      environment.agent.empty() ? command : exportedByOpenMpi(command, environment);
  const std::vector<char*> arguments = pointersTo(words);
  sigset_t all, before;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, &before);
  started.pid = fork();
  if (started.pid == 0) {
    sigprocmask(SIG_SETMASK, &before, nullptr);
    execute(arguments.data(), environment);
    const int error = errno;
    const ssize_t written = write(pipeEnds[1], &error, sizeof error);
    _exit(written == sizeof error ? kNotExecutable : kFailed);
  }
  const int forkError = errno;
  child = started.pid;
  if (started.pid > 0) forwardSignals();
  sigprocmask(SIG_SETMASK, &before, nullptr);
  close(pipeEnds[1]);
  if (started.pid < 0) {
    close(pipeEnds[0]);
    say(std::string("cannot start ") + command[0] + ": " + strerror(forkError));
    return started;
  }
  ssize_t got;
  do {
    got = read(pipeEnds[0], &started.executeError, sizeof started.executeError);
  } while (got < 0 && errno == EINTR);
  close(pipeEnds[0]);
  if (got != sizeof started.executeError) started.executeError = 0;
  return started;
}

int endOf(const StartedCommand& started, const std::vector<std::string>& command, uint64_t* cpuNs, const std::string& trace) {
  const int status = waitFor(started.pid, cpuNs, trace);
  child = 0;
  const int error = started.executeError;
  if (error == 0) return status;
  say(std::string("cannot execute ") + command[0] + ": " + strerror(error) +
      (error == ENOENT ? " (check the interpreter in its first line)" : ""));
  return error == ENOENT ? kNotFound : kNotExecutable;
}

int runCommand(const std::vector<std::string>& command, const Environment& environment) {
  std::optional<Orphans> orphans;
  if (environment.endAll) orphans.emplace();
  const uint64_t startNs = readClockNs(CLOCK_MONOTONIC);
  const StartedCommand started = startCommand(command, environment);
  if (started.pid < 0) return kFailed;
  uint64_t cpuNs = 0;
  const int status = endOf(started, command, &cpuNs, environment.traceDirectory);
  if (!environment.times.empty()) {
    const uint64_t elapsedNs = readClockNs(CLOCK_MONOTONIC) - startNs;
    std::ofstream file(environment.times);
    file << elapsedNs << ' ' << cpuNs << '\n' << std::flush;
    if (!file) say("cannot write the times to " + environment.times + ": " + strerror(errno));
  }
  const std::string left = orphans ? orphans->end() : "";
  if (left.empty()) return status;
  say("these processes were still running when the command ended, and were ended: " + left +
      "; keep them in the foreground, or let the command wait for them");
  return status == 0 ? kFailed : status;
}

int endSignalsAfterCommand() { return endSignals; }

int runTool(const std::string& path, const std::string& argument, bool showOutput) {
  const pid_t pid = fork();
  if (pid < 0) return kFailed;
  if (pid == 0) {
    // Its output must never mix with that of the program, which somebody may parse.
    const int null = open("/dev/null", O_RDWR);
    if (null >= 0) {
      dup2(null, STDIN_FILENO);
      if (!showOutput) dup2(null, STDERR_FILENO);
      dup2(showOutput ? STDERR_FILENO : null, STDOUT_FILENO);
    }
    signal(SIGXFSZ, SIG_IGN);  // a file beyond the limit (ulimit -f) is an error that it tells
    if (!becomeFileUser()) _exit(kFailed);
    std::vector<std::string> command{path, argument};
    if (!showOutput) command.push_back("--quiet");
    const std::vector<char*> arguments = pointersTo(command);
    execv(arguments[0], arguments.data());
    _exit(kNotFound);
  }
  return waitFor(pid);
}

}  // namespace parallax::record
