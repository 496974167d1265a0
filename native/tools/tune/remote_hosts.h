// Monitors of other hosts, as the monitor of the first host sees them: a process that speaks with all of them.
#pragma once

#include <sys/types.h>

#include <memory>
#include <string>
#include <vector>

#include "tools/tune/lines.h"

namespace parallax::tuning {

// The virtual machine of PVM, by parallax-tune-pvm.
class RemoteHosts {
 public:
  // `host` is the name of this one, `directory` that of the live pages.
  RemoteHosts(const std::string& secret, const std::string& host, const std::string& directory);
  ~RemoteHosts();
  RemoteHosts(const RemoteHosts&) = delete;
  RemoteHosts& operator=(const RemoteHosts&) = delete;

  // Whether the program calls routines of PVM, as far as its file tells.
  static bool isNeededBy(const std::string& program);
  // Waits until tasks that PVM starts can be tuned, but not longer than this. False: they cannot be, which lines tell.
  bool awaitReady(int patienceMs);

  // For poll(): where lines come from; -1: none come any more.
  int inputFd() const { return from_ ? from_->fd() : -1; }
  // For poll(): where something waits to be written; else -1.
  int outputFd() const { return to_ && to_->waiting() > 0 ? to_->fd() : -1; }
  // Lines that have come: for the analyzer, and requests Status and Ready. May be called at any time.
  std::vector<std::string> read();
  void flush();
  // A request as the analyzer wrote it.
  void send(const std::string& line);

 private:
  pid_t process_ = -1;
  const std::string host_;
  std::unique_ptr<LineWriter> to_;
  std::unique_ptr<LineReader> from_;
  std::vector<std::string> lines_;  // that were read before
};

}  // namespace parallax::tuning
