// parallax-study-intrusion --folder FOLDER [--quick] [--class LIST] [--processes LIST] [--modes LIST] [--stores LIST]
// [--rounds N] [--seed N] [--seconds N]: the integer sort without tracing and with each transport, beside what Wang 1994
// prints. Measurements are in FOLDER/measurements.csv; those that are there are not made again. Writes tables to the
// output, and FOLDER/chart.svg. Run by `parallax study intrusion`.

#include <getopt.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "bench/interruptible.h"
#include "bench/peers_run.h"
#include "bench/study_command.h"
#include "bench/study_text.h"
#include "bench/transports_runs.h"
#include "bench/transports_tables.h"
#include "tests/open_mpi.h"

namespace parallax::bench {
namespace {

struct Options {
  TransportSettings settings;
  std::string folder;
};

std::string unknownIn(const std::vector<std::string>& words, const std::vector<std::string>& known) {
  for (const std::string& word : words) {
    if (std::find(known.begin(), known.end(), word) == known.end()) return word;
  }
  return "";
}

int wrongUse(const std::string& text) { return bench::wrongUse("study", text); }

// Returns -1 if the options are right, else the exit status.
int parse(int argc, char** argv, Options* options) {
  TransportSettings& settings = options->settings;
  settings.modes = transportModes(false);
  static const option known[] = {{"folder", required_argument, nullptr, 'f'},
                                 {"quick", no_argument, nullptr, 'q'},
                                 {"class", required_argument, nullptr, 'c'},
                                 {"processes", required_argument, nullptr, 'p'},
                                 {"modes", required_argument, nullptr, 'm'},
                                 {"stores", required_argument, nullptr, 's'},
                                 {"rounds", required_argument, nullptr, 'r'},
                                 {"seed", required_argument, nullptr, 'x'},
                                 {"seconds", required_argument, nullptr, 't'},
                                 {nullptr, 0, nullptr, 0}};
  opterr = 0;
  for (int found; (found = getopt_long(argc, argv, "", known, nullptr)) != -1;) {
    switch (found) {
      case 'f': options->folder = std::filesystem::absolute(optarg); break;
      case 'q':
        settings.classes = {"S"};
        settings.processes = {2};
        settings.modes = transportModes(true);
        settings.rounds = 1;
        settings.latencyUs = kQuickLatencyUs;
        break;
      case 'c': settings.classes = split(optarg); break;
      case 'p':
        if (!parseCounts(optarg, &settings.processes)) return wrongUse("--processes takes numbers from 1 to 1024");
        break;
      case 'm': settings.modes = split(optarg); break;
      case 's': settings.stores = split(optarg); break;
      case 'r': settings.rounds = atoi(optarg); break;
      case 'x': settings.seed = static_cast<unsigned>(strtoul(optarg, nullptr, 10)); break;
      case 't': settings.mostSeconds = atoi(optarg); break;
      default: return wrongUse(std::string("unknown option, or no value after it: ") + argv[optind - 1]);
    }
  }
  if (const int status = checkRest("study", argc, argv, options->folder); status != 0) return status;
  if (const std::string word = unknownIn(settings.classes, {"S", "W", "A", "B"}); !word.empty()) {
    return wrongUse("unknown class " + word + "; the classes are S, W, A, B");
  }
  if (const std::string word = unknownIn(settings.stores, {Store::kPlain, Store::kContended}); !word.empty()) {
    return wrongUse("unknown store " + word + "; the stores are plain, contended");
  }
  for (const std::string& mode : settings.modes) {
    if (!isTransportMode(mode)) return wrongUse("unknown mode " + mode + "; the modes are those of record --transport");
  }
  if (settings.classes.empty() || settings.modes.empty() || settings.stores.empty() ||
      settings.rounds < 1 || settings.mostSeconds < 1) {
    return wrongUse("each list needs a word, and --rounds and --seconds a number above 0");
  }
  return -1;
}

int run(const Options& options) {
  const TransportSettings& settings = options.settings;
  allowOpenMpi();
  const Turn turn(options.folder + "/lock");
  std::string message;
  Results results(options.folder, settings.comparable(), &message);
  if (!message.empty()) fprintf(stderr, "parallax: %s\n", message.c_str());
  const int processors = static_cast<int>(std::thread::hardware_concurrency());
  const Interruptible interruptible;  // the commands are in groups of their own
  const RunsDone done = runTransports(settings, options.folder, &results);
  if (!done.failure.empty()) return endWithout(done.failure);
  printf("Wang 1994, and here %d processors; * marks more processes than that, which take turns. Medians of %s.\n"
         "Percentages are the increase of the time relative to the run without tracing of the same round, with a\n"
         "95 %% interval of the median from six rounds on. The contended store serves one request at a time, in %g ms and\n"
         "by %g MB/s.\n\n", processors,
         results.roundsOf(planOf(settings, done.missingStore.empty()).cells()).text().c_str(), settings.latencyUs / 1e3, settings.bytesPerSecond / 1e6);
  if (!done.missingStore.empty()) {
    printf("There is no contended store: %s.\n\n", done.missingStore.c_str());
  }
  fputs(transportTables(settings, results, processors).c_str(), stdout);
  printf("measurements: %s\n", results.path().c_str());
  writeChart(options.folder + "/chart.svg", transportChart(settings, results));
  std::vector<std::string> failedRuns;
  for (const Record* record : results.failures()) {
    const Cell cell = Cell::of(record->keys);
    failedRuns.push_back(cell.mode + " with " + std::to_string(cell.processes) + " processes on the " + cell.store + " store: " +
                         record->outcome);
  }
  return endOfStudy(failedRuns, done.isComplete);
}

}  // namespace
}  // namespace parallax::bench

int main(int argc, char** argv) {
  parallax::bench::Options options;
  const int status = parallax::bench::parse(argc, argv, &options);
  return status >= 0 ? status : parallax::bench::run(options);
}
