#include "bench/peers_run.h"

#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <sched.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <climits>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <vector>

#include "bench/agent_bench.h"
#include "bench/interruptible.h"

namespace parallax::bench {
namespace {

constexpr int kTooLong = -1, kInterrupted = -2;

double cpuNsOf(const rusage& usage) {
  const auto nsOf = [](const timeval& time) { return 1e9 * static_cast<double>(time.tv_sec) + 1e3 * static_cast<double>(time.tv_usec); };
  return nsOf(usage.ru_utime) + nsOf(usage.ru_stime);
}

// Ends what is left of the command: it leads a process group of its own.
int waitFor(pid_t pid, double seconds, double* cpuNs) {
  int status = 0;
  const double end = nowNs() + seconds * 1e9;
  // Every millisecond: a tool's threads need the processors.
  rusage usage{};
  while (wait4(pid, &status, WNOHANG, &usage) == 0) {
    const bool isInterrupted = Interruptible::mustEndTheRun();
    if (isInterrupted || nowNs() > end) {
      kill(-pid, SIGKILL);
      wait4(pid, &status, 0, &usage);
      *cpuNs = cpuNsOf(usage);
      return isInterrupted ? kInterrupted : kTooLong;
    }
    usleep(1000);
  }
  *cpuNs = cpuNsOf(usage);
  return status;
}

pid_t startShell(const std::string& command, const std::string& scratch) {
  const pid_t pid = fork();
  if (pid != 0) return pid;
  setpgid(0, 0);
  const int out = open((scratch + "/out").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  const int err = open((scratch + "/err").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  const int in = open("/dev/null", O_RDONLY);
  dup2(in, 0);
  dup2(out, 1);
  dup2(err, 2);
  if (chdir(scratch.c_str()) == 0) {
    execl("/bin/sh", "sh", "-c", command.c_str(), static_cast<char*>(nullptr));
  }
  _exit(127);
}

// The last line that says something, without the colours of terminals.
std::string lastLineOf(const std::string& path) {
  std::ifstream file(path);
  std::string line, last;
  while (std::getline(file, line)) {
    std::string plain;
    for (size_t i = 0; i < line.size(); i++) {
      if (line[i] == '\033') {
        while (i < line.size() && line[i] != 'm') i++;
      } else if (static_cast<unsigned char>(line[i]) >= ' ') {
        plain += line[i];
      }
    }
    if (plain.find_first_not_of(" -=*") != std::string::npos) last = plain;
  }
  return last.substr(0, 120);
}

std::string endOf(int status) {
  if (!WIFSIGNALED(status)) return "ended with status " + std::to_string(WEXITSTATUS(status));
  return "was ended by signal " + std::to_string(WTERMSIG(status)) + " (" + strsignal(WTERMSIG(status)) + ")";
}

Run readRun(int status, const std::string& scratch, int seconds) {
  Run run;
  std::ifstream output(scratch + "/out");
  std::string line;
  while (std::getline(output, line)) {
    std::istringstream words(line);
    std::string name, value;
    if (!(words >> name >> value)) continue;
    if (name == "answer") {
      run.answer = value;
    } else {
      char* end = nullptr;
      const double number = strtod(value.c_str(), &end);
      if (*end == 0) run.figures[name] = number;
    }
  }
  if (status == kTooLong) {
    run.failure = "it took longer than " + std::to_string(seconds) + " s";
  } else if (status == kInterrupted) {
    run.failure = "it was interrupted";
  } else if (status != 0) {
    run.failure = lastLineOf(scratch + "/err");
    if (run.failure.empty()) run.failure = "it " + endOf(status) + " without a message";
  }
  return run;
}

// The processes below `root` whose file's name begins with `program`.
std::vector<pid_t> processesOf(pid_t root, const std::string& program) {
  struct Process {
    pid_t parent;
    bool matches;
  };
  const std::string start = program.substr(0, 15);  // of a name the system keeps no more
  std::map<pid_t, Process> all;
  DIR* directory = opendir("/proc");
  if (directory == nullptr) return {};
  while (const dirent* entry = readdir(directory)) {
    const pid_t pid = atoi(entry->d_name);
    if (pid <= 0) continue;
    std::ifstream file("/proc/" + std::string(entry->d_name) + "/stat");
    std::string text;
    std::getline(file, text);
    const size_t open = text.find('('), close = text.rfind(')');
    if (close == std::string::npos || close + 4 > text.size()) continue;
    all[pid] = {atoi(text.c_str() + close + 4),
                text.compare(open + 1, start.size(), start) == 0};
  }
  closedir(directory);
  std::vector<pid_t> found;
  for (const auto& [pid, process] : all) {
    if (!process.matches) continue;
    pid_t at = pid;
    while (at != root && all.count(at) != 0) at = all[at].parent;
    if (at == root) found.push_back(pid);
  }
  return found;
}

// CPU time of the writers of transports that recorders have left to this process (a subreaper), when they have ended.
double cpuNsOfWriters() {
  constexpr double kMostNs = 10e9;
  constexpr char kWriter[] = "parallax-writer";
  double cpuNs = 0;
  const double end = nowNs() + kMostNs;
  for (std::vector<pid_t> left; !(left = processesOf(getpid(), kWriter)).empty() && nowNs() < end; usleep(1000)) {
    for (const pid_t pid : left) {
      rusage usage{};
      if (wait4(pid, nullptr, WNOHANG, &usage) == pid) cpuNs += cpuNsOf(usage);
    }
  }
  return cpuNs;
}

void send(const std::vector<pid_t>& processes, int signal) {
  for (const pid_t pid : processes) kill(pid, signal);
}

}  // namespace

Run runCommand(const std::string& command, const std::string& scratch, int seconds) {
  const double begin = nowNs();
  const pid_t pid = startShell(command, scratch);
  double cpuNs = 0;
  const int status = pid < 0 ? 127 << 8 : waitFor(pid, seconds, &cpuNs);
  const double elapsedNs = nowNs() - begin;
  Run run = readRun(status, scratch, seconds);
  run.elapsedNs = elapsedNs;
  run.cpuNs = cpuNs + cpuNsOfWriters();
  return run;
}

TwoRuns runInTurns(const std::string& first, const std::string& second, const std::string& program,
                   int processes, bool oneProcessor, const std::string& scratch, int seconds) {
  constexpr int kTurnUs = 20000;
  cpu_set_t before;
  sched_getaffinity(0, sizeof before, &before);
  if (oneProcessor) {
    cpu_set_t one;
    CPU_ZERO(&one);
    int last = 0;
    for (int i = 0; i < CPU_SETSIZE; i++) {
      if (CPU_ISSET(i, &before)) last = i;
    }
    CPU_SET(last, &one);
    sched_setaffinity(0, sizeof one, &one);  // for the children
  }
  const std::string commands[] = {first, second};
  std::string folders[2];
  pid_t pids[2];
  std::vector<pid_t> members[2];
  for (int i = 0; i < 2; i++) {
    folders[i] = scratch + (i == 0 ? "/first" : "/second");
    mkdir(folders[i].c_str(), 0755);
    pids[i] = startShell(commands[i], folders[i]);
  }
  sched_setaffinity(0, sizeof before, &before);
  const double end = nowNs() + seconds * 1e9;
  siginfo_t ended{};
  const auto hasEnded = [&](pid_t pid) {
    ended.si_pid = 0;
    return waitid(P_PID, static_cast<id_t>(pid), &ended, WEXITED | WNOHANG | WNOWAIT) != 0 ||
           ended.si_pid != 0;
  };
  for (int turn = 0; nowNs() < end && !Interruptible::mustEndTheRun() && !hasEnded(pids[0]) && !hasEnded(pids[1]); turn ^= 1) {
    const auto known = [&](int i) { return members[i].size() == static_cast<size_t>(processes); };
    for (int i = 0; i < 2; i++) {
      if (!known(i)) members[i] = processesOf(pids[i], program);
    }
    if (known(0) && known(1)) {
      send(members[turn ^ 1], SIGSTOP);
      send(members[turn], SIGCONT);
    }
    usleep(kTurnUs);
  }
  for (const auto& each : members) send(each, SIGCONT);
  Run runs[2];
  for (int i = 0; i < 2; i++) {
    double cpuNs = 0;
    const int status = pids[i] < 0 ? 127 << 8 : waitFor(pids[i], (end - nowNs()) / 1e9, &cpuNs);
    runs[i] = readRun(status, folders[i], seconds);
    runs[i].cpuNs = cpuNs;
  }
  return {runs[0], runs[1]};
}

Turn::Turn(const std::string& lockFile) {
  if (lockFile.empty()) return;
  fd_ = open(lockFile.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (fd_ >= 0) flock(fd_, LOCK_EX);
}

Turn::~Turn() {
  if (fd_ >= 0) close(fd_);
}

bool isCommand(const std::string& name) {
  std::istringstream path(getenv("PATH") != nullptr ? getenv("PATH") : "/usr/bin:/bin");
  std::string folder;
  while (std::getline(path, folder, ':')) {
    if (access((folder + "/" + name).c_str(), X_OK) == 0) return true;
  }
  return false;
}

static uint64_t treeBytes;

uint64_t sizeOfTree(const std::string& path) {
  treeBytes = 0;
  nftw(path.c_str(), [](const char*, const struct stat* found, int type, FTW*) {
    if (type == FTW_F) treeBytes += static_cast<uint64_t>(found->st_size);
    return 0;
  }, 16, FTW_PHYS);
  return treeBytes;
}

std::string buildDirectory() {
  char path[PATH_MAX];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  const std::string self(path, length > 0 ? static_cast<size_t>(length) : 0);
  return self.substr(0, self.rfind('/'));
}

}  // namespace parallax::bench
