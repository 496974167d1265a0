// Tasks of cancelled taskgroups and regions: the agent changes nothing about which are executed, and uses the records of
// the others again.
#include <gtest/gtest.h>

#include <string>

#include "tests/openmp_fixture.h"

namespace parallax::tests {
namespace {

using format::Kind;
using format::SyncKind;

class OpenMpCancelled : public OpenMp {
 protected:
  // How many ends of tasks the program knows of where it waits for one, after so many rounds of 60 tasks.
  size_t endsSeen(const std::string& name, int rounds) {
    const TracedProcess process = traceOf("cancel", {name, std::to_string(rounds)});
    size_t seen = 0;
    for (const auto& [number, thread] : process.threads) {
      for (const auto& call : process.calls(thread, "omp taskwait")) {
        for (const TracedEvent& event : call) {
          const auto object = process.objects.find(static_cast<uint32_t>(event.operand));
          seen += event.kind == Kind::kWake && object != process.objects.end() &&
                  object->second.kind == SyncKind::kOpenMpTaskEnds;
        }
      }
    }
    return seen;
  }
};

// As many as without the agent, which the program prints.
TEST_P(OpenMpCancelled, TheSameTasksAreExecuted) {
  for (const std::string name : {"queued", "copied", "late", "undeferred", "dependent", "detached", "nested", "region",
                                 "loop"}) {
    // LLVM 14 hangs, except under libgomp's names.
    if ((name == "loop" || name == "detached") && GetParam() == std::string("llvm")) continue;
    SCOPED_TRACE(name);
    EXPECT_EQ(1u, endsSeen(name, 5));
  }
}

// There are at most 2^18 records. Without one for the last task, nobody is told to wait for it.
TEST_P(OpenMpCancelled, RecordsAreUsedAgain) {
  for (const std::string name : {"queued", "late", "region"}) {
    SCOPED_TRACE(name);
    EXPECT_EQ(1u, endsSeen(name, 4500));
  }
}

INSTANTIATE_TEST_SUITE_P(Runtimes, OpenMpCancelled, testing::Values("gnu", "llvm", "gnu_on_llvm"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace parallax::tests
