// parallax-record: runs a command under the agent.

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "base/machine_facts.h"
#include "base/perf_event.h"
#include "core/clock.h"
#include "core/outcomes.h"
#include "tools/record.h"
#include "transport/async_ring.h"
#include "transport/transport_mode.h"

namespace parallax::record {
namespace {

bool exists(const std::string& path) { return access(path.c_str(), F_OK) == 0; }

std::string defaultDirectory(const std::vector<std::string>& command) {
  std::string name = baseName(command[0]);
  for (char& c : name) {
    if (isalnum(static_cast<unsigned char>(c)) == 0 && strchr("._-", c) == nullptr) c = '_';
  }
  const time_t now = time(nullptr);
  tm parts;
  localtime_r(&now, &parts);
  char text[32];
  strftime(text, sizeof text, "%Y%m%d-%H%M%S", &parts);
  return "parallax-" + name + "-" + text;
}

// The last one, which must not exist, is for this user alone.
int makeDirectories(std::string path) {
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  for (size_t slash = path.find('/', 1); slash != std::string::npos;
       slash = path.find('/', slash + 1)) {
    if (mkdir(path.substr(0, slash).c_str(), 0777) != 0 && errno != EEXIST) return errno;
  }
  return mkdir(path.c_str(), 0700) != 0 ? errno : 0;
}

bool isOutcomes(const std::string& name) {
  constexpr char kEnding[] = ".outcomes";
  constexpr size_t kLength = sizeof kEnding - 1;
  return name.size() > kLength && name.compare(name.size() - kLength, kLength, kEnding) == 0;
}

bool isManifest(const std::string& path) {
  constexpr char kBegin[] = "parallax-trace";
  char text[sizeof kBegin] = "";
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  const ssize_t got = read(fd, text, sizeof kBegin - 1);
  close(fd);
  return got > 0 && strcmp(text, kBegin) == 0;
}

// Whether a new trace may be written there: nothing is in it, or what a run leaves that recorded
// no process.
bool makeFree(const std::string& directory) {
  DIR* entries = opendir(directory.c_str());
  if (entries == nullptr) return true;  // to be told by writing to it
  bool free = true;
  while (const dirent* entry = readdir(entries)) {
    const std::string name = entry->d_name;
    if (name == "." || name == "..") continue;
    if (isOutcomes(name)) continue;
    free = free && name == "manifest" && isManifest(directory + "/" + name);
  }
  if (free) {  // they are of a run that has recorded no process
    rewinddir(entries);
    while (const dirent* entry = readdir(entries)) {
      if (isOutcomes(entry->d_name)) unlink((directory + "/" + entry->d_name).c_str());
    }
  }
  closedir(entries);
  return free;
}

// Returns the absolute path of the new trace directory, or an empty string.
std::string makeTraceDirectory(const Options& options) {
  std::string path = options.directory;
  if (path.empty()) {
    const std::string first = defaultDirectory(options.command);
    path = first;
    for (int i = 2; exists(path); i++) path = first + "-" + std::to_string(i);
  }
  auto fail = [&](const std::string& why) {
    say("cannot write a trace to " + path + ": " + why);
    return std::string();
  };
  struct stat status;
  if (stat(path.c_str(), &status) == 0) {
    if (!S_ISDIR(status.st_mode)) {
      return fail("it exists and is not a directory; choose another name with -o");
    }
    if (status.st_uid != geteuid()) {
      return fail("the directory belongs to another user, who could read or change the trace; "
          "choose another directory with -o");
    }
    if (!makeFree(path)) {
      return fail("the directory is not empty; remove it, or choose another directory with -o");
    }
  } else if (const int error = makeDirectories(path)) {
    return fail(std::string(strerror(error)) + "; choose a directory that you may write with -o");
  }
  char resolved[PATH_MAX];
  if (realpath(path.c_str(), resolved) == nullptr) return fail(strerror(errno));
  if (access(resolved, W_OK | X_OK) != 0) {
    return fail(std::string(strerror(errno)) + "; choose a directory that you may write with -o");
  }
  return resolved;
}

// Of a run that recorded nothing: its manifest alone.
void removeEmpty(const std::string& directory) {
  unlink((directory + "/manifest").c_str());
  rmdir(directory.c_str());
}

// How many files of the directory have this ending.
int countFiles(const std::string& directory, const std::string& ending) {
  DIR* entries = opendir(directory.c_str());
  if (entries == nullptr) return 0;
  int count = 0;
  while (const dirent* entry = readdir(entries)) {
    const size_t length = strlen(entry->d_name);
    if (length > ending.size() && entry->d_name + length - ending.size() == ending) count++;
  }
  closedir(entries);
  return count;
}

// The programs that could not be recorded, as the trace tells; empty when there are none.
std::string unrecordedPrograms(const std::string& directory) {
  constexpr size_t kMost = 3;
  std::string text;
  size_t count = 0;
  DIR* entries = opendir(directory.c_str());
  if (entries == nullptr) return text;
  while (const dirent* entry = readdir(entries)) {
    if (!isOutcomes(entry->d_name)) continue;
    std::ifstream file(directory + "/" + entry->d_name);
    for (std::string kind, reason, path; std::getline(file, kind);) {
      std::istringstream line(kind);
      if (!std::getline(line, kind, '\t') || kind != "unrecorded" ||
          !std::getline(line, reason, '\t') || !std::getline(line, path)) {
        continue;
      }
      if (count++ < kMost) text += (text.empty() ? "" : ", ") + path + " " + reasonOfWord(reason.c_str());
    }
  }
  closedir(entries);
  return count > kMost ? text + " and " + std::to_string(count - kMost) + " more" : text;
}

void tellNothingRecorded(const Options& options, const std::string& directory, int status) {
  const std::string unrecorded = unrecordedPrograms(directory);
  if (!unrecorded.empty()) {
    say("no process was recorded, the trace is empty; the agent cannot be loaded into these programs: " +
        unrecorded + "; record programs that are linked dynamically with glibc and not setuid");
    return;
  }
  say("no process was recorded, the trace is empty; likely causes: " +
      std::string(status != 0 ? "the command failed before it started a program, " : "") +
      "the program runs on other machines or in a container without LD_PRELOAD and PARALLAX_TRACE, "
      "the program is statically linked or setuid, the program runs as another user without write "
      "permission for the trace (run parallax record as that user), or " +
      baseName(options.command[0]) +
      " only starts shells and launchers; try the program itself: parallax record -- PROGRAM");
}

void writeSymbols(const Options& options, const std::string& directory) {
  const std::string tool = ownDirectory() + "/parallax-symbols";
  if (!exists(tool)) {
    if (options.verbose) say("parallax-symbols is not installed: addresses are not resolved");
    return;
  }
  if (const int status = runTool(tool, directory, options.verbose)) {
    say("parallax-symbols failed (status " + std::to_string(status) +
        "), addresses are shown without names; to see why: " + tool + " " + directory);
  }
}

// Starts what is to run beside the program.
void startMonitors(const Options& options, Monitors* monitors) {
  if (!options.monitorHz.empty()) {
    const std::string tool = ownDirectory() + "/parallax-monitor";
    monitors->start({tool, "--hz", options.monitorHz}, tool, true);
  }
  for (const std::string& command : options.externals) {
    monitors->start({"/bin/sh", "-c", command}, command, false);
  }
}

uint64_t nowNs() { return readClockNs(CLOCK_MONOTONIC); }

// In a process of its own, which a filter of system calls may end.
bool ringWorks() {
  const pid_t child = fork();
  if (child == 0) {
    const int file = memfd_create("parallax", MFD_CLOEXEC);
    _exit(file >= 0 && AsyncRing::works(file) ? 0 : 1);
  }
  int status = 1;
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return child > 0 && status == 0;
}

// What the agent needs in any case; false when it cannot be had, which is told.
bool prepare(const Options& options, Environment* environment) {
  environment->sampleHz = options.sampleHz;
  environment->settings = options.settings;
  environment->times = options.times;
  environment->endAll = options.endAll;
  TransportMode mode;
  if (!options.transport.empty()) parseTransport(options.transport, &mode);
  return prepareAgent(mode.isAsync() && ringWorks() ? std::string(1, machine::kRing) : "", environment);
}

// By limits that only the threads themselves can keep.
bool mustBeMapped(const Options& options) {
  return std::any_of(options.limits.begin(), options.limits.end(), [](const auto& limit) {
    return limit.first == "max-process-size" || limit.first == kKeepLastName;
  });
}

// False when the one that is asked for cannot be used, which is told.
bool chooseTransport(const Options& options, const std::string& directory, Environment* environment, TransportWriter* writer,
                     std::string* name) {
  *name = options.transport.empty() && !mustBeMapped(options) ? usualTransport(directory) : options.transport;
  const std::string problem = name->empty() ? "" : writer->start(*name, options.drops, !options.quiet, environment);
  if (!options.transport.empty()) {
    if (!problem.empty()) say("cannot use --transport " + *name + ": " + problem);
    return problem.empty();
  }
  if (!problem.empty() || name->empty()) *name = "mapped";
  // Without a transport, the agent uses the writer where there is one, and says nothing where there is none (other
  // hosts). Those of a recorder around this one are not for the command.
  for (const char* variable : {"PARALLAX_TRANSPORT", "PARALLAX_RINGS"}) {
    const auto& settings = environment->settings;
    const bool isSet = std::any_of(settings.begin(), settings.end(), [&](const auto& each) { return each.first == variable; });
    if (getenv(variable) != nullptr && !isSet) environment->settings.emplace_back(variable, "");
  }
  return true;
}

// Whether there are enough for the recorder and its helpers; if not, it is told.
bool hasDescriptors() {
  constexpr rlim_t kLeast = 16;
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= kLeast) return true;
  say("the limit of open files (ulimit -n) is " + std::to_string(limit.rlim_cur) + ", and recording needs " +
      std::to_string(kLeast) + "; raise it");
  return false;
}

int record(Options options) {
  if (options.list != ListAs::kNone) return listCandidates(options);
  if (options.detach != 0) return detachFrom(options.detach);
  const Problem problem = options.attaches() ? findAttachProblem(&options) : findProblem(options.command);
  if (problem.status != 0) {
    if (!problem.message.empty()) say(problem.message);
    return problem.status;
  }
  Environment environment;
  if (!options.agent) {
    environment.times = options.times;
    environment.endAll = options.endAll;
    return runCommand(options.command, environment);
  }
  if (!prepare(options, &environment)) return kFailed;
  if (!options.trace) return runCommand(options.command, environment);
  if (!hasDescriptors()) return kFailed;
  const std::string directory = makeTraceDirectory(options);
  if (directory.empty()) return kFailed;
  environment.traceDirectory = directory;
  if (options.attaches()) {
    const std::string wrong = giveTraceToUser(options.attach[0], directory);
    if (!wrong.empty()) {
      removeEmpty(directory);
      say("cannot attach: " + wrong);
      return kFailed;
    }
  }
  const std::string space = findSpaceProblem(options, directory, &environment.settings);
  if (!space.empty()) {
    say("cannot write a trace to " + directory + ": " + space);
    return kFailed;
  }

  Manifest manifest;
  utsname names{};
  uname(&names);
  char workingDirectory[PATH_MAX] = "";
  if (getcwd(workingDirectory, sizeof workingDirectory) == nullptr) workingDirectory[0] = '\0';
  manifest.run = randomRun();
  manifest.created = isoTime();
  manifest.host = names.nodename;
  manifest.directory = workingDirectory;
  manifest.command = quotedForShell(options.command);
  manifest.sampleHz = options.sampleHz;
  manifest.control = options.control;
  TransportWriter writer;
  if (!chooseTransport(options, directory, &environment, &writer, &manifest.transport)) return kFailed;
  TransportMode mode;
  if (parseTransport(manifest.transport, &mode) && mode.hasWriter()) manifest.whenFull = options.drops ? "drop" : "wait";
  manifest.limits = options.limits;
  manifest.tickHz = environment.tickHz;
  if (options.calibrate) manifest.costs = calibrate(ownDirectory() + "/parallax-calibrate", directory, environment);
  if (const int error = replaceManifest(directory, manifest)) {
    say("cannot write " + directory + "/manifest: " + strerror(error) +
        "; choose a directory with space that you may write with -o");
    return kFailed;
  }
  if (options.verbose && options.calibrate && manifest.costs.empty()) {
    say("the costs of measuring could not be calibrated; parallax report intrusion uses typical ones");
  }
  if (options.verbose) {
    say("agent " + environment.agent + ", " + std::to_string(environment.tickHz) +
        " ticks/s, trace in " + directory);
  }

  // The first perf event of a machine waits for an RCU grace period, some 20 ms. One is held here
  // while the program runs, so that none of its threads waits.
  sys::openPerfEvent(sys::taskClock());

  Monitors monitors(directory);
  startMonitors(options, &monitors);
  const uint64_t startNs = nowNs();
  const int status =
      options.attaches() ? recordRunning(options, environment) : runCommand(options.command, environment);
  manifest.elapsedNs = nowNs() - startNs;
  if (const std::string problem = writer.finish(options); !problem.empty()) say(problem);
  monitors.end();
  if (writer.isLeft()) return status;  // what there is now is no whole trace
  manifest.ended = isoTime();
  manifest.exitStatus = status;

  const int processes = countFiles(directory, ".def");
  manifest.processes = processes;
  manifest.eventFiles = countFiles(directory, ".evt");
  if (processes > 0) {
    writeSymbols(options, directory);
  } else {
    monitors.discard();
  }
  if (const int error = replaceManifest(directory, manifest)) {
    say("cannot complete " + directory + "/manifest: " + strerror(error) +
        "; the trace can be read but counts as unfinished");
  }
  const std::string losses = lossesOf(directory, options);
  if (!losses.empty()) say("the trace is incomplete: " + losses);
  useFilesAsOneself();
  if (processes == 0 && options.attaches()) {
    removeEmpty(directory);  // what went wrong has been told
  } else if (processes == 0) {
    tellNothingRecorded(options, directory, status);
  } else if (!options.quiet) {
    const std::string counted = std::to_string(processes) + (processes == 1 ? " process" : " processes");
    const std::string& shown = options.directory.empty() ? baseName(directory) : options.directory;
    if (mode.isDiscarded()) {
      char seconds[32];
      snprintf(seconds, sizeof seconds, "%.3f", static_cast<double>(manifest.elapsedNs) / 1e9);
      say("no event of " + counted + " was kept (--transport discard); the run took " + seconds +
          " s; compare this time with that of the command alone");
    } else {
      say("trace of " + counted + " in " + shown + "; next: " +
          quotedForShell({options.entry, "report", "critical-path", shown}));
    }
  }
  return status;
}

}  // namespace
}  // namespace parallax::record

int main(int count, char** arguments) {
  parallax::record::Options options;
  const int status = parallax::record::parseOptions(count, arguments, &options);
  return status >= 0 ? status : parallax::record::record(options);
}
