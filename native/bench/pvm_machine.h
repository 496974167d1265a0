// A virtual machine of PVM that is there as long as the object: one host, or three in network namespaces.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace parallax::bench {

class PvmMachine {
 public:
  // `program` is the path of parallax-pvm-machine, `kind` one of Place. `folder` has what it says, and where the next
  // object finds what a killed one has left.
  PvmMachine(const std::string& program, const std::string& kind, const std::string& folder);
  ~PvmMachine();
  PvmMachine(const PvmMachine&) = delete;
  PvmMachine& operator=(const PvmMachine&) = delete;

  // Empty, or why it is not there.
  const std::string& missing() const { return missing_; }
  // For the shell, before a command that is to run on the first host.
  const std::string& prefix() const { return prefix_; }
  // Where two workers are: on the other hosts, if there are any.
  std::vector<std::string> workerHosts() const;

 private:
  void start(const std::string& program, const std::string& kind, const std::string& folder, const std::string& log);
  void end();

  std::string missing_, prefix_;
  std::vector<std::string> hosts_;
  pid_t pid_ = -1;
  int input_ = -1;  // it ends when this is closed
};

}  // namespace parallax::bench
