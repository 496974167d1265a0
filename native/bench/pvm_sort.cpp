#include "bench/pvm_sort.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "bench/study_text.h"

namespace parallax::bench {
namespace {

constexpr char kProgram[] = "integer_sort.pvm", kUndone[] = "undone", kDesign[] = "set-";
constexpr char kUntuned[] = "--route default --encoding raw", kXdr[] = "--route default --encoding default";
constexpr int kMostSeconds = 600;  // of a run, much longer than usual

// Its measure points are those of the models of PVM. It waits for more messages than there are, so that they are never
// removed: the intrusion is not that of a tuner which rests.
constexpr char kWatchModel[] = R"(name: watch
about: Keeps the measure points of the models of PVM
for: {library: pvm}
measure:
  - {name: sent, routines: [pvm_send, pvm_psend, pvm_mcast]}
  - {name: received, routines: [pvm_recv, pvm_precv, pvm_trecv, pvm_nrecv]}
  - {name: initialised, routines: [pvm_send, pvm_mcast]}
each: process
after: 999999999 of sent
when: count(received) + count(initialised) < 0
act: {call: pvm_setopt, arguments: [10, 4096], at: pvm_send, undo: none}
verify: {metric: elapsed(), better: lower, after: 50 of sent, how: before-after}
reason: "never"
)";
constexpr char kWatchFile[] = "watch.yaml";

std::vector<std::string> figures() {
  std::vector<std::string> names = {SortResults::kWall, SortResults::kElapsed, "cpu_ns", "ranks_right", "messages",
                                    "message_bytes", SortResults::kFragment};
  for (const SortFactor& factor : sortFactors()) names.push_back(SortResults::keptName(factor));
  names.insert(names.end(), {kUndone, SortResults::kTunedNs, "load", SortResults::kLast});
  for (const SortFactor& factor : sortFactors()) names.push_back(SortResults::keptAtName(factor));
  return names;
}

std::string contentsOf(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

// Of a line of the sort's output: times, memory, and what is tuned.
bool mayDiffer(const std::string& line) {
  static const std::set<std::string> names = {SortResults::kWall, SortResults::kLast, "cpu_ns", "rss_kb", "most_rss_kb", "minor_faults",
                                              "major_faults", SortResults::kFragment};
  return names.count(line.substr(0, line.find(' '))) != 0;
}

int cellOf(const std::string& name) {
  return name.compare(0, sizeof kDesign - 1, kDesign) == 0 ? atoi(name.c_str() + sizeof kDesign - 1) : -1;
}

std::string optionsOf(const std::string& name) {
  const int cell = cellOf(name);
  if (cell < 0) return sortScenario(name).options;
  std::string options;
  for (int f = 0; f < kSortFactors; f++) {
    const SortFactor& factor = sortFactors()[static_cast<size_t>(f)];
    options += std::string(" ") + ((cell >> f & 1) != 0 ? factor.highOptions : factor.lowOptions);
  }
  return options;
}

std::string commandOf(const SortSettings& settings, const PvmMachine& machine, const std::string& folder, const Keys& keys) {
  std::string hosts;
  for (const std::string& host : machine.hosts()) hosts += (hosts.empty() ? "" : ",") + host;
  const bool isOfDesign = cellOf(keys[2]) >= 0;
  const std::string sort = " --processes " + std::to_string(settings.processes) + " --hosts " + hosts + " " +
      optionsOf(keys[2]) + " -- --repeat " + std::to_string(isOfDesign ? settings.designRepeats() : settings.repeats) + " " + keys[1];
  if (isOfDesign || !sortScenario(keys[2]).isTuned()) return machine.command(kProgram) + sort;
  std::string tuner = sortScenario(keys[2]).tuner;
  if (const size_t place = tuner.find("FOLDER"); place != std::string::npos) tuner.replace(place, 6, "'" + folder + "'");
  return machine.command(settings.parallax) + " tune --interval " + settings.interval + " " + tuner + " -- '" + buildDirectory() + "/programs/" + kProgram + "'" + sort;
}

}  // namespace

const std::vector<SortScenario>& sortScenarios() {
  static const std::vector<SortScenario> scenarios = {
      {kSortNone, "nothing: indirect, raw, 4 KB", kUntuned, nullptr, kSortNone, 732, 0},
      {"route", "communication mode", kUntuned, "--act --only pvm-route", kSortNone, 604, 3.5},
      {"encoding", "data encoding", kUntuned, "--act --only pvm-encoding", kSortNone, 761, 2.8},
      {"fragment", "fragment size", kUntuned, "--act --only pvm-fragment-size-all --only pvm-fragment-size", kSortNone, 769, 3.5},
      {kSortAll, "all", kUntuned, "--act", kSortNone, 529, 5.3},
      {kSortWatched, "measured, nothing changed", kUntuned, "--model FOLDER/watch.yaml", kSortNone, 0, 0},
      {kSortXdr, "nothing, and with XDR", kXdr, nullptr, kSortXdr, 0, 0},
      {kSortXdrAll, "all, from XDR", kXdr, "--act", kSortXdr, 0, 0}};
  return scenarios;
}

const SortScenario& sortScenario(const std::string& name) {
  for (const SortScenario& known : sortScenarios()) {
    if (known.name == name) return known;
  }
  return sortScenarios().front();
}

std::string sortScenarioNames() {
  std::string names;
  for (const SortScenario& known : sortScenarios()) names += std::string(known.name) + ", ";
  return names + kSortExperiment;
}

const std::vector<SortFactor>& sortFactors() {
  static const std::vector<SortFactor> factors = {
      {"route", "indirect", "direct", "--route default", "--route direct", "pvm-route"},
      {"encoding", "XDR", "raw", "--encoding default", "--encoding raw", "pvm-encoding"},
      {"fragment", "4 KB", "mean + deviation", "", "--fragment auto", "pvm-fragment-size"}};
  return factors;
}

std::string SortSettings::comparable() const {
  return "processes " + std::to_string(processes) + "\nrepeats " + std::to_string(repeats) + "\ninterval " + interval + "\nseed " +
      std::to_string(seed) + "\n";
}

bool SortSettings::isWanted(const std::string& scenario) const {
  return scenarios.empty() || std::find(scenarios.begin(), scenarios.end(), scenario) != scenarios.end();
}

SortResults::SortResults() : KeyedResults(figures()) {}

SortResults::SortResults(const std::string& folder, const std::string& settings, std::string* message)
    : KeyedResults(folder, settings, {"hosts", "class", "tuned"}, figures(), message) {}

Keys SortResults::keysOf(const std::string& place, const std::string& size, const std::string& scenario) {
  return {place, size, scenario};
}

Keys SortResults::designKeys(const std::string& place, const std::string& size, int cell) {
  return {place, size, kDesign + std::to_string(cell)};
}

std::vector<Keys> SortResults::designCells(const std::string& place, const std::string& size) {
  std::vector<Keys> cells;
  for (int cell = 0; cell < 1 << kSortFactors; cell++) cells.push_back(designKeys(place, size, cell));
  return cells;
}

std::string SortResults::keptName(const SortFactor& factor) { return std::string("kept_") + factor.name; }

std::string SortResults::keptAtName(const SortFactor& factor) { return std::string("kept_at_") + factor.name + "_ns"; }

Estimate SortResults::keptAtSeconds(const Keys& keys, const SortFactor& factor) const {
  std::vector<double> seconds;
  for (const double ns : valuesOf(keys, keptAtName(factor))) {
    if (ns > 0) seconds.push_back(ns / kNsInSecond);
  }
  return estimate(seconds);
}

Estimate SortResults::seconds(const Keys& keys) const {
  Estimate time = estimateOf(keys, kWall);
  for (double* value : {&time.median, &time.low, &time.high}) *value /= kNsInSecond;
  return time;
}

RoundsPlan planOf(const SortSettings& settings, const std::vector<std::string>& places) {
  RoundsPlan plan{settings.rounds, settings.seed, {}};
  for (const std::string& place : places) {
    for (const std::string& size : settings.classes) {
      std::vector<Keys> scenarios;
      for (const SortScenario& scenario : sortScenarios()) {
        if (settings.isWanted(scenario.name)) scenarios.push_back(SortResults::keysOf(place, size, scenario.name));
      }
      if (!scenarios.empty()) plan.blocks.push_back(scenarios);
      if (settings.isWanted(kSortExperiment)) plan.blocks.push_back(SortResults::designCells(place, size));
    }
  }
  return plan;
}

std::string SameOutput::check(const std::string& kind, const std::string& output) {
  std::string result;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    if (!mayDiffer(line)) result += line + "\n";
  }
  const std::string& first = first_.emplace(kind, result).first->second;
  if (result == first) return "";
  std::istringstream here(result), there(first);
  std::string line, expected;
  do {
    if (!std::getline(here, line)) line = "nothing";
    if (!std::getline(there, expected)) expected = "nothing";
  } while (line == expected);
  return "the sort printed " + line + ", and " + expected + " in the first run";
}

std::map<std::string, double> tunerFigures(const std::string& text) {
  std::map<std::string, double> found{{kUndone, 0}, {SortResults::kTunedNs, 0}};
  for (const SortFactor& factor : sortFactors()) found[SortResults::keptName(factor)] = found[SortResults::keptAtName(factor)] = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    // Such as "    9.60 s  keep     pvm-route, the run: ...".
    std::istringstream words(line);
    std::string unit, decision, model;
    double seconds = 0;
    if (!(words >> seconds >> unit >> decision >> model) || unit != "s") continue;
    if (decision == "undo") found[kUndone]++;
    if (decision != "keep") continue;
    for (const SortFactor& factor : sortFactors()) {
      if (model.compare(0, strlen(factor.model), factor.model) != 0) continue;
      found[SortResults::keptName(factor)]++;
      found[SortResults::keptAtName(factor)] = seconds * kNsInSecond;
    }
    found[SortResults::kTunedNs] = seconds * kNsInSecond;
  }
  return found;
}

RoundsDone runSorts(const SortSettings& settings, const PvmMachines& machines, const std::string& folder,
                    SortResults* results) {
  std::ofstream(folder + "/" + kWatchFile) << kWatchModel;
  std::filesystem::create_directories(folder + "/decisions");
  SameOutput same;
  return runRounds(planOf(settings, machines.places()), results, [&](const Keys& keys, int round) {
    Run run = runCommand(commandOf(settings, machines.at(keys[0]), folder, keys), folder, kMostSeconds);
    const std::string said = contentsOf(folder + "/err");
    const auto figuresOfTuner = tunerFigures(said);
    run.figures.insert(figuresOfTuner.begin(), figuresOfTuner.end());
    run.figures[SortResults::kElapsed] = run.elapsedNs;
    if (run.failure.empty()) {
      run.failure = same.check(keys[1] + (cellOf(keys[2]) < 0 ? "" : " of the experiment"), contentsOf(folder + "/out"));
    }
    if (!said.empty()) {
      std::ofstream(folder + "/decisions/" + keys[0] + "-" + keys[1] + "-" + keys[2] + "-" + std::to_string(round) + ".txt") << said;
    }
    return results->recordOf(keys, round, run);
  });
}

}  // namespace parallax::bench
