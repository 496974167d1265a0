// What the tests of OpenMP share: runs of a program under each runtime, and what their traces say.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "tests/guest_runner.h"
#include "tests/guest_trace.h"

namespace parallax::tests {

class OpenMpPrograms : public testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;

  // Of the programs: the runtime.
  virtual std::string ending() const = 0;
  std::string program(const std::string& name) const;
  // Runs it with and without the agent; the result must be the same.
  TracedProcess traceOf(const std::string& name, const Words& arguments, const Words& options = {});
  static std::string baseName(const std::string& path) {
    return path.substr(path.rfind('/') + 1);
  }

  TemporaryDirectory scratch_;
  int traces_ = 0;
};

class OpenMp : public OpenMpPrograms, public testing::WithParamInterface<const char*> {
 protected:
  std::string ending() const override { return GetParam(); }
};

bool isOfOmpLock(const TracedProcess& process, const TracedEvent& event);
bool acquiresOmp(const TracedProcess& process, const TracedEvent& event);

// What holds for every trace of a program that ended in order.
void expectTeamsConsistent(const TracedProcess& process);

}  // namespace parallax::tests
