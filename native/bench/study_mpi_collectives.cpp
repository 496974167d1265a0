// parallax-study-mpi-collectives --folder FOLDER --parallax COMMAND [--quick] [--library LIST] [--operation LIST] [--start LIST]
// [--processes N] [--bytes N] [--seconds N] [--turns N] [--rounds N] [--seed N]: an all-to-all and an all-reduce untuned, and tuned by
// `COMMAND tune --act`, with each MPI library. Measurements are in FOLDER/measurements.csv; those that are there are not made
// again. Writes a table to the output and to FOLDER/collectives.csv. Run by `parallax study mpi-collectives`.

#include <getopt.h>
#include <stdlib.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "bench/collectives.h"
#include "bench/interruptible.h"
#include "bench/peers_run.h"
#include "bench/study_command.h"
#include "bench/study_text.h"
#include "tests/open_mpi.h"

namespace parallax::bench {
namespace {

constexpr int kParallax = 256, kTurns = 257;  // options without a letter
constexpr int kMostProcesses = 64, kLeastBytesOfProcess = 4, kMostBytes = 1 << 26;

struct Options {
  CollectiveSettings settings;
  std::string folder;
};

int wrongUse(const std::string& text) { return bench::wrongUse("study", text); }

// 0, or the exit status.
int checkWords(const std::vector<std::string>& words, const std::vector<std::string>& known, const char* option) {
  std::string list;
  for (const std::string& each : known) list += (list.empty() ? "" : ", ") + each;
  for (const std::string& word : words) {
    if (std::find(known.begin(), known.end(), word) == known.end()) {
      return wrongUse("unknown word " + word + "; " + option + " takes " + list);
    }
  }
  return 0;
}

// Returns -1 if the options are right, else the exit status.
int parse(int argc, char** argv, Options* options) {
  CollectiveSettings& settings = options->settings;
  const CollectiveSettings usual;
  static const option known[] = {{"folder", required_argument, nullptr, 'f'},    {"quick", no_argument, nullptr, 'q'},
                                 {"library", required_argument, nullptr, 'l'},   {"operation", required_argument, nullptr, 'o'},
                                 {"start", required_argument, nullptr, 's'},     {"processes", required_argument, nullptr, 'p'},
                                 {"bytes", required_argument, nullptr, 'b'},     {"seconds", required_argument, nullptr, 't'},
                                 {"rounds", required_argument, nullptr, 'r'},    {"seed", required_argument, nullptr, 'x'},
                                 {"turns", required_argument, nullptr, kTurns},      {"parallax", required_argument, nullptr, kParallax}, {nullptr, 0, nullptr, 0}};
  opterr = 0;
  for (int found; (found = getopt_long(argc, argv, "", known, nullptr)) != -1;) {
    switch (found) {
      case 'f': options->folder = std::filesystem::absolute(optarg); break;
      case 'q': settings.makeQuick(); break;
      case 'l': settings.libraries = split(optarg); break;
      case 'o': settings.operations = split(optarg); break;
      case 's': settings.starts = split(optarg); break;
      case 'p': settings.processes = atoi(optarg); break;
      case 'b': settings.bytes = atoi(optarg); break;
      case 't': settings.seconds = atof(optarg); break;
      case kTurns: settings.turns = atof(optarg); break;
      case 'r': settings.rounds = atoi(optarg); break;
      case 'x': settings.seed = static_cast<unsigned>(strtoul(optarg, nullptr, 10)); break;
      case kParallax: settings.parallax = std::filesystem::absolute(optarg); break;
      default: return wrongUse(std::string("unknown option, or no value after it: ") + argv[optind - 1]);
    }
  }
  if (const int status = checkRest("study", argc, argv, options->folder); status != 0) return status;
  std::vector<std::string> names;
  for (const CollectiveLibrary& library : collectiveLibraries()) names.push_back(library.name);
  for (const int status : {checkWords(settings.libraries, names, "--library"),
                           checkWords(settings.operations, usual.operations, "--operation"),
                           checkWords(settings.starts, usual.starts, "--start")}) {
    if (status != 0) return status;
  }
  if (settings.operations.empty() || settings.starts.empty() || settings.rounds < 1 || !(settings.seconds > 0) || !(settings.turns >= 0) ||
      settings.processes < 2 || settings.processes > kMostProcesses ||
      settings.bytes < kLeastBytesOfProcess * settings.processes || settings.bytes > kMostBytes) {
    return wrongUse("each list needs a word, --rounds and --seconds a number above 0, --turns one from 0, --processes one from 2 to 64, and --bytes "
                    "4 for each process to 67108864");
  }
  return -1;
}

std::vector<CollectiveLibrary> librariesThere(const std::vector<std::string>& chosen) {
  std::vector<CollectiveLibrary> there;
  for (const CollectiveLibrary& library : collectiveLibraries()) {
    if (!chosen.empty() && std::find(chosen.begin(), chosen.end(), library.name) == chosen.end()) continue;
    if (library.isThere()) {
      there.push_back(library);
    } else {
      fprintf(stderr, "parallax: %s is not installed, or its programs are not built; it is left out\n", library.name.c_str());
    }
  }
  return there;
}

int run(const Options& options) {
  const CollectiveSettings& settings = options.settings;
  const std::string& folder = options.folder;
  allowOpenMpi();
  // A process that waits lets the other one run, and none is bound to a processor that another program uses.
  setenv("OMPI_MCA_mpi_yield_when_idle", "1", 1);
  setenv("MPIR_CVAR_POLLS_BEFORE_YIELD", "1", 1);
  setenv("OMPI_MCA_hwloc_base_binding_policy", "none", 1);
  setenv("PRTE_MCA_hwloc_default_binding_policy", "none", 1);
  const Turn turn(folder + "/lock");
  const std::vector<CollectiveLibrary> libraries = librariesThere(settings.libraries);
  if (libraries.empty()) return endWithout("there is no MPI library to measure");
  std::string message;
  CollectiveResults results(folder, settings.comparable(), &message);
  if (!message.empty()) fprintf(stderr, "parallax: %s\n", message.c_str());
  const Interruptible interruptible;
  const RoundsDone done = runCollectives(settings, libraries, folder, &results);
  if (!done.failure.empty()) return endWithout(done.failure);
  printf("%d processes, %d bytes of each in a call. Medians of %s of %s s, with a 95 %% interval from six rounds on. Savings are\n"
         "those of the same round. The tuner starts with the program, so that the times include all that comes before its last\n"
         "decision; the last quarter of the calls comes after most of it. A run fails unless all its results are those of the first run\n"
         "with as many calls, to the last bit.\n\n",
         settings.processes, settings.bytes, results.roundsOf(planOf(settings, libraries).cells()).text().c_str(),
         shortNumber(settings.seconds).c_str());
  fputs(collectivesTable(settings, libraries, results).c_str(), stdout);
  const std::string table = folder + "/collectives.csv";
  std::ofstream(table) << collectivesCsv(settings, libraries, results);
  printf("\ntable: %s\nmeasurements: %s\n", table.c_str(), results.path().c_str());
  std::vector<std::string> failedRuns;
  for (const Record* record : results.failures()) {
    failedRuns.push_back(record->keys[0] + ", " + record->keys[1] + ", " + record->keys[2] + ", " + record->keys[3] + ": " +
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
