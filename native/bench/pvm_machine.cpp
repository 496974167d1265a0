#include "bench/pvm_machine.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>

#include "bench/peers_run.h"
#include "bench/interruptible.h"
#include "bench/study_text.h"

namespace parallax::bench {
namespace {

constexpr char kCommand[] = "command ", kHosts[] = "hosts ";
constexpr int kMostWaits = 3000;
constexpr useconds_t kWaitUs = 10000;

std::string lastLineOf(const std::string& path) {
  std::ifstream file(path);
  std::string line, last;
  while (std::getline(file, line)) {
    if (!line.empty()) last = line;
  }
  return last.empty() ? "it ended without a message" : last;
}

// What follows `start` in the line, or nothing.
std::string after(const char* start, const std::string& line) {
  const std::string text = start;
  return line.compare(0, text.size(), text) == 0 ? line.substr(text.size(), line.find('\n') - text.size()) : "";
}

std::string pathOf(const std::string& program) { return buildDirectory() + "/programs/" + program; }

}  // namespace

std::string Place::nameOf(const std::string& place) {
  return place == kOne ? "One host" : "Three hosts in network namespaces";
}

PvmMachine::PvmMachine(const std::string& program, const std::string& kind, const std::string& folder) {
  const std::string log = folder + "/" + kind + ".log";
  start(program, kind, folder, log);
  if (!hosts_.empty()) return;
  end();
  missing_ = lastLineOf(log);
}

PvmMachine::~PvmMachine() { end(); }

std::string PvmMachine::command(const std::string& program) const {
  return "exec " + prefix_ + " '" + (program[0] == '/' ? program : pathOf(program)) + "'";
}

std::vector<std::string> PvmMachine::workerHosts() const {
  if (hosts_.size() == 1) return {hosts_[0], hosts_[0]};
  return {hosts_.begin() + 1, hosts_.end()};
}

void PvmMachine::start(const std::string& program, const std::string& kind, const std::string& folder,
                       const std::string& log) {
  int input[2], output[2];
  if (pipe2(input, O_CLOEXEC) != 0) return;
  if (pipe2(output, O_CLOEXEC) != 0) {
    close(input[0]);
    close(input[1]);
    return;
  }
  pid_ = fork();
  if (pid_ == 0) {
    setsid();  // an interrupt from the terminal is for us
    const int errors = open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
    dup2(input[0], 0);
    dup2(output[1], 1);
    dup2(errors, 2);
    execl(program.c_str(), program.c_str(), kind.c_str(), folder.c_str(), static_cast<char*>(nullptr));
    perror(program.c_str());
    _exit(127);
  }
  close(input[0]);
  close(output[1]);
  input_ = input[1];
  FILE* lines = fdopen(output[0], "r");
  char line[4096];
  while (hosts_.empty() && fgets(line, sizeof line, lines) != nullptr) {
    if (const std::string words = after(kCommand, line); !words.empty()) prefix_ = words;
    hosts_ = split(after(kHosts, line), ' ');
  }
  fclose(lines);
}

void PvmMachine::end() {
  if (input_ >= 0) close(input_);
  input_ = -1;
  if (pid_ <= 0) return;
  for (int i = 0; waitpid(pid_, nullptr, WNOHANG) == 0; i++) {
    if (i == kMostWaits) kill(-pid_, SIGKILL);
    usleep(kWaitUs);
  }
  pid_ = -1;
}

PvmMachines::PvmMachines(const std::vector<std::string>& places, const std::string& program, const std::string& folder) {
  if (access(pathOf(program).c_str(), X_OK) != 0) {
    failure_ = "this study was built without PVM; install pvm and pvm-dev if the distribution has them";
    return;
  }
  for (const std::string& place : places) start(place, folder);
  // One host is better than none.
  if (places_.empty() && failure_.empty()) start(Place::kOne, folder);
}

void PvmMachines::start(const std::string& place, const std::string& folder) {
  if (!failure_.empty() || Interruptible::isInterrupted()) return;
  auto machine = std::make_unique<PvmMachine>(buildDirectory() + "/parallax-pvm-machine", place, folder);
  if (Interruptible::isInterrupted()) return;
  if (machine->missing().empty()) {
    machines_[place] = std::move(machine);
    places_.push_back(place);
  } else if (place == Place::kThree) {
    fprintf(stderr, "parallax: no network namespaces can be made for three hosts (%s); one host is measured alone. They need "
            "root, or user namespaces\n", machine->missing().c_str());
  } else {
    failure_ = "there is no virtual machine: " + machine->missing();
  }
}

}  // namespace parallax::bench
