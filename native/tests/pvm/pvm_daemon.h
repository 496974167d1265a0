// A virtual machine of a test suite: a daemon of its own, with its own files.
#pragma once

#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "tests/guest_runner.h"
#include "tests/temporary_directory.h"

namespace parallax::tests {

class PvmDaemon {
 public:
  PvmDaemon() {
    setenv("PVM_ROOT", "/usr/lib/pvm3", 0);
    setenv("PVM_TMP", scratch_.path().c_str(), 1);
    setenv("PVM_VMID", ("parallax-test-" + std::to_string(getpid())).c_str(), 1);
    setenv("PVM_ALLOW_ROOT", "1", 1);  // the daemon refuses root otherwise
    std::ofstream(scratch_ / "hosts") << "* ep=/usr/lib/pvm3/lib\n";  // where the group server is
    daemon_ = start({"pvmd", scratch_ / "hosts"});
    // A program can join the machine once the daemon answers the console, which starts another one before the daemon is known.
    for (int i = 0; i < 200; i++) {
      if (isKnown() && run({"sh", "-c", "echo quit | timeout 5 pvm"}).status == 0) return;
      usleep(50000);
    }
    ADD_FAILURE() << "PVM's daemon does not start";
  }
  ~PvmDaemon() {
    run({"sh", "-c", "echo halt | timeout 10 pvm"});
    kill(daemon_, SIGTERM);
    waitpid(daemon_, nullptr, 0);
  }
  PvmDaemon(const PvmDaemon&) = delete;
  PvmDaemon& operator=(const PvmDaemon&) = delete;

 private:
  // Whether the daemon has written where it is: pvmd.USER-MACHINE.
  bool isKnown() const {
    for (const auto& file : std::filesystem::directory_iterator(scratch_.path())) {
      if (file.path().filename().string().compare(0, 5, "pvmd.") == 0) return true;
    }
    return false;
  }

  TemporaryDirectory scratch_;
  int daemon_ = 0;
};

}  // namespace parallax::tests
