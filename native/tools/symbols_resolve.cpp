#include "tools/symbols_resolve.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <optional>
#include <thread>

#include "tools/symbols_dwarf.h"
#include "tools/symbols_files.h"
#include "tools/symbols_table.h"
#include "tools/symbols_unwind.h"

namespace parallax::symbols {

using format::formatSymbols;
using format::parseSymbols;
using format::SymbolAddress;
using format::SymbolFrame;
using format::SymbolModule;

namespace {

constexpr rlim_t kMostDataBytes = rlim_t{8} << 30;
constexpr rlim_t kMostCpuSeconds = 600;

uint64_t nowNs() {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(now.tv_nsec);
}

// One module being resolved by a process of its own.
struct Job {
  size_t module = 0;
  bool useDebugInformation = true;
  pid_t pid = -1;
  int descriptor = -1;
  std::string failure;  // of an earlier attempt
  std::string text;     // what it has sent: the statistics in one line, then a symbols file
};

void bound(int resource, rlim_t most) {
  struct rlimit limit;
  if (getrlimit(resource, &limit) != 0) return;
  limit.rlim_cur = std::min(limit.rlim_max, most);
  setrlimit(resource, &limit);
}

[[noreturn]] void runChild(int output, const ModuleAddresses& addresses, ResolveOptions options) {
#if !defined(__SANITIZE_ADDRESS__)  // which reserves far more than it uses
  bound(RLIMIT_DATA, kMostDataBytes);
#endif
  bound(RLIMIT_CPU, kMostCpuSeconds);
  bound(RLIMIT_CORE, 0);
  ModuleStatistics statistics;
  const SymbolModule module = resolveModule(0, addresses, options, &statistics);
  std::string text = std::to_string(statistics.elapsedNs) + " " + statistics.debugFile + "\n";
  text += formatSymbols({module});
  const char* p = text.data();
  size_t left = text.size();
  while (left > 0) {
    const ssize_t written = write(output, p, left);
    if (written < 0 && errno != EINTR) _exit(1);
    if (written > 0) p += written, left -= static_cast<size_t>(written);
  }
  _exit(0);
}

bool start(Job* job, const ModuleAddresses& addresses, ResolveOptions options) {
  int ends[2];
  if (pipe(ends) != 0) return false;
  options.useDebugInformation = job->useDebugInformation;
  job->text.clear();
  fflush(nullptr);
  job->pid = fork();
  if (job->pid == 0) {
    close(ends[0]);
    runChild(ends[1], addresses, std::move(options));
  }
  close(ends[1]);
  job->descriptor = ends[0];
  if (job->pid > 0) return true;
  close(ends[0]);
  return false;
}

// Returns whether there is more to come.
bool receive(Job* job) {
  char buffer[65536];
  const ssize_t size = read(job->descriptor, buffer, sizeof buffer);
  if (size > 0) job->text.append(buffer, static_cast<size_t>(size));
  return size > 0 || (size < 0 && errno == EINTR);
}

// Reaps the process; an empty reason means that `module` and `statistics` hold its result.
std::string finish(Job* job, SymbolModule* module, ModuleStatistics* statistics) {
  close(job->descriptor);
  int status = 0;
  while (waitpid(job->pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status)) return std::string(strsignal(WTERMSIG(status)));
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) return "failed";
  const size_t line = job->text.find('\n');
  std::vector<SymbolModule> parsed;
  if (line == std::string::npos ||
      !parseSymbols(std::string_view(job->text).substr(line + 1), &parsed).empty() ||
      parsed.size() != 1) {
    return "no result";
  }
  *module = std::move(parsed[0]);
  statistics->elapsedNs = strtoull(job->text.c_str(), nullptr, 10);
  statistics->debugFile = job->text.substr(job->text.find(' ') + 1, line - job->text.find(' ') - 1);
  return {};
}

SymbolModule unresolved(const ModuleAddresses& addresses, const std::string& reason) {
  SymbolModule module;
  module.buildId = addresses.buildId;
  module.path = addresses.path;
  module.reason = reason;
  for (const uint64_t offset : addresses.offsets) module.addresses.push_back({offset, {}});
  return module;
}

}  // namespace

SymbolModule resolveModule(uint32_t number, const ModuleAddresses& addresses,
                           const ResolveOptions& options, ModuleStatistics* statistics) {
  const uint64_t startNs = nowNs();
  ModuleFiles files = findModuleFiles(addresses.path, addresses.buildId, options.debugDirectories);
  SymbolModule module = unresolved(addresses, files.reason);
  module.number = number;
  SymbolTable table;
  std::optional<DwarfIndex> index;
  for (ElfFile* file : {files.debug.get(), files.program.get()}) {
    if (file == nullptr) continue;
    table.add(*file, false);
    if (options.useDebugInformation && !index && file->dwarf() != nullptr) {
      index.emplace(file->dwarf());
    }
  }
  const bool onlyExported = table.empty();
  if (files.program != nullptr) {
    if (onlyExported) table.add(*files.program, true);
    table.addStubs(*files.program);
  }
  table.finish();
  if (files.debug != nullptr) statistics->debugFile = files.debug->path();

  size_t unresolvedCount = 0;
  std::optional<FunctionRanges> ranges;
  for (SymbolAddress& address : module.addresses) {
    if (index) address.frames = index->find(address.offset);
    if (!address.frames.empty()) {
      std::string& function = address.frames.back().function;
      function = table.bestOf(address.offset, function);
    }
    if (address.frames.empty() || address.frames.back().function.empty()) {
      const std::string name = table.find(address.offset);
      if (name.empty()) {
        address.frames.clear();
        unresolvedCount++;
        if (files.program != nullptr) {
          if (!ranges) ranges.emplace(*files.program);
          address.functionStart = ranges->startAt(address.offset);
        }
        continue;
      }
      if (address.frames.empty()) address.frames.emplace_back();
      for (SymbolFrame& frame : address.frames) {
        if (frame.function.empty()) frame.function = name;
      }
    }
  }
  if (unresolvedCount == 0) {
    module.reason.clear();
  } else if (module.reason.empty() || files.debug != nullptr) {
    module.reason = table.empty() && !index ? "the file has no symbols"
                    : onlyExported && !index
                        ? "the file is stripped: only its exported functions are known"
                        : "no function contains the address";
  }
  statistics->elapsedNs = nowNs() - startNs;
  return module;
}

std::vector<SymbolModule> resolveModules(const std::vector<ModuleAddresses>& modules,
                                         const ResolveOptions& options,
                                         std::vector<ModuleStatistics>* statistics) {
  statistics->assign(modules.size(), {});
  std::vector<SymbolModule> results(modules.size());
  // The largest first, so that none is left over for the end.
  std::vector<Job> waiting;
  for (size_t i = 0; i < modules.size(); i++) {
    if (modules[i].offsets.empty()) {  // most libraries of a program, and nothing to look up
      results[i] = unresolved(modules[i], "");
      continue;
    }
    Job job;
    job.module = i;
    job.useDebugInformation = options.useDebugInformation;
    waiting.push_back(std::move(job));
  }
  std::stable_sort(waiting.begin(), waiting.end(), [&modules](const Job& a, const Job& b) {
    return modules[a.module].offsets.size() < modules[b.module].offsets.size();
  });
  const size_t mostRunning = std::max(1u, std::thread::hardware_concurrency());
  std::vector<Job> running;
  while (!waiting.empty() || !running.empty()) {
    while (!waiting.empty() && running.size() < mostRunning) {
      Job job = std::move(waiting.back());
      waiting.pop_back();
      if (start(&job, modules[job.module], options)) {
        running.push_back(std::move(job));
      } else {
        results[job.module] = unresolved(modules[job.module],
                                         std::string("cannot start a process: ") + strerror(errno));
      }
    }
    std::vector<struct pollfd> events;
    for (const Job& job : running) events.push_back({job.descriptor, POLLIN, 0});
    if (poll(events.data(), events.size(), -1) < 0) continue;
    for (size_t i = running.size(); i-- > 0;) {
      Job& job = running[i];
      if (events[i].revents == 0 || receive(&job)) continue;
      const std::string failure = finish(&job, &results[job.module], &(*statistics)[job.module]);
      if (!failure.empty() && job.useDebugInformation) {
        job.useDebugInformation = false;
        job.failure = failure;
        waiting.push_back(job);
      } else if (!failure.empty()) {
        results[job.module] = unresolved(
            modules[job.module], "its symbols are damaged: reading them ended with " + failure);
      }
      (*statistics)[job.module].failure = job.failure;
      running.erase(running.begin() + static_cast<ptrdiff_t>(i));
    }
  }
  for (size_t i = 0; i < results.size(); i++) results[i].number = static_cast<uint32_t>(i);
  return results;
}

}  // namespace parallax::symbols
