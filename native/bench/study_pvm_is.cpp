// parallax-study-pvm-is --folder FOLDER --parallax COMMAND [--quick] [--hosts LIST] [--class LIST] [--tuned LIST] [--processes N]
// [--repeat N] [--rounds N] [--seed N]: the integer sort under PVM untuned, and tuned by `COMMAND tune` with each model and with all, beside
// Table 4 of Morajko et al. 2003. Measurements are in FOLDER/measurements.csv; those that are there are not made again. Run by
// `parallax study pvm-is`.

#include <getopt.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "bench/pvm_sort.h"
#include "bench/study_command.h"
#include "bench/interruptible.h"
#include "bench/study_text.h"

namespace parallax::bench {
namespace {

constexpr int kMostProcesses = 64;
constexpr int kParallax = 256;  // an option without a letter

struct Options {
  SortSettings settings;
  std::string folder;
};

int wrongUse(const std::string& text) { return bench::wrongUse("study", text); }

// Returns -1 if the options are right, else the exit status.
int parse(int argc, char** argv, Options* options) {
  SortSettings& settings = options->settings;
  static const option known[] = {{"folder", required_argument, nullptr, 'f'}, {"quick", no_argument, nullptr, 'q'},
                                 {"hosts", required_argument, nullptr, 'h'},  {"class", required_argument, nullptr, 'c'},
                                 {"processes", required_argument, nullptr, 'p'}, {"rounds", required_argument, nullptr, 'r'},
                                 {"repeat", required_argument, nullptr, 'n'}, {"tuned", required_argument, nullptr, 't'},
                                  {"parallax", required_argument, nullptr, kParallax},
                                 {"seed", required_argument, nullptr, 'x'},   {nullptr, 0, nullptr, 0}};
  opterr = 0;
  for (int found; (found = getopt_long(argc, argv, "", known, nullptr)) != -1;) {
    switch (found) {
      case 'f': options->folder = std::filesystem::absolute(optarg); break;
      case 'q':
        settings.places = {Place::kOne};
        settings.classes = {"S"};
        settings.repeats = 20;
        settings.rounds = 1;
        break;
      case 'h': settings.places = split(optarg); break;
      case 'c': settings.classes = split(optarg); break;
      case 't': settings.scenarios = split(optarg); break;
      case 'p': settings.processes = atoi(optarg); break;
      case 'n': settings.repeats = atoi(optarg); break;
      case kParallax: settings.parallax = std::filesystem::absolute(optarg); break;
      case 'r': settings.rounds = atoi(optarg); break;
      case 'x': settings.seed = static_cast<unsigned>(strtoul(optarg, nullptr, 10)); break;
      default: return wrongUse(std::string("unknown option, or no value after it: ") + argv[optind - 1]);
    }
  }
  if (const int status = checkRest("study", argc, argv, options->folder); status != 0) return status;
  for (const std::string& place : settings.places) {
    if (place != Place::kOne && place != Place::kThree) return wrongUse("unknown word " + place + "; --hosts takes one, three");
  }
  for (const std::string& size : settings.classes) {
    if (size != "S" && size != "W" && size != "A" && size != "B") {
      return wrongUse("unknown class " + size + "; the classes are S, W, A, B");
    }
  }
  for (const std::string& scenario : settings.scenarios) {
    if (sortScenario(scenario).name != scenario && scenario != kSortExperiment) {
      return wrongUse("unknown word " + scenario + "; --tuned takes " + sortScenarioNames());
    }
  }
  if (settings.places.empty() || settings.classes.empty() || settings.rounds < 1 || settings.repeats < 1 ||
      settings.processes < 2 || settings.processes > kMostProcesses) {
    return wrongUse("each list needs a word, --rounds and --repeat a number above 0, and --processes one from 2 to 64");
  }
  return -1;
}

int run(const Options& options) {
  SortSettings settings = options.settings;
  const std::string& folder = options.folder;
  const Turn turn(folder + "/lock");
  std::string message;
  SortResults results(folder, settings.comparable(), &message);
  if (!message.empty()) fprintf(stderr, "parallax: %s\n", message.c_str());
  const Interruptible interruptible;  // until all is removed
  RoundsDone done;
  {
    const PvmMachines machines(settings.places, "integer_sort.pvm", folder);
    settings.places = machines.places();
    done.failure = machines.failure();
    if (done.failure.empty()) done = runSorts(settings, machines, folder, &results);
  }
  if (!done.failure.empty()) return endWithout(done.failure);
  printf("Morajko et al. 2003, a cluster of workstations, and here: %d processes, %d times ten iterations. Medians of %s, with a\n"
         "95 %% interval from six rounds on. Savings are those of the same round. `parallax tune` is started with the sort, as\n"
         "the paper's tuner, so that the times include all that comes before its last decision.\n\n",
         settings.processes, settings.repeats, results.roundsOf(planOf(settings, settings.places).cells()).text().c_str());
  fputs(sortTables(settings, results).c_str(), stdout);
  const std::string table = folder + "/table4.csv";
  std::ofstream(table) << sortCsv(settings, results);
  printf("table: %s\n", table.c_str());
  printf("measurements: %s\n", results.path().c_str());
  std::vector<std::string> failedRuns;
  for (const Record* record : results.failures()) {
    failedRuns.push_back("class " + record->keys[1] + ", hosts " + record->keys[0] + ", tuned " + record->keys[2] + ": " +
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
