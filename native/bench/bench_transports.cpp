// parallax-bench-transports --folder FOLDER [--short] [--no-turns] [--mode MODE] [--processes LIST] [--rounds N] [--repeat N]
// [--seed N] [--store-mb N]: by how much the default transport, or another, dilates the integer sort beyond its events (a run
// that keeps none of them), on a directory and on a contended store. Run by `parallax bench transports`.

#include <getopt.h>
#include <sys/prctl.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <thread>
#include <utility>
#include <vector>

#include "bench/peers_run.h"
#include "bench/study_command.h"
#include "bench/interruptible.h"
#include "bench/transports_runs.h"
#include "bench/transports_tables.h"
#include "bench/transports_decisions.h"
#include "tests/open_mpi.h"

namespace parallax::bench {
namespace {

constexpr double kGoal = 0.01;

struct Options {
  TransportSettings settings;
  std::string folder;
  bool isShort = false, hasTurns = true;
};

// CPU time in turns of 20 ms, with one process count.
class Turns {
 public:
  Turns(const Options& options, int processes)
      : options_(options), size_(options.settings.classes.front()), processes_(processes) {}

  // By how much the CPU time of a run with `mode` is longer than that of one with `base`, or without recording, on the
  // plain store.
  Estimate increase(const std::string& base, const std::string& mode, std::string* failure) const {
    std::vector<double> increases;
    for (int round = 0; round < options_.settings.rounds && !Interruptible::isInterrupted(); round++) {
      std::string commands[] = {sort(base).command(), sort(mode).command()};
      const bool isSwapped = round % 2 == 1;
      if (isSwapped) std::swap(commands[0], commands[1]);
      TwoRuns runs = runInTurns(commands[0], commands[1], kSortProgram, processes_, false, options_.folder, kSeconds);
      if (isSwapped) std::swap(runs.first, runs.second);
      for (const std::string& each : {base, mode}) removeTrace(each);
      if (Interruptible::mustEndTheRun()) break;  // and has ended them
      for (const Run& run : {runs.first, runs.second}) {
        if (!run.failure.empty()) *failure = run.failure;
      }
      const double baseNs = runs.first.figures["cpu_ns"], ns = runs.second.figures["cpu_ns"];
      if (baseNs > 0 && ns > 0) increases.push_back(ns / baseNs - 1);
    }
    return estimate(increases);
  }

 private:
  static constexpr int kSeconds = 600;  // much longer than usual

  SortRun sort(const std::string& mode) const {
    const Cell cell = {size_, processes_, Store::kPlain, mode};
    const bool isRecorded = mode != kUntraced;
    return {isRecorded ? cell : untraced(cell), isRecorded ? trace(mode) : "", isRecorded ? "--no-calibration" : "", kSeconds,
            options_.settings.repeats};
  }
  std::string trace(const std::string& mode) const { return options_.folder + "/trace-" + mode; }
  void removeTrace(const std::string& mode) const {
    std::error_code ignored;
    std::filesystem::remove_all(trace(mode), ignored);
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
    CpuDecisions decisions;
    printf("%10s  %-22s %26s %26s %26s  %s\n", "processes", "store", "dilation %", "of it events %", "above them %",
           options_.isShort ? "" : "goal: below 1 %");
    for (const int processes : options_.settings.processes) {
      isComplete = print(processes, &decisions) && isComplete;
    }
    if (!options_.isShort) fputs(decisions.text().c_str(), stdout);
    return isComplete;
  }

 private:
  bool print(int processes, CpuDecisions* decisions) const {
    const std::string& mode = options_.settings.modes.front();
    std::string failure;
    if (options_.hasTurns && !Interruptible::isInterrupted()) {
      const Turns turns(options_, processes);
      const Estimate events = turns.increase(kUntraced, kDiscarded, &failure);
      row(processes, "plain, CPU in turns", turns.increase(kUntraced, mode, &failure), events,
          turns.increase(kDiscarded, mode, &failure));
    }
    if (!failure.empty()) printf("failed: in turns, %d processes: %s\n", processes, failure.c_str());
    const Cell discarded = {options_.settings.classes.front(), processes, options_.settings.stores.front(), kDiscarded};
    for (const std::string& store : options_.settings.stores) {
      const Cell cell = {discarded.size, processes, store, mode};
      const Estimate dilation = results_.increaseOf(cell, "wall_ns");
      if (std::isfinite(dilation.median)) {
        row(processes, store, dilation, results_.increaseOf(discarded, "wall_ns"),
            results_.increaseAbove(cell, discarded, "wall_ns"));
        if (store == Store::kContended) {
          head(processes, "of it the store's CPU");
          printf(" %26s\n", increaseText(results_.elapsedByStore(cell, processors_)).c_str());
        }
        const Estimate above = results_.cpuAbove(cell, discarded);
        row(processes, store + ", CPU of all", results_.cpuAbove(cell, untraced(cell)),
            results_.cpuAbove(discarded, untraced(cell)), above);
        decisions->add(processes, store, below(above, kGoal));
      } else if (results_.isGivenUp(cell.keys())) {
        head(processes, store);
        printf(" %26s\n", ("ended after " + std::to_string(options_.settings.mostSeconds) + " s").c_str());
      }
    }
    return failure.empty();
  }

  void head(int processes, const std::string& what) const {
    printf("%9d%s  %-22s", processes, processes > processors_ ? "*" : " ", what.c_str());
  }

  void row(int processes, const std::string& what, const Estimate& dilation, const Estimate& events,
           const Estimate& above) const {
    head(processes, what);
    printf(" %26s %26s %26s  %s\n", increaseText(dilation).c_str(), increaseText(events).c_str(), increaseText(above).c_str(),
           options_.isShort ? "" : wordFor(below(above, kGoal)));
    fflush(stdout);
  }

  const Options& options_;
  const Results& results_;
  const int processors_;
};

int wrongUse(const std::string& text) { return bench::wrongUse("bench", text); }

int parse(int argc, char** argv, Options* options) {
  TransportSettings& settings = options->settings;
  settings.modes = {kDefaultMode, kDiscarded};
  settings.rounds = 9;
  settings.repeats = 20;  // with more processes than processors, the time of a short sort varies by 20 %
  settings.bytesPerSecond = 40000000;  // a long sort writes more than the 4 MB/s of the study
  settings.mostSeconds = 60;
  static const option known[] = {{"folder", required_argument, nullptr, 'f'},
                                 {"short", no_argument, nullptr, 'q'},
                                 {"no-turns", no_argument, nullptr, 't'},
                                 {"mode", required_argument, nullptr, 'm'},
                                 {"processes", required_argument, nullptr, 'p'},
                                 {"rounds", required_argument, nullptr, 'r'},
                                 {"repeat", required_argument, nullptr, 'n'},
                                 {"seed", required_argument, nullptr, 'x'},
                                 {"store-mb", required_argument, nullptr, 'b'},
                                 {nullptr, 0, nullptr, 0}};
  opterr = 0;
  for (int found; (found = getopt_long(argc, argv, "", known, nullptr)) != -1;) {
    switch (found) {
      case 'f': options->folder = std::filesystem::absolute(optarg); break;
      case 'q':
        options->isShort = true;
        settings.classes = {"S"};
        settings.processes = {2};
        settings.rounds = 1;
        settings.repeats = 1;
        settings.latencyUs = kQuickLatencyUs;
        break;
      case 't': options->hasTurns = false; break;
      case 'm':
        settings.modes.front() = optarg;
        if (!isTransportMode(optarg)) {
          return wrongUse(std::string("unknown mode ") + optarg + "; the modes are those of record --transport");
        }
        break;
      case 'p':
        if (!parseCounts(optarg, &settings.processes)) return wrongUse("--processes takes numbers from 1 to 1024");
        break;
      case 'r': settings.rounds = atoi(optarg); break;
      case 'b': settings.bytesPerSecond = static_cast<int>(atof(optarg) * 1e6); break;
      case 'n': settings.repeats = atoi(optarg); break;
      case 'x': settings.seed = static_cast<unsigned>(strtoul(optarg, nullptr, 10)); break;
      default: return wrongUse(std::string("unknown option, or no value after it: ") + argv[optind - 1]);
    }
  }
  if (const int status = checkRest("bench", argc, argv, options->folder); status != 0) return status;
  return settings.rounds > 0 && settings.repeats > 0 ? -1 : wrongUse("--rounds and --repeat take a number above 0");
}

int run(const Options& options) {
  const TransportSettings& settings = options.settings;
  allowOpenMpi();
  const Turn turn(options.folder + "/lock");
  Results results;
  const Interruptible interruptible;  // the commands are in groups of their own
  prctl(PR_SET_CHILD_SUBREAPER, 1);   // of writers, whose CPU time counts
  const int processors = static_cast<int>(std::thread::hardware_concurrency());
  const RunsDone done = runTransports(settings, options.folder, &results);
  if (!done.failure.empty()) return endWithout(done.failure);
  printf("The integer sort (class %s, %d times) with the transport \"%s\", %d processors (* more processes than that), medians of\n"
         "%s. The contended store serves one request at a time, in %g ms and by %g MB/s. CPU in turns: of 20\n"
         "ms with and 20 ms without tracing, which other load distorts little. CPU of all: of all processes from start to end, with\n"
         "the process that writes, relative to the CPU time of the sort. The store's CPU: the time that the store itself takes of the\n"
         "processors from start to end, which a file server would not, relative to the time of the sort.\n\n",
         settings.classes.front().c_str(), settings.repeats, settings.modes.front().c_str(), processors,
         results.roundsOf(planOf(settings, done.missingStore.empty()).cells()).text().c_str(), settings.latencyUs / 1e3,
         settings.bytesPerSecond / 1e6);
  if (!done.missingStore.empty()) printf("There is no contended store: %s.\n\n", done.missingStore.c_str());
  const bool isComplete = Report(options, results, processors).print();
  for (const Record* record : results.failures()) {
    const Cell cell = Cell::of(record->keys);
    printf("failed: %d processes on the %s store, %s: %s\n", cell.processes, cell.store.c_str(), cell.mode.c_str(),
           record->outcome.c_str());
  }
  if (options.isShort) puts("of a short run no figure is judged, only that all is there");
  if (Interruptible::isInterrupted()) {
    puts("interrupted: the figures are those of the rounds until then");
    return Interruptible::kStatus;
  }
  return isComplete && results.failures().empty() ? 0 : 1;
}

}  // namespace
}  // namespace parallax::bench

int main(int argc, char** argv) {
  parallax::bench::Options options;
  const int status = parallax::bench::parse(argc, argv, &options);
  return status >= 0 ? status : parallax::bench::run(options);
}
