// Ranks that are tuned.
#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/live/tuned_program.h"
#include "tests/mpi/mpi_runner.h"
#include "tests/open_mpi.h"

namespace parallax::tests {
namespace {

using live::Count;
using live::Key;
using live::MonitoredPage;

class TunedMpi : public MpiTest {
 protected:
  void SetUp() override {
    allowOpenMpi();
    if (access(program("tuned_mpi").c_str(), X_OK) != 0) GTEST_SKIP() << tool("mpicc") << " is not installed";
  }
  void begin(TunedProgram& program, bool record, const std::string& variable) {
    program.start(onRanks(2, "tuned_mpi", {program.gates(), variable}), record);
    for (const char* ready : {"ready0", "ready1"}) program.awaited(ready);
    pages_ = program.awaitPages("tuned_mpi." + mpi(), 2);
    for (auto& [pid, page] : pages_) byRank_[page.header().rank.load()] = &page;
    ASSERT_EQ(2u, byRank_.size());
    ASSERT_EQ(1u, byRank_.count(0) * byRank_.count(1));
  }

  std::map<int, MonitoredPage> pages_;
  std::map<int, MonitoredPage*> byRank_;
};

std::map<std::pair<uint32_t, uint64_t>, std::pair<uint64_t, uint64_t>> countsOf(const MonitoredPage& page) {
  std::map<std::pair<uint32_t, uint64_t>, std::pair<uint64_t, uint64_t>> found;
  for (const Count& count : page.counts()) found[{count.point, count.key}] = {count.count, count.bytes};
  return found;
}

TEST_P(TunedMpi, SizesOfMessagesAndCollectivesAreExact) {
  for (const bool record : {false, true}) {
    SCOPED_TRACE(record ? "recorded" : "alone");
    TunedProgram program;
    byRank_.clear();
    begin(program, record, "none");
    const std::vector<live::AskedPoint> points{{{"MPI_Send"}, Key::kSize},     {{"MPI_Recv"}, Key::kPeer}, {{"MPI_Isend"}, Key::kSize},
                                               {{"MPI_Waitall"}, Key::kSize},  {{"MPI_Bcast", "MPI_Ibcast"}, Key::kSize},
                                               {{"MPI_Wait"}, Key::kSize}};
    for (auto& [rank, page] : byRank_) {
      ASSERT_EQ("", page->setPoints(points));
      EXPECT_NE("", page->library());
    }
    program.open("go");
    for (const char* sent : {"sent0", "sent1"}) program.awaited(sent);
    using Found = std::map<std::pair<uint32_t, uint64_t>, std::pair<uint64_t, uint64_t>>;
    const Found both{{{2, 32768}, {4, 200000}}, {{3, 32768}, {4, 200000}}, {{4, 256}, {1, 300}}, {{4, 64}, {1, 70}}, {{5, 0}, {1, 0}}};
    Found first = both, second = both;
    first[{0, 512}] = {10, 10000};
    second[{1, 0}] = {10, 10000};
    EXPECT_EQ(first, countsOf(*byRank_[0]));
    EXPECT_EQ(second, countsOf(*byRank_[1]));
    program.open("end");
    EXPECT_EQ(0, program.end());
    for (auto& [rank, page] : byRank_) EXPECT_EQ(0u, page->header().lost.load());
  }
}

live::AskedAction variable(uint32_t id, const std::string& name, const std::string& value) {
  live::AskedAction action;
  action.id = id;
  action.kind = live::ActionKind::kMpiVariable;
  action.at = "mpi:*";
  action.name = name;
  action.text = value;
  return action;
}

TEST_P(TunedMpi, ControlVariablesAreWrittenAndReadBack) {
  const bool isMpich = mpi() == "mpich";
  const std::string name = isMpich ? "MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM" : "coll_tuned_allreduce_algorithm_segmentsize";
  TunedProgram program;
  begin(program, false, name);
  program.open("go");
  MonitoredPage& page = *byRank_[0];
  live::Answer answer = answerTo(page, variable(1, "NO_SUCH_VARIABLE", "1"));
  EXPECT_FALSE(answer.done);
  EXPECT_EQ("this MPI library has no control variable \"NO_SUCH_VARIABLE\"", answer.text);
  answer = answerTo(page, variable(2, name, "4x"));
  EXPECT_FALSE(answer.done);
  EXPECT_EQ("the variable is an integer, and the value is not", answer.text);
  if (isMpich) {
    // Both ranks: an algorithm is one of all.
    ASSERT_EQ("", byRank_[1]->ask(variable(7, name, "4")));
    answer = answerTo(page, variable(3, name, "4"));
    EXPECT_TRUE(answer.done) << answer.text;
    EXPECT_EQ("was 0, is 4", answer.text);
    EXPECT_EQ(4u, answer.result);
    live::AskedAction undo;
    undo.id = 4;
    undo.kind = live::ActionKind::kUndo;
    undo.undoes = 3;
    EXPECT_EQ("was 4, is 0", answerTo(page, undo).text);
    EXPECT_TRUE(answerTo(page, variable(5, name, "4")).done);
  } else {
    answer = answerTo(page, variable(3, name, "4096"));
    EXPECT_TRUE(answer.done) << answer.text;
    EXPECT_EQ("was 0, is 4096", answer.text);
    answer = answerTo(page, variable(4, "coll_sync_barrier_before", "1"));
    EXPECT_FALSE(answer.done);
    EXPECT_EQ("MPI does not let the variable be written after MPI_Init (error 64); it is 0", answer.text);
  }
  program.open("end");
  EXPECT_EQ(isMpich ? "4\n" : "4096\n", program.awaited("result"));
  EXPECT_EQ(0, program.end());
}

INSTANTIATE_TEST_SUITE_P(All, TunedMpi, kDebians, [](const auto& mpi) { return std::string(mpi.param); });

}  // namespace
}  // namespace parallax::tests
