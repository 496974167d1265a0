// The monitor of one machine: tells the analyzer of processes and metrics, and brings its requests to the processes.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tools/tune/change_preparer.h"
#include "tools/tune/lines.h"
#include "tools/tune/page_directory.h"
#include "tools/tune/remote_hosts.h"
#include "tools/tune/reports.h"
#include "tools/tune/requests.h"
#include "tools/tune/unkept_actions.h"
#include "tools/tune/watched_process.h"

namespace parallax::tuning {

// For poll(): ready when the process has ended. -1: the system has no such thing.
int openEndOf(int pid);

class Monitor {
 public:
  // Lines come from `in` and go to `out`.
  Monitor(int in, int out, const PageDirectory* directory, std::string host);

  void setInterval(uint64_t ns) { intervalNs_ = ns; }
  // Hosts that other monitors watch, which come and go; else there is this one alone.
  void setRemoteHosts(RemoteHosts* hosts);
  // Others start the tasks of PVM, and tell how they have ended.
  void expectStatuses() { expectsStatuses_ = true; }
  void hello(const std::string& secret);
  void tellHost(const std::string& architecture);
  // Whether a remote one has told of this host.
  bool hasToldHost() const { return hasToldHost_; }
  void tellProblem(const std::string& text) { tell(reports_.problem(text)); }
  // Until the analyzer has asked for something, but not longer than this.
  void awaitRequest(int patienceMs);
  // Until the command, a child, has ended, and all processes with a page have or are not about to. The caller waits for it.
  // With 0: until the analyzer is gone.
  void watch(int command);
  void tellEnd(int status);
  // Until the analyzer has all, but not for long.
  void finish();

 private:
  struct Watched {
    std::unique_ptr<WatchedProcess> process;
    ProcessFacts told;
    std::vector<Tunable> tunables;
    uint64_t endedNs = 0;  // when that was seen; 0: it runs
  };
  using Processes = std::map<int, Watched>;  // by pid

  uint64_t nowNs() const;  // since the session began
  void tell(const std::string& line) { out_.write(line); }
  void wait(int commandEnd, int timeoutMs);
  void handle(const LineReader::Line& line);
  void handleRemote(const std::string& line);
  void handle(const Points& points);
  void handle(const Action& action);
  void handle(const TakeBack& back);
  void askPrepared();
  // Tells it; the action is over, unless it waits.
  void answer(int pid, const Answer& answer);
  // Of an action that is being prepared for this process: it is not asked for, and this is told. False: there is none.
  bool giveUpPreparing(int pid, uint32_t id, const char* state, const std::string& why);
  void giveUpPreparingFor(int pid, const std::string& why);  // 0: for all
  void leave();
  void undoUnkept();
  void findProcesses();
  void start(const PageDirectory::Page& page);
  void end(const Processes::iterator& process);
  void endThoseThatHave();
  bool awaitsStatusOf(const Watched& watched) const;
  void tellNews(Watched* watched);
  void tellAnswers(Watched* watched);
  void tellMetrics(Watched* watched, uint64_t now);
  void tellNewsOfAll();
  // Of actions that processes are to do; and takes their answers.
  bool awaitsAnswers() const;
  bool haveAllAnswered();

  LineReader in_;
  LineWriter out_;
  const PageDirectory* const directory_;
  const Reports reports_;
  RemoteHosts* remote_ = nullptr;
  const uint64_t startNs_;
  uint64_t intervalNs_ = 200000000;
  int command_ = 0;
  bool hasChanges_ = true;   // of the directory
  bool awaitsStatus_ = false;
  bool hasToldHost_ = false;
  bool wasAsked_ = false;
  bool isAsked_ = true;      // the analyzer is there
  bool stopped_ = false;     // no more tuning
  bool hasLeft_ = false;     // all is taken back
  std::vector<Point> points_;
  Processes processes_;
  std::map<std::string, ino_t> unreadable_;  // pages that were told already
  ChangePreparer preparer_;
  std::map<uint32_t, Action> preparing_;     // changes of code, by id
  std::map<uint32_t, int> actionsOf_;        // pid by action: those that are not answered
  UnkeptActions unkept_;
  uint64_t lostNs_ = 0;                      // when the analyzer ended
  uint64_t askedNs_ = 0;                     // when the last of them was asked for
  bool expectsStatuses_ = false;
  std::set<std::pair<std::string, int>> remoteProcesses_;  // those of other hosts that run
  uint64_t remoteLost_ = 0;                  // lines of metrics for which the analyzer was too slow
  std::map<int, int> statuses_;              // by pid: of those that were told to have ended
};

}  // namespace parallax::tuning
