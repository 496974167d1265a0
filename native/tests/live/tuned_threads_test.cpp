// Threads of OpenMP whose number is tuned.
#include <gtest/gtest.h>
#include <sched.h>
#include <unistd.h>

#include "tests/live/tuned_program.h"
#include "tests/mpi/mpi_runner.h"
#include "tests/open_mpi.h"

namespace parallax::tests {
namespace {

class TunedThreads : public MpiTest {
 protected:
  void SetUp() override { allowOpenMpi(); }
};

live::AskedAction threads(uint32_t id, int64_t count) {
  live::AskedAction action;
  action.id = id;
  action.kind = live::ActionKind::kTunable;
  action.at = "any";
  action.name = "openmp_threads";
  action.arguments = {live::Argument::of(count)};
  return action;
}

// The action waits for the thread that initialised MPI, outside of parallel regions. Then the workers that come in addition may use the
// other processors, and no other thread.
TEST_P(TunedThreads, OpenMpHasMoreOnItsOwnThreadAndOnlyTheyUseOtherProcessors) {
  cpu_set_t processors;
  ASSERT_EQ(0, sched_getaffinity(0, sizeof processors, &processors));
  int built = 0;
  for (const char* runtime : {"gnu", "llvm"}) {
    SCOPED_TRACE(runtime);
    const std::string name = std::string("tuned_threads.") + runtime;
    if (access(program(name).c_str(), X_OK) != 0) continue;
    built++;
    TunedProgram tuned;
    Words command = onRanks(1, name, {tuned.gates()});
    command.insert(command.begin(), {"env", "OMP_WAIT_POLICY=passive", "OMPI_MCA_hwloc_base_binding_policy=none"});
    tuned.start(command);
    tuned.awaited("ready");
    live::MonitoredPage page = tuned.awaitPage(name + "." + mpi());
    ASSERT_EQ("", page.setPoints({{{"mpi:*"}, live::Key::kNone}}));
    ASSERT_EQ("", page.ask(threads(1, 3)));
    tuned.open("go");
    tuned.awaited("another");
    EXPECT_TRUE(page.takeAnswers().empty()) << "on another thread";
    EXPECT_TRUE(page.takeBack(1));
    ASSERT_EQ("", page.ask(threads(2, 3)));
    tuned.open("main");
    tuned.awaited("region");
    std::vector<live::Answer> answers;
    EXPECT_TRUE(soon([&] { return !(answers = page.takeAnswers()).empty(); }));
    ASSERT_EQ(1u, answers.size());
    EXPECT_TRUE(answers[0].done) << answers[0].text;
    tuned.open("more");
    const std::string places = tuned.awaited("result");
    EXPECT_TRUE(CPU_COUNT(&processors) < 2 || places == "1121") << places;
    EXPECT_EQ(0, tuned.end());
  }
  if (built == 0) GTEST_SKIP() << "the programs were built without " << mpi() << " or without a compiler with OpenMP";
}

INSTANTIATE_TEST_SUITE_P(All, TunedThreads, kDebians, [](const auto& mpi) { return std::string(mpi.param); });

}  // namespace
}  // namespace parallax::tests
