// Programs that are recorded with a transport, which is the parameter of a test.
#pragma once

#include <gtest/gtest.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <string>

#include "tests/guest_runner.h"
#include "tests/guest_trace.h"

namespace parallax::tests {

class AgentTransports : public testing::TestWithParam<const char*> {
 protected:
  Words options() const { return {"--transport", GetParam(), "--quiet"}; }
  Trace record(const Words& command, int status) {
    const Outcome outcome = run(recorded(directory_, command, options()));
    EXPECT_EQ(status, outcome.status) << outcome.errors;
    EXPECT_EQ("", outcome.errors);
    return loadTrace(directory_);
  }
  // Waits until the one program under the agent has used a processor for 30 ms; returns its process id.
  pid_t awaitGuest() const {
    format::TraceFiles files;
    while (format::findTraceFiles(directory_, &files) != "" || files.processes.empty()) usleep(1000);
    const auto pid = static_cast<pid_t>(files.processes[0].pid);
    awaitCpuNs(pid, 30'000'000);
    return pid;
  }
  static void awaitCpuNs(pid_t pid, long ns) {
    clockid_t clock;
    timespec used{0, 0};
    while (clock_getcpuclockid(pid, &clock) == 0 && clock_gettime(clock, &used) == 0 && used.tv_sec == 0 &&
           used.tv_nsec < ns) {
      usleep(1000);
    }
  }

  const TemporaryDirectory scratch_;
  const std::string directory_ = scratch_ / "trace";
};

inline std::string nameOf(const testing::TestParamInfo<const char*>& test) {
  std::string name = test.param;
  std::replace(name.begin(), name.end(), ':', '_');
  return name;
}

}  // namespace parallax::tests
