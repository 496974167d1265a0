// Starts the tasks of this host in the place of PVM's daemon, so that they can be tuned.
//
// The daemon sends SM_STTASK with all that a new task needs, and wants to know its end (SM_TASKX). What a task prints goes, as
// from the daemon, to the task that asked for it (pvm_catchout), or into the log. If this process were killed, the daemon would
// end the tasks with it: so it stays until its last task has ended, and is nothing but this.
#pragma once

#include <poll.h>
#include <sys/types.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "live/live_page.h"
#include "tools/record.h"
#include "tools/tune/pvm/session.h"

namespace parallax::tuning::pvm {

class Tasker {
 public:
  // Tells how a process has ended: its status as a shell gives it.
  using Ended = std::function<void(int pid, int status)>;

  // `directory` has the live pages of the tasks.
  Tasker(record::Environment environment, std::string directory, Ended ended)
      : environment_(std::move(environment)), directory_(std::move(directory)), ended_(std::move(ended)) {}

  // Registers. Returns what is wrong, empty when nothing is.
  std::string begin();
  // From now on tasks are started as they are.
  void startPlainly() { plain_ = true; }
  // An SM_STTASK that was received.
  void start(const Message& message);
  bool hasTasks() const { return !tasks_.empty(); }
  // Whether it is not known yet where the output of a new task goes: it can only be asked until the task ends.
  bool isLearning() const;
  void addTo(std::vector<pollfd>* set) const;
  // Reads what tasks have printed, and reports those that have ended.
  void look();

 private:
  struct Output {
    int task = 0, context = 0, tag = 0;  // 0: the log
  };
  struct Task {
    pid_t pid = -1;
    int end = -1;     // for poll()
    int output = -1;  // its standard output and error
    bool isKnown = false;  // where the output goes
    uint64_t learnUntilNs = 0;
    Output to;
    std::string printed;  // and not sent yet
    live::Header* page = nullptr;  // once it is known
  };

  [[noreturn]] void become(const std::string& path, const std::vector<std::string>& arguments,
                           const std::vector<std::string>& variables, int output) const;
  void readFrom(int id, Task* task);
  void learnOutput(Task* task) const;
  bool learnFromPage(Task* task) const;
  static void tell(const Task& task, live::OutputState state);
  void sendPrinted(int id, Task* task) const;
  void finish(int id, Task* task);

  const record::Environment environment_;
  const std::string directory_;
  const Ended ended_;
  bool plain_ = false;
  std::map<int, Task> tasks_;  // by PVM's number
};

}  // namespace parallax::tuning::pvm
