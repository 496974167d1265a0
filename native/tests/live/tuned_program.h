// A program under the agent that is tuned and not recorded, and the test as its monitor.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "live/monitored_page.h"
#include "tests/guest_runner.h"
#include "tests/temporary_directory.h"

namespace parallax::tests {

class TunedProgram {
 public:
  TunedProgram() = default;
  ~TunedProgram();
  TunedProgram(const TunedProgram&) = delete;
  TunedProgram& operator=(const TunedProgram&) = delete;

  // Starts a command with the agent and a directory for live pages. `record`: it is recorded as well.
  void start(const Words& command, bool record = false);
  std::string gates() const { return scratch_ / "gates"; }
  std::string pages() const { return scratch_ / "pages"; }
  std::string trace() const { return scratch_ / "trace"; }
  void open(const std::string& gate) const;
  // Waits until the program has told it, 20 s at most, and returns the text.
  std::string awaited(const std::string& name) const;
  // The pages of a program with this name, by process id, once there are so many.
  std::map<int, live::MonitoredPage> awaitPages(const std::string& program, size_t count) const;
  live::MonitoredPage awaitPage(const std::string& program) const;
  int end();

 private:
  TemporaryDirectory scratch_;
  int pid_ = 0;
};

// Waits until `holds()`, 20 s at most.
bool soon(const std::function<bool()>& holds);
// The answer to an action; fails the test if there is none soon.
live::Answer answerTo(live::MonitoredPage& page, const live::AskedAction& action);

}  // namespace parallax::tests
