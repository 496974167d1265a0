// What the kernel tells of a thread in text.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <string>

namespace parallax::attach {

// The lines of /proc/PROCESS/task/THREAD/status, by their names; empty where there is no such thread.
class ThreadStatus {
 public:
  ThreadStatus(pid_t process, pid_t thread);

  bool exists() const { return !values_.empty(); }
  // Empty if there is no such line.
  std::string text(const std::string& name) const;
  // -1 if there is no such line.
  int number(const std::string& name) const;
  // A set of signals; 0 if there is no such line.
  uint64_t signals(const std::string& name) const;
  // R, S, D, T, t, Z, X; 0 if there is no such thread.
  char state() const { return exists() ? text("State")[0] : '\0'; }

 private:
  std::map<std::string, std::string> values_;
};

}  // namespace parallax::attach
