// Dummy messages between the processes of both MPIs.
#include "tests/mpi/mpi_runner.h"
#include "tests/perturb/trial.h"

namespace parallax::tests {
namespace {

class PerturbMessages : public MpiTest {
 protected:
  void expectSent(const char* bytes, bool mayLack, bool traced) {
    Trial trial;
    trial.module(program("perturb-ring"));
    trial.jump(0, 0);
    trial.level(0, std::string("message\t") + bytes);
    trial.write();
    Words words{"timeout", "60", recorder(), "--perturb", trial.planPath()};
    if (traced) words.insert(words.end(), {"-o", trial / "trace", "--sample-hz", "0"});
    if (!traced) words.push_back("--no-trace");
    words.push_back("--");
    const Words ranks = onRanks(2, "perturb-ring", {"100"});
    words.insert(words.end(), ranks.begin(), ranks.end());
    const Outcome outcome = run(words);
    EXPECT_EQ(0, outcome.status) << outcome.output << outcome.errors;
    EXPECT_EQ("ok\n", outcome.output);
    EXPECT_EQ("", trial.problems());
    const Counted counted = trial.sum(0);
    // 100 rounds, the operation at one rank or both, the 50 and the one after the end.
    EXPECT_GE(counted.count, 253u);
    EXPECT_LE(counted.count, 254u);
    const uint64_t inMpi = counted.count - 252, after = 2;
    if (mayLack) {
      EXPECT_GT(counted.skipped, inMpi + after);  // those 50, at least
    } else {
      EXPECT_EQ(inMpi + after, counted.skipped);
    }
    EXPECT_LT(counted.skipped, 100u);
  }
};

TEST_P(PerturbMessages, SmallOnesAreAllSent) { expectSent("64", false, false); }
TEST_P(PerturbMessages, LargeOnesNeverWait) { expectSent("1000000", true, false); }
TEST_P(PerturbMessages, BesideATrace) { expectSent("64", false, true); }

INSTANTIATE_TEST_SUITE_P(All, PerturbMessages, testing::Values("openmpi", "mpich"),
                         [](const auto& mpi) { return std::string(mpi.param); });

}  // namespace
}  // namespace parallax::tests
