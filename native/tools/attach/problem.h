// What keeps a process from being recorded that runs already, and what to do about it.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

namespace parallax::attach {

// What /proc tells of a process.
struct ProcessFacts {
  bool exists = false;
  pid_t group = 0;    // the process, if the number is that of a thread
  pid_t parent = 0;
  int threads = 0;
  pid_t tracer = 0;
  char state = '?';
  uint32_t user = 0, userGroup = 0;  // effective
  int seccomp = 0, filters = -1;
  bool hasShadowStack = false;
  std::string name;
  std::vector<std::string> command;  // its words
};
ProcessFacts factsOf(pid_t pid);
// A file of /proc/PID; empty if it cannot be read, as of a process that has just ended.
std::string contentOf(pid_t pid, const char* file);
// The name, or the number where there is none.
std::string userName(uint32_t user);

// What is known before it is touched; empty: nothing. `agent` is the path of the agent's library.
std::string findProblem(pid_t pid, const ProcessFacts& facts, const std::string& agent);
// Whether the kernel allows to stop it; nothing is done to it.
bool mayTrace(pid_t pid);
// Why the kernel does not allow to stop it, as far as it can be told.
std::string explainRefusal(pid_t pid, const ProcessFacts& facts);

}  // namespace parallax::attach
