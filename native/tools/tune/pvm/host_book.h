// What is open on a host: processes that run and actions that are not answered. When the host leaves, it is told that they are lost.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tools/tune/reports.h"
#include "tools/tune/requests.h"

namespace parallax::tuning::pvm {

class HostBook {
 public:
  explicit HostBook(std::string host) : reports_(std::move(host)) {}

  // An action was sent to the host.
  void sent(const Action& action) { actions_[action.asked.id] = action.pid; }
  // A line of the host's monitor.
  void came(const std::string& line);
  // The lines that close all.
  std::vector<std::string> close();

 private:
  const Reports reports_;
  std::map<uint32_t, int> actions_;  // their processes
  std::map<int, ProcessFacts> processes_;
  uint64_t lastNs_ = 0;  // of the lines that came
};

}  // namespace parallax::tuning::pvm
