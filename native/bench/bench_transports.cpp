// parallax-bench-transports --folder FOLDER [--parallax PATH] [--short] [--processes LIST] [--rounds N] [--seed N]: by how
// much the default transport dilates the integer sort, beside what the events themselves cost, on a directory and on a
// contended store. PATH is the command whose report tells the cost of events. Run by `parallax bench transports`.

#include <getopt.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <thread>

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

// What the events of a run cost by the calibration at its start: their writing, call paths and samples, without the start
// of processes and without the transport. The sum of all processes; NaN with a message if it is not known.
double eventCostNs(const Options& options, const Cell& cell) {
  const std::string trace = options.folder + "/trace";
  std::error_code ignored;
  std::filesystem::remove_all(trace, ignored);
  const Measurement recorded = runSort(cell, trace, "", options.folder, options.settings.mostSeconds);
  Run report;
  if (recorded.outcome == Measurement::kDone) {
    report = runCommand(options.command + " report intrusion --level application --format csv " + trace,
                        options.folder, options.settings.mostSeconds * 10);
  }
  std::filesystem::remove_all(trace, ignored);
  const double ns = report.failure.empty() ? eventCostIn(options.folder + "/out") : std::nan("");
  if (!std::isfinite(ns)) {
    fprintf(stderr, "parallax: the cost of events of %d processes is not known: %s\n", cell.processes,
            recorded.outcome == Measurement::kDone ? report.failure.c_str() : recorded.outcome.c_str());
  }
  return ns;
}

bool print(const Options& options, const Results& results, int processors) {
  const TransportSettings& settings = options.settings;
  bool isComplete = true;
  printf("%10s  %-10s %10s %10s %28s %14s %28s  %s\n", "processes", "store", "plain s", "traced s",
         "dilation % [95 % interval]", "event cost %", "above it %", options.isShort ? "" : "goal: below 1 %");
  for (const int processes : settings.processes) {
    const Cell plain = untraced({settings.classes.front(), processes, "", ""});
    const double cpuNs = results.estimateOf(plain, "cpu_ns").median;
    // The processes keep all processors busy, so that a share of the CPU time is that share of the time.
    const double cost = eventCostNs(options, {settings.classes.front(), processes, Store::kPlain, kDefaultMode}) / cpuNs;
    isComplete = isComplete && std::isfinite(cost);
    for (const std::string& store : settings.stores) {
      const Cell cell = {settings.classes.front(), processes, store, kDefaultMode};
      const Estimate dilation = results.increaseOf(cell, "wall_ns");
      if (dilation.count == 0) {
        printf("%9d%s  %-10s %s\n", processes, processes > processors ? "*" : " ", store.c_str(),
               results.isTooLong(cell) ? "it takes too long, and was ended" : "not measured");
        continue;
      }
      const Estimate above = {dilation.median - cost, dilation.low - cost, dilation.high - cost, dilation.count};
      printf("%9d%s  %-10s %10.4f %10.4f %28s %14.3f %28s  %s\n", processes, processes > processors ? "*" : " ",
             store.c_str(), results.estimateOf(plain, "wall_ns").median / 1e9,
             results.estimateOf(cell, "wall_ns").median / 1e9, increaseText(dilation).c_str(), 100 * cost,
             increaseText(above).c_str(), options.isShort ? "" : wordFor(below(above, kGoal)));
    }
  }
  return isComplete;
}

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
  printf("The integer sort (class %s) with the default transport, %d processors (* more processes than that), medians of\n"
         "at most %d rounds. The contended store serves one request at a time, in %g ms and by %g MB/s.\n\n",
         settings.classes.front().c_str(), processors, settings.rounds, settings.latencyUs / 1e3,
         settings.bytesPerSecond / 1e6);
  if (!done.missingStore.empty()) printf("There is no contended store: %s.\n\n", done.missingStore.c_str());
  const bool isComplete = print(options, results, processors);
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
