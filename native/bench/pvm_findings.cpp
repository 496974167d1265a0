// What differs from the paper, in sentences that are made of the measurements.
#include <algorithm>
#include <cmath>

#include "bench/pvm_paper.h"
#include "bench/pvm_tables.h"
#include "bench/study_text.h"

namespace parallax::bench {
namespace {

constexpr double kAlike = 0.1;  // shares that differ by less are called alike

std::string percentText(double share) { return std::isfinite(share) ? format("%.0f %%", 100 * share) : "?"; }

class Findings {
 public:
  Findings(const PvmSettings& settings, const PvmResults& results) : settings_(settings), results_(results) {}

  std::string of(const std::string& place) const {
    return Place::nameOf(place) + ":\n" + route(place) + encoding(place) + fragment(place);
  }

 private:
  // A difference counts only if the interval is beside it, where there is one.
  static std::string compared(const Estimate& here, double paper) {
    if (!std::isfinite(here.median)) return "not measured";
    const bool isWithin = std::isfinite(here.low) && std::isfinite(here.high) && here.low <= paper && paper <= here.high;
    if (isWithin || std::fabs(here.median - paper) < kAlike) return "as there";
    return here.median > paper ? "more than there" : "less than there";
  }

  std::string route(const std::string& place) const {
    const PaperRoundTrips& small = kPaperRoundTrips[0];
    const PaperRoundTrips& large = kPaperRoundTrips[std::size(kPaperRoundTrips) - 1];
    const auto here = [&](int bytes, const char* encoding) {
      return results_.saved({place, Route::kDirect, encoding, kDefaultFragment, bytes},
                   {place, Route::kIndirect, encoding, kDefaultFragment, bytes});
    };
    const double paperSmall = 1 - small.directXdr / small.indirectXdr, paperLarge = 1 - large.directXdr / large.indirectXdr;
    const Estimate smallHere = here(small.bytes, Encoding::kXdr), largeHere = here(large.bytes, Encoding::kXdr);
    return "  Direct route: it saves " + percentText(paperSmall) + " at 1 B and " + percentText(paperLarge) +
        " at 1 MB in the paper; here " + percentText(smallHere.median) + " (" + compared(smallHere, paperSmall) + ") and " +
        percentText(largeHere.median) + " (" + compared(largeHere, paperLarge) + "), with raw data " +
        percentText(here(small.bytes, Encoding::kRaw).median) + " and " +
        percentText(here(large.bytes, Encoding::kRaw).median) + ".\n";
  }

  std::string encoding(const std::string& place) const {
    const PaperRoundTrips& large = kPaperRoundTrips[std::size(kPaperRoundTrips) - 1];
    const auto here = [&](const char* encoding) {
      return results_.saved({place, Route::kDirect, encoding, kDefaultFragment, large.bytes},
                            {place, Route::kDirect, Encoding::kXdr, kDefaultFragment, large.bytes});
    };
    const double paper = 1 - large.directRaw / large.directXdrAgain;
    const Estimate raw = here(Encoding::kRaw);
    const int bytes = largestFragmentMessage();
    return "  XDR: raw data save " + percentText(paper) + " at 1 MB on the direct route in the paper; here " +
        percentText(raw.median) + " (" + compared(raw, paper) + "), data in place " +
        percentText(here(Encoding::kInPlace).median) + "; with the best fragments for " + kilobytes(bytes) +
        " raw data save " + percentText(rawAtTheBest(place, bytes)) + ".\n";
  }

  std::string fragment(const std::string& place) const {
    const int bytes = largestFragmentMessage();
    std::string text = "  Fragments: the best for " + kilobytes(bytes);
    for (const PaperFragments& row : kPaperFragments) {
      if (row.kilobytes * kKilobyte != bytes) continue;
      const double* least = std::min_element(std::begin(row.milliseconds), std::end(row.milliseconds));
      text += " are " + std::to_string(kPaperFragmentsKb[least - row.milliseconds]) + " KB in the paper (" +
          percentText(1 - *least / row.milliseconds[0]) + " less than 4 KB);";
    }
    for (const char* encoding : {Encoding::kXdr, Encoding::kRaw}) {
      text += std::string(encoding == std::string(Encoding::kXdr) ? " here " : ", with raw data ") +
          bestText(fragmentsOf(place, Route::kDirect, encoding, bytes));
    }
    return text + "; on the indirect route none matters in the paper, here the best are " +
        bestText(fragmentsOf(place, Route::kIndirect, Encoding::kXdr, bytes)) + ".\n";
  }

  std::string bestText(const std::vector<PvmCell>& cells) const {
    const PvmResults::Best best = results_.bestOf(cells);
    return kilobytes(best.cell.fragment) + " (" + percentText(best.saved.median) + ")";
  }

  // The fragments are the best for XDR, in each round by the others.
  double rawAtTheBest(const std::string& place, int bytes) const {
    std::vector<double> shares;
    for (const auto& [round, xdr] : results_.bestByOthers(fragmentsOf(place, Route::kDirect, Encoding::kXdr, bytes))) {
      PvmCell raw = xdr;
      raw.encoding = Encoding::kRaw;
      if (const double share = results_.savedIn(round, raw, xdr); !std::isnan(share)) shares.push_back(share);
    }
    return median(shares);
  }

  // Of a megabyte, or the largest there is.
  int largestFragmentMessage() const {
    constexpr int kMegabyte = 1024 * kKilobyte;
    const auto& all = settings_.fragmentBytes;
    return std::find(all.begin(), all.end(), kMegabyte) != all.end() ? kMegabyte : all.back();
  }

  // The default size is the first.
  std::vector<PvmCell> fragmentsOf(const std::string& place, const std::string& route, const std::string& encoding,
                                   int bytes) const {
    std::vector<PvmCell> cells = {{place, route, encoding, kDefaultFragment, bytes}};
    for (const int fragment : settings_.fragments) {
      if (fragment != kDefaultFragment) cells.push_back({place, route, encoding, fragment, bytes});
    }
    return cells;
  }

  static std::string kilobytes(int bytes) { return std::to_string(bytes / kKilobyte) + " KB"; }

  const PvmSettings& settings_;
  const PvmResults& results_;
};

}  // namespace

std::string pvmFindings(const PvmSettings& settings, const PvmResults& results) {
  std::string text = "Beside the paper\n";
  for (const std::string& place : settings.places) text += Findings(settings, results).of(place);
  return text + "\n";
}

}  // namespace parallax::bench
