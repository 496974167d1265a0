// One process of the program, by its live page.
#pragma once

#include <sys/types.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "live/monitored_page.h"
#include "tools/tune/reports.h"
#include "tools/tune/requests.h"

namespace parallax::tuning {

class WatchedProcess {
 public:
  // Maps the page. `problem` is what is wrong with it, empty when nothing is.
  WatchedProcess(const std::string& path, ino_t inode, std::string* problem);
  ~WatchedProcess();
  WatchedProcess(const WatchedProcess&) = delete;
  WatchedProcess& operator=(const WatchedProcess&) = delete;

  int pid() const { return page_.header().pid; }
  ino_t inode() const { return inode_; }
  ProcessFacts facts() const;
  // For poll(): ready when the process has ended. -1: the system has no such thing.
  int endFd() const { return endFd_; }
  bool hasEnded() const;

  // From now on these are measured, as far as they hold for this process and can be. Returns what is wrong with others, empty when
  // nothing is.
  std::string setPoints(const std::vector<Point>& points);
  // What has come since the last call; nothing for points at which nothing happened.
  std::vector<Metric> takeMetrics();
  // Visits that could not be counted, since the last call.
  uint64_t takeLost();

  // Returns why the action cannot be asked for, empty when the process will take it at its safe moment. A change of code must have
  // been prepared in the file of its id.
  std::string ask(const Action& action);
  std::string changePath(uint32_t id) const;
  std::vector<Answer> takeAnswers();
  // False: the process has taken the action, or has answered it.
  bool takeBack(uint32_t id);
  // All actions that the process has not taken are "lost". The others will be answered.
  std::vector<Answer> takeAllBack(const std::string& why);
  // The process has ended: nobody answers any more.
  std::vector<Answer> giveUp(const std::string& why);

  std::vector<Tunable> tunables() const;

 private:
  std::string locate(live::AskedAction* asked) const;

  using CellKey = std::pair<uint32_t, uint64_t>;  // place in measured_, key

  live::MonitoredPage page_;
  const std::string path_;
  const ino_t inode_;
  int endFd_ = -1;
  struct Measured {
    live::AskedPoint point;
    std::vector<std::string> names;
  };
  std::vector<Measured> measured_;
  std::map<CellKey, live::Count> told_;
  uint64_t toldLost_ = 0;
  std::map<uint32_t, live::ValueType> asked_;  // by id: the type of its result
};

}  // namespace parallax::tuning
