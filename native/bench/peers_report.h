// The result, for people and as JSON.
#pragma once

#include <string>
#include <vector>

#include "bench/peers_costs.h"
#include "bench/peers_dilation.h"
#include "bench/peers_paths.h"
#include "bench/peers_short.h"
#include "bench/peers_signals.h"
#include "bench/peers_stats.h"

namespace parallax::bench {

struct Goal {
  std::string name;
  std::string measured;
  Verdict verdict;
  std::string reason;  // why it is not reached, or not decided
};

std::vector<Goal> judge(const Costs& costs, const PathCosts& paths,
                        const std::vector<SignalCost>& signals,
                        const std::vector<ShortLife>& shortLives, const Dilations& dilations);

struct Result {
  std::string machine;
  std::string command;
  std::vector<std::string> versions;  // of what is measured beside ours
  Costs costs;
  PathCosts paths;
  std::vector<SignalCost> signals;
  std::vector<ShortLife> shortLives;
  Dilations dilations;
  std::vector<Goal> goals;
};

// In two parts, each as soon as it is known: single events and call paths; programs, and goals if
// there are any.
void printEvents(const Result& result);
void printPrograms(const Result& result);
// Returns whether it could be written.
bool writeJson(const Result& result, const std::string& path);

// Such as "1.25 % [0.91, 1.60]".
std::string percent(const Estimate& estimate);

}  // namespace parallax::bench
