// Actions of each kind that must not change what a program of MPI computes.
#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/mpi/mpi_runner.h"
#include "tests/open_mpi.h"
#include "tests/tune/results.h"

namespace parallax::tests {
namespace {

class TuneResults : public MpiTest {
 protected:
  void SetUp() override {
    allowOpenMpi();
    if (access(program("heat").c_str(), X_OK) != 0) GTEST_SKIP() << tool("mpicc") << " is not installed";
  }
};

TEST_P(TuneResults, AreThoseOfTheProgramAlone) {
  const char* variable = mpi() == "mpich" ? "MPIR_CVAR_BCAST_MIN_PROCS" : "coll_tuned_allreduce_algorithm_segmentsize";
  const auto heat = [&](int steps) { return onRanks(2, "heat", {std::to_string(steps), "100", "200", "1"}); };
  expectSameResults(heat, "heat." + mpi(),
                    {{{"kind", "call"}, {"at", "mpi:*"}, {"name", "abs"}, {"arguments", {-1}}},
                     {{"kind", "set_variable"}, {"at", "mpi:*"}, {"name", "opterr"}, {"value", 0}, {"value_type", "i32"}},
                     {{"kind", "mpi_variable"}, {"at", "mpi:*"}, {"name", variable}, {"value", "4096"}},
                     {{"kind", "argument"}, {"at", "mpi:*"}, {"name", "relax_edges"}, {"index", 0}, {"least", 0}, {"value_type", "u64"}},
                     {{"kind", "insert_call"}, {"at", "mpi:*"}, {"name", "abs"}, {"arguments", {-1}}, {"before", "relax_interior"}},
                     {{"kind", "replace"}, {"at", "mpi:*"}, {"name", "atoi"}, {"with", "atol"}}});
}

INSTANTIATE_TEST_SUITE_P(All, TuneResults, kDebians, [](const auto& mpi) { return std::string(mpi.param); });

}  // namespace
}  // namespace parallax::tests
