// Ours on one host of the virtual machine: its tasker, on the first host its hoster, and on others its monitor.
#pragma once

#include <sys/types.h>

#include <memory>
#include <string>
#include <vector>

#include "tools/tune/lines.h"
#include "tools/tune/pvm/hoster.h"
#include "tools/tune/pvm/session.h"
#include "tools/tune/pvm/tasker.h"

namespace parallax::tuning::pvm {

class HostService {
 public:
  // `host` is the name of the host; `master` the task to which lines go. With a directory there is a monitor for it
  // already; without one, this starts a monitor.
  HostService(std::string secret, int master, std::string host, std::string directory);
  ~HostService();
  HostService(const HostService&) = delete;
  HostService& operator=(const HostService&) = delete;

  int run();

 private:
  void startMonitor();
  void tell(const std::string& line) const { session_.sendLine(master_, line); }
  void tellProblem(const std::string& text) const;
  void handle(const Message& message);
  void leave();
  void readMonitor();
  bool goesOn() const { return !leaving_ || tasker_->hasTasks() || hoster_.isBusy(); }

  Session session_;
  const int master_;
  const std::string host_;
  std::string directory_;
  bool isOurDirectory_ = false;
  bool leaving_ = false;
  Hoster hoster_;
  std::unique_ptr<Tasker> tasker_;
  pid_t monitor_ = -1;
  std::unique_ptr<LineWriter> toMonitor_;
  std::unique_ptr<LineReader> fromMonitor_;
};

}  // namespace parallax::tuning::pvm
