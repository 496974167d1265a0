#include "bench/pvm_runs.h"

#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <memory>
#include <random>

#include "bench/peers_run.h"
#include "bench/pvm_machine.h"
#include "bench/study_interrupt.h"

namespace parallax::bench {
namespace {

constexpr int kMostSeconds = 60;    // of a run, much longer than usual
constexpr int kMostFailures = 5;    // one after the other: then the virtual machine is broken

class Runs {
 public:
  Runs(PvmSettings* settings, const std::string& folder, PvmResults* results)
      : settings_(*settings), folder_(folder), results_(results) {}

  PvmRunsDone run() {
    PvmRunsDone done;
    const Interruptible interruptible;  // the commands are in groups of their own
    if (access(program().c_str(), X_OK) != 0) {
      done.failure = "it was built without PVM; install pvm and pvm-dev, as far as the distribution has them";
      return done;
    }
    start(&done);
    for (int round = 0; round < settings_.rounds && done.failure.empty() && !Interruptible::isInterrupted(); round++) {
      measure(round, &done);
    }
    done.isComplete = done.failure.empty() && !Interruptible::isInterrupted();
    return done;
  }

 private:
  static std::string program() { return buildDirectory() + "/programs/pvm_round_trip"; }

  void start(PvmRunsDone* done) {
    auto& places = settings_.places;
    for (const std::string& place : std::vector<std::string>(places)) {
      auto machine = std::make_unique<PvmMachine>(buildDirectory() + "/parallax-pvm-machine", place, folder_);
      if (Interruptible::isInterrupted()) return;
      if (machine->missing().empty()) {
        machines_[place] = std::move(machine);
      } else if (place == Place::kThree) {
        done->missing = machine->missing();
        places.erase(std::find(places.begin(), places.end(), place));
      } else {
        done->failure = "there is no virtual machine: " + machine->missing();
      }
    }
    // One host is better than none.
    if (places.empty()) {
      places = {Place::kOne};
      start(done);
    }
  }

  void measure(int round, PvmRunsDone* done) {
    std::vector<PvmCell> cells;
    for (const std::string& place : settings_.places) {
      for (const PvmCell& cell : settings_.cells(place)) cells.push_back(cell);
    }
    std::mt19937 random(settings_.seed + static_cast<unsigned>(round));
    std::shuffle(cells.begin(), cells.end(), random);
    cells.erase(std::remove_if(cells.begin(), cells.end(), [&](const PvmCell& cell) {
      return results_->find(cell, round) != nullptr;
    }), cells.end());
    if (cells.empty()) return;
    fprintf(stderr, "parallax: round %d of %d, %zu runs ...\n", round + 1, settings_.rounds, cells.size());
    int failures = 0;
    for (const PvmCell& cell : cells) {
      if (Interruptible::isInterrupted()) return;
      const Record record = measured(cell, round);
      failures = record.outcome == Record::kDone ? 0 : failures + 1;
      if (!results_->add(record)) done->failure = "the measurements in " + folder_ + " cannot be written";
      if (failures == kMostFailures) done->failure = "too many runs fail: " + record.outcome;
      if (!done->failure.empty()) return;
    }
  }

  std::string commandOf(const PvmCell& cell) const {
    const PvmMachine& machine = *machines_.at(cell.place);
    std::string command = "exec " + machine.prefix() + " '" + program() + "' --route " + cell.route + " --encoding " +
        cell.encoding + " --fragment " + std::to_string(cell.fragment) + " --bytes " + std::to_string(cell.bytes) +
        " --type " + settings_.type + " --seconds " + std::to_string(settings_.milliseconds / 1e3) + " --least " +
        std::to_string(settings_.leastTrips);
    for (const std::string& host : machine.workerHosts()) command += " " + host;
    return command;
  }

  Record measured(const PvmCell& cell, int round) const {
    double load = 0;
    getloadavg(&load, 1);
    Run run = runCommand(commandOf(cell), folder_, kMostSeconds);
    Record record{cell.keys(), round, Record::kDone, {}};
    if (!run.failure.empty()) {
      record.outcome = run.failure;
    } else if (run.figures.count("trip_ns") == 0) {
      record.outcome = "the program printed no figures";
    } else {
      run.figures["load"] = load;
      for (const std::string& name : PvmResults::figureNames()) record.figures.push_back(run.figures[name]);
    }
    return record;
  }

  PvmSettings& settings_;
  const std::string folder_;
  PvmResults* results_;
  std::map<std::string, std::unique_ptr<PvmMachine>> machines_;
};

}  // namespace

PvmRunsDone runRoundTrips(PvmSettings* settings, const std::string& folder, PvmResults* results) {
  return Runs(settings, folder, results).run();
}

}  // namespace parallax::bench
