// The tables of the integer sort, and whether the goals are reached: gains above the paper's, an intrusion below it.
#include <cmath>

#include "bench/pvm_sort.h"
#include "bench/study_text.h"

namespace parallax::bench {
namespace {

constexpr double kPaperXdrSaved = 47;  // percent, by raw data

std::string secondsText(const Estimate& seconds) {
  if (!std::isfinite(seconds.median)) return "";
  const std::string median = format("%.3f", seconds.median);
  if (!std::isfinite(seconds.low) || !std::isfinite(seconds.high)) return median;
  return median + format(" [%.3f, %.3f]", seconds.low, seconds.high);
}

std::string numberText(const char* pattern, double value) { return std::isnan(value) ? "" : format(pattern, value); }

double paperSaved(const SortScenario& scenario) { return 1 - scenario.paperSeconds / sortScenarios().front().paperSeconds; }

std::string paperSavedText(const SortScenario& scenario) {
  if (scenario.paperSeconds <= 0 || scenario.name == std::string(kSortNone)) return "";
  return format("%.1f", 100 * paperSaved(scenario));
}

// Shares of the time that something takes longer, where `saved` is how much less it takes.
Estimate longer(const Estimate& saved) { return {-saved.median, -saved.high, -saved.low, saved.count}; }

// In how many processes, or runs, each model's action stayed: "1 0 3", of the median run.
std::string keptText(const Keys& keys, const SortResults& results) {
  std::string text;
  for (const SortFactor& factor : sortFactors()) {
    const double kept = results.estimateOf(keys, SortResults::keptName(factor)).median;
    if (std::isnan(kept)) return "";
    text += (text.empty() ? "" : " ") + format("%.0f", kept);
  }
  return text;
}

// What a place and class have measured.
struct Part {
  const std::string& place;
  const std::string& size;
  const SortResults& results;

  Keys keys(const std::string& scenario) const { return SortResults::keysOf(place, size, scenario); }
  Estimate saved(const std::string& scenario, const char* figure = SortResults::kWall) const {
    return results.saved(keys(scenario), keys(sortScenario(scenario).base), figure);
  }
};

// "reached" for a gain above the goal, only if the whole interval is.
const char* above(const Estimate& saved, double goal) { return wordFor(below(longer(saved), -goal)); }

// "What the tuner decided with all models, median: ROUTE: direct after 2.2 s (7 of 8 runs), ...".
std::string decisionsText(const Keys& keys, const SortResults& results) {
  std::string text;
  const size_t runs = results.valuesOf(keys, SortResults::kTunedNs).size();
  for (const SortFactor& factor : sortFactors()) {
    const Estimate at = results.keptAtSeconds(keys, factor);
    if (at.count == 0) continue;
    text += std::string(text.empty() ? "" : ", ") + factor.name + ": " + factor.high + " after " + format("%.1f s", at.median) +
        " (" + std::to_string(at.count) + " of " + std::to_string(runs) + " runs)";
  }
  return text.empty() ? "" : "What the tuner decided with all models, median: " + text + ".\n";
}

// Of what was measured.
std::string sentences(const Part& part) {
  const SortScenario& all = sortScenario(kSortAll);
  std::string text;
  if (const Estimate saved = part.saved(kSortAll); std::isfinite(saved.median)) {
    text += "All models together save " + paperSavedText(all) + " % in the paper, here " + savedText(saved) + " % (above the paper's: " +
        above(saved, paperSaved(all)) + "), and " + savedText(part.saved(kSortAll, SortResults::kElapsed)) +
        " % of the whole command, with the starts of the tuner and of PVM's tasks.\n";
  }
  if (const Estimate last = part.saved(kSortAll, SortResults::kLast); std::isfinite(last.median)) {
    text += "In the last tenth of the sort, after most decisions, they save " + savedText(last) + " %.\n";
  }
  text += decisionsText(part.keys(kSortAll), part.results);
  if (const Estimate intrusion = longer(part.saved(kSortWatched)); std::isfinite(intrusion.median)) {
    text += format("The intrusion is %.1f %% in the paper. Here the sort takes ", all.paperIntrusion) + savedText(intrusion) +
        " % longer with all measure points and no action (below the paper's: " + wordFor(below(intrusion, all.paperIntrusion / 100)) +
        "), and the whole command " + savedText(longer(part.saved(kSortWatched, SortResults::kElapsed))) + " %.\n";
  }
  if (const Estimate saved = part.saved(kSortXdrAll); std::isfinite(saved.median)) {
    text += format("From XDR, tuning saves %.0f %% in the paper, here ", kPaperXdrSaved) + savedText(saved) + " %.\n";
  }
  if (const Estimate saved = part.results.saved(part.keys(kSortNone), part.keys(kSortXdr), SortResults::kWall); std::isfinite(saved.median)) {
    text += "Raw data set by the sort itself save " + savedText(saved) + " %.\n";
  }
  return text.empty() ? "" : "\n" + text;
}

std::string table(const Part& part) {
  std::string text = "=== " + Place::nameOf(part.place) + ", class " + part.size +
      " ===\n\nTable 4: the sort, tuned while it runs\n" +
      format("%-30s %7s %7s %11s   %-25s %-20s %-20s %8s %9s %9s\n", "tuned", "paper s", "less %", "intrusion %", "here s [95 %]",
             "less % [95 %]", "of the whole command", "kept", "tuned at", "fragments");
  for (const SortScenario& scenario : sortScenarios()) {
    const Keys keys = part.keys(scenario.name);
    const bool isBase = scenario.name == std::string(scenario.base);
    const bool isActing = scenario.isTuned() && std::string(scenario.name) != kSortWatched;
    const double tunedNs = part.results.estimateOf(keys, SortResults::kTunedNs).median;
    text += format("%-30s %7s %7s %11s   %-25s %-20s %-20s %8s %9s %9s\n", scenario.title,
                   scenario.paperSeconds > 0 ? format("%.0f", scenario.paperSeconds).c_str() : "",
                   paperSavedText(scenario).c_str(),
                   scenario.paperIntrusion > 0 ? format("%.1f", scenario.paperIntrusion).c_str() : "",
                   secondsText(part.results.seconds(keys)).c_str(), isBase ? "" : savedText(part.saved(scenario.name)).c_str(),
                   isBase ? "" : savedText(part.saved(scenario.name, SortResults::kElapsed)).c_str(),
                   isActing ? keptText(keys, part.results).c_str() : "",
                   isActing && tunedNs > 0 ? format("%.1f s", tunedNs / kNsInSecond).c_str() : "",
                   numberText("%.0f", part.results.estimateOf(keys, SortResults::kFragment).median).c_str());
  }
  return text + "kept: how often the actions on route, encoding and fragments stayed, in the median run. fragments: bytes, at the end\n" +
      "of the first process.\n" + sentences(part) + "\n" + sortEffects(part.place, part.size, part.results);
}

std::string csvOf(const Estimate& value, double unit) {
  std::string text;
  for (const double each : {value.median, value.low, value.high}) {
    text += "," + (std::isfinite(each) ? format("%.6g", each / unit) : "");
  }
  return text;
}

}  // namespace

std::string sortTables(const SortSettings& settings, const SortResults& results) {
  std::string text;
  for (const std::string& place : settings.places) {
    for (const std::string& size : settings.classes) text += table({place, size, results});
  }
  return withoutTrailingSpaces(text);
}

std::string sortCsv(const SortSettings& settings, const SortResults& results) {
  std::string text = "hosts,class,tuned,paper_s,paper_less_percent,paper_intrusion_percent,rounds,s,s_low,s_high,less,less_low,less_high,"
                     "whole_less,whole_less_low,whole_less_high\n";
  for (const std::string& place : settings.places) {
    for (const std::string& size : settings.classes) {
      const Part part{place, size, results};
      for (const SortScenario& scenario : sortScenarios()) {
        const Estimate seconds = results.seconds(part.keys(scenario.name));
        text += place + "," + size + "," + scenario.name + "," + format("%g", scenario.paperSeconds) + "," + paperSavedText(scenario) +
            "," + format("%g", scenario.paperIntrusion) + "," + std::to_string(seconds.count) + csvOf(seconds, 1) +
            csvOf(part.saved(scenario.name), 1) + csvOf(part.saved(scenario.name, SortResults::kElapsed), 1) + "\n";
      }
    }
  }
  return text;
}

}  // namespace parallax::bench
