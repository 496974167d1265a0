// parallax-symbols DIR: resolves the addresses of a trace.

#include <inttypes.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include <chrono>

#include "format/writer.h"
#include "tools/symbols_resolve.h"

namespace {

using namespace parallax::symbols;
using parallax::format::SymbolModule;

constexpr char kUsage[] =
    "usage: parallax-symbols [--quiet|--verbose] [--debug-directory DIR]... TRACE\n"
    "Finds the function, file and line of each address in a trace directory, including inlined calls, and\n"
    "writes them to the file `symbols` in that directory. It can be run again at any time, for example\n"
    "after debug packages were installed.\n"
    "  --debug-directory DIR  a directory with separate debug information (default: /usr/lib/debug)\n"
    "  --verbose              print what was found in each module, and the time it took\n"
    "  --quiet                print errors only\n"
    "\n"
    "examples:\n"
    "  parallax-symbols my.trace\n"
    "  parallax-symbols --verbose --debug-directory /opt/debug my.trace\n";

// Held while names are found for a trace. The recorder and Eclipse may do it at the same time: whoever writes last has then read
// the trace last. Where a file system has no locks, all go on.
class TraceLock {
 public:
  explicit TraceLock(const std::string& directory) : fd_(open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    if (fd_ >= 0) flock(fd_, LOCK_EX);
  }
  ~TraceLock() {
    if (fd_ >= 0) close(fd_);
  }
  TraceLock(const TraceLock&) = delete;
  TraceLock& operator=(const TraceLock&) = delete;

 private:
  const int fd_;
};

size_t resolvedCount(const SymbolModule& module) {
  size_t count = 0;
  for (const auto& address : module.addresses) count += address.frames.empty() ? 0 : 1;
  return count;
}

void printModule(const SymbolModule& module, const ModuleStatistics& statistics) {
  printf("%s: %zu of %zu addresses in %.1f ms%s%s%s%s\n", module.path.c_str(),
         resolvedCount(module), module.addresses.size(),
         static_cast<double>(statistics.elapsedNs) / 1e6,
         statistics.debugFile.empty() ? "" : ", with ", statistics.debugFile.c_str(),
         module.reason.empty() ? "" : "; others: ", module.reason.c_str());
}

int run(const std::string& directory, const ResolveOptions& options, int verbosity) {
  const auto start = std::chrono::steady_clock::now();
  const TraceLock lock(directory);
  Collected collected;
  std::string error = collect(directory, &collected);
  if (!error.empty()) {
    fprintf(stderr, "parallax-symbols: %s\n", error.c_str());
    return 1;
  }
  for (const std::string& warning : collected.warnings) {
    fprintf(stderr, "parallax-symbols: warning: %s\n", warning.c_str());
  }
  std::vector<ModuleStatistics> statistics;
  const std::vector<SymbolModule> modules = resolveModules(collected.modules, options, &statistics);
  error = parallax::format::replaceFile(directory + "/symbols",
                                        parallax::format::formatSymbols(modules));
  if (!error.empty()) {
    fprintf(stderr, "parallax-symbols: %s\n", error.c_str());
    return 1;
  }
  size_t addresses = 0, resolved = 0;
  for (size_t i = 0; i < modules.size(); i++) {
    if (!statistics[i].failure.empty()) {
      fprintf(stderr,
              "parallax-symbols: warning: the debug information of %s is damaged (reading it ended "
              "with: %s); its symbol table was used instead\n",
              modules[i].path.c_str(), statistics[i].failure.c_str());
    }
    if (verbosity > 1 && !modules[i].addresses.empty()) printModule(modules[i], statistics[i]);
    addresses += modules[i].addresses.size();
    resolved += resolvedCount(modules[i]);
  }
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  if (verbosity > 1) {
    printf("%zu modules, %zu of %zu addresses resolved, %" PRIu64 " outside modules, "
           "%.0f addresses/s\n",
           modules.size(), resolved, addresses, collected.outsideModules,
           static_cast<double>(addresses) / elapsed.count());
  } else if (verbosity > 0) {
    printf("%zu of %zu addresses resolved\n", resolved, addresses);
  }
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  std::string directory;
  ResolveOptions options;
  std::vector<std::string> debugDirectories;
  int verbosity = 1;
  for (int i = 1; i < count; i++) {
    const char* argument = arguments[i];
    if (strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0) {
      fputs(kUsage, stdout);
      return 0;
    }
    if (strcmp(argument, "--verbose") == 0) {
      verbosity = 2;
    } else if (strcmp(argument, "--quiet") == 0) {
      verbosity = 0;
    } else if (strcmp(argument, "--debug-directory") == 0 && i + 1 < count) {
      debugDirectories.push_back(arguments[++i]);
    } else if (argument[0] == '-' || !directory.empty()) {
      fprintf(stderr, "parallax-symbols: unexpected argument %s\n%s", argument, kUsage);
      return 2;
    } else {
      directory = argument;
    }
  }
  if (directory.empty()) {
    fputs(kUsage, stderr);
    return 2;
  }
  if (!debugDirectories.empty()) options.debugDirectories = std::move(debugDirectories);
  return run(directory, options, verbosity);
}
