#include "bench/pvm_runs.h"

#include "bench/peers_run.h"

namespace parallax::bench {
namespace {

constexpr int kMostSeconds = 60;  // of a run, much longer than usual

std::string commandOf(const PvmCell& cell, const PvmSettings& settings, const PvmMachine& machine) {
  std::string command = machine.command("pvm_round_trip") + " --route " + cell.route + " --encoding " + cell.encoding +
      " --fragment " + std::to_string(cell.fragment) + " --bytes " + std::to_string(cell.bytes) + " --type " +
      settings.type + " --seconds " + std::to_string(settings.milliseconds / 1e3) + " --least " +
      std::to_string(settings.leastTrips);
  for (const std::string& host : machine.workerHosts()) command += " " + host;
  return command;
}

}  // namespace

RoundsPlan planOf(const PvmSettings& settings, const std::vector<std::string>& places) {
  RoundsPlan plan{settings.rounds, settings.seed, {}};
  for (const std::string& place : places) {
    for (const std::vector<PvmCell>& block : settings.blocks(place)) {
      plan.blocks.emplace_back();
      for (const PvmCell& cell : block) plan.blocks.back().push_back(cell.keys());
    }
  }
  return plan;
}

RoundsDone runRoundTrips(const PvmSettings& settings, const PvmMachines& machines, const std::string& folder,
                         PvmResults* results) {
  return runRounds(planOf(settings, machines.places()), results, [&](const Keys& keys, int round) {
    const PvmCell cell = PvmCell::of(keys);
    const Run run = runCommand(commandOf(cell, settings, machines.at(cell.place)), folder, kMostSeconds);
    return results->recordOf(keys, round, run);
  });
}

}  // namespace parallax::bench
