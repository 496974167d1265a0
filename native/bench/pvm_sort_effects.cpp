// The three settings as a designed experiment: a full factorial 2^3 in each round (Box, Hunter and Hunter, Statistics for
// Experimenters, section 5.2). The response is the logarithm of the time, so that an effect is a ratio of times.
#include <algorithm>
#include <cmath>

#include "bench/pvm_sort.h"
#include "bench/study_text.h"

namespace parallax::bench {
namespace {

constexpr int kCells = 1 << kSortFactors;
// The scenarios whose tuner is compared with the experiment, and what they have from the beginning: bits of factors.
constexpr struct {
  const char* name;
  int before;
} kTuned[] = {{kSortAll, 1 << 1}, {kSortXdrAll, 0}};

std::string wordsOf(int cell) {
  std::string text;
  for (int f = 0; f < kSortFactors; f++) {
    const SortFactor& factor = sortFactors()[static_cast<size_t>(f)];
    text += std::string(f == 0 ? "" : ", ") + (f == 2 ? "fragments of " : "") + ((cell >> f & 1) != 0 ? factor.high : factor.low);
  }
  return text;
}

// Of the factors whose bits are set: "route x fragment".
std::string nameOf(int contrast) {
  std::string text;
  for (int f = 0; f < kSortFactors; f++) {
    if ((contrast >> f & 1) != 0) text += std::string(text.empty() ? "" : " x ") + sortFactors()[static_cast<size_t>(f)].name;
  }
  return text;
}

// +1 where an even number of the contrast's factors are low.
int signOf(int contrast, int cell) { return __builtin_popcount(static_cast<unsigned>(contrast & ~cell)) % 2 == 0 ? 1 : -1; }

// By how much less the time is, of each round: the mean of the logarithms where the contrast is +, minus that where it is -.
Estimate effectOf(int contrast, const std::vector<Keys>& cells, const SortResults& results) {
  std::map<int, double> sums;
  std::map<int, int> counts;
  for (int cell = 0; cell < kCells; cell++) {
    for (const auto& [round, ratio] : results.ratiosOf(cells[static_cast<size_t>(cell)], cells.front(), SortResults::kWall)) {
      if (!(ratio > 0) || !std::isfinite(ratio)) continue;
      sums[round] += signOf(contrast, cell) * std::log(ratio);
      counts[round]++;
    }
  }
  std::vector<double> values;
  for (const auto& [round, sum] : sums) {
    if (counts[round] == kCells) values.push_back(1 - std::exp(sum / (kCells / 2)));
  }
  return estimate(values);
}

// The setting that the tuner left in most runs, as bits of factors; -1 without runs.
int settingOf(const Keys& keys, int before, const SortResults& results) {
  int setting = before;
  for (int f = 0; f < kSortFactors; f++) {
    const double kept = results.estimateOf(keys, SortResults::keptName(sortFactors()[static_cast<size_t>(f)])).median;
    if (std::isnan(kept)) return -1;
    if (kept > 0.5) setting |= 1 << f;
  }
  return setting;
}

// In how many runs the tuner left this setting: "5 of 8 runs".
std::string runsWith(int setting, const Keys& keys, int before, const SortResults& results) {
  std::vector<int> settings;
  for (int f = 0; f < kSortFactors; f++) {
    const std::vector<double> kept = results.valuesOf(keys, SortResults::keptName(sortFactors()[static_cast<size_t>(f)]));
    settings.resize(kept.size(), before);
    for (size_t run = 0; run < kept.size(); run++) settings[run] |= kept[run] > 0 ? 1 << f : 0;
  }
  return std::to_string(std::count(settings.begin(), settings.end(), setting)) + " of " + std::to_string(settings.size()) + " runs";
}

}  // namespace

std::string sortEffects(const std::string& place, const std::string& size, const SortResults& results) {
  const std::vector<Keys> cells = SortResults::designCells(place, size);
  if (results.valuesOf(cells.front(), SortResults::kWall).empty()) return "";
  std::string text = "The settings as an experiment: a full factorial 2^3 in each round, set by the sort itself before its time begins\n" +
      format("%-30s %-22s\n", "effect", "less % [95 %]");
  for (int contrast = 1; contrast < kCells; contrast++) {
    text += format("%-30s %-22s\n", nameOf(contrast).c_str(), savedText(effectOf(contrast, cells, results)).c_str());
  }
  text += format("\n%-46s %-22s %-22s\n", "setting", "less % [95 %]", "fragment bytes");
  for (int cell = 0; cell < kCells; cell++) {
    const Keys& keys = cells[static_cast<size_t>(cell)];
    const double fragment = results.estimateOf(keys, SortResults::kFragment).median;
    text += format("%-46s %-22s %-22s\n", wordsOf(cell).c_str(),
                   cell == 0 ? "" : savedText(results.saved(keys, cells.front(), SortResults::kWall)).c_str(),
                   std::isnan(fragment) ? "" : format("%.0f", fragment).c_str());
  }
  const Keys best = results.bestOf(cells, SortResults::kWall);
  int bestCell = 0;
  for (int cell = 0; cell < kCells; cell++) bestCell = cells[static_cast<size_t>(cell)] == best ? cell : bestCell;
  // Savings of the setting that is the best by the other rounds.
  std::vector<double> saved;
  for (const auto& [round, keys] : results.bestByOthers(cells, SortResults::kWall)) {
    const auto ratios = results.ratiosOf(keys, cells.front(), SortResults::kWall);
    if (const auto ratio = ratios.find(round); ratio != ratios.end()) saved.push_back(1 - ratio->second);
  }
  text += "\nThe best setting of the experiment: " + wordsOf(bestCell) + "; it saves " + savedText(estimate(saved)) +
      " % in rounds that did not choose it.\n";
  for (const auto& [name, before] : kTuned) {
    const int setting = settingOf(SortResults::keysOf(place, size, name), before, results);
    if (setting < 0) continue;
    text += std::string("The tuner leaves, ") + (before == 0 ? "from XDR: " : "from raw data: ") + wordsOf(setting) +
        (setting == bestCell ? "; the same, in " : "; NOT the same, which it leaves in ") +
        runsWith(bestCell, SortResults::keysOf(place, size, name), before, results) + ".\n";
  }
  return withoutTrailingSpaces(text) + "\n";
}

}  // namespace parallax::bench
