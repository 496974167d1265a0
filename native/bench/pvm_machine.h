// Virtual machines of PVM for studies.
#pragma once

#include <sys/types.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace parallax::bench {

struct Place {
  static constexpr char kOne[] = "one", kThree[] = "three";  // hosts
  static std::string nameOf(const std::string& place);       // such as "One host"
};

// A virtual machine that is there as long as the object: one host, or three in network namespaces.
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
  // For the shell: one of the programs of the build, or one with its path, on the first host. Its arguments follow.
  std::string command(const std::string& program) const;
  const std::vector<std::string>& hosts() const { return hosts_; }
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

// Those of a study. Without namespaces there are no three hosts; then there is one, also if it is not asked for.
class PvmMachines {
 public:
  // Needs an Interruptible: it starts nothing more after an interrupt. `program` is one of the build that must be there.
  PvmMachines(const std::vector<std::string>& places, const std::string& program, const std::string& folder);

  // Empty, or why nothing can be measured.
  const std::string& failure() const { return failure_; }
  const std::vector<std::string>& places() const { return places_; }  // those that are there
  const PvmMachine& at(const std::string& place) const { return *machines_.at(place); }

 private:
  void start(const std::string& place, const std::string& folder);

  std::string failure_;
  std::vector<std::string> places_;
  std::map<std::string, std::unique_ptr<PvmMachine>> machines_;
};

}  // namespace parallax::bench
