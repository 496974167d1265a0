// parallax-study-hybrid [--quick] [--rounds N]: how much each way of measuring dilates the solver
// of tests/studies/drops, beside what Szebenyi et al. 2011 print for theirs (figures 5 and 6). Each
// way runs in turns with the solver without agent. Run by `parallax study hybrid`, which then looks
// into the traces.

#include <getopt.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <random>

#include "bench/peers_report.h"
#include "bench/peers_run.h"
#include "bench/peers_stats.h"
#include "tests/open_mpi.h"
#include "tests/temporary_directory.h"

namespace parallax::bench {
namespace {

constexpr int kRounds = 9, kSeconds = 300;

struct Way {
  std::string title;
  const char* paper;    // of the paper's solver, 256 processes
  const char* build;    // ending of the program's name
  const char* options;  // of parallax record; null: without it
  std::vector<double> cpu = {};
  std::string failure = {};
};

// The paper's PMPI measurement without call paths is of figure 5, the one with them of figure 6. As
// the paper's do, all but one record no files: the solver writes each line of its output by itself.
const char kFull[] = "full instrumentation";

std::vector<Way> ways() {
  return {
      {"no agent, for comparison", "", "", nullptr},
      {"PMPI only, no call paths", "< 1 %", "", "--sample-hz 0 --adapters mpi --flat mpi"},
      {"PMPI only, call paths", "< 1 %", "", "--sample-hz 0 --adapters mpi"},
      {"hybrid, 10 Hz", "< 4 %, less than none", "", "--sample-hz 10 --adapters mpi"},
      {"hybrid, 100 Hz", "< 4 %, less than none", "", "--sample-hz 100 --adapters mpi"},
      {"hybrid, 1 kHz", "", "", "--sample-hz 1000 --adapters mpi"},
      {"hybrid, 100 Hz, and each write", "", "", "--sample-hz 100"},
      {kFull, "1770 %", ".inst", "--sample-hz 0 --adapters mpi,user --throttle off"},
      {"instrumentation, throttled", "", ".inst", "--sample-hz 0 --adapters mpi,user"},
      {"instrumentation, filtered", "190 %", ".inst",
       "--sample-hz 0 --adapters mpi,user --throttle off --filter {out}/filter"},
  };
}

class Study {
 public:
  Study(bool quick, const std::string& scratch)
      : arguments_(quick ? "4 2000 2000 1" : "40 20000 12000 1"), scratch_(scratch) {}

  // The automatic filter, made of a first run under full instrumentation, as the paper does it.
  std::string makeFilter(const std::string& command) {
    const auto full = std::find_if(ways_.begin(), ways_.end(),
                                   [](const Way& way) { return way.title == kFull; });
    const Run first = runCommand(commandFor(*full), scratch_, kSeconds);
    if (!first.failure.empty()) return first.failure;
    const Run made = runCommand(command + " filter -o " + scratch_ + "/filter " + scratch_ +
                                    "/trace > " + scratch_ + "/filter.log",
                                scratch_, kSeconds);
    return made.failure;
  }

  void measure(int rounds) {
    std::mt19937 random(1);
    for (int round = 0; round < rounds; round++) {
      if (rounds > 1) fprintf(stderr, "parallax: round %d of %d ...\n", round + 1, rounds);
      for (Way& way : ways_) {
        if (!way.failure.empty()) continue;
        std::string commands[] = {commandFor(plain_), commandFor(way)};
        const bool swapped = random() % 2 == 0;
        if (swapped) std::swap(commands[0], commands[1]);
        TwoRuns runs = runInTurns(commands[0], commands[1], "drops", 2, false, scratch_, kSeconds);
        if (swapped) std::swap(runs.first, runs.second);
        for (const Run& run : {runs.first, runs.second}) {
          if (!run.failure.empty()) way.failure = run.failure;
          if (run.failure.empty() && run.figures.count("cpu_ns") == 0) {
            way.failure = "the program printed no figures";
          }
        }
        if (!way.failure.empty()) continue;
        const double plainNs = runs.first.figures.at("cpu_ns");
        plainNs_.push_back(plainNs / 2);
        way.cpu.push_back(runs.second.figures.at("cpu_ns") / plainNs - 1);
      }
    }
  }

  bool print(int rounds) const {
    printf("Dilation of a solver in C++ with many tiny member functions, 2 ranks, %.2f s without "
           "agent:\nCPU time, each way in turns of 20 ms with one without agent (the ranks wait at "
           "work);\nrounds: %d; [ ] holds the median of all rounds with 95 %%:\n\n",
           median(plainNs_) / 1e9, rounds);
    printf("%-30s %-24s %s\n", "", "paper, 256 ranks", "here");
    bool good = true;
    for (const Way& way : ways_) {
      if (!way.failure.empty()) {
        printf("%-30s %-24s not measured: %s\n", way.title.c_str(), way.paper, way.failure.c_str());
        good = false;
        continue;
      }
      printf("%-30s %-24s %s\n", way.title.c_str(), way.paper, percent(estimate(way.cpu)).c_str());
    }
    return good;
  }

 private:
  std::string commandFor(const Way& way) const {
    std::string command;
    if (way.options != nullptr) {
      std::string options = way.options;
      const size_t at = options.find("{out}");
      if (at != std::string::npos) options.replace(at, 5, scratch_);
      std::filesystem::remove_all(scratch_ + "/trace");
      command = buildDirectory() + "/parallax-record --quiet --no-calibration -o " + scratch_ + "/trace " + options +
                " -- ";
    }
    return command + "mpirun.openmpi -n 2 " + buildDirectory() + "/programs/drops" + way.build + " " +
           arguments_ + " endl solution";
  }

  const Way plain_{"no agent", "", "", nullptr};
  std::vector<Way> ways_ = ways();
  std::string arguments_, scratch_;
  std::vector<double> plainNs_;
};

int run(bool quick, int rounds, const std::string& parallax) {
  allowOpenMpi();
  const TemporaryDirectory directory;
  const std::string& scratch = directory.path();
  if (scratch.empty()) {
    perror("parallax-study-hybrid: no scratch directory");
    return 1;
  }
  Study study(quick, scratch);
  const std::string failure = study.makeFilter(parallax);
  if (!failure.empty()) {
    fprintf(stderr, "parallax-study-hybrid: no filter was made: %s\n", failure.c_str());
  } else {
    study.measure(rounds);
  }
  const bool good = failure.empty() && study.print(rounds);
  return good ? 0 : 1;
}

}  // namespace
}  // namespace parallax::bench

int main(int argc, char** argv) {
  using namespace parallax::bench;
  bool quick = false;
  int rounds = kRounds;
  std::string parallax = "parallax";
  static const option known[] = {{"quick", no_argument, nullptr, 'q'},
                                 {"rounds", required_argument, nullptr, 'r'},
                                 {"parallax", required_argument, nullptr, 'p'},
                                 {nullptr, 0, nullptr, 0}};
  for (int found; (found = getopt_long(argc, argv, "", known, nullptr)) != -1;) {
    switch (found) {
      case 'q': quick = true; break;
      case 'r': rounds = atoi(optarg); break;
      case 'p': parallax = optarg; break;
      default: rounds = 0;
    }
  }
  if (rounds < 1 || optind != argc) {
    fprintf(stderr,
            "usage: parallax-study-hybrid [--quick] [--rounds N] [--parallax COMMAND]\n");
    return 2;
  }
  return run(quick, quick ? 1 : rounds, parallax);
}
