// Starts PVM's daemons on hosts that join, in the place of the first daemon.
//
// The daemon sends SM_STHOST with the hosts and the command for each, and wants the lines that the new daemons print
// (SM_STHOSTACK), with the same wait identifier.
#pragma once

#include <poll.h>
#include <sys/types.h>

#include <list>
#include <string>
#include <vector>

#include "tools/tune/pvm/session.h"

namespace parallax::tuning::pvm {

class Hoster {
 public:
  // Registers; only the first host has a hoster. Returns what is wrong, empty when nothing is.
  std::string begin();
  // An SM_STHOST that was received.
  void start(const Message& message);
  bool isBusy() const { return !requests_.empty(); }
  void addTo(std::vector<pollfd>* set) const;
  // Reads what the new daemons have printed, and reports those hosts that are ready.
  void look();

 private:
  struct Host {
    int id = 0;
    pid_t shell = -1;
    int input = -1, output = -1, errors = -1;
    std::string printed, result;  // result: for the daemon; empty: not there yet
    uint64_t untilNs = 0;
  };
  struct Request {
    int sender, wait;
    std::vector<Host> hosts;
  };

  static void startOn(const std::string& login, const std::string& command, const std::string& machine, Host* host);
  static void lookAt(Host* host);
  static void finish(Host* host, const std::string& result);
  static void answer(const Request& request);

  std::list<Request> requests_;
  std::vector<pid_t> shells_;  // that have not ended
};

}  // namespace parallax::tuning::pvm
