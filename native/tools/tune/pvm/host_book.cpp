#include "tools/tune/pvm/host_book.h"

namespace parallax::tuning::pvm {

void HostBook::came(const std::string& line) {
  const Told told = readReport(line);
  if (told.isAction || told.isProcess) lastNs_ = told.timeNs;
  if (told.isAction && told.event != "waiting") actions_.erase(static_cast<uint32_t>(told.id));
  if (!told.isProcess) return;
  if (told.event == "ended") {
    processes_.erase(told.facts.pid);
  } else {
    processes_[told.facts.pid] = told.facts;
  }
}

std::vector<std::string> HostBook::close() {
  std::vector<std::string> lines;
  for (const auto& [id, pid] : actions_) {
    lines.push_back(reports_.action(pid, {id, "lost", "the host " + reports_.host() + " has left", {}, {}}, lastNs_));
  }
  for (const auto& process : processes_) lines.push_back(reports_.process(process.second, "ended", lastNs_));
  actions_.clear();
  processes_.clear();
  return lines;
}

}  // namespace parallax::tuning::pvm
