// parallax-bench-peers [--quick] [--short-lives] [--minutes N] [--rounds N] [--seed N] [--json FILE]
// [--lock FILE]: what recording costs, by Parallax and by the tools that are installed, interleaved in one run.
// --quick runs everything once with little to do, to see that it works, and judges nothing.
// --short-lives measures many short threads and processes, and nothing else. Programs are compared for some minutes, or as many rounds as are said. --lock takes turns with
// other measurements on the machine.

#include <getopt.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "bench/peers_report.h"
#include "bench/peers_run.h"
#include "tests/open_mpi.h"
#include "tests/temporary_directory.h"

namespace parallax::bench {
namespace {

constexpr int kCostRounds = 5;
constexpr int kOthersEvery = 6;
constexpr int kMostRounds = 1000;
constexpr double kMinutes = 8;

struct Options {
  bool quick = false;
  bool onlyShortLives = false;
  int rounds = 0;  // 0: as many as fit
  double minutes = kMinutes;
  unsigned seed = 1;
  std::string json;
  std::string lockFile;
};

std::string machine() {
  std::ifstream cpus("/proc/cpuinfo");
  std::string line, model = "unknown processor";
  while (std::getline(cpus, line)) {
    const size_t colon = line.find(": ");
    if (line.compare(0, 10, "model name") == 0 && colon != std::string::npos) {
      model = line.substr(colon + 2);
    }
  }
  utsname names;
  uname(&names);
  return model + ", " + std::to_string(sysconf(_SC_NPROCESSORS_ONLN)) + " processors, Linux " +
         names.release;
}

Rounds roundsOf(const Options& options) {
  constexpr double kNoLimit = 1e6;
  if (options.quick) return {1, kOthersEvery, kNoLimit};
  if (options.rounds > 0) return {options.rounds, kOthersEvery, kNoLimit};
  return {kMostRounds, kOthersEvery, options.minutes * 60};
}

int run(const Options& options, const std::string& command) {
  allowOpenMpi();
  const TemporaryDirectory directory;
  const std::string& scratch = directory.path();
  if (scratch.empty()) {
    perror("parallax-bench-peers: no scratch directory");
    return 1;
  }
  Result result;
  result.machine = machine();
  result.command = command;
  result.versions = versionsOfTools(scratch);
  if (options.onlyShortLives) {
    printf("%s\n%s\n", result.machine.c_str(), command.c_str());
    printShortLives(measureShortLives(options.quick, scratch, options.lockFile));
    return 0;
  }
  {
    LttngDaemon daemon(scratch);
    fprintf(stderr, "parallax: measuring single events ...\n");
    result.costs = measureCosts(options.quick ? 1 : kCostRounds, options.quick, scratch,
                                options.seed, options.lockFile);
    fprintf(stderr, "parallax: measuring call paths ...\n");
    result.paths = measurePaths(options.quick, scratch, options.lockFile);
    result.signals = measureSignals(options.quick);
    printEvents(result);
    fprintf(stderr, "parallax: measuring short threads and processes ...\n");
    result.shortLives = measureShortLives(options.quick, scratch, options.lockFile);
    printShortLives(result.shortLives);
    result.dilations = measureDilations(roundsOf(options),
                                        options.quick ? Size::kQuick : Size::kFull, scratch,
                                        options.seed, options.lockFile);
  }
  if (!options.quick) result.goals = judge(result.costs, result.paths, result.signals,
                                              result.shortLives, result.dilations);
  printPrograms(result);
  if (!options.json.empty() && !writeJson(result, options.json)) {
    fprintf(stderr, "parallax-bench-peers: %s cannot be written\n", options.json.c_str());
    return 1;
  }
  // What is ours must run; the others may not.
  bool good = result.paths.failure.empty();
  for (const Cost& row : result.costs.rows) {
    good = good && (row.origin == Origin::kPeer || row.missing || row.failure.empty());
  }
  for (const ShortLife& row : result.shortLives) {
    good = good && ((!row.tool.empty() && row.tool != "Parallax") || row.failure.empty());
  }
  for (const Dilation& cell : result.dilations.cells) {
    good = good && (!cell.tool->ours || !cell.tool->missing().empty() || cell.failure.empty());
  }
  if (!good) fprintf(stderr, "parallax-bench-peers: something of Parallax itself failed\n");
  return good ? 0 : 1;
}

}  // namespace
}  // namespace parallax::bench

int main(int argc, char** argv) {
  using namespace parallax::bench;
  Options options;
  std::string command = "parallax bench agent";
  for (int i = 1; i < argc; i++) command += std::string(" ") + argv[i];
  static const option known[] = {{"quick", no_argument, nullptr, 'q'},
                                 {"minutes", required_argument, nullptr, 'm'},
                                 {"rounds", required_argument, nullptr, 'r'},
                                 {"seed", required_argument, nullptr, 's'},
                                 {"short-lives", no_argument, nullptr, 'o'},
                                 {"json", required_argument, nullptr, 'j'},
                                 {"lock", required_argument, nullptr, 'l'},
                                 {nullptr, 0, nullptr, 0}};
  bool understood = true;
  for (int found; (found = getopt_long(argc, argv, "", known, nullptr)) != -1;) {
    switch (found) {
      case 'q': options.quick = true; break;
      case 'o': options.onlyShortLives = true; break;
      case 'm': understood = (options.minutes = atof(optarg)) > 0; break;
      case 'r': understood = (options.rounds = atoi(optarg)) > 0; break;
      case 's': options.seed = static_cast<unsigned>(strtoul(optarg, nullptr, 10)); break;
      case 'j': options.json = optarg; break;
      case 'l': options.lockFile = optarg; break;
      default: understood = false;
    }
  }
  if (!understood || optind != argc) {
    fprintf(stderr, "usage: parallax-bench-peers [--quick] [--short-lives] [--minutes N] [--rounds N] [--seed N] "
                    "[--json FILE] [--lock FILE]\n");
    return 2;
  }
  return run(options, command);
}
