// parallax-tune: runs a command that can be tuned, tells an analyzer what its processes do, and changes what the analyzer asks for.

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>

#include "tools/record.h"
#include "tools/tune/monitor.h"

namespace parallax::tuning {
namespace {

using record::say;

constexpr char kHelp[] =
    "usage: parallax-tune [OPTIONS] [--] COMMAND [ARGUMENTS]\n"
    "\n"
    "Runs COMMAND so that it can be tuned while it runs, and is used by: parallax tune\n"
    "It reads requests of an analyzer and writes what it sees, as lines of JSON. The output and the exit status are those of\n"
    "COMMAND. When the analyzer ends, nothing is measured any more, and COMMAND goes on.\n"
    "\n"
    "  --connect SOCKET  the lines go over this UNIX socket, where the analyzer listens; COMMAND has the standard input and\n"
    "                    output of parallax-tune. Without it, the lines are those\n"
    "  --in-fd N         without --connect: the standard input of COMMAND (default: none)\n"
    "  --out-fd N        without --connect: the standard output of COMMAND (default: the standard error)\n"
    "  --interval TIME   how often metrics are told, from 1ms to 1h (default: 200ms)\n"
    "  --directory DIR   for the live pages of processes (default: a new one in TMPDIR)\n"
    "  --pvm[=no]        tune the tasks that PVM starts, on all hosts (default: if COMMAND, or what it attaches\n"
    "                    to, calls pvm_mytid)\n"
    "  --help, --version\n"
    "\n"
    "environment\n"
    "  PARALLAX_TUNE_SECRET  comes back in the first line, so that the analyzer knows who it is\n"
    "\n"
    "examples:\n"
    "  parallax tune -- mpirun -n 4 ./solver\n"
    "  (echo '{\"type\":\"points\",\"points\":[{\"name\":\"sent\",\"routines\":[\"MPI_Send\"]}]}'; cat) |\n"
    "    parallax-tune --interval 1s -- ./solver\n";

constexpr int kReadyPatienceMs = 5000, kRequestPatienceMs = 1000;

struct Options {
  std::string connect, directory;
  int in = -1, out = -1;
  uint64_t intervalNs = 200000000;
  bool pvm = false, noPvm = false;
  // The monitor of another host, without a command. It ends with its input.
  bool watch = false;
  std::string host;
  std::vector<std::string> command;
};

// "200ms"; 0: it is none from 1 ms to 1 h.
uint64_t parseTimeNs(const std::string& text) {
  constexpr struct {
    const char* name;
    double ns;
  } kUnits[] = {{"us", 1e3}, {"ms", 1e6}, {"s", 1e9}, {"m", 60e9}, {"h", 3600e9}};
  constexpr double kLeastNs = 1e6, kMostNs = 3600e9;
  char* end = nullptr;
  const double value = strtod(text.c_str(), &end);
  for (const auto& unit : kUnits) {
    const double ns = value * unit.ns;
    if (end != text.c_str() && strcmp(end, unit.name) == 0 && ns >= kLeastNs && ns <= kMostNs) return static_cast<uint64_t>(std::llround(ns));
  }
  return 0;
}

int parseDescriptor(const std::string& text) {
  char* end = nullptr;
  const long fd = strtol(text.c_str(), &end, 10);
  return !text.empty() && *end == '\0' && fd >= 0 && fcntl(static_cast<int>(fd), F_GETFD) >= 0 ? static_cast<int>(fd) : -1;
}

int wrongUse(const std::string& text) {
  say(text + "; see: parallax-tune --help");
  return record::kWrongUse;
}

// -1 to go on, else the status to exit with.
int parse(int count, char** arguments, Options* options) {
  static const option known[] = {{"connect", required_argument, nullptr, 'c'},  {"in-fd", required_argument, nullptr, 'i'},
                                 {"out-fd", required_argument, nullptr, 'o'},   {"interval", required_argument, nullptr, 't'},
                                 {"directory", required_argument, nullptr, 'd'}, {"pvm", optional_argument, nullptr, 'p'},
                                 {"watch", no_argument, nullptr, 'w'},          {"host", required_argument, nullptr, 'n'},
                                 {"help", no_argument, nullptr, 'h'},
                                 {"version", no_argument, nullptr, 'v'},        {nullptr, 0, nullptr, 0}};
  opterr = 0;
  for (int found; (found = getopt_long(count, arguments, "+h", known, nullptr)) != -1;) {
    switch (found) {
      case 'h': fputs(kHelp, stdout); return 0;
      case 'v': puts("parallax tune " PARALLAX_VERSION); return 0;
      case 'c': options->connect = optarg; break;
      case 'd': options->directory = optarg; break;
      case 'n': options->host = optarg; break;
      case 'w': options->watch = true; break;
      case 'p':
        options->noPvm = optarg != nullptr && strcmp(optarg, "no") == 0;
        options->pvm = !options->noPvm;
        break;
      case 't':
        options->intervalNs = parseTimeNs(optarg);
        if (options->intervalNs == 0) return wrongUse(std::string("--interval ") + optarg + " is no time from 1ms to 1h, such as 200ms");
        break;
      case 'i':
      case 'o': {
        const int fd = parseDescriptor(optarg);
        if (fd < 0) return wrongUse(std::string(optarg) + " is no open descriptor");
        (found == 'i' ? options->in : options->out) = fd;
        break;
      }
      default: return wrongUse("unknown option, or one without its value: " + std::string(arguments[optind - 1]));
    }
  }
  options->command.assign(arguments + optind, arguments + count);
  if (options->command.empty() && !options->watch) return wrongUse("no command was given");
  return -1;
}

// The programs of the processes that a recorder is told to attach to, by number or by name.
std::vector<std::string> attachedPrograms(const std::vector<std::string>& command) {
  std::vector<std::string> found;
  const auto option = std::find(command.begin(), command.end(), "--attach");
  if (option == command.end() || option + 1 == command.end()) return found;
  std::stringstream numbers(option[1]);
  for (std::string number; std::getline(numbers, number, ',');) {
    if (!number.empty() && number.find_first_not_of("0123456789") == std::string::npos) found.push_back("/proc/" + number + "/exe");
  }
  std::error_code ignored;
  for (const auto& process : std::filesystem::directory_iterator("/proc", ignored)) {
    std::string name;
    if (std::getline(std::ifstream(process.path() / "comm"), name) && name == option[1]) found.push_back(process.path() / "exe");
  }
  return found;
}

// The descriptors of the lines, which the command does not inherit.
struct Channel {
  int in = -1, out = -1;
};

// Returns what is wrong, empty when nothing is.
std::string connectTo(const std::string& path, Channel* channel) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) return "the path of the socket is too long: " + path;
  memcpy(address.sun_path, path.c_str(), path.size());
  const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0 || connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    return "cannot reach the analyzer at " + path + ": " + strerror(errno);
  }
  channel->in = channel->out = fd;
  return "";
}

// Takes the standard input and output for the lines, and gives the command those that are named.
std::string takeStandard(const Options& options, Channel* channel) {
  channel->in = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
  channel->out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  const int in = options.in >= 0 ? options.in : open("/dev/null", O_RDONLY | O_CLOEXEC);
  const int out = options.out >= 0 ? options.out : STDERR_FILENO;
  if (channel->in < 0 || channel->out < 0 || dup2(in, STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0) {
    return std::string("cannot use the standard input and output: ") + strerror(errno);
  }
  for (const int fd : {in, out}) {
    if (fd > STDERR_FILENO) fcntl(fd, F_SETFD, FD_CLOEXEC);
  }
  return "";
}

// An analyzer that ends is no reason to end. A handler, unlike an ignored signal, is not inherited by the command.
void surviveBrokenPipes() {
  struct sigaction action {}, before {};
  action.sa_handler = [](int) {};
  action.sa_flags = SA_RESTART;
  sigaction(SIGPIPE, nullptr, &before);
  if (before.sa_handler != SIG_IGN) sigaction(SIGPIPE, &action, nullptr);
}

// For the monitor of another host, which has the analyzer.
int watch(const Options& options, const Channel& channel, const PageDirectory& directory) {
  Monitor monitor(channel.in, channel.out, &directory, options.host);
  monitor.expectStatuses();
  monitor.watch(0);
  monitor.finish();
  return 0;
}

// Also of a recorder that attaches to programs.
bool usesPvm(const std::vector<std::string>& command) {
  const std::vector<std::string> programs = attachedPrograms(command);
  return RemoteHosts::isNeededBy(command[0]) || std::any_of(programs.begin(), programs.end(), RemoteHosts::isNeededBy);
}

int run(const Options& options) {
  Channel channel;
  std::string problem = options.connect.empty() ? takeStandard(options, &channel) : connectTo(options.connect, &channel);
  if (!problem.empty()) {
    say(problem);
    return record::kFailed;
  }
  surviveBrokenPipes();
  const PageDirectory directory(options.directory, &problem);
  if (options.watch && problem.empty()) return watch(options, channel, directory);
  utsname names{};
  uname(&names);
  Monitor monitor(channel.in, channel.out, &directory, names.nodename);
  monitor.setInterval(options.intervalNs);
  const char* given = getenv("PARALLAX_TUNE_SECRET");
  const std::string secret = given != nullptr && *given != '\0' ? given : record::randomRun();
  unsetenv("PARALLAX_TUNE_SECRET");
  monitor.hello(secret);
  const auto fail = [&](const std::string& text, int status) {
    say(text);
    if (options.connect.empty()) monitor.tellProblem(text);  // else the analyzer has the same standard error
    monitor.tellEnd(status);
    return status;
  };
  if (!problem.empty()) return fail(problem, record::kFailed);
  if (const record::Problem wrong = record::findProblem(options.command); wrong.status != 0) return fail(wrong.message, wrong.status);
  record::Environment environment;
  if (!record::prepareAgent("", &environment)) return fail("the agent cannot be loaded", record::kFailed);
  environment.settings.emplace_back("PARALLAX_TUNE", directory.path());
  std::optional<RemoteHosts> hosts;
  if (options.pvm || (!options.noPvm && usesPvm(options.command))) {
    hosts.emplace(secret, names.nodename, directory.path());
    if (hosts->awaitReady(kReadyPatienceMs)) monitor.expectStatuses();
    monitor.setRemoteHosts(&*hosts);
  }
  if (!monitor.hasToldHost()) monitor.tellHost(names.machine);
  monitor.awaitRequest(kRequestPatienceMs);
  const record::StartedCommand started = record::startCommand(options.command, environment);
  if (started.pid < 0) return fail("the command cannot be started", record::kFailed);
  monitor.watch(started.pid);
  const int status = record::endOf(started, options.command);
  monitor.tellEnd(status);
  return status;
}

}  // namespace
}  // namespace parallax::tuning

int main(int count, char** arguments) {
  parallax::tuning::Options options;
  const int status = parallax::tuning::parse(count, arguments, &options);
  const int ended = status >= 0 ? status : parallax::tuning::run(options);
  fflush(nullptr);
  _exit(ended);  // a change of code that is still being prepared, by another thread, is not waited for
}
