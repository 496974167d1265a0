// The table of collectives, untuned and tuned.
#include <cmath>

#include "bench/collectives.h"
#include "bench/study_text.h"

namespace parallax::bench {
namespace {

constexpr double kNsInMicrosecond = 1000, kPercent = 100;

// What a library, an operation and a start have measured.
struct Part {
  const CollectiveResults& results;
  std::string library, operation, start;

  Keys keys(bool isTuned) const { return CollectiveResults::keysOf(library, operation, start, isTuned); }
  Estimate untuned() const { return results.estimateOf(keys(false), CollectiveResults::kCall); }
  Estimate saved(const char* figure) const { return results.saved(keys(true), keys(false), figure); }
  Estimate lost(const char* figure) const {
    const Estimate s = saved(figure);
    return {-s.median, -s.high, -s.low, s.count};
  }
};

std::vector<Part> partsOf(const CollectiveSettings& settings, const std::vector<CollectiveLibrary>& libraries,
                          const CollectiveResults& results) {
  std::vector<Part> parts;
  for (const CollectiveLibrary& library : libraries) {
    for (const std::string& operation : settings.operations) {
      for (const std::string& start : settings.starts) parts.push_back({results, library.name, operation, start});
    }
  }
  return parts;
}

std::string microseconds(const Estimate& ns) {
  if (!std::isfinite(ns.median)) return "";
  const std::string median = shortNumber(ns.median / kNsInMicrosecond);
  if (!std::isfinite(ns.low) || !std::isfinite(ns.high)) return median;
  return median + " [" + shortNumber(ns.low / kNsInMicrosecond) + ", " + shortNumber(ns.high / kNsInMicrosecond) + "]";
}

// In how many runs each method was kept: "linear 5, pairwise 1".
std::string keptText(const Part& part) {
  std::string text;
  for (const std::string& method : collectiveMethods()) {
    int runs = 0;
    for (const double kept : part.results.valuesOf(part.keys(true), CollectiveResults::keptName(method))) runs += kept > 0 ? 1 : 0;
    if (runs > 0) text += (text.empty() ? "" : ", ") + method + " " + std::to_string(runs);
  }
  return text.empty() ? "none" : text;
}

std::string percent(const Estimate& lost) {
  return format("%.1f %%", kPercent * lost.median) +
      (std::isfinite(lost.high) ? format(" [%.1f, %.1f]", kPercent * lost.low, kPercent * lost.high) : "");
}

// What a program loses that is set well. The turns of one run decide: two runs differ by more than may be lost.
std::string sentences(const std::vector<Part>& parts) {
  std::string text;
  for (const Part& part : parts) {
    const Estimate inTurns = part.results.lostInTurns(part.keys(true)), before = part.results.lostBeforeTurns(part.keys(true));
    const Estimate whole = part.lost(CollectiveResults::kCall);
    if (part.start != "well" || !std::isfinite(whole.median)) continue;
    text += part.library + ", " + part.operation + ", well set: tuned ";
    if (std::isfinite(inTurns.median)) {
      text += percent(inTurns) + " longer than while the tuner is paused (at most " + format("%.0f %%: ", kPercent * kMostLoss) +
          wordFor(below(inTurns, kMostLoss)) + "); " + percent(before) + " while it tunes; ";
    }
    text += percent(whole) + " longer than in another run without it\n";
  }
  return text;
}

std::string csvOf(const Estimate& value, double unit) {
  std::string text;
  for (const double each : {value.median, value.low, value.high}) {
    text += "," + (std::isfinite(each) ? format("%.6g", each / unit) : "");
  }
  return text;
}

}  // namespace

std::string collectivesTable(const CollectiveSettings& settings, const std::vector<CollectiveLibrary>& libraries,
                             const CollectiveResults& results) {
  const std::vector<Part> parts = partsOf(settings, libraries, results);
  std::string text = format("%-10s %-10s %-8s  %-24s %-22s %-22s %-18s %s\n", "library", "operation", "start", "untuned us/call [95 %]",
                            "tuned less % [95 %]", "last quarter", "on/paused, more %", "kept in runs");
  for (const Part& part : parts) {
    const std::string kept = std::isfinite(part.saved(CollectiveResults::kCall).median) ? keptText(part) : "";
    text += format("%-10s %-10s %-8s  %-24s %-22s %-22s %-18s %s\n", part.library.c_str(), part.operation.c_str(), part.start.c_str(),
                   microseconds(part.untuned()).c_str(), savedText(part.saved(CollectiveResults::kCall)).c_str(),
                   savedText(part.saved(CollectiveResults::kLast)).c_str(),
                   savedText(part.results.lostInTurns(part.keys(true))).c_str(), kept.c_str());
  }
  const std::string losses = sentences(parts);
  return withoutTrailingSpaces(text + (losses.empty() ? "" : "\n" + losses));
}

std::string collectivesCsv(const CollectiveSettings& settings, const std::vector<CollectiveLibrary>& libraries,
                           const CollectiveResults& results) {
  std::string text = "library,operation,start,rounds,untuned_us,untuned_us_low,untuned_us_high,less,less_low,less_high,last_less,"
                     "last_less_low,last_less_high,turns_more,turns_more_low,turns_more_high,before_turns_more,before_turns_more_low,"
                     "before_turns_more_high,kept\n";
  for (const Part& part : partsOf(settings, libraries, results)) {
    const Estimate untuned = part.untuned();
    text += part.library + "," + part.operation + "," + part.start + "," + std::to_string(untuned.count) +
        csvOf(untuned, kNsInMicrosecond) + csvOf(part.saved(CollectiveResults::kCall), 1) +
        csvOf(part.saved(CollectiveResults::kLast), 1) + csvOf(part.results.lostInTurns(part.keys(true)), 1) +
        csvOf(part.results.lostBeforeTurns(part.keys(true)), 1) + ",\"" + keptText(part) + "\"\n";
  }
  return text;
}

}  // namespace parallax::bench
