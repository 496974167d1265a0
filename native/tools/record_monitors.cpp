#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <fstream>
#include <iterator>

#include "tools/record.h"

namespace parallax::record {
namespace {

constexpr char kFirstLine[] = "parallax-series 1";
constexpr int kFirstReadingMs = 1000, kEndMs = 2000;

void sleepMs(int ms) {
  timespec rest{ms / 1000, (ms % 1000) * 1000000L};
  while (nanosleep(&rest, &rest) != 0 && errno == EINTR) {
  }
}

std::string contents(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

bool hasReading(const std::string& path) {
  constexpr char kHeadEnd[] = "\ndata\n";
  const std::string text = contents(path);
  const size_t head = text.find(kHeadEnd);
  return head != std::string::npos &&
         text.find('\n', head + sizeof kHeadEnd - 1) != std::string::npos;
}

std::string firstLine(std::string text) {
  constexpr size_t kMost = 200;
  text.resize(std::min(text.find('\n'), std::min(text.size(), kMost)));
  for (char& c : text) c = static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  return text;
}

// Does not take the end away from waitpid.
bool hasEnded(pid_t pid) {
  siginfo_t info{};
  return waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
         info.si_pid == pid;
}

int statusOf(pid_t pid) {
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

// Never returns. The group of its own keeps the terminal's Ctrl-C from it, which is meant for the
// program, and lets all that a shell starts be ended.
[[noreturn]] void become(const std::vector<std::string>& words, int output, int messages) {
  setpgid(0, 0);
  const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  dup2(null, STDIN_FILENO);
  dup2(output, STDOUT_FILENO);
  dup2(messages >= 0 ? messages : null, STDERR_FILENO);
  const std::vector<char*> arguments = pointersTo(words);
  execv(arguments[0], arguments.data());
  const char* why = strerror(errno);
  const ssize_t ignored = write(STDERR_FILENO, why, strlen(why));
  _exit(ignored < 0 ? kFailed : kNotFound);
}

// Never returns. One of the monitor's group, which ends that when the recorder is killed: what a shell
// has started would go on, and write, for ever.
[[noreturn]] void keep(pid_t group, pid_t recorder) {
  setpgid(0, group);
  sigset_t gone;
  sigemptyset(&gone);
  sigaddset(&gone, SIGUSR1);
  sigprocmask(SIG_BLOCK, &gone, nullptr);
  prctl(PR_SET_PDEATHSIG, SIGUSR1);
  while (getppid() == recorder && sigwaitinfo(&gone, nullptr) < 0) {
  }
  kill(-group, SIGTERM);
  _exit(0);
}

}  // namespace

// After the first word of the command, without the end that tells the language of a script.
std::string Monitors::newPath(const std::string& command) const {
  std::string name = command.substr(command.find_first_not_of(" \t\n"));
  name = baseName(name.substr(0, name.find_first_of(" \t\n;|&<>")));
  constexpr char kOwn[] = "parallax-";
  if (name.compare(0, sizeof kOwn - 1, kOwn) == 0) name.erase(0, sizeof kOwn - 1);
  if (name.rfind('.') != std::string::npos && name.rfind('.') > 0) name.resize(name.rfind('.'));
  for (char& c : name) {
    if (isalnum(static_cast<unsigned char>(c)) == 0 && strchr("_-", c) == nullptr) c = '_';
  }
  if (name.empty()) name = "external";
  std::string path = directory_ + "/" + name + ".series";
  for (int i = 2; access(path.c_str(), F_OK) == 0; i++) {
    path = directory_ + "/" + name + "-" + std::to_string(i) + ".series";
  }
  return path;
}

void Monitors::start(const std::vector<std::string>& words, const std::string& command,
                     bool first) {
  Monitor monitor{command, newPath(command), -1, -1, -1};
  const pid_t recorder = getpid();
  const int output = open(monitor.path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (output < 0) {
    say("cannot run the monitor `" + command + "`: " + monitor.path + ": " + strerror(errno));
    return;
  }
  paths_.push_back(monitor.path);
  const std::string messages = monitor.path + ".messages";
  monitor.messages =
      open(messages.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  unlink(messages.c_str());
  monitor.pid = fork();
  if (monitor.pid == 0) become(words, output, monitor.messages);
  const int error = errno;
  close(output);
  if (monitor.pid < 0) {
    say("cannot run the monitor `" + command + "`: " + strerror(error));
    close(monitor.messages);
    return;
  }
  setpgid(monitor.pid, monitor.pid);  // whoever comes first
  monitor.keeper = fork();
  if (monitor.keeper == 0) keep(monitor.pid, recorder);
  running_.push_back(monitor);
  for (int ms = 0; first && ms < kFirstReadingMs && !hasEnded(monitor.pid) &&
                   !hasReading(monitor.path); ms++) {
    sleepMs(1);
  }
}

void Monitors::end() {
  std::vector<bool> byItself;
  for (const Monitor& monitor : running_) {
    byItself.push_back(hasEnded(monitor.pid));
    kill(-monitor.pid, SIGTERM);
    if (!byItself.back()) kill(monitor.pid, SIGTERM);  // where it has not come to its group yet
  }
  constexpr int kStepMs = 2;
  int left = kEndMs;
  for (size_t i = 0; i < running_.size(); i++) {
    const Monitor& monitor = running_[i];
    for (; left > 0 && !hasEnded(monitor.pid); left -= kStepMs) sleepMs(kStepMs);
    if (!hasEnded(monitor.pid)) {
      say("the monitor `" + monitor.command + "` did not end within 2 s of SIGTERM and was killed; "
          "its last line may be incomplete");
    }
    kill(-monitor.pid, SIGKILL);
    if (monitor.keeper > 0) {
      kill(monitor.keeper, SIGKILL);
      statusOf(monitor.keeper);
    }
    const int status = statusOf(monitor.pid);
    tell(monitor, status, byItself[i]);
    close(monitor.messages);
  }
  running_.clear();
}

void Monitors::tell(const Monitor& monitor, int status, bool byItself) const {
  char text[512] = "";
  const ssize_t got = pread(monitor.messages, text, sizeof text - 1, 0);
  const std::string reason = got > 0 ? ": " + firstLine(text) : "";
  const std::string name = "the monitor `" + monitor.command + "` ";
  std::ifstream file(monitor.path);
  std::string first;
  const bool empty = !std::getline(file, first);
  if (byItself && status != 0) {
    say(name + (WIFSIGNALED(status) ? "was ended by signal " + std::to_string(WTERMSIG(status))
                                    : "failed with status " + std::to_string(WEXITSTATUS(status))) +
        reason + (empty ? "; the trace has no data from it" : "; the trace has the data that it "
            "wrote before"));
  } else if (empty) {
    say(name + "wrote nothing" + reason + "; it must print lines as described in "
        "docs/external-data.md, and flush each line");
  } else if (firstLine(first) != kFirstLine) {
    say(name + "wrote no series: its first line is \"" + firstLine(first) + "\", expected \"" +
        kFirstLine + "\"; see docs/external-data.md");
  }
  if (empty) unlink(monitor.path.c_str());
}

void Monitors::discard() const {
  for (const std::string& path : paths_) unlink(path.c_str());
}

}  // namespace parallax::record
