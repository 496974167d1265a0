// Processes that run already, as a person may choose one of them to record it.
#include <dirent.h>
#include <sys/types.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "core/clock.h"
#include "tools/attach/problem.h"
#include "tools/attach/target.h"
#include "tools/record.h"
#include "transport/ended.h"

namespace parallax::record {
namespace {

constexpr size_t kMostCommandBytes = 4096;

struct Candidate {
  int pid = 0;
  attach::ProcessFacts facts;
  uint64_t ageMs = 0;
  std::string part;     // of a parallel program, such as `rank 3`; else empty
  std::string problem;  // why it cannot be attached to; empty: nothing is known
};

std::string pathIn(int pid, const char* rest) { return "/proc/" + std::to_string(pid) + "/" + rest; }

bool isOfKernel(int pid) {
  std::ifstream file(pathIn(pid, "stat"));
  std::string line;
  std::getline(file, line);
  unsigned flags = 0;
  constexpr unsigned kKernelThread = 0x00200000;  // PF_KTHREAD
  const size_t name = line.rfind(')');
  return name != std::string::npos && sscanf(line.c_str() + name, ") %*c %*d %*d %*d %*d %*d %u", &flags) == 1 &&
         (flags & kKernelThread) != 0;
}

// What its launcher has told the process: variables of the environment with which it began.
class Environ {
 public:
  explicit Environ(int pid) : text_('\0' + attach::contentOf(pid, "environ")) {}
  // Null if there is none.
  const char* find(const char* name) const {
    const std::string wanted = '\0' + std::string(name) + '=';
    const size_t at = text_.find(wanted);
    return at == std::string::npos ? nullptr : text_.c_str() + at + wanted.size();
  }

 private:
  std::string text_;
};

// As launchers of MPI and PVM's daemon say it.
std::string partOf(const Environ& environment) {
  for (const char* variable : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"}) {
    if (const char* rank = environment.find(variable)) return "rank " + std::string(rank);
  }
  return environment.find("PVMEPID") != nullptr ? "PVM task" : "";
}

// Processes that have a recorder by --attach.
std::set<int> attachedProcesses() {
  std::set<int> found;
  std::ifstream sockets("/proc/net/unix");
  const std::string beginning = std::string("@") + kRecorderName;
  for (std::string line; std::getline(sockets, line);) {
    const size_t at = line.find(beginning);
    if (at != std::string::npos) found.insert(atoi(line.c_str() + at + beginning.size()));
  }
  return found;
}

std::string findProblem(int pid, const attach::ProcessFacts& facts, const std::string& agent, const Environ& environment,
                        const std::set<int>& attached) {
  const std::string problem = attach::findProblem(pid, facts, agent);
  if (!problem.empty()) return problem;
  if (!attach::mayTrace(pid)) return attach::explainRefusal(pid, facts);
  const char* trace = environment.find("PARALLAX_TRACE");
  bool isRecorded = attached.count(pid) != 0;
  if (trace != nullptr && *trace != '\0') {
    attach::Target target(pid);
    isRecorded = isRecorded || (target.readMappings() && target.moduleOf("libparallax-agent.so") != nullptr);
  }
  return isRecorded ? "process " + std::to_string(pid) + " (" + facts.name + "): " + kRecordedAlready : "";
}

std::vector<Candidate> findCandidates(const std::string& agent) {
  std::vector<Candidate> found;
  DIR* entries = opendir("/proc");
  if (entries == nullptr) return found;
  const std::set<int> attached = attachedProcesses();
  const uint64_t nowMs = readClockNs(CLOCK_MONOTONIC) / 1'000'000;
  while (const dirent* entry = readdir(entries)) {
    Candidate each;
    each.pid = atoi(entry->d_name);
    if (each.pid <= 0 || each.pid == getpid() || isOfKernel(each.pid)) continue;
    each.facts = attach::factsOf(each.pid);
    const uint64_t beginMs = beginMsOf(static_cast<uint32_t>(each.pid));
    if (!each.facts.exists || beginMs == kHasEnded) continue;
    const Environ environment(each.pid);
    each.ageMs = nowMs > beginMs ? nowMs - beginMs : 0;
    each.part = partOf(environment);
    each.problem = findProblem(each.pid, each.facts, agent, environment, attached);
    found.push_back(std::move(each));
  }
  closedir(entries);
  std::sort(found.begin(), found.end(), [](const Candidate& a, const Candidate& b) { return a.pid < b.pid; });
  return found;
}

// In one line, without what would end a field or move the cursor of a terminal.
std::string plain(std::string text) {
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') c = ' ';
  }
  return text;
}

std::string commandOf(const Candidate& each) {
  const std::string command = quotedForShell(each.facts.command);
  return plain((command.empty() ? "[" + each.facts.name + "]" : command).substr(0, kMostCommandBytes));
}

std::string ageText(uint64_t ms) {
  constexpr struct { uint64_t ms; const char* unit; } kUnits[] = {{86'400'000, " d"}, {3'600'000, " h"}, {60'000, " min"}};
  for (const auto& unit : kUnits) {
    if (ms >= unit.ms) return std::to_string(ms / unit.ms) + unit.unit;
  }
  return std::to_string(ms / 1000) + " s";
}

// A line for each, whose columns stand below each other. A reason is in a line of its own.
void printTable(FILE* to, const std::vector<Candidate>& all) {
  constexpr size_t kMostShown = 100;
  std::vector<std::vector<std::string>> lines{{"pid", "user", "threads", "age", "part", "command"}};
  for (const Candidate& each : all) {
    std::string command = commandOf(each);
    if (command.size() > kMostShown) command = command.substr(0, kMostShown - 3) + "...";
    lines.push_back({std::to_string(each.pid), plain(attach::userName(each.facts.user)), std::to_string(each.facts.threads),
                     ageText(each.ageMs), plain(each.part), command});
  }
  std::vector<size_t> widths(lines[0].size());
  for (const auto& line : lines) {
    for (size_t i = 0; i < line.size(); i++) widths[i] = std::max(widths[i], line[i].size());
  }
  for (size_t row = 0; row < lines.size(); row++) {
    const auto& line = lines[row];
    for (size_t i = 0; i + 1 < line.size(); i++) {
      const bool isNumber = i == 0 || i == 2 || i == 3;
      fprintf(to, "%*s  ", isNumber ? static_cast<int>(widths[i]) : -static_cast<int>(widths[i]), line[i].c_str());
    }
    fprintf(to, "%s\n", line.back().c_str());
    if (row > 0 && !all[row - 1].problem.empty()) fprintf(to, "    not possible: %s\n", plain(all[row - 1].problem).c_str());
  }
}

// For programs: the names of fields in the first line, and all processes, also those that cannot be recorded.
void printFields(const std::vector<Candidate>& all) {
  puts("pid\tparent\tuser\tthreads\tage-ms\tpart\tname\tproblem\tcommand");
  for (const Candidate& each : all) {
    printf("%d\t%d\t%s\t%d\t%llu\t%s\t%s\t%s\t%s\n", each.pid, each.facts.parent,
           plain(attach::userName(each.facts.user)).c_str(), each.facts.threads, static_cast<unsigned long long>(each.ageMs),
           plain(each.part).c_str(), plain(each.facts.name).c_str(), plain(each.problem).c_str(), commandOf(each).c_str());
  }
}

// By the name of the process, or of its program with or without directories.
bool isNamed(const Candidate& each, const std::string& name) {
  if (each.facts.name == name) return true;
  char program[4096];
  const ssize_t length = readlink(pathIn(each.pid, "exe").c_str(), program, sizeof program);
  const std::string path = length > 0 ? std::string(program, static_cast<size_t>(length)) : "";
  const std::string word = each.facts.command.empty() ? "" : each.facts.command[0];
  for (const std::string& file : {path, word}) {
    if (file == name || (!file.empty() && baseName(file) == name)) return true;
  }
  return false;
}

template <typename Condition>
std::vector<Candidate> those(const std::vector<Candidate>& all, Condition condition) {
  std::vector<Candidate> found;
  std::copy_if(all.begin(), all.end(), std::back_inserter(found), condition);
  return found;
}

bool isPossible(const Candidate& each) { return each.problem.empty(); }

}  // namespace

int listCandidates(const Options& options) {
  const std::string agent = findAgent();
  if (agent.empty()) return kFailed;
  const std::vector<Candidate> all = findCandidates(agent);
  if (options.list == ListAs::kFields) {
    printFields(all);
    return 0;
  }
  const std::vector<Candidate> possible = those(all, isPossible);
  printTable(stdout, options.verbose ? all : possible);
  const size_t others = all.size() - possible.size();
  if (others > 0 && !options.verbose && !options.quiet) {
    fflush(stdout);
    say(countText(others, "other process", "es") + " cannot be recorded; see why: " + options.entry + " record --verbose --list");
  }
  return 0;
}

Problem findByName(Options* options) {
  const std::string agent = findAgent();
  if (agent.empty()) return {kFailed, ""};
  const std::string& name = options->attachName;
  const std::vector<Candidate> all = findCandidates(agent);
  const std::vector<Candidate> named = those(all, [&](const Candidate& each) { return isNamed(each, name); });
  const std::vector<Candidate> possible = those(named, isPossible);
  const std::vector<Candidate>& chosen = possible.empty() ? named : possible;
  if (chosen.size() == 1) {
    options->attach = {chosen[0].pid};
    return {};
  }
  if (named.empty()) {
    const std::vector<Candidate> similar =
        those(all, [&](const Candidate& each) { return commandOf(each).find(name) != std::string::npos; });
    if (!similar.empty()) printTable(stderr, similar);
    return {kFailed, "cannot attach: no process is called " + plain(name) +
                         (similar.empty() ? "; see those that run: " + options->entry + " record --list"
                                          : "; the ones above have it in their command, name one by its number")};
  }
  printTable(stderr, chosen);
  std::string numbers;
  for (const Candidate& each : chosen) numbers += (numbers.empty() ? "" : ",") + std::to_string(each.pid);
  return {kFailed, "cannot attach: " + countText(chosen.size(), "process", "es") + " are called " + plain(name) +
                       "; name one by its number, or several: --attach " + numbers};
}

}  // namespace parallax::record
