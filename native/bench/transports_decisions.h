// With which process counts a goal is reached.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "bench/peers_stats.h"

namespace parallax::bench {

// Of the goal by processor time: all processes and the writer.
class CpuDecisions {
 public:
  void add(int processes, const std::string& store, Verdict verdict) { counts_[store][verdict].push_back(processes); }

  // A line for each store, such as "plain store, by CPU time: reached with 2, 8 processes; not decided with 32"; empty without any.
  std::string text() const {
    std::string text;
    for (const auto& [store, verdicts] : counts_) {
      text += store + " store, by CPU time of all processes and the writer:";
      std::string separator = " ";
      for (const auto& [verdict, processes] : verdicts) {
        text += separator + wordFor(verdict) + " with";
        for (size_t i = 0; i < processes.size(); i++) text += (i == 0 ? " " : ", ") + std::to_string(processes[i]);
        separator = "; ";
      }
      text += "\n";
    }
    return text;
  }

 private:
  std::map<std::string, std::map<Verdict, std::vector<int>>> counts_;
};

}  // namespace parallax::bench
