// parallax-study-pvm-library --folder FOLDER [--quick] [--hosts LIST] [--type TYPE] [--least] [--rounds N]
// [--seed N] [--milliseconds N]: round trips under PVM by route, encoding and fragment size, beside what Morajko et al. 2003 print.
// Measurements are in FOLDER/measurements.csv; those that are there are not made again. Writes tables to the output, and
// charts to FOLDER. Run by `parallax study pvm-library`.

#include <getopt.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "bench/peers_run.h"
#include "bench/pvm_runs.h"
#include "bench/pvm_tables.h"
#include "bench/study_command.h"
#include "bench/interruptible.h"
#include "bench/study_text.h"

namespace parallax::bench {
namespace {

constexpr size_t kLeastRounds = 6;  // for an interval

struct Options {
  PvmSettings settings;
  std::string folder;
  bool isLeast = false;
};

int wrongUse(const std::string& text) { return bench::wrongUse("study", text); }

// Returns -1 if the options are right, else the exit status.
int parse(int argc, char** argv, Options* options) {
  PvmSettings& settings = options->settings;
  static const option known[] = {{"folder", required_argument, nullptr, 'f'}, {"quick", no_argument, nullptr, 'q'},
                                 {"hosts", required_argument, nullptr, 'h'},  {"type", required_argument, nullptr, 't'},
                                 {"rounds", required_argument, nullptr, 'r'}, {"seed", required_argument, nullptr, 'x'},
                                 {"milliseconds", required_argument, nullptr, 'm'}, {"least", no_argument, nullptr, 'l'},
                                 {nullptr, 0, nullptr, 0}};
  opterr = 0;
  for (int found; (found = getopt_long(argc, argv, "", known, nullptr)) != -1;) {
    switch (found) {
      case 'f': options->folder = std::filesystem::absolute(optarg); break;
      case 'q': settings.makeQuick(); break;
      case 'h': settings.places = split(optarg); break;
      case 't': settings.type = optarg; break;
      case 'r': settings.rounds = atoi(optarg); break;
      case 'x': settings.seed = static_cast<unsigned>(strtoul(optarg, nullptr, 10)); break;
      case 'l': options->isLeast = true; break;
      case 'm': settings.milliseconds = atoi(optarg); break;
      default: return wrongUse(std::string("unknown option, or no value after it: ") + argv[optind - 1]);
    }
  }
  if (const int status = checkRest("study", argc, argv, options->folder); status != 0) return status;
  for (const std::string& place : settings.places) {
    if (place != Place::kOne && place != Place::kThree) return wrongUse("unknown word " + place + "; --hosts takes one, three");
  }
  const std::string types[] = {"byte", "int", "double"};
  if (std::find(std::begin(types), std::end(types), settings.type) == std::end(types)) {
    return wrongUse("unknown type " + settings.type + "; the types are byte, int, double");
  }
  if (settings.places.empty() || settings.rounds < 1 || settings.milliseconds < 1) {
    return wrongUse("--hosts needs a word, and --rounds and --milliseconds a number above 0");
  }
  return -1;
}

int run(const Options& options) {
  PvmSettings settings = options.settings;
  const std::string& folder = options.folder;
  const Turn turn(folder + "/lock");
  std::string message;
  PvmResults results(folder, settings.comparable(), options.isLeast, &message);
  if (!message.empty()) fprintf(stderr, "parallax: %s\n", message.c_str());
  const Interruptible interruptible;  // until all is removed
  RoundsDone done;
  {
    const PvmMachines machines(settings.places, "pvm_round_trip", folder);
    settings.places = machines.places();
    done.failure = machines.failure();
    if (done.failure.empty()) done = runRoundTrips(settings, machines, folder, &results);
  }
  if (!done.failure.empty()) return endWithout(done.failure);
  const RoundCounts rounds = results.roundsOf(planOf(settings, settings.places).cells());
  printf("Morajko et al. 2003, workstations of 440 MHz on a network of 100 Mb/s, and here. Round trips between a master and\n"
         "two workers in turn, in milliseconds: medians of %s of the %s, with a 95 %% interval from six\n"
         "rounds on. Messages have values of the type %s. Savings are those of the same round.\n\n",
         rounds.text().c_str(), options.isLeast ? format("shortest of %d trips", settings.leastTrips).c_str() : "medians of trips",
         settings.type.c_str());
  if (rounds.least < kLeastRounds) printf("With fewer than %zu rounds, the figures say little.\n\n", kLeastRounds);
  fputs(pvmTables(settings, results).c_str(), stdout);
  fputs(pvmFindings(settings, results).c_str(), stdout);
  printf("measurements: %s\n", results.path().c_str());
  writeChart(folder + "/chart.svg", pvmModesChart(settings, results));
  writeChart(folder + "/chart-fragments.svg", pvmFragmentsChart(settings, results));
  std::vector<std::string> failedRuns;
  for (const Record* record : results.failures()) {
    const PvmCell cell = PvmCell::of(record->keys);
    failedRuns.push_back(format("%d bytes, hosts %s, route %s, encoding %s, fragments of %d bytes: ", cell.bytes,
                                cell.place.c_str(), cell.route.c_str(), cell.encoding.c_str(), cell.fragment) +
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
