// Tasks of cancelled taskgroups and regions: the agent changes nothing about which are executed, and uses the records of
// the others again.
#include <gtest/gtest.h>

#include <string>
#include <tuple>

#include "tests/openmp_fixture.h"

namespace parallax::tests {
namespace {

using format::Kind;
using format::SyncKind;

// How many ends of tasks are known where the program waits for one.
size_t endsSeen(const TracedProcess& process) {
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

// A runtime and a case of the program.
class OpenMpCancelled : public OpenMpPrograms,
                        public testing::WithParamInterface<std::tuple<const char*, const char*>> {
 protected:
  void SetUp() override {
    const std::string runtime = ending(), name = std::get<1>(GetParam());
    if (runtime == "llvm" && (name == "loop" || name == "detached")) GTEST_SKIP() << "LLVM 14 hangs without the agent, too";
    if (runtime == "gnu_on_llvm" && name == "detached") GTEST_SKIP() << "LLVM 14 has no such tasks under libgomp's names";
    OpenMpPrograms::SetUp();
  }
  std::string ending() const override { return std::get<0>(GetParam()); }

  TracedProcess traceOfRounds(int rounds) {
    return traceOf("cancel", {std::get<1>(GetParam()), std::to_string(rounds)});
  }
};

// As many as without the agent, which the program prints.
TEST_P(OpenMpCancelled, TheSameTasksAreExecuted) { EXPECT_EQ(1u, endsSeen(traceOfRounds(5))); }

// There are at most 2^18 records, and a round makes 60 tasks. Without a record for the last task, nobody is told to wait
// for it.
TEST_P(OpenMpCancelled, RecordsAreUsedAgain) { EXPECT_EQ(1u, endsSeen(traceOfRounds(9000))); }

INSTANTIATE_TEST_SUITE_P(
    Cases, OpenMpCancelled,
    testing::Combine(testing::Values("gnu", "llvm", "gnu_on_llvm"),
                     testing::Values("queued", "copied", "late", "undeferred", "dependent", "detached", "nested", "region",
                                     "loop")),
    [](const auto& info) { return std::string(std::get<0>(info.param)) + "_" + std::get<1>(info.param); });

class OpenMpExhausted : public OpenMp {};

// A task that is not executed when its taskgroup is cancelled cannot fulfill its event, so the agent has to.
TEST_P(OpenMpExhausted, ACancelledTaskWhoseEventHasNoRecordIsNotWaitedForForever) {
  EXPECT_EQ(1u, endsSeen(traceOf("cancel", {"exhausted", "1"})));
}

INSTANTIATE_TEST_SUITE_P(Runtimes, OpenMpExhausted, testing::Values("gnu"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace parallax::tests
