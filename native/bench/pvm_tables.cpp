#include "bench/pvm_tables.h"

#include <cmath>

#include "bench/pvm_paper.h"
#include "bench/study_text.h"

namespace parallax::bench {
namespace {

const PaperRoundTrips* paperOf(int bytes) {
  for (const PaperRoundTrips& row : kPaperRoundTrips) {
    if (row.bytes == bytes) return &row;
  }
  return nullptr;
}

const PaperFragments* paperFragmentsOf(int bytes) {
  for (const PaperFragments& row : kPaperFragments) {
    if (row.kilobytes * kKilobyte == bytes) return &row;
  }
  return nullptr;
}

// In percent, of two times that the paper prints.
std::string paperSaved(double milliseconds, double base) { return format("%.1f", 100 * (1 - milliseconds / base)); }

std::string encodingName(const std::string& encoding) { return encoding == Encoding::kXdr ? "XDR" : encoding; }

std::string routeName(const std::string& route) { return route == Route::kIndirect ? "indirect" : route; }

std::string kilobytes(int bytes) { return std::to_string(bytes / kKilobyte) + " KB"; }

bool hasInterval(const Estimate& e) { return std::isfinite(e.low) && std::isfinite(e.high); }

std::string timeText(const Estimate& time) {
  const std::string median = millisecondsText(time.median);
  if (median.empty() || !hasInterval(time)) return median;
  return median + " [" + millisecondsText(time.low) + ", " + millisecondsText(time.high) + "]";
}

class Tables {
 public:
  Tables(const PvmSettings& settings, const PvmResults& results) : settings_(settings), results_(results) {}

  std::string all() {
    for (const std::string& place : settings_.places) {
      text_ += "=== " + Place::nameOf(place) + " ===\n\n";
      routes(place);
      encodings(place);
      fragments(place);
      best(place);
    }
    return withoutTrailingSpaces(text_);
  }

 private:
  static constexpr int kTime = 26, kSaved = 22;

  std::string time(const PvmCell& cell) const { return timeText(results_.milliseconds(cell)); }
  std::string saved(const PvmCell& cell, const PvmCell& base) const { return savedText(results_.saved(cell, base)); }

  void routes(const std::string& place) {
    text_ += "Table 1: communication mode; fragments of 4 KB. The paper has XDR\n";
    text_ += format("%9s  %-9s  %9s %9s %7s   %*s %*s %*s\n", "bytes", "encoding", "paper ms", "direct", "less %", kTime,
                    "here ms [95 %]", kTime, "direct ms", kSaved, "less % [95 %]");
    for (const char* encoding : {Encoding::kXdr, Encoding::kRaw, Encoding::kInPlace}) {
      for (const int bytes : settings_.modeBytes) {
        const PaperRoundTrips* paper = encoding == std::string(Encoding::kXdr) ? paperOf(bytes) : nullptr;
        const PvmCell indirect = {place, Route::kIndirect, encoding, kDefaultFragment, bytes};
        const PvmCell direct = {place, Route::kDirect, encoding, kDefaultFragment, bytes};
        text_ += format("%9d  %-9s  %9s %9s %7s   %*s %*s %*s\n", bytes, encodingName(encoding).c_str(),
                        paper == nullptr ? "" : format("%.2f", paper->indirectXdr).c_str(),
                        paper == nullptr ? "" : format("%.2f", paper->directXdr).c_str(),
                        paper == nullptr ? "" : paperSaved(paper->directXdr, paper->indirectXdr).c_str(), kTime,
                        time(indirect).c_str(), kTime, time(direct).c_str(), kSaved, saved(direct, indirect).c_str());
      }
    }
    text_ += '\n';
  }

  void encodings(const std::string& place) {
    text_ += "Table 2: data encoding; fragments of 4 KB. The paper has the direct route, and no data in place\n";
    text_ += format("%9s  %-9s  %9s %9s %7s   %*s %*s %*s %*s %*s\n", "bytes", "route", "paper XDR", "raw ms", "less %", kTime,
                    "here XDR ms [95 %]", kTime, "raw ms", kSaved, "less % [95 %]", kTime, "in place ms", kSaved,
                    "less % [95 %]");
    for (const char* route : {Route::kDirect, Route::kIndirect}) {
      for (const int bytes : settings_.modeBytes) {
        const PaperRoundTrips* paper = route == std::string(Route::kDirect) ? paperOf(bytes) : nullptr;
        const PvmCell xdr = {place, route, Encoding::kXdr, kDefaultFragment, bytes};
        const PvmCell raw = {place, route, Encoding::kRaw, kDefaultFragment, bytes};
        const PvmCell inPlace = {place, route, Encoding::kInPlace, kDefaultFragment, bytes};
        text_ += format("%9d  %-9s  %9s %9s %7s   %*s %*s %*s %*s %*s\n", bytes, routeName(route).c_str(),
                        paper == nullptr ? "" : format("%.2f", paper->directXdrAgain).c_str(),
                        paper == nullptr ? "" : format("%.2f", paper->directRaw).c_str(),
                        paper == nullptr ? "" : paperSaved(paper->directRaw, paper->directXdrAgain).c_str(), kTime,
                        time(xdr).c_str(), kTime, time(raw).c_str(), kSaved, saved(raw, xdr).c_str(), kTime,
                        time(inPlace).c_str(), kSaved, saved(inPlace, xdr).c_str());
      }
    }
    text_ += '\n';
  }

  void fragments(const std::string& place) {
    text_ += "Table 3: fragment size; by how much each is less than 4 KB, in percent [95 %]. The paper has XDR on the direct "
             "route\n";
    text_ += format("%9s  %-14s %*s", "message", "", kTime, "4 KB ms");
    for (const int fragment : settings_.fragments) {
      if (fragment != kDefaultFragment) text_ += format(" %*s", kSaved, kilobytes(fragment).c_str());
    }
    text_ += '\n';
    for (const int bytes : settings_.fragmentBytes) {
      if (const PaperFragments* paper = paperFragmentsOf(bytes)) paperFragments(*paper);
      for (const char* route : {Route::kDirect, Route::kIndirect}) {
        for (const char* encoding : {Encoding::kXdr, Encoding::kRaw}) fragmentsRow(place, route, encoding, bytes);
      }
    }
    text_ += '\n';
  }

  void paperFragments(const PaperFragments& paper) {
    text_ += format("%9s  %-14s %*s", kilobytes(paper.kilobytes * kKilobyte).c_str(), "paper", kTime,
                    format("%.2f", paper.milliseconds[0]).c_str());
    for (size_t i = 1; i < std::size(kPaperFragmentsKb); i++) {
      bool isShown = false;
      for (const int fragment : settings_.fragments) isShown = isShown || fragment == kPaperFragmentsKb[i] * kKilobyte;
      if (isShown) text_ += format(" %*s", kSaved, paperSaved(paper.milliseconds[i], paper.milliseconds[0]).c_str());
    }
    text_ += '\n';
  }

  void fragmentsRow(const std::string& place, const std::string& route, const std::string& encoding, int bytes) {
    const PvmCell base = {place, route, encoding, kDefaultFragment, bytes};
    text_ += format("%9s  %-14s %*s", kilobytes(bytes).c_str(), (routeName(route) + ", " + encodingName(encoding)).c_str(),
                    kTime, time(base).c_str());
    for (const int fragment : settings_.fragments) {
      if (fragment == kDefaultFragment) continue;
      text_ += format(" %*s", kSaved, saved({place, route, encoding, fragment, bytes}, base).c_str());
    }
    text_ += '\n';
  }

  void best(const std::string& place) {
    text_ += "The fastest of all settings, beside the default one: indirect, XDR, 4 KB. Times and savings are of rounds that did\n"
             "not choose it: in each round, of the setting that is the fastest by the others\n";
    text_ += format("%9s  %*s   %-28s %*s %*s\n", "bytes", kTime, "default ms [95 %]", "fastest", kTime, "ms", kSaved,
                    "less % [95 %]");
    for (const int bytes : settings_.modeBytes) bestRow(bytes, settings_.modes(place, bytes));
    for (const int bytes : settings_.fragmentBytes) bestRow(bytes, settings_.allFragments(place, bytes));
    text_ += '\n';
  }

  void bestRow(int bytes, const std::vector<PvmCell>& cells) {
    const PvmResults::Best best = results_.bestOf(cells);
    const std::string name = routeName(best.cell.route) + ", " + encodingName(best.cell.encoding) +
        (best.cell.encoding == Encoding::kInPlace ? "" : ", " + kilobytes(best.cell.fragment));
    text_ += format("%9d  %*s   %-28s %*s %*s\n", bytes, kTime, time(cells.front()).c_str(), name.c_str(), kTime,
                    timeText(best.milliseconds).c_str(), kSaved, savedText(best.saved).c_str());
  }

  const PvmSettings& settings_;
  const PvmResults& results_;
  std::string text_;
};

}  // namespace

std::string millisecondsText(double milliseconds) {
  if (!std::isfinite(milliseconds)) return "";
  return format(milliseconds < 0.0995   ? "%.4f"
                : milliseconds < 9.95   ? "%.3f"
                : milliseconds < 99.5   ? "%.2f"
                                        : "%.1f", milliseconds);
}

std::string pvmTables(const PvmSettings& settings, const PvmResults& results) { return Tables(settings, results).all(); }

}  // namespace parallax::bench
