// Between the monitor of the first host and ours on all hosts of the virtual machine.
#pragma once

#include <map>
#include <string>

#include "tools/tune/lines.h"
#include "tools/tune/pvm/host_book.h"
#include "tools/tune/pvm/session.h"

namespace parallax::tuning::pvm {

class Link {
 public:
  // `host` is what the monitor calls the first host, `directory` has the live pages there.
  Link(std::string secret, std::string host, std::string directory);

  // Lines of the monitor come on the standard input, those for it go to the standard output, until the monitor ends.
  int run();

 private:
  struct Host {
    std::string name;
    int service = 0;  // the task; 0: it could not be started
    bool isReady = false;
    HostBook book;
  };

  void tell(const std::string& line) { out_.write(line); }
  void findHosts();
  void startService(int id, Host* host);
  void handle(const Message& message);
  void handleLine(int sender, const std::string& line);
  void handleRequest(const LineReader::Line& line);
  void removeHost(int id);
  void removeService(int task);
  void tellReady();

  Session session_;
  const Reports reports_;
  const std::string directory_;
  LineReader in_;
  LineWriter out_;
  int own_ = 0;  // the first host
  std::map<int, Host> hosts_;  // by the task of its daemon
  std::vector<std::string> standing_;  // requests that hold for hosts that join later: the last points and interval
  bool toldReady_ = false;
};

}  // namespace parallax::tuning::pvm
