#include "bench/transports_runs.h"

#include <stdlib.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "bench/peers_run.h"
#include "bench/transports_store.h"

namespace parallax::bench {
namespace {

constexpr double kNsInSecond = 1e9;

void remove(const std::string& path) {
  std::error_code ignored;
  std::filesystem::remove_all(path, ignored);
}

class Runs {
 public:
  Runs(const TransportSettings& settings, const std::string& folder, Results* results)
      : settings_(settings), folder_(folder), results_(results) {}

  RunsDone run() {
    RunsDone done;
    const auto& stores = settings_.stores;
    const std::string place = folder_ + "/store";
    if (std::find(stores.begin(), stores.end(), Store::kContended) != stores.end()) {
      remove(place);  // of a run that was killed
      mkdir(place.c_str(), 0755);
      contended_ = std::make_unique<ContendedStore>(buildDirectory() + "/parallax-contended-store", place,
                                                    settings_.latencyUs, settings_.bytesPerSecond);
      done.missingStore = contended_->missing();
      if (!done.missingStore.empty()) contended_.reset();
    }
    static_cast<RoundsDone&>(done) =
        runRounds(planOf(settings_, contended_ != nullptr), results_,
                  [this](const Keys& keys, int round) { return measure(Cell::of(keys), round); });
    contended_.reset();
    remove(place);
    return done;
  }

 private:
  Record measure(const Cell& cell, int round) {
    const bool isContended = cell.store == Store::kContended;
    const std::string trace = (isContended ? contended_->mount() : folder_) + "/trace";
    remove(trace);  // of a run that was killed
    const ContendedStore::Served before = isContended ? contended_->served() : ContendedStore::Served{};
    Record record = SortRun{cell, cell.mode == kUntraced ? "" : trace, "--no-calibration", settings_.mostSeconds, settings_.repeats}
                        .measure(folder_, round, *results_);
    const auto set = [&](const char* figure, double sum) { results_->set(&record, figure, sum / cell.processes); };
    // The store would charge for looking.
    const std::string files = isContended ? contended_->files() + "/trace" : trace;
    if (cell.mode != kUntraced && record.outcome == Record::kDone) {
      set("trace_bytes", static_cast<double>(sizeOfTree(files)));
    }
    if (isContended && record.outcome == Record::kDone) {
      const ContendedStore::Served after = contended_->served();
      set("store_requests", after.requests - before.requests);
      set("store_bytes", after.bytes - before.bytes);
      set("store_busy_ns", after.busyNs - before.busyNs);
      set("store_cpu_ns", after.cpuNs - before.cpuNs);
    }
    remove(isContended ? files : trace);
    if (isContended) remove(trace);  // what the kernel still knows of it
    return record;
  }

  const TransportSettings& settings_;
  const std::string folder_;
  Results* results_;
  std::unique_ptr<ContendedStore> contended_;
};

}  // namespace

RunsDone runTransports(const TransportSettings& settings, const std::string& folder, Results* results) {
  return Runs(settings, folder, results).run();
}

RoundsPlan planOf(const TransportSettings& settings, bool hasContended) {
  RoundsPlan plan{settings.rounds, settings.seed, {}};
  for (const std::string& size : settings.classes) {
    for (const int processes : settings.processes) {
      std::vector<Keys> block = {untraced({size, processes, "", ""}).keys()};
      for (const std::string& store : settings.stores) {
        if (store == Store::kContended && !hasContended) continue;
        for (const std::string& mode : settings.modes) {
          // What keeps no event needs no store.
          if (mode != kDiscarded || store == settings.stores.front()) block.push_back(Cell{size, processes, store, mode}.keys());
        }
      }
      plan.blocks.push_back(block);
    }
  }
  return plan;
}

std::string SortRun::command() const {
  const std::string run = "mpirun.openmpi --timeout " + std::to_string(mostSeconds) + " -n " +
      std::to_string(cell.processes) + " " + buildDirectory() + "/programs/" + kSortProgram + " --messages --repeat " +
      std::to_string(repeats) + " " + cell.size;
  if (trace.empty()) return run;
  const std::string transport = cell.mode == kDefaultMode ? "" : " --transport " + cell.mode;
  return buildDirectory() + "/parallax-record --quiet " + options + transport + " -o " + trace + " -- " + run;
}

Record SortRun::measure(const std::string& scratch, int round, const Results& results) const {
  constexpr int kStartSeconds = 60;  // and the end of it, which is not measured
  double load = 0;
  getloadavg(&load, 1);
  const Run run = runCommand(command(), scratch, mostSeconds + kStartSeconds);
  Record record{cell.keys(), round, Record::kDone, {}};
  const bool isTooLong = run.elapsedNs >= mostSeconds * kNsInSecond;
  if (!run.failure.empty()) {
    record.outcome = isTooLong ? Record::kTooLong : run.failure;
  } else if (run.figures.count("wall_ns") == 0) {
    record.outcome = "the program printed no figures";
  } else {
    for (const std::string& name : figureNames()) {
      const auto found = run.figures.find(name);
      record.figures.push_back(found == run.figures.end() ? 0 : found->second);
    }
    results.set(&record, "elapsed_ns", run.elapsedNs);
    results.set(&record, "all_cpu_ns", run.cpuNs);
    results.set(&record, "load", load);
  }
  return record;
}

}  // namespace parallax::bench
