#include "bench/transports_runs.h"

#include <stdlib.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <random>

#include "bench/peers_run.h"
#include "bench/study_interrupt.h"
#include "bench/transports_store.h"

namespace parallax::bench {
namespace {

constexpr double kNsInSecond = 1e9;

void remove(const std::string& path) {
  std::error_code ignored;
  std::filesystem::remove_all(path, ignored);
}

// Of one round, in the order in which they run.
std::vector<Cell> cellsOf(const TransportSettings& settings, bool hasContended, int round) {
  std::vector<std::pair<std::string, int>> groups;
  for (const std::string& size : settings.classes) {
    for (const int processes : settings.processes) groups.emplace_back(size, processes);
  }
  std::mt19937 random(settings.seed + static_cast<unsigned>(round));
  std::shuffle(groups.begin(), groups.end(), random);
  std::vector<Cell> cells;
  for (const auto& [size, processes] : groups) {
    std::vector<Cell> group = {untraced({size, processes, "", ""})};
    for (const std::string& store : settings.stores) {
      if (store == Store::kContended && !hasContended) continue;
      for (const std::string& mode : settings.modes) {
        // What keeps no event needs no store.
        if (mode != kDiscarded || store == settings.stores.front()) group.push_back({size, processes, store, mode});
      }
    }
    std::shuffle(group.begin(), group.end(), random);
    cells.insert(cells.end(), group.begin(), group.end());
  }
  return cells;
}

class Runs {
 public:
  Runs(const TransportSettings& settings, const std::string& folder, Results* results)
      : settings_(settings), folder_(folder), results_(results) {}

  RunsDone run() {
    RunsDone done;
    const auto& stores = settings_.stores;
    if (std::find(stores.begin(), stores.end(), Store::kContended) != stores.end()) {
      const std::string place = folder_ + "/store";
      remove(place);  // of a run that was killed
      mkdir(place.c_str(), 0755);
      contended_ = std::make_unique<ContendedStore>(buildDirectory() + "/parallax-contended-store", place,
                                                    settings_.latencyUs, settings_.bytesPerSecond);
      done.missingStore = contended_->missing();
      if (!done.missingStore.empty()) contended_.reset();
      measure(&done);
      contended_.reset();
      remove(place);
    } else {
      measure(&done);
    }
    return done;
  }

 private:
  void measure(RunsDone* done) {
    const Interruptible interruptible;  // the commands are in groups of their own
    const auto isInterrupted = [] { return Interruptible::isInterrupted(); };
    for (int round = 0; round < settings_.rounds && !isInterrupted(); round++) {
      const std::vector<Cell> cells = cellsOf(settings_, contended_ != nullptr, round);
      const auto isLeft = [&](const Cell& cell) {
        return results_->find(cell, round) == nullptr && !results_->isTooLong(cell);
      };
      const auto left = std::count_if(cells.begin(), cells.end(), isLeft);
      if (left > 0) {
        fprintf(stderr, "parallax: round %d of %d, %ld runs ...\n", round + 1, settings_.rounds, left);
      }
      for (const Cell& cell : cells) {
        if (!isInterrupted() && isLeft(cell) && !measureOne(cell, round)) {
          done->failure = "the measurements in " + folder_ + " cannot be written";
          return;
        }
      }
    }
    done->isComplete = !isInterrupted();
  }

  bool measureOne(const Cell& cell, int round) {
    const bool isContended = cell.store == Store::kContended;
    const std::string trace = (isContended ? contended_->mount() : folder_) + "/trace";
    remove(trace);  // of a run that was killed
    const ContendedStore::Served before = isContended ? contended_->served() : ContendedStore::Served{};
    Measurement m = SortRun{cell, cell.mode == kUntraced ? "" : trace, "--no-calibration", settings_.mostSeconds}
                        .measure(folder_);
    m.round = round;
    // The store would charge for looking.
    const std::string files = isContended ? contended_->files() + "/trace" : trace;
    if (cell.mode != kUntraced && m.outcome == Measurement::kDone) {
      m.set("trace_bytes", static_cast<double>(sizeOfTree(files)) / cell.processes);
    }
    if (isContended && m.outcome == Measurement::kDone) {
      const ContendedStore::Served after = contended_->served();
      m.set("store_requests", (after.requests - before.requests) / cell.processes);
      m.set("store_bytes", (after.bytes - before.bytes) / cell.processes);
      m.set("store_busy_ns", (after.busyNs - before.busyNs) / cell.processes);
    }
    remove(isContended ? files : trace);
    if (isContended) remove(trace);  // what the kernel still knows of it
    return results_->add(m);
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

std::string SortRun::command() const {
  const std::string run = "mpirun.openmpi --timeout " + std::to_string(mostSeconds) + " -n " +
      std::to_string(cell.processes) + " " + buildDirectory() + "/programs/" + kSortProgram + " --messages --repeat " +
      std::to_string(repeats) + " " + cell.size;
  if (trace.empty()) return run;
  const std::string transport = cell.mode == kDefaultMode ? "" : " --transport " + cell.mode;
  return buildDirectory() + "/parallax-record --quiet " + options + transport + " -o " + trace + " -- " + run;
}

Measurement SortRun::measure(const std::string& scratch) const {
  constexpr int kStartSeconds = 60;  // and the end of it, which is not measured
  double load = 0;
  getloadavg(&load, 1);
  const Run run = runCommand(command(), scratch, mostSeconds + kStartSeconds);
  Measurement m{cell, 0, Measurement::kDone, {}};
  const bool isTooLong = run.elapsedNs >= mostSeconds * kNsInSecond;
  if (!run.failure.empty()) {
    m.outcome = isTooLong ? Measurement::kTooLong : run.failure;
  } else if (run.figures.count("wall_ns") == 0) {
    m.outcome = "the program printed no figures";
  } else {
    for (const std::string& name : figureNames()) {
      const auto found = run.figures.find(name);
      m.figures.push_back(found == run.figures.end() ? 0 : found->second);
    }
    m.set("elapsed_ns", run.elapsedNs);
    m.set("load", load);
  }
  return m;
}

}  // namespace parallax::bench
