#include "tools/attach/thread_status.h"

#include <cstdlib>
#include <fstream>

namespace parallax::attach {

ThreadStatus::ThreadStatus(pid_t process, pid_t thread) {
  std::ifstream file("/proc/" + std::to_string(process) + "/task/" + std::to_string(thread) + "/status");
  for (std::string line; std::getline(file, line);) {
    const size_t colon = line.find(":\t");
    if (colon != std::string::npos) values_[line.substr(0, colon)] = line.substr(colon + 2);
  }
}

std::string ThreadStatus::text(const std::string& name) const {
  const auto found = values_.find(name);
  return found != values_.end() ? found->second : "";
}

int ThreadStatus::number(const std::string& name) const {
  const auto found = values_.find(name);
  return found != values_.end() ? atoi(found->second.c_str()) : -1;
}

uint64_t ThreadStatus::signals(const std::string& name) const { return strtoull(text(name).c_str(), nullptr, 16); }

}  // namespace parallax::attach
