// The goals of docs/benchmarks.md against what was measured.
#include <cmath>

#include "bench/peers_report.h"
#include "bench/study_text.h"

namespace parallax::bench {
namespace {

Verdict verdictOf(bool reached) { return reached ? Verdict::kReached : Verdict::kNotReached; }

// The mean of an Enter and a Leave against that of the two reads of the clock in them.
void judgeReads(const Cost& pair, const std::string& what, double enterNs, double leaveNs,
                std::vector<Goal>* goals) {
  constexpr double kReads = 1.5;
  const double reads = pair.leastNs / (enterNs + leaveNs);
  goals->push_back({what + " costs at most 1.5 reads of the clock that it uses",
                    format("%.2f reads (both %.1f ns; the clock %.1f at the Enter, %.1f at the Leave)",
                         reads, pair.leastNs, enterNs, leaveNs),
                    verdictOf(reads <= kReads),
                    reads <= kReads
                        ? ""
                        : format("%.1f ns beyond the two reads", pair.leastNs - enterNs - leaveNs)});
}

void judgeClock(const Costs& costs, std::vector<Goal>* goals) {
  const Cost* pair = costs.find(kFunctionGroup, kOursWithoutPath);
  if (pair == nullptr) return;
  judgeReads(*pair, "an Enter or Leave", costs.clockBeginNs, costs.clockBeginNs, goals);
  if (const Cost* waiting = costs.find(kFunctionGroup, kOursAfterWait)) {
    judgeReads(*waiting, "the same of a routine that waits for others", costs.clockBeginNs,
               costs.clockEndNs, goals);
  }
  goals->push_back({"8 bytes for an Enter or Leave", format("%.2f bytes, headers of blocks included",
                                                          pair->bytes),
                    verdictOf(std::lround(pair->bytes) <= 8), ""});
  for (const Cost& row : costs.rows) {
    if (row.group != kFunctionGroup || row.origin != Origin::kPeer) continue;
    Goal goal{"an Enter or Leave costs less than an event of " + row.name, "",
              Verdict::kNotDecided, ""};
    const double mine = pair->meanNs / pair->events, theirs = row.meanNs / row.events;
    if (!row.failure.empty()) {
      goal.measured = "not measured";
      goal.reason = row.failure;
    } else {
      goal.measured = format("%.1f ns against %.1f (means of all)", mine, theirs);
      goal.verdict = verdictOf(mine < theirs);
      if (mine >= theirs && !row.timed) goal.reason = "it reads no clock and writes no event";
      if (mine >= theirs && row.timed) {
        goal.reason = format("the least of many rounds is %.1f against %.1f",
                           pair->leastNs / pair->events, row.leastNs / row.events);
      }
    }
    goals->push_back(goal);
  }
}

void judgeLocks(const Costs& costs, std::vector<Goal>* goals) {
  const Cost* ours = costs.find(kLockGroup, kOurs);
  const Cost* eztrace = costs.find(kLockGroup, kEztrace);
  Goal goal{"a lock and unlock adds less than a quarter of what EZTrace adds", "not measured",
            Verdict::kNotDecided, "one of the two does not run here"};
  if (ours != nullptr && eztrace != nullptr) {
    goal.measured = format("%.1f ns against %.1f: 1/%.1f", ours->meanNs, eztrace->meanNs,
                         eztrace->meanNs / ours->meanNs);
    goal.verdict = verdictOf(4 * ours->meanNs < eztrace->meanNs);
    goal.reason.clear();
  }
  goals->push_back(goal);
}

void judgePaths(const PathCosts& paths, std::vector<Goal>* goals) {
  constexpr double kMostNs = 100;
  Goal goal{"the call path of an intercepted call adds at most 100 ns at any depth to 1,000",
            "not measured", Verdict::kNotDecided, paths.failure};
  if (paths.failure.empty()) {
    goal.measured = format("at most %.1f ns (%s)", paths.mostNs, paths.mostWhere.c_str());
    goal.verdict = verdictOf(paths.mostNs <= kMostNs);
  }
  goals->push_back(goal);
}

const Dilation* cellOf(const Dilations& dilations, const Program* program, int sampleHz) {
  for (const Dilation& cell : dilations.cells) {
    if (cell.program == program && cell.tool->ours && cell.tool->sampleHz == sampleHz) return &cell;
  }
  return nullptr;
}

// What of it is events, and what samples.
std::string partsOf(const Dilations& dilations, const std::vector<SignalCost>& signals,
                    const Dilation& cell, double plainNs) {
  const Dilation* events = cellOf(dilations, cell.program, 0);
  if (events == nullptr || events->turns.empty()) return "";
  const Estimate without = estimate(events->turns);
  const Estimate all = estimate(cell.turns);
  std::string parts =
      format("without samples %s; samples %.2f %%: %.1f us for each; section %.2f s",
           percent(without).c_str(), 100 * (all.median - without.median),
           (all.median - without.median) * 1e6 / cell.tool->sampleHz, plainNs / 1e9);
  for (const SignalCost& signal : signals) {
    if (signal.hz == cell.tool->sampleHz && signal.ns.count > 0) {
      parts += format("; a handler that does nothing: %.1f us", signal.ns.median / 1e3);
    }
  }
  return parts;
}

void judgeDilation(const Dilations& dilations, const std::vector<SignalCost>& signals, int sampleHz,
                   double most, std::vector<Goal>* goals) {
  for (size_t i = 0; i < programs().size(); i++) {
    const Program& program = programs()[i];
    const Dilation* cell = cellOf(dilations, &program, sampleHz);
    if (cell == nullptr) continue;
    Goal goal{format("%s takes less than %.0f %% longer at %d Hz, CPU time in turns", program.title,
                   100 * most, sampleHz),
              "not measured", Verdict::kNotDecided, cell->failure};
    if (cell->failure.empty()) {
      const Estimate found = estimate(cell->turns);
      goal.measured = percent(found);
      goal.verdict = below(found, most);
      if (goal.verdict == Verdict::kNotReached) {
        goal.reason = partsOf(dilations, signals, *cell, dilations.plainNs[i]);
      } else if (goal.verdict == Verdict::kNotDecided) {
        goal.reason = "the interval holds the goal: it takes more rounds, or a quieter machine";
      }
    }
    goals->push_back(goal);
  }
}

void judgeShortLives(const std::vector<ShortLife>& rows, std::vector<Goal>* goals) {
  constexpr double kMost = 2;
  for (const ShortLife& row : rows) {
    if (row.tool != "Parallax") continue;
    goals->push_back({row.what + " take less than twice as long",
                      row.failure.empty() ? format("%.2f times", row.ratio) : "not measured",
                      row.failure.empty() ? verdictOf(row.ratio < kMost) : Verdict::kNotDecided,
                      row.failure});
  }
}

}  // namespace

std::vector<Goal> judge(const Costs& costs, const PathCosts& paths,
                        const std::vector<SignalCost>& signals,
                        const std::vector<ShortLife>& shortLives, const Dilations& dilations) {
  std::vector<Goal> goals;
  judgeClock(costs, &goals);
  judgePaths(paths, &goals);
  judgeLocks(costs, &goals);
  judgeDilation(dilations, signals, 100, 0.01, &goals);
  judgeDilation(dilations, signals, 1000, 0.03, &goals);
  judgeShortLives(shortLives, &goals);
  return goals;
}

}  // namespace parallax::bench
