#include "bench/pvm_sort.h"

#include <cmath>

#include "bench/study_text.h"

namespace parallax::bench {
namespace {

constexpr char kProgram[] = "integer_sort.pvm", kWall[] = "wall_ns", kFragment[] = "fragment_bytes";
constexpr char kUntuned[] = "none", kAll[] = "all", kInPlace[] = "in-place", kXdr[] = "xdr";
constexpr double kNsInSecond = 1e9;
constexpr double kPaperXdrSaved = 47;  // percent, by raw data
constexpr int kMostSeconds = 300;      // of a run, much longer than usual

std::vector<std::string> figures() {
  return {kWall, "cpu_ns", "ranks_right", "messages", "message_bytes", kFragment, "load"};
}

std::string secondsText(const Estimate& seconds) {
  if (!std::isfinite(seconds.median)) return "";
  const std::string median = format("%.3f", seconds.median);
  if (!std::isfinite(seconds.low) || !std::isfinite(seconds.high)) return median;
  return median + format(" [%.3f, %.3f]", seconds.low, seconds.high);
}

std::string paperSavedText(const SortScenario& scenario) {
  const SortScenario& untuned = sortScenarios().front();
  if (scenario.paperSeconds <= 0 || scenario.name == std::string(kUntuned)) return "";
  return format("%.1f", 100 * (1 - scenario.paperSeconds / untuned.paperSeconds));
}

std::string optionsOf(const std::string& scenario) {
  for (const SortScenario& known : sortScenarios()) {
    if (known.name == scenario) return known.options;
  }
  return "";
}

std::string table(const std::string& place, const std::string& size, const SortResults& results) {
  std::string text = "=== " + Place::nameOf(place) + ", class " + size + " ===\n\nTable 4: the sort with tuned settings\n";
  text += format("%-32s %8s %8s %12s   %-24s %-22s %14s\n", "tuned", "paper s", "less %", "intrusion %", "here s [95 %]",
                 "less % [95 %]", "fragment bytes");
  const Keys untuned = SortResults::keysOf(place, size, kUntuned);
  for (const SortScenario& scenario : sortScenarios()) {
    const Keys keys = SortResults::keysOf(place, size, scenario.name);
    const bool isUntuned = scenario.name == std::string(kUntuned);
    const double fragment = results.estimateOf(keys, kFragment).median;
    text += format("%-32s %8s %8s %12s   %-24s %-22s %14s\n", scenario.title,
                   scenario.paperSeconds > 0 ? format("%.0f", scenario.paperSeconds).c_str() : "",
                   paperSavedText(scenario).c_str(),
                   scenario.paperIntrusion > 0 ? format("%.1f", scenario.paperIntrusion).c_str() : "",
                   secondsText(results.seconds(keys)).c_str(),
                   isUntuned ? "" : savedText(results.saved(keys, untuned, kWall)).c_str(),
                   std::isnan(fragment) ? "" : format("%.0f", fragment).c_str());
  }
  const auto keys = [&](const char* scenario) { return SortResults::keysOf(place, size, scenario); };
  const SortScenario* all = nullptr;
  for (const SortScenario& scenario : sortScenarios()) {
    if (scenario.name == std::string(kAll)) all = &scenario;
  }
  text += "\nAll settings together save " + paperSavedText(*all) + " % in the paper, here " +
      savedText(results.saved(keys(kAll), untuned, kWall)) + " %, and with data in place " +
      savedText(results.saved(keys(kInPlace), untuned, kWall)) + " %.\n";
  text += format("Raw data, which the sort has untuned, save %.0f %% of the time with XDR in the paper, here ", kPaperXdrSaved) +
      savedText(results.saved(untuned, keys(kXdr), kWall)) + " %.\n\n";
  return text;
}

}  // namespace

const std::vector<SortScenario>& sortScenarios() {
  static const std::vector<SortScenario> scenarios = {
      {kUntuned, "nothing: indirect, raw, 4 KB", "--route default --encoding raw", 732, 0},
      {"route", "communication mode", "--route direct --encoding raw", 604, 3.5},
      {"encoding", "data encoding: it is raw already", "", 761, 2.8},
      {"fragment", "fragment size", "--route default --encoding raw --fragment auto", 769, 3.5},
      {kAll, "all", "--route direct --encoding raw --fragment auto", 529, 5.3},
      {kInPlace, "direct, data in place", "--route direct --encoding in-place", 0, 0},
      {kXdr, "nothing, and with XDR", "--route default --encoding default", 0, 0}};
  return scenarios;
}

std::string SortSettings::comparable() const {
  return "processes " + std::to_string(processes) + "\nseed " + std::to_string(seed) + "\n";
}

SortResults::SortResults() : KeyedResults(figures()) {}

SortResults::SortResults(const std::string& folder, const std::string& settings, std::string* message)
    : KeyedResults(folder, settings, {"hosts", "class", "tuned"}, figures(), message) {}

Keys SortResults::keysOf(const std::string& place, const std::string& size, const std::string& scenario) {
  return {place, size, scenario};
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
      plan.blocks.emplace_back();
      for (const SortScenario& scenario : sortScenarios()) {
        if (*scenario.options != '\0') plan.blocks.back().push_back(SortResults::keysOf(place, size, scenario.name));
      }
    }
  }
  return plan;
}

RoundsDone runSorts(const SortSettings& settings, const PvmMachines& machines, const std::string& folder,
                    SortResults* results) {
  return runRounds(planOf(settings, machines.places()), results, [&](const Keys& keys, int round) {
    const PvmMachine& machine = machines.at(keys[0]);
    std::string hosts;
    for (const std::string& host : machine.hosts()) hosts += (hosts.empty() ? "" : ",") + host;
    const std::string command = machine.command(kProgram) + " --processes " + std::to_string(settings.processes) + " --hosts " +
        hosts + " " + optionsOf(keys[2]) + " -- " + keys[1];
    return results->recordOf(keys, round, runCommand(command, folder, kMostSeconds));
  });
}

std::string sortTables(const SortSettings& settings, const SortResults& results) {
  std::string text;
  for (const std::string& place : settings.places) {
    for (const std::string& size : settings.classes) text += table(place, size, results);
  }
  return withoutTrailingSpaces(text);
}

}  // namespace parallax::bench
