// parallax-bench-transports --folder FOLDER --parallax PATH [--short] [--mode MODE] [--processes LIST] [--rounds N]
// [--seed N]: by how much the default transport, or another, dilates the integer sort, beside what the events themselves
// cost, on a directory and on a contended store. PATH is the command whose report tells the cost of events. Run by `parallax bench transports`.

#include <getopt.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <thread>
#include <utility>
#include <vector>

#include "bench/peers_run.h"
#include "bench/transports_runs.h"
#include "bench/transports_tables.h"
#include "tests/open_mpi.h"

namespace parallax::bench {
namespace {

constexpr double kGoal = 0.01;

struct Options {
  TransportSettings settings;
  std::string folder, command;
  bool isShort = false;
};

// What the transport does with one process count.
class TransportRuns {
 public:
  TransportRuns(const Options& options, int processes)
      : options_(options), size_(options.settings.classes.front()), processes_(processes) {}

  // The share of the CPU time that events, call paths and samples cost by the calibration at the start of a run, without
  // the start of processes and without the transport; NaN with a message if it is not known.
  double eventCost() const {
    const Measurement run = recorded("").measure(options_.folder);
    Run report;
    double ns = std::nan("");
    if (run.outcome == Measurement::kDone) {
      report = runCommand(options_.command + " report intrusion --level application --format csv " + trace(),
                          options_.folder, kSeconds);
      if (report.failure.empty()) ns = eventCostIn(options_.folder + "/out");
    }
    removeTrace();
    if (!std::isfinite(ns)) {
      fprintf(stderr, "parallax: the cost of events of %d processes is not known: %s\n", processes_,
              run.outcome == Measurement::kDone ? report.failure.c_str() : run.outcome.c_str());
    }
    return run.outcome == Measurement::kDone ? ns / run.figure("cpu_ns") : ns;
  }

  // By how much the CPU time is longer, in turns of 20 ms with a run without tracing, on the plain store.
  Estimate inTurns(std::string* failure) const {
    const SortRun plain{untraced({size_, processes_, "", ""}), "", "", kSeconds, repeats()};
    std::vector<double> increases;
    for (int round = 0; round < options_.settings.rounds; round++) {
      std::string commands[] = {plain.command(), recorded("--no-calibration").command()};
      const bool isSwapped = round % 2 == 1;
      if (isSwapped) std::swap(commands[0], commands[1]);
      TwoRuns runs = runInTurns(commands[0], commands[1], kSortProgram, processes_, false, options_.folder, kSeconds);
      if (isSwapped) std::swap(runs.first, runs.second);
      removeTrace();
      for (const Run& run : {runs.first, runs.second}) {
        if (!run.failure.empty()) *failure = run.failure;
      }
      const double plainNs = runs.first.figures["cpu_ns"], tracedNs = runs.second.figures["cpu_ns"];
      if (plainNs > 0 && tracedNs > 0) increases.push_back(tracedNs / plainNs - 1);
    }
    return estimate(increases);
  }

 private:
  static constexpr int kSeconds = 600;  // much longer than usual

  SortRun recorded(const std::string& options) const {
    return {{size_, processes_, Store::kPlain, options_.settings.modes.front()}, trace(), options, kSeconds, repeats()};
  }

  // So that it takes many turns, also of few processes.
  int repeats() const {
    if (options_.isShort) return 1;
    return processes_ > 8 ? 5 : 20;
  }
  std::string trace() const { return options_.folder + "/trace"; }
  void removeTrace() const {
    std::error_code ignored;
    std::filesystem::remove_all(trace(), ignored);
  }

  const Options& options_;
  const std::string size_;
  const int processes_;
};

class Report {
 public:
  Report(const Options& options, const Results& results, int processors)
      : options_(options), results_(results), processors_(processors) {}

  // Returns whether all is there.
  bool print() const {
    bool isComplete = true;
    printf("%10s  %-22s %28s %14s %28s  %s\n", "processes", "store", "dilation % [95 % interval]", "event cost %",
           "above it %", options_.isShort ? "" : "goal: below 1 %");
    for (const int processes : options_.settings.processes) isComplete = print(processes) && isComplete;
    return isComplete;
  }

 private:
  bool print(int processes) const {
    const TransportRuns runs(options_, processes);
    const double cost = runs.eventCost();
    std::string failure;
    const Estimate inTurns = runs.inTurns(&failure);
    if (!failure.empty()) printf("failed: in turns, %d processes: %s\n", processes, failure.c_str());
    if (inTurns.count > 0) row(processes, "plain, CPU in turns", inTurns, cost);
    for (const std::string& store : options_.settings.stores) {
      const Cell cell = {options_.settings.classes.front(), processes, store, options_.settings.modes.front()};
      const Estimate dilation = results_.increaseOf(cell, "wall_ns");
      if (std::isfinite(dilation.median)) {
        row(processes, store, dilation, cost);
      } else if (results_.isTooLong(cell)) {
        head(processes, store);
        printf(" %28s\n", ("ended after " + std::to_string(options_.settings.mostSeconds) + " s").c_str());
      }
    }
    return std::isfinite(cost) && failure.empty();
  }

  void head(int processes, const std::string& what) const {
    printf("%9d%s  %-22s", processes, processes > processors_ ? "*" : " ", what.c_str());
  }

  void row(int processes, const std::string& what, const Estimate& dilation, double cost) const {
    const Estimate above = {dilation.median - cost, dilation.low - cost, dilation.high - cost, dilation.count};
    head(processes, what);
    printf(" %28s %14.3f %28s  %s\n", increaseText(dilation).c_str(), 100 * cost, increaseText(above).c_str(),
           options_.isShort ? "" : wordFor(below(above, kGoal)));
  }

  const Options& options_;
  const Results& results_;
  const int processors_;
};

int wrongUse(const std::string& text) {
  fprintf(stderr, "parallax: %s; see: parallax bench --help\n", text.c_str());
  return 2;
}

int parse(int argc, char** argv, Options* options) {
  TransportSettings& settings = options->settings;
  settings.modes = {kDefaultMode};
  settings.rounds = 9;
  settings.mostSeconds = 60;
  static const option known[] = {{"folder", required_argument, nullptr, 'f'},
                                 {"parallax", required_argument, nullptr, 'c'},
                                 {"short", no_argument, nullptr, 'q'},
                                 {"mode", required_argument, nullptr, 'm'},
                                 {"processes", required_argument, nullptr, 'p'},
                                 {"rounds", required_argument, nullptr, 'r'},
                                 {"seed", required_argument, nullptr, 'x'},
                                 {nullptr, 0, nullptr, 0}};
  opterr = 0;
  for (int found; (found = getopt_long(argc, argv, "", known, nullptr)) != -1;) {
    switch (found) {
      case 'f': options->folder = std::filesystem::absolute(optarg); break;
      case 'c': options->command = optarg; break;
      case 'q':
        options->isShort = true;
        settings.classes = {"S"};
        settings.processes = {2};
        settings.rounds = 1;
        settings.latencyUs = kQuickLatencyUs;
        break;
      case 'm':
        settings.modes = {optarg};
        if (!isTransportMode(optarg)) {
          return wrongUse(std::string("unknown mode ") + optarg + "; the modes are those of record --transport");
        }
        break;
      case 'p':
        if (!parseCounts(optarg, &settings.processes)) return wrongUse("--processes takes numbers from 1 to 1024");
        break;
      case 'r': settings.rounds = atoi(optarg); break;
      case 'x': settings.seed = static_cast<unsigned>(strtoul(optarg, nullptr, 10)); break;
      default: return wrongUse(std::string("unknown option, or no value after it: ") + argv[optind - 1]);
    }
  }
  if (optind != argc) return wrongUse(std::string("unknown argument ") + argv[optind]);
  if (options->folder.empty() || options->command.empty()) return wrongUse("options --folder and --parallax are missing");
  return settings.rounds > 0 ? -1 : wrongUse("--rounds takes a number above 0");
}

int run(const Options& options) {
  const TransportSettings& settings = options.settings;
  allowOpenMpi();
  const Turn turn(options.folder + "/lock");
  Results results;
  const int processors = static_cast<int>(std::thread::hardware_concurrency());
  const RunsDone done = runTransports(settings, options.folder, &results);
  printf("The integer sort (class %s) with the transport \"%s\", %d processors (* more processes than that), medians of\n"
         "at most %d rounds. The contended store serves one request at a time, in %g ms and by %g MB/s. CPU in turns: of 20\n"
         "ms with and 20 ms without tracing, which other load distorts little.\n\n",
         settings.classes.front().c_str(), settings.modes.front().c_str(), processors, settings.rounds, settings.latencyUs / 1e3,
         settings.bytesPerSecond / 1e6);
  if (!done.missingStore.empty()) printf("There is no contended store: %s.\n\n", done.missingStore.c_str());
  const bool isComplete = Report(options, results, processors).print();
  for (const Measurement* m : results.failures()) {
    printf("failed: %d processes on the %s store, %s: %s\n", m->cell.processes, m->cell.store.c_str(),
           m->cell.mode.c_str(), m->outcome.c_str());
  }
  if (options.isShort) puts("of a short run no figure is judged, only that all is there");
  return isComplete && results.failures().empty() ? 0 : 1;
}

}  // namespace
}  // namespace parallax::bench

int main(int argc, char** argv) {
  parallax::bench::Options options;
  const int status = parallax::bench::parse(argc, argv, &options);
  return status >= 0 ? status : parallax::bench::run(options);
}
