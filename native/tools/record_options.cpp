#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "core/adapters.h"
#include "core/filter_rules.h"
#include "core/routine_sets.h"
#include "core/throttle.h"
#include "perturb/plan.h"
#include "tools/record.h"
#include "transport/transport_mode.h"

namespace parallax::record {
namespace {

constexpr uint32_t kMostSampleHz = 10000;
constexpr double kLeastMonitorHz = 0.001, kMostMonitorHz = 1000;

constexpr char kHelp[] =
    "usage: parallax record [OPTIONS] [--] COMMAND [ARGUMENTS]\n"
    "       parallax record [OPTIONS] --attach PID[,PID...]|NAME\n"
    "       parallax record --detach PID\n"
    "\n"
    "Runs COMMAND and writes a trace of each program that it starts. MPI calls, threads and locks are\n"
    "recorded exactly, everything else by samples. The output and the exit status are those of COMMAND.\n"
    "\n"
    "  -o DIR            the trace directory (default: parallax-PROGRAM-TIME in the current directory)\n"
    "  --quiet           print no closing line; errors are still printed\n"
    "  --verbose         print each step\n"
    "  --times FILE      write the elapsed time of COMMAND and the processor time of all processes that\n"
    "                    were waited for to FILE, in ns\n"
    "  --end-all         end all processes that COMMAND leaves behind, such as daemons; the exit status is\n"
    "                    then 1\n"
    "  --perturb PLAN    apply the delays and other treatments that the file PLAN names, and count them;\n"
    "                    `parallax perturb run` makes such files and compares the runs\n"
    "  --no-trace        apply the treatments only, and record nothing\n"
    "  --dilation N      run COMMAND N times with and N times without the agent, in turn, and compare the\n"
    "                    times with the estimate of parallax report intrusion; keeps the last trace.\n"
    "                    --format text|csv|json and --confidence PERCENT are options of the table\n"
    "  --no-agent        run COMMAND as it is, for --times\n"
    "  --no-calibration  do not measure the costs of events and samples before COMMAND starts, which takes\n"
    "                    some 0.1 s; parallax report intrusion then uses typical costs\n"
    "  --help, --version\n"
    "\n"
    "programs that run already (docs/attaching.md)\n"
    "  --attach PID      record the process PID from now on, until it ends or Ctrl-C ends the recording; the\n"
    "                    program goes on as before. Several are separated by commas, such as the ranks of an\n"
    "                    MPI program, and get one trace. A name stands for the one process that has it\n"
    "  --list[=HOW]      list the processes that can be recorded, with --verbose all and the reasons why not;\n"
    "                    HOW is table (default), or tsv with all fields for programs\n"
    "  --for TIME        the same for this time, such as 30s, 5m or 1h\n"
    "  --detach PID      end the recording of PID, and its recorder\n"
    "\n"
    "limits\n"
    "  --control[=HOW]   let `parallax control TRACE pause` pause the recording of all processes; HOW is how it\n"
    "                    begins: running (default) or paused\n"
    "  --max-rate SIZE   pause the recording of a process that writes more than this in a second, for the\n"
    "                    rest of the second; at least 1M\n"
    "  --keep-last TIME  keep only the last seconds of each thread's events, such as 30s or 5m, and give back the\n"
    "                    space of earlier ones while COMMAND runs; at least 0.1s, needs --transport mapped\n"
    "\n"
    "disk space\n"
    "  --keep-free SIZE  stop recording, but not the program, when the file system has less free space\n"
    "                    than this: bytes, a size such as 500M or 2G, or a share such as 10%; 0 for no\n"
    "                    reserve (default: 5%, at most 1G)\n"
    "  --max-size SIZE   stop recording when the trace reaches this size, on each machine\n"
    "  --max-process-size SIZE\n"
    "                    stop recording a process when its files reach this size\n"
    "\n"
    "intrusion (docs/transports.md)\n"
    "  --transport MODE  how events get to the disk (default: mapped; shared on file servers)\n"
    "                    mapped         blocks of a mapped file; a kill loses no event\n"
    "                    unbuffered     each event is written to the file at once\n"
    "                    buffered:SIZE  private buffers, such as 64K or 1M for each thread, written when full;\n"
    "                                   a kill or crash loses what they hold\n"
    "                    async:SIZE     two such buffers: one is filled while another thread writes the other\n"
    "                    shared         rings in shared memory, written by one process; a kill loses no event\n"
    "                    writer         private buffers of 64 KiB, sent to one process that writes them; a kill\n"
    "                                   loses what they hold\n"
    "                    collector      the same by TCP, one buffer at a time\n"
    "                    discard        no event is kept; to measure what the events themselves cost\n"
    "  --when-full W     what a thread does when the process that writes is behind: wait (default), or drop\n"
    "                    events and count them\n"
    "\n"
    "samples\n"
    "  --sample-hz N     samples per second in each thread, at most 10000; 0 for none (default: 100).\n"
    "                    A rate above the kernel's tick (100 to 1000) needs perf events.\n"
    "  --sample-clock C  what a sample stands for: cpu (default) or wall. With wall, sleeps are also\n"
    "                    measured as routines. Waits for other threads and processes always are.\n"
    "\n"
    "monitors of the machine (docs/external-data.md)\n"
    "  --monitor[=HZ]    record load, memory, paging, disks and network of this machine, HZ times per\n"
    "                    second (default: 10)\n"
    "  --external CMD    record the output of the shell command CMD, a series from any other monitor, such\n"
    "                    as './sensors.sh' or 'cat fifo'; can be given several times\n"
    "\n"
    "several machines (docs/activity-graph.md)\n"
    "  --clock-offsets   measure in MPI_Init and before MPI_Finalize how far the clocks of the hosts of an MPI\n"
    "                    program are apart. All its processes must be recorded, or MPI_Init waits for ever\n"
    "\n"
    "intercepted routines\n"
    "  --adapters LIST   record only these adapters, separated by commas: mpi, pthread, process, stream,\n"
    "                    file, openmp, pvm, user; or all except those after a - (default: all)\n"
    "  --count LIST      only count the calls of these routines, which costs almost nothing. LIST has\n"
    "                    names, globs such as 'MPI_Win_*', adapters and groups, separated by commas; the\n"
    "                    groups are mpi-local, mpi-type, mpi-topology, mpi-group (counted by default),\n"
    "                    mpi-test, mpi-rma, mpi-io, lock, condition, barrier, semaphore\n"
    "  --flat LIST       measure the time of these routines without their call paths\n"
    "  --full LIST       measure the time of these routines with their call paths\n"
    "                    The most specific entry wins: a name, then a glob, a group, an adapter.\n"
    "\n"
    "functions compiled with parallax-cc and similar commands\n"
    "  --filter FILE     measure only the functions that FILE selects, with lines such as\n"
    "                    `exclude function GLOB`; make it from a first run with:\n"
    "                    parallax filter TRACE -o FILE\n"
    "  --throttle off|CALLS:NS\n"
    "                    after CALLS calls in a thread with a mean time below NS, only count the calls of\n"
    "                    a function (default: 100000:10000)\n"
    "\n"
    "examples:\n"
    "  parallax record -- mpirun -n 4 ./solver input.dat\n"
    "  parallax record -o before -- ./threads 8\n"
    "  parallax record --sample-hz 1000 --sample-clock wall -- ./job.sh\n"
    "  parallax record --adapters -file,-stream -- ./solver\n"
    "  parallax record --full MPI_Comm_rank --flat mpi-test -- mpirun -n 4 ./solver\n"
    "  parallax record --sample-hz 0 --filter solver.filter -- ./solver\n"
    "  parallax record --dilation 10 -- ./solver\n"
    "  parallax record --transport buffered:64K -- mpirun -n 4 ./solver\n"
    "  parallax record --control=paused -o trace -- ./server\n"
    "  parallax record --keep-last 60s -o trace -- ./server\n"
    "  parallax record --attach 4711 --for 30s -o trace\n"
    "  parallax record --monitor --external ./sensors.sh -- ./solver\n";

// Returns what is wrong with the value, or an empty string.
using Wrong = std::string;

Wrong takeDirectory(const std::string& value, Options* options) {
  options->directory = value;
  return value.empty() ? "needs the name of a directory" : "";
}

Wrong takeSampleHz(const std::string& value, Options* options) {
  uint64_t hz;
  if (parseNumber(value, 10, kMostSampleHz, &hz)) {
    options->sampleHz = static_cast<uint32_t>(hz);
    return "";
  }
  return "takes a number from 0 to 10000, not \"" + value + "\"";
}

Wrong takeSampleClock(const std::string& value, Options* options) {
  options->settings.emplace_back("PARALLAX_SAMPLE_CLOCK", value);
  return value == "cpu" || value == "wall" ? "" : "takes cpu or wall, not \"" + value + "\"";
}

Wrong takeAdapters(const std::string& value, Options* options) {
  uint32_t adapters = 0;
  const std::string_view wrong = parseAdapters(value, &adapters);
  if (!wrong.empty()) {
    std::string names;
    for (const std::string_view name : kAdapterNames) names += ", " + std::string(name);
    return "has an unknown adapter \"" + std::string(wrong) + "\"; the adapters are " +
        names.substr(2);
  }
  options->settings.emplace_back("PARALLAX_ADAPTERS", value);
  return "";
}

// Routines by name or glob, sets of them, adapters; a misspelt set must not pass for a routine.
Wrong routinesProblem(const std::string& value) {
  std::string_view list = value, word;
  bool any = false;
  while (nextWord(list, &word)) {
    any = true;
    bool plain = true;
    for (const char c : word) plain = plain && (isalnum(static_cast<unsigned char>(c)) || c == '_');
    if (plain || routineSet(word) != nullptr) continue;
    if (word.find_first_of("*?") != std::string_view::npos) continue;
    std::string names;
    for (const RoutineSet& set : kRoutineSets) names += ", " + std::string(set.name);
    return "has an unknown group \"" + std::string(word) + "\"; the groups are " + names.substr(2) +
           " and the adapters; routines can also be given by name or glob";
  }
  return any ? "" : "needs a list of routines";
}

template <const char* const& variable>
Wrong takeRoutines(const std::string& value, Options* options) {
  options->settings.emplace_back(variable, value);
  return routinesProblem(value);
}
constexpr const char* const kCount = "PARALLAX_COUNT";
constexpr const char* const kFlat = "PARALLAX_FLAT";
constexpr const char* const kFull = "PARALLAX_FULL";

Wrong takeThrottle(const std::string& value, Options* options) {
  uint64_t calls, ns;
  options->settings.emplace_back("PARALLAX_THROTTLE", value);
  if (parseThrottle(value, &calls, &ns)) return "";
  return "takes off, or CALLS:NS such as 100000:10000, not \"" + value + "\"";
}

Wrong takeFilter(const std::string& value, Options* options) {
  char path[PATH_MAX];
  if (realpath(value.c_str(), path) == nullptr) {
    return "cannot read " + value + ": " + strerror(errno);
  }
  std::ifstream file(path);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!file) return "cannot read " + value;
  if (const size_t line = forEachRule(text, [](const FilterRule&) {})) {
    return "found no rule in line " + std::to_string(line) + " of " + value +
           "; rules are: include|exclude function|file GLOB";
  }
  options->settings.emplace_back("PARALLAX_FILTER", path);
  return "";
}

constexpr char kSizes[] = "a number of bytes or a size such as 500K, 20M or 2G";

// Bytes, or a multiple of 1,024 of them by a K, M, G or T.
bool parseSize(const std::string& text, uint64_t* bytes) {
  char* end;
  if (text.empty() || !isdigit(static_cast<unsigned char>(text[0]))) return false;
  const double number = strtod(text.c_str(), &end);
  constexpr char kUnits[] = "KMGT";
  double unit = 1;
  if (*end != '\0') {
    const char* found = strchr(kUnits, toupper(static_cast<unsigned char>(*end)));
    if (found == nullptr) return false;
    for (const char* u = kUnits; u <= found; u++) unit *= 1024;
    end++;
  }
  constexpr double kMostBytes = 1e18;
  if (*end != '\0' || number * unit > kMostBytes) return false;
  *bytes = static_cast<uint64_t>(number * unit);
  return true;
}

Wrong takeKeepFree(const std::string& value, Options* options) {
  options->keepFree = true;
  if (!value.empty() && value.back() == '%') {
    char* end;
    options->keepFreePercent = strtod(value.c_str(), &end);
    const bool right = isdigit(static_cast<unsigned char>(value[0])) && end[0] == '%' &&
                       end[1] == '\0' && options->keepFreePercent <= 100;
    return right ? "" : "takes a percentage up to 100%, not \"" + value + "\"";
  }
  if (parseSize(value, &options->keepFreeBytes)) return "";
  return "takes " + std::string(kSizes) + ", or a percentage such as 10%, not \"" + value + "\"";
}

void setLimit(const char* name, const std::string& value, uint64_t number, Options* options) {
  std::string variable = "PARALLAX_" + std::string(name);
  for (char& c : variable) c = c == '-' ? '_' : static_cast<char>(toupper(static_cast<unsigned char>(c)));
  options->settings.emplace_back(variable, std::to_string(number));
  auto known = std::find_if(options->limits.begin(), options->limits.end(),
                            [=](const auto& limit) { return limit.first == name; });
  if (known == options->limits.end()) known = options->limits.insert(known, {name, ""});
  known->second = value;
}

// A limit, which the manifest has as the option is named.
template <const char* const& name>
Wrong takeLimit(const std::string& value, Options* options) {
  uint64_t bytes = 0;
  constexpr uint64_t kLeastBytes = 1 << 20;
  if (!parseSize(value, &bytes)) return "takes " + std::string(kSizes) + ", not \"" + value + "\"";
  if (bytes < kLeastBytes) return "takes at least 1M, not \"" + value + "\"";
  setLimit(name, value, bytes, options);
  return "";
}
constexpr const char* const kMaxSize = "max-size";
constexpr const char* const kMaxProcessSize = "max-process-size";
constexpr const char* const kMaxRate = "max-rate";

// Seconds, or minutes or hours with an m or h.
Wrong parseTime(const std::string& value, double* seconds) {
  char* end;
  const bool isNumber = !value.empty() && isdigit(static_cast<unsigned char>(value[0]));
  *seconds = isNumber ? strtod(value.c_str(), &end) : 0;
  const std::string unit = isNumber ? end : "";
  if (unit == "m") *seconds *= 60;
  if (unit == "h") *seconds *= 3600;
  constexpr double kLeastSeconds = 0.1, kMostSeconds = 1e7;
  const bool isUnit = unit.empty() || unit == "s" || unit == "m" || unit == "h";
  if (isUnit && *seconds >= kLeastSeconds && *seconds <= kMostSeconds) return "";
  return "takes a time of 0.1s or more, such as 30s, 5m or 1h, not \"" + value + "\"";
}

// The agent gets milliseconds.
Wrong takeKeepLast(const std::string& value, Options* options) {
  double seconds = 0;
  const Wrong wrong = parseTime(value, &seconds);
  if (!wrong.empty()) return wrong;
  setLimit(kKeepLastName, value, static_cast<uint64_t>(seconds * 1e3 + 0.5), options);
  return "";
}

Wrong takeControl(const std::string& value, Options* options) {
  options->control = value;
  options->settings.emplace_back("PARALLAX_CONTROL", value);
  return value == "running" || value == "paused" ? "" : "takes running or paused after a =, not \"" + value + "\"";
}

Wrong takeTransport(const std::string& value, Options* options) {
  TransportMode mode;
  if (!parseTransport(value, &mode)) {
    return "takes " + std::string(kTransports) + ", not \"" + value + "\"";
  }
  options->transport = value;
  options->settings.emplace_back("PARALLAX_TRANSPORT", value);
  return "";
}

Wrong takeWhenFull(const std::string& value, Options* options) {
  options->drops = value == "drop";
  return value == "wait" || value == "drop" ? "" : "takes wait or drop, not \"" + value + "\"";
}

Wrong takeMonitor(const std::string& value, Options* options) {
  char* end;
  const double hz = strtod(value.c_str(), &end);
  options->monitorHz = value;
  if (*end == '\0' && hz >= kLeastMonitorHz && hz <= kMostMonitorHz) return "";
  return "takes a number from 0.001 to 1000 after a =, not \"" + value + "\"";
}

Wrong takeExternal(const std::string& value, Options* options) {
  options->externals.push_back(value);
  const bool blank = value.find_first_not_of(" \t\n") == std::string::npos;
  return blank ? "needs a command" : "";
}

Wrong takeFor(const std::string& value, Options* options) {
  double seconds = 0;
  const Wrong wrong = parseTime(value, &seconds);
  options->forNs = static_cast<uint64_t>(seconds * 1e9);
  return wrong;
}

// 0 if it is none.
int parseProcess(std::string_view text) {
  uint64_t pid = 0;
  constexpr uint64_t kMost = 1 << 22;
  return parseNumber(text, 10, kMost, &pid) ? static_cast<int>(pid) : 0;
}

Wrong takeDetach(const std::string& value, Options* options) {
  options->detach = parseProcess(value);
  return options->detach != 0 ? "" : "takes the number of a process, not \"" + value + "\"";
}

// Numbers, or one name.
Wrong takeAttach(const std::string& value, Options* options) {
  options->attach.clear();
  options->attachName.clear();
  if (value.find_first_not_of("0123456789,") != std::string::npos && value[0] != '-') {
    options->attachName = value;
    return "";
  }
  std::string_view list = value, word;
  while (nextWord(list, &word)) {
    const int pid = parseProcess(word);
    const bool isKnown = std::find(options->attach.begin(), options->attach.end(), pid) != options->attach.end();
    if (pid == 0) return "takes the number of a process, several with commas, or its name, not \"" + value + "\"";
    if (!isKnown) options->attach.push_back(pid);
  }
  return options->attach.empty() ? "takes the number of a process, several with commas, or its name" : "";
}

Wrong takeList(const std::string& value, Options* options) {
  options->list = value == "tsv" ? ListAs::kFields : ListAs::kTable;
  return value == "table" || value == "tsv" ? "" : "takes table or tsv after a =, not \"" + value + "\"";
}

Wrong takeTimes(const std::string& value, Options* options) {
  options->times = value;
  return value.empty() ? "needs the name of a file" : "";
}

Wrong takePlan(const std::string& value, Options* options) {
  char path[PATH_MAX];
  if (realpath(value.c_str(), path) == nullptr) {
    return "cannot read " + value + ": " + strerror(errno);
  }
  perturb::Plan plan;
  if (const perturb::PlanProblem problem = perturb::readPlan(path, &plan)) {
    const std::string line = problem.line != 0 ? " in line " + std::to_string(problem.line) : "";
    return "cannot use " + value + ", which " + problem.what + line +
           "; plans are made with: parallax perturb run";
  }
  const std::string result = plan.result;
  const size_t slash = result.rfind('/');
  if (result[0] != '/' || access(result.substr(0, slash + 1).c_str(), W_OK | X_OK) != 0) {
    return "cannot use " + value + ": its counts go to " + result +
           ", which is not an absolute path in a directory that you may write to";
  }
  options->perturb = true;
  options->settings.emplace_back("PARALLAX_PERTURB", path);
  return "";
}

struct Option {
  const char* name;
  Wrong (*take)(const std::string& value, Options* options);
  const char* usual = nullptr;  // the value where none stands after a =
};

constexpr Option kOptions[] = {
    {"-o", takeDirectory},
    {"--output", takeDirectory},
    {"--sample-hz", takeSampleHz},
    {"--sample-clock", takeSampleClock},
    {"--adapters", takeAdapters},
    {"--count", takeRoutines<kCount>},
    {"--flat", takeRoutines<kFlat>},
    {"--full", takeRoutines<kFull>},
    {"--filter", takeFilter},
    {"--throttle", takeThrottle},
    {"--keep-free", takeKeepFree},
    {"--max-size", takeLimit<kMaxSize>},
    {"--max-process-size", takeLimit<kMaxProcessSize>},
    {"--max-rate", takeLimit<kMaxRate>},
    {"--keep-last", takeKeepLast},
    {"--control", takeControl, "running"},
    {"--transport", takeTransport},
    {"--when-full", takeWhenFull},
    {"--monitor", takeMonitor, "10"},
    {"--external", takeExternal},
    {"--times", takeTimes},
    {"--attach", takeAttach},
    {"--detach", takeDetach},
    {"--list", takeList, "table"},
    {"--for", takeFor},
    {"--perturb", takePlan},
};

const Option* optionOf(const std::string& name) {
  for (const Option& option : kOptions) {
    if (name == option.name) return &option;
  }
  return nullptr;
}

int wrongUse(const std::string& text) {
  say(text + "; see: parallax record --help");
  return kWrongUse;
}

// With a process that runs already there is nothing to start, and nothing of what only a start can have.
Wrong findAttachMistake(const Options& options) {
  if (!options.command.empty()) return "options --attach and --detach take no program; leave out " + options.command[0];
  if (options.attaches() && options.detach != 0) return "options --attach and --detach do not go together";
  if (options.detach != 0) return options.forNs != 0 ? "option --for needs --attach" : "";
  if (!options.transport.empty() && options.transport != "mapped") {
    return "option --attach needs --transport mapped; leave out --transport " + options.transport;
  }
  if (options.perturb || !options.trace || !options.agent || !options.times.empty() || options.endAll) {
    return "options --perturb, --no-trace, --no-agent, --times and --end-all need a program that is started; leave out --attach";
  }
  return "";
}

}  // namespace

int parseOptions(int count, char** arguments, Options* options) {
  if (baseName(arguments[0]) != "parallax-record") options->entry = arguments[0];
  int at = 1;
  for (; at < count; at++) {
    std::string option = arguments[at];
    if (option == "--") {
      at++;
      break;
    }
    if (option.size() < 2 || option[0] != '-') break;
    std::string value;
    bool hasValue = false;
    const size_t equals = option.find('=');
    if (option.compare(0, 2, "--") == 0 && equals != std::string::npos) {
      value = option.substr(equals + 1);
      option.resize(equals);
      hasValue = true;
    }
    if (option == "--help" || option == "-h") {
      fputs(kHelp, stdout);
      return 0;
    }
    if (option == "--version") {
      puts("parallax record " PARALLAX_VERSION);
      return 0;
    }
    if (option == "--quiet" || option == "--verbose" || option == "--no-trace" ||
        option == "--end-all" || option == "--no-calibration" || option == "--no-agent" ||
        option == "--clock-offsets") {
      if (hasValue) return wrongUse("option " + option + " takes no value");
      if (option == "--no-trace") options->trace = false;
      if (option == "--no-agent") options->agent = false;
      if (option == "--no-calibration") options->calibrate = false;
      if (option == "--end-all") options->endAll = true;
      if (option == "--clock-offsets") options->settings.emplace_back("PARALLAX_CLOCK_OFFSETS", "yes");
      if (option == "--quiet") options->quiet = true;
      if (option == "--verbose") options->verbose = true;
    } else if (const Option* known = optionOf(option)) {
      if (!hasValue && known->usual != nullptr) {
        value = known->usual;
      } else if (!hasValue) {
        if (at + 1 == count && option == "--attach") {  // to choose one
          options->list = ListAs::kTable;
          continue;
        }
        if (at + 1 == count) return wrongUse("option " + option + " needs a value");
        value = arguments[++at];
      }
      const Wrong wrong = known->take(value, options);
      if (!wrong.empty()) return wrongUse("option " + option + " " + wrong);
    } else if (option == "--dilation") {
      return wrongUse("option --dilation compares several runs, which parallax record does and parallax-record alone "
                      "does not");
    } else {
      return wrongUse("unknown option " + option);
    }
  }
  options->command.assign(arguments + at, arguments + count);
  if (options->list != ListAs::kNone) {
    return options->command.empty() ? -1 : wrongUse("option --list takes no program; leave out " + options->command[0]);
  }
  if (options->attaches() || options->detach != 0) {
    const Wrong wrong = findAttachMistake(*options);
    if (!wrong.empty()) return wrongUse(wrong);
    options->transport = "mapped";
    return -1;
  }
  if (options->forNs != 0) return wrongUse("option --for needs --attach");
  if (options->command.empty() || options->command[0].empty()) {
    return wrongUse("the program to run is missing");
  }
  TransportMode mode;
  for (const auto& limit : options->limits) {
    if (options->transport.empty()) break;
    if (limit.first == kKeepLastName && options->transport != "mapped") {
      return wrongUse("option --keep-last needs --transport mapped, whose threads can give back the space of events; leave "
                      "out --transport " + options->transport);
    }
    if (limit.first == kMaxProcessSize && parseTransport(options->transport, &mode) && mode.hasWriter()) {
      return wrongUse("option --max-process-size does not go with --transport " + options->transport +
                      ", where one process writes for all; use --max-size");
    }
  }
  if (!options->agent) {
    if (options->times.empty()) return wrongUse("option --no-agent needs --times");
    if (options->perturb || !options->directory.empty() || !options->monitorHz.empty() || !options->externals.empty()) {
      return wrongUse("options -o, --perturb, --monitor and --external need the agent; leave out --no-agent");
    }
    return -1;
  }
  if (options->trace) return -1;
  if (!options->perturb) return wrongUse("option --no-trace needs --perturb");
  if (!options->directory.empty() || !options->monitorHz.empty() || !options->externals.empty()) {
    return wrongUse("options -o, --monitor and --external need a trace; leave out --no-trace");
  }
  return -1;
}

}  // namespace parallax::record
